/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.plugin.ElementHost.ErrorCode;

/** Thrown if the element cannot go on; becomes an element error. The message is one line with cause and cure. */
final class ElementException extends Exception {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    ElementException(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    ElementException(ErrorCode code, String message, Throwable cause) {
        super(message, cause);
        this.code = code;
    }

    /** Domain and code of the element error. */
    ErrorCode code() {
        return code;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

/** A file that is not a model of VMAF, or one that cannot be evaluated here. The message is one line that names the cause. */
public final class VmafModelException extends Exception {
    private static final long serialVersionUID = 1;

    VmafModelException(String message) {
        super(message);
    }

    VmafModelException(String message, Exception cause) {
        super(message, cause);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

/** Says that a file holds no golden vectors, or is damaged. The message is one line: the file and the cause. */
public final class GoldenFormatException extends Exception {
    private static final long serialVersionUID = 1L;

    GoldenFormatException(String file, String cause) {
        super(file + ": " + cause);
    }

    GoldenFormatException(String file, String cause, Throwable thrown) {
        super(file + ": " + cause, thrown);
    }
}

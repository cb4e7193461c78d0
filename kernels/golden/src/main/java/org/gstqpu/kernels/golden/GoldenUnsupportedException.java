/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

/** Says that a file is well-formed, but that its kernel cannot be verified here. The message is one line. */
public final class GoldenUnsupportedException extends Exception {
    private static final long serialVersionUID = 1L;

    GoldenUnsupportedException(String file, String kernel) {
        super(file + ": the kernel '" + kernel + "' cannot be verified by this version");
    }
}

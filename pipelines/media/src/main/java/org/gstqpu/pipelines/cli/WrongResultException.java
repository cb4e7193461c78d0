/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

/** A measurement found a result that differs from the CPU's, or work that was not done. There is then no time to report. */
public final class WrongResultException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public WrongResultException(String message) {
        super(message);
    }
}

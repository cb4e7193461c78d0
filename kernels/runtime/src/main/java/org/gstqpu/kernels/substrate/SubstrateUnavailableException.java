/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/** The substrate or device that was asked for cannot be used. The message is one line: the cause and the cure. */
public class SubstrateUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The message names the cause and the cure. */
    public SubstrateUnavailableException(String message) {
        super(message);
    }

    /** The message names the cause and the cure; {@code cause} is the failure behind them. */
    public SubstrateUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}

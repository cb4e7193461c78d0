/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/**
 * A Vulkan device or driver failed in use: the device was lost, had no memory left, or did not finish in time. The method that
 * throws says what can still be used; everything can be closed. The message is one line.
 */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final DeviceFailure failure;

    /** A failure of no particular kind. The message names the call, its result code and what the user can do. */
    public DeviceException(String message) {
        this(DeviceFailure.OTHER, message);
    }

    /** A failure of a known kind. */
    public DeviceException(DeviceFailure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** A failure that follows from another one, and is of the same kind. */
    public DeviceException(String message, DeviceException cause) {
        super(message, cause);
        this.failure = cause.failure;
    }

    /** The kind of the failure. The context can be closed after any of them. */
    public DeviceFailure failure() {
        return failure;
    }
}

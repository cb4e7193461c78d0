/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.substrate;

/** A Vulkan device or driver failed in use: lost, out of memory, timed out. The message is one line. */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final DeviceFailure failure;

    /** The message names the call, its result code and what the user can do. */
    public DeviceException(String message) {
        this(DeviceFailure.OTHER, message);
    }

    /** The same, for a failure of a known kind. */
    public DeviceException(DeviceFailure failure, String message) {
        super(message);
        this.failure = failure;
    }

    /** The same, of the kind of the failure that led to it. */
    public DeviceException(String message, DeviceException cause) {
        super(message, cause);
        this.failure = cause.failure;
    }

    /** What kind of failure it is; whatever it is, the context can be closed. */
    public DeviceFailure failure() {
        return failure;
    }
}

package org.gstqpu.kernels;

/** A Vulkan device or driver failed in use: lost, out of memory, timed out. The message is one line. */
public class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The message names the call, its result code and what the user can do. */
    public DeviceException(String message) {
        super(message);
    }

    /** The same, with the failure that led to it. */
    public DeviceException(String message, Throwable cause) {
        super(message, cause);
    }
}

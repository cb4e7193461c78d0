package org.gstqpu.kernels.vulkan;

/**
 * What a context may use of what its device can do ({@link DeviceCapabilities}). Immutable.
 *
 * @param hostPointerImport whether memory of the process may be imported
 */
record DeviceAllowances(boolean hostPointerImport) {
    /** Everything that the device can do. */
    static final DeviceAllowances ALL = new DeviceAllowances(true);
}

package org.gstqpu.kernels.vulkan;

/**
 * What a context may use of what its device can do ({@link DeviceCapabilities}). Immutable.
 *
 * @param hostPointerImport whether memory of the process may be imported
 * @param subgroupExchange whether kernels may exchange values by subgroup operations
 */
record DeviceAllowances(boolean hostPointerImport, boolean subgroupExchange) {
    /** Everything that the device can do. */
    static final DeviceAllowances ALL = new DeviceAllowances(true, true);
}

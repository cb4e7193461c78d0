package org.gstqpu.kernels.vulkan;

/**
 * What a context may use of what its device can do ({@link DeviceCapabilities}). Immutable.
 *
 * @param hostPointerImport whether memory of the process may be imported
 * @param pipelineCache whether compiled pipelines are kept on disk between runs
 * @param subgroupExchange whether kernels may exchange values by subgroup operations
 * @param profile the device that the context holds itself to
 */
record DeviceAllowances(
        boolean hostPointerImport, boolean pipelineCache, boolean subgroupExchange, DeviceProfile profile) {
    /** Everything that the device can do. */
    static final DeviceAllowances ALL = new DeviceAllowances(true, true);

    DeviceAllowances(boolean hostPointerImport, boolean subgroupExchange) {
        this(hostPointerImport, true, subgroupExchange, DeviceProfile.NONE);
    }

    /** Everything that the device has in common with a profile. */
    static DeviceAllowances of(DeviceProfile profile) {
        return new DeviceAllowances(true, true, true, profile);
    }
}

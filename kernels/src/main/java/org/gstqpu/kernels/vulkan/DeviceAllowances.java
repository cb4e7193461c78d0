package org.gstqpu.kernels.vulkan;

/**
 * What a context may use of what its device can do ({@link DeviceCapabilities}). Immutable.
 *
 * @param hostPointerImport whether memory of the process may be imported
 * @param pipelineCache whether compiled pipelines are kept on disk between runs
 * @param profile the device that the context holds itself to
 */
record DeviceAllowances(boolean hostPointerImport, boolean pipelineCache, DeviceProfile profile) {
    /** Everything that the device can do. */
    static final DeviceAllowances ALL = new DeviceAllowances(true);

    DeviceAllowances(boolean hostPointerImport) {
        this(hostPointerImport, true, DeviceProfile.NONE);
    }

    /** Everything that the device has in common with a profile. */
    static DeviceAllowances of(DeviceProfile profile) {
        return new DeviceAllowances(true, true, profile);
    }
}

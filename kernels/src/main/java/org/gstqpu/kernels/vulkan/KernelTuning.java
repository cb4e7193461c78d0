package org.gstqpu.kernels.vulkan;

/**
 * How kernels are cut into dispatches, where devices differ in what they like; every form gives the same result. Immutable.
 *
 * @param planesApart whether luma and chroma get a dispatch each where one could do both: a GPU pays for a dispatch, a CPU in
 *     disguise pays for both sides of a branch
 */
record KernelTuning(boolean planesApart) {
    static KernelTuning of(DeviceCapabilities device) {
        return new KernelTuning(!device.type().isGpu());
    }
}

package org.gstqpu.kernels.vulkan;

/**
 * How kernels are cut into dispatches, where devices differ in what they like; every form gives the same result. Immutable.
 *
 * @param planesApart whether luma and chroma are deblocked by a dispatch each where one could do both: a GPU pays for a
 *     dispatch, a CPU in disguise pays for both sides of a branch
 * @param phasesApart whether vertical and horizontal edges are deblocked by a dispatch each, without a barrier in the shader:
 *     Mesa's lavapipe (seen in 22.3) loses the memory of shaders with barriers, about 30 KB an invocation and dispatch
 * @param deblockInvocations invocations of a workgroup that deblocks, a multiple of 4
 */
record KernelTuning(boolean planesApart, boolean phasesApart, int deblockInvocations) {
    private static final int DEBLOCK_INVOCATIONS = 64;

    static KernelTuning of(DeviceCapabilities device) {
        boolean gpu = device.type().isGpu();
        return new KernelTuning(false, !gpu, DEBLOCK_INVOCATIONS);
    }
}

package org.gstqpu.kernels.vulkan;

/**
 * How kernels are cut into dispatches and workgroups, where devices differ in what they like; every form gives the same
 * result. Immutable.
 *
 * <p>Mesa's lavapipe keeps the state of each invocation that waits at a barrier, about 30 KB for the larger shaders, and was
 * seen (22.3) to lose that memory with every dispatch, so that a CPU in disguise gets forms without barriers.
 *
 * @param planesApart whether luma and chroma are deblocked by a dispatch each where one could do both: a GPU pays for a
 *     dispatch, a CPU in disguise pays for both sides of a branch
 * @param phasesApart whether vertical and horizontal edges are deblocked by a dispatch each, without a barrier in the shader
 * @param deblockInvocations invocations of a workgroup that deblocks, a multiple of 4
 * @param lockstep invocations of the block library's kernels, 4 or a multiple, that wait for each other without a barrier
 *     since they share a subgroup; 0 where whole workgroups wait at barriers
 * @param listsBlocks whether CDEF with a map of blocks first lists those that need a direction search, and the device takes
 *     from the list how many it searches, instead of searching all
 */
record KernelTuning(
        boolean planesApart, boolean phasesApart, int deblockInvocations, int lockstep, boolean listsBlocks) {
    private static final int DEBLOCK_INVOCATIONS = 64;

    /** Largest workgroup of a block kernel. */
    private static final int MOST_LOCKSTEP = 256;

    static KernelTuning of(DeviceCapabilities device) {
        boolean gpu = device.type().isGpu();
        int subgroup = device.subgroupSize();
        boolean canLockstep = subgroup >= 4 && subgroup % 4 == 0 && subgroup <= MOST_LOCKSTEP;
        return new KernelTuning(false, !gpu, DEBLOCK_INVOCATIONS, !gpu && canLockstep ? subgroup : 0, true);
    }
}

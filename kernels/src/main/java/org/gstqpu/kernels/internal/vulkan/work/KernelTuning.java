/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.DeviceType;

/**
 * How kernels are cut into dispatches and workgroups, where devices differ in what they like; every form gives the same
 * result. Immutable.
 *
 * <p>Mesa's lavapipe keeps the state of each invocation that waits at a barrier, about 30 KB for the larger shaders, and was
 * seen (22.3) to lose that memory with every dispatch, so that a CPU in disguise gets forms without barriers.
 *
 * @param deblockForm how picture deblocking is cut into dispatches
 * @param deblockInvocations invocations of a workgroup that deblocks, a multiple of 4; in {@link DeblockForm#CHASE} a whole
 *     number of subgroups, in {@link DeblockForm#TILES} of
 *     the diagonals that stand in where subgroups may exchange nothing
 * @param chaseInvocations invocations of a row of macroblocks in {@link DeblockForm#CHASE}, 4, or 8 where the device has
 *     shuffles
 * @param lockstep invocations of a workgroup of the block library's kernels and of {@link DeblockForm#CHASE}, 4 or a multiple,
 *     that wait for each other without a barrier since they share a subgroup; 0 where whole workgroups wait at barriers
 * @param pollsPerRound how often {@link DeblockForm#CHASE} polls in a round of its loop, at least 1; lavapipe gives up a loop
 *     after some 65000 rounds
 * @param listsBlocks whether CDEF with a map of blocks first lists those that need a direction search, and the device takes
 *     from the list how many it searches, instead of searching all
 * @param cdefRows rows of a block, 1, 2, 4 or 8, that an invocation of CDEF's filters takes one after the other, at most the
 *     block's
 * @param texels whether kernels that have such a form see their buffers as texels, where the device views words; CDEF is more
 *     dispatches then
 */
public record KernelTuning(
        DeblockForm deblockForm,
        int deblockInvocations,
        int chaseInvocations,
        int lockstep,
        int pollsPerRound,
        boolean listsBlocks,
        int cdefRows,
        boolean texels) {
    /** Makes those rounds last many times as long as lavapipe's threads were seen to wait for one another. */
    public static final int CPU_POLLS = 128;

    private static final int DEBLOCK_INVOCATIONS = 64;

    /**
     * Devices with such subgroups beside the CPU have so few of them at once that a picture gives them work enough when each
     * invocation takes all rows of a block: what the rows share then is computed once.
     */
    private static final int SMALL_SUBGROUP = 16;

    private static final int ALL_ROWS = 8;

    /** Invocations of a row of macroblocks that chases the one above. */
    private static final int CHASE = 4;

    /** The same on devices with invocations to spare, where less work an invocation makes a step shorter. */
    private static final int WIDE_CHASE = 8;

    /** Invocations of its workgroups, unless a subgroup has more: few bands, each of which starts some steps after the one above. */
    private static final int WIDE_GROUP = 128;

    /** Invocations that share a macroblock in {@link DeblockForm#TILES}, in one subgroup. */
    public static final int TILE_INVOCATIONS = 8;

    /** Largest workgroup of a block kernel. */
    private static final int MOST_LOCKSTEP = 256;

    public static KernelTuning of(DeviceCapabilities device) {
        return of(device, device.type().isGpu() ? DeblockForm.CHASE : DeblockForm.TILES);
    }

    /** What suits a device, but for this form. */
    public static KernelTuning of(DeviceCapabilities device, DeblockForm form) {
        boolean gpu = device.type().isGpu();
        int subgroup = device.subgroupSize();
        boolean texels = !gpu && form != DeblockForm.CHASE && device.texelsReachAllWords();
        boolean canLockstep = subgroup >= 4 && subgroup % 4 == 0 && subgroup <= MOST_LOCKSTEP;
        if (form == DeblockForm.CHASE && !canLockstep) {
            form = gpu ? DeblockForm.DIAGONALS : DeblockForm.DIAGONALS_IN_PHASES;
        }
        if (form == DeblockForm.TILES
                && !(texels && canLockstep && subgroup >= TILE_INVOCATIONS && device.subgroupExchange())) {
            form = gpu ? DeblockForm.DIAGONALS : DeblockForm.DIAGONALS_IN_PHASES;
        }
        boolean wide = device.type() == DeviceType.DISCRETE_GPU && device.subgroupExchange();
        return new KernelTuning(
                form,
                form == DeblockForm.CHASE ? (wide ? Math.max(WIDE_GROUP, subgroup) : subgroup) : DEBLOCK_INVOCATIONS,
                wide ? WIDE_CHASE : CHASE,
                !gpu && canLockstep ? subgroup : 0,
                gpu ? 1 : CPU_POLLS,
                true,
                device.type() == DeviceType.INTEGRATED_GPU && subgroup <= SMALL_SUBGROUP ? ALL_ROWS : 1,
                texels);
    }
}

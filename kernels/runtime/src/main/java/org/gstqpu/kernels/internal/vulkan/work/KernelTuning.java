/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.DeviceType;

/**
 * How kernels are cut into dispatches and workgroups, where devices differ in what is fast. All forms give the same
 * result. Immutable.
 *
 * <p>Mesa's lavapipe keeps the state of each invocation that waits at a barrier, about 30 KB for the larger shaders.
 * Version 22.3 was seen to lose that memory with every dispatch. So a CPU that poses as a device gets forms without
 * barriers.
 *
 * @param deblockForm how picture deblocking is cut into dispatches
 * @param deblockInvocations invocations of a workgroup that deblocks, a multiple of 4; in {@link DeblockForm#CHASE} a
 *     whole number of subgroups
 * @param chaseInvocations invocations for a row of macroblocks in {@link DeblockForm#CHASE}: 4, or 8 if the device has
 *     shuffles
 * @param lockstep number of invocations that wait for each other without a barrier because they share a subgroup: a
 *     multiple of 4, or 0 if whole workgroups wait at barriers. It holds for workgroups of the block library and of
 *     {@link DeblockForm#CHASE}
 * @param pollsPerRound how often {@link DeblockForm#CHASE} polls in one round of its loop, at least 1; lavapipe gives a
 *     loop up after some 65000 rounds
 * @param listsBlocks whether CDEF with a map of blocks first lists the blocks that need a direction search, so that the
 *     device searches only these; otherwise it searches all blocks
 * @param cdefRows rows of a block that one invocation of CDEF's filters takes one after the other: 1, 2, 4 or 8, at
 *     most the block's height
 * @param shrinkageBytes most bytes of shared memory that a workgroup of shrinkage takes; more make wider strips, of which
 *     less is computed twice
 * @param shrinkageBlocks most blocks that a workgroup of shrinkage transforms at a time; each has an invocation, unless
 *     the workgroup is one subgroup in lockstep
 * @param shrinkageRows rows of blocks that a workgroup of shrinkage passes over, at least 2; more make fewer workgroups, and
 *     less is computed twice
 * @param shrinkageParks whether shrinkage puts what it does not need at the moment into shared memory, for devices with few
 *     registers
 */
public record KernelTuning(
        DeblockForm deblockForm,
        int deblockInvocations,
        int chaseInvocations,
        int lockstep,
        int pollsPerRound,
        boolean listsBlocks,
        int cdefRows,
        int shrinkageBytes,
        int shrinkageBlocks,
        int shrinkageRows,
        boolean shrinkageParks) {
    /**
     * Polls in one round of {@link DeblockForm#CHASE} on a CPU that poses as a device. All rounds together then last
     * many times as long as lavapipe's threads were seen to wait for one another.
     */
    public static final int CPU_POLLS = 128;

    private static final int DEBLOCK_INVOCATIONS = 64;

    /**
     * Largest subgroup for which an invocation of CDEF takes all rows of a block, and computes once what the rows
     * share. GPUs with such subgroups run so few of them at a time that a picture keeps all busy even so.
     */
    private static final int SMALL_SUBGROUP = 16;

    private static final int ALL_ROWS = 8;

    /** Invocations for a row of macroblocks in {@link DeblockForm#CHASE}. */
    private static final int CHASE = 4;

    /**
     * Invocations for a row of macroblocks in {@link DeblockForm#CHASE} on devices with invocations to spare. Each does
     * less work, which makes a step shorter.
     */
    private static final int WIDE_CHASE = 8;

    /**
     * Invocations of a workgroup of wide rows, unless a subgroup has more. Large workgroups make few bands of rows;
     * each band starts some steps after the band above.
     */
    private static final int WIDE_GROUP = 128;

    /**
     * Shared memory of a workgroup of shrinkage. More would leave too few workgroups to a multiprocessor, whose memory they
     * share.
     */
    private static final int SHRINKAGE_BYTES = 48 << 10;

    /** Blocks that a workgroup of shrinkage transforms at a time. */
    private static final int SHRINKAGE_BLOCKS = 128;

    /** The same where a workgroup is a small subgroup, or runs on a CPU, whose cache its memory should fit in. */
    private static final int FEW_SHRINKAGE_BLOCKS = 16;

    /** Rows of blocks that a workgroup of shrinkage passes over on devices that need many workgroups. */
    private static final int SHRINKAGE_ROWS = 16;

    /** The same on devices that few workgroups keep busy. */
    private static final int MANY_SHRINKAGE_ROWS = 34;

    /** Invocations of the largest workgroup of a block kernel. */
    private static final int MOST_LOCKSTEP = 256;

    public static KernelTuning of(DeviceCapabilities device) {
        return of(device, device.type().isGpu() ? DeblockForm.CHASE : DeblockForm.DIAGONALS);
    }

    /** The tuning that suits a device with a given form of deblocking. */
    public static KernelTuning of(DeviceCapabilities device, DeblockForm form) {
        boolean gpu = device.type().isGpu();
        int subgroup = device.subgroupSize();
        boolean canLockstep = subgroup >= 4 && subgroup % 4 == 0 && subgroup <= MOST_LOCKSTEP;
        if (form == DeblockForm.CHASE && !canLockstep) {
            form = DeblockForm.DIAGONALS;
        }
        boolean small = !gpu || (device.type() == DeviceType.INTEGRATED_GPU && subgroup <= SMALL_SUBGROUP);
        boolean wide = device.type() == DeviceType.DISCRETE_GPU && device.subgroupExchange();
        return new KernelTuning(
                form,
                form == DeblockForm.CHASE ? (wide ? Math.max(WIDE_GROUP, subgroup) : subgroup) : DEBLOCK_INVOCATIONS,
                wide ? WIDE_CHASE : CHASE,
                !gpu && canLockstep ? subgroup : 0,
                gpu ? 1 : CPU_POLLS,
                true,
                device.type() == DeviceType.INTEGRATED_GPU && subgroup <= SMALL_SUBGROUP ? ALL_ROWS : 1,
                Math.min(SHRINKAGE_BYTES, device.maxSharedMemoryBytes()),
                small ? FEW_SHRINKAGE_BLOCKS : Math.min(SHRINKAGE_BLOCKS, device.maxWorkgroupInvocations()),
                small ? MANY_SHRINKAGE_ROWS : SHRINKAGE_ROWS,
                gpu && small);
    }
}

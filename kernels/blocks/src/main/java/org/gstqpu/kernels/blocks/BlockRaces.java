/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.blocks;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.internal.vulkan.block.VulkanBlockContext;
import org.gstqpu.kernels.internal.workload.BlockKernel;
import org.gstqpu.kernels.internal.workload.BlockWorkload;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateTimes;

/**
 * Races the CPU against a device: one kernel, batch size by batch size, over buffers of the same kind. Belongs to the contexts'
 * thread.
 */
final class BlockRaces {
    /** Blocks of each batch. Steps of eight suffice, since the time of a block changes slowly with the batch. */
    private static final int[] BATCHES = {1, 8, 64, 512, 4096};

    private static final long SEED = 1;
    /**
     * Length of a warm-up, in which the JVM compiles the kernel. Warm-ups end when the best run of one is not better than the best
     * run of the one before.
     */
    private static final long WARM_UP_NANOS = 40_000_000;

    private static final int MOST_WARM_UPS = 20;
    /** A run is better if it takes less than this part of the other's time. */
    private static final double NO_BETTER = 0.95;

    private static final long RUN_NANOS = 4_000_000;
    private static final int FEWEST_RUNS = 5;
    private static final int MOST_RUNS = 200;

    private final BlockContext cpu;
    private final VulkanBlockContext qpu;

    /**
     * @param cpu gives the results that count as right
     * @param qpu counts its submissions, so that work that never reached the device does not win
     */
    BlockRaces(BlockContext cpu, VulkanBlockContext qpu) {
        this.cpu = cpu;
        this.qpu = qpu;
    }

    /** Number of batch sizes. */
    static int batches() {
        return BATCHES.length;
    }

    /** Blocks of a batch; index 0 is the smallest batch. */
    static int blocks(int batch) {
        return BATCHES[batch];
    }

    /** Index of the batch size that stands for calls of {@code count} blocks: the nearest one by ratio. */
    static int batchFor(int count) {
        int log2 = 31 - Integer.numberOfLeadingZeros(Math.max(count, 1));
        return Math.min((log2 + 1) / 3, BATCHES.length - 1);
    }

    /** Runs the races of a kernel, one for each batch size, the smallest first. */
    List<SubstrateTimes> run(String kernelName) {
        BlockKernel kernel = BlockKernel.standingFor(kernelName);
        warmUp(kernel, cpu);
        warmUp(kernel, qpu);
        List<SubstrateTimes> all = new ArrayList<>();
        for (int blocks : BATCHES) {
            all.add(race(kernelName, kernel, blocks));
        }
        return all;
    }

    private static void warmUp(BlockKernel kernel, BlockContext context) {
        try (BlockWorkload workload = kernel.prepare(context, BATCHES[BATCHES.length - 2], SEED)) {
            long before = Long.MAX_VALUE;
            long best = best(workload);
            for (int i = 1; i < MOST_WARM_UPS && best < NO_BETTER * before; i++) {
                before = best;
                best = best(workload);
            }
        }
    }

    private static long best(BlockWorkload workload) {
        long best = Long.MAX_VALUE;
        long begin = System.nanoTime();
        long end = begin + WARM_UP_NANOS;
        while (begin < end) {
            workload.run();
            long now = System.nanoTime();
            best = Math.min(best, now - begin);
            begin = now;
        }
        return best;
    }

    private SubstrateTimes race(String kernelName, BlockKernel kernel, int blocks) {
        try (BlockWorkload right = kernel.prepare(cpu, blocks, SEED);
                BlockWorkload raced = kernel.prepare(qpu, blocks, SEED)) {
            right.run();
            ByteBuffer expected = right.copyOfOutput();
            long submits = qpu.submits();
            raced.run();
            if (qpu.submits() == submits) {
                return SubstrateTimes.lost(kernelName, blocks, qpu.deviceName() + " was never asked for " + kernelName);
            }
            if (raced.mismatch(expected).isPresent()) {
                return SubstrateTimes.lost(
                        kernelName,
                        blocks,
                        qpu.deviceName() + " does not compute " + kernelName
                                + " as the CPU does, please report it with the driver's version");
            }
            return SubstrateTimes.of(kernelName, blocks, time(right), time(raced));
        } catch (DeviceException e) {
            return SubstrateTimes.lost(kernelName, blocks, qpu.deviceName() + " failed: " + e.getMessage());
        }
    }

    /** Median time of a run, in nanoseconds. */
    private static long time(BlockWorkload workload) {
        long[] nanos = new long[MOST_RUNS];
        int runs = 0;
        long end = System.nanoTime() + RUN_NANOS;
        while (runs < MOST_RUNS && (runs < FEWEST_RUNS || System.nanoTime() < end)) {
            workload.reset();
            long begin = System.nanoTime();
            workload.run();
            nanos[runs++] = System.nanoTime() - begin;
        }
        Arrays.sort(nanos, 0, runs);
        return Math.max(1, nanos[runs / 2]);
    }
}

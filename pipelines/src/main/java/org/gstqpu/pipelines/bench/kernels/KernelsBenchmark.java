/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.workload.BlockKernel;
import org.gstqpu.kernels.internal.workload.BlockWorkload;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.pipelines.bench.DispatchTimes;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Measures the time per block for every kernel, batch size and substrate. Every case is compared with the CPU before and after it
 * is timed, and every submission is counted. Belongs to the thread of the contexts.
 */
final class KernelsBenchmark {
    private static final long SEED = 1;
    private static final int FEWEST_RUNS = 5;
    private static final int MOST_RUNS = 1000;

    private final BlockContext reference;
    private final List<FilterContext> contexts;
    private final long limitNanos;

    /**
     * @param reference the CPU, whose results are the expected ones
     * @param contexts the substrates to measure
     * @param limitMillis longest measurement of a case; a case has at least {@value #FEWEST_RUNS} runs, however long they take
     */
    KernelsBenchmark(BlockContext reference, List<FilterContext> contexts, int limitMillis) {
        this.reference = reference;
        this.contexts = List.copyOf(contexts);
        this.limitNanos = limitMillis * 1_000_000L;
    }

    private static String name(FilterContext context) {
        return context.substrate().name().toLowerCase(Locale.ROOT);
    }

    /**
     * Measures every kernel with every batch size on every substrate.
     *
     * @param batches blocks per call, each 1 or more
     * @param goldenRecords golden records that the CPU was compared with, for the report
     * @throws WrongResultException when a result differs from the CPU's, or a submission is missing
     */
    KernelsReport run(List<BlockKernel> kernels, List<Integer> batches, long goldenRecords) {
        List<KernelsReport.Result> results = new ArrayList<>();
        int largest = batches.stream().mapToInt(Integer::intValue).max().orElseThrow();
        for (BlockKernel kernel : kernels) {
            for (FilterContext context : contexts) {
                // Warm-up, for the JVM to compile.
                measure(kernel, context, largest);
            }
            for (int batch : batches) {
                for (FilterContext context : contexts) {
                    results.add(measure(kernel, context, batch));
                }
            }
        }
        return new KernelsReport(
                contexts.stream()
                        .map(context -> new KernelsReport.SubstrateName(name(context), context.deviceName()))
                        .toList(),
                goldenRecords,
                results);
    }

    private KernelsReport.Result measure(BlockKernel kernel, FilterContext context, int batch) {
        ByteBuffer expected = expected(kernel, batch);
        try (BlockWorkload workload = kernel.prepare(context, batch, SEED)) {
            long submitsBefore = context.submits();
            workload.run();
            check(kernel, context, workload, expected);
            long[] nanos = new long[MOST_RUNS];
            int runs = 0;
            long end = System.nanoTime() + limitNanos;
            while (runs < MOST_RUNS && (runs < FEWEST_RUNS || System.nanoTime() < end)) {
                workload.reset();
                long begin = System.nanoTime();
                workload.run();
                nanos[runs++] = System.nanoTime() - begin;
            }
            check(kernel, context, workload, expected);
            long submits = context.submits() - submitsBefore;
            if (context.substrate() == Substrate.QPU && submits != runs + 1) {
                throw new WrongResultException(
                        kernel.name() + ": " + (runs + 1) + " runs, but " + submits + " submissions");
            }
            long p50Nanos = DispatchTimes.of(0, Arrays.copyOf(nanos, runs)).p50Nanos();
            return new KernelsReport.Result(
                    kernel.name(), name(context), batch, runs, p50Nanos, (double) p50Nanos / batch);
        }
    }

    private ByteBuffer expected(BlockKernel kernel, int batch) {
        try (BlockWorkload workload = kernel.prepare(reference, batch, SEED)) {
            workload.run();
            if (!workload.changedOutput()) {
                throw new WrongResultException(
                        kernel.name() + ": a run changes nothing, so comparing its result proves nothing");
            }
            return workload.copyOfOutput();
        }
    }

    private static void check(BlockKernel kernel, FilterContext context, BlockWorkload workload, ByteBuffer expected) {
        OptionalLong mismatch = workload.mismatch(expected);
        if (mismatch.isPresent()) {
            throw new WrongResultException(kernel.name() + ", " + workload.blocks() + " blocks, on " + name(context)
                    + ": byte " + mismatch.getAsLong() + " is not the CPU's; seed " + SEED);
        }
    }
}

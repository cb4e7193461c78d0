/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;
import org.gstqpu.kernels.internal.workload.BlockKernel;

/**
 * What {@link KernelsBenchmark} found, with the field names of its JSON.
 *
 * @param substrates what was measured on
 * @param goldenRecords golden records that the CPU was compared with before, 0 where there were no golden files
 * @param results every kernel with every batch size on every substrate
 */
record KernelsReport(List<SubstrateName> substrates, long goldenRecords, List<Result> results) {
    /**
     * One substrate.
     *
     * @param substrate {@code cpu} or {@code qpu}
     * @param device name of the device
     */
    record SubstrateName(String substrate, String device) {}

    /**
     * One kernel with one batch size on one substrate.
     *
     * @param kernel name of the {@link BlockKernel}
     * @param substrate {@code cpu} or {@code qpu}
     * @param batch blocks or edges of a call
     * @param runs calls that were timed
     * @param p50Nanos half of the calls took no longer
     * @param nanosPerBlock the same for each block
     */
    record Result(String kernel, String substrate, int batch, int runs, long p50Nanos, double nanosPerBlock) {}
}

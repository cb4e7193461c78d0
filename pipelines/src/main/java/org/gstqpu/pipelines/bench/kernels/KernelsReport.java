/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;
import org.gstqpu.kernels.internal.workload.BlockKernel;

/**
 * The result of {@link KernelsBenchmark}. The components are the field names of the JSON.
 *
 * @param substrates the substrates that were measured
 * @param goldenRecords golden records that the CPU was compared with before; 0 if there were no golden files
 * @param results one for each kernel, batch size and substrate
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
     * @param batch blocks or edges per call
     * @param runs calls that were timed
     * @param p50Nanos median time of a call
     * @param nanosPerBlock {@code p50Nanos} divided by {@code batch}
     */
    record Result(String kernel, String substrate, int batch, int runs, long p50Nanos, double nanosPerBlock) {}
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;

/**
 * The result of {@link MetricsBenchmark}. The components are the field names of the JSON. Times are in nanoseconds for a pair of pictures.
 *
 * @param device name of the Vulkan device
 * @param driver name and version of its driver
 * @param threads threads of the CPU
 * @param libvmaf version of libvmaf's tool; null if it is not installed
 * @param cases one for each size and choice of metrics
 */
record MetricsReport(String device, String driver, int threads, String libvmaf, List<Case> cases) {
    /**
     * Some metrics at one size.
     *
     * @param metrics what was measured
     * @param width luma samples per row
     * @param height luma rows
     * @param cpuP50Nanos median time on the CPU
     * @param deviceP50Nanos median time on the device, from before the submission to the end of the wait
     * @param gpuP50Nanos median time by the device's timestamps; null if the device has none
     * @param stagedP50Nanos median time on the device of pictures that lie in the memory of the process
     * @param submits submissions a pair
     * @param dispatches dispatches a pair
     * @param libvmafNanos time of libvmaf's tool with as many threads as the CPU had; null if it has not these metrics, or is not
     *     installed
     * @param libvmafPlainNanos the same without its code in assembler
     */
    record Case(
            String metrics,
            int width,
            int height,
            long cpuP50Nanos,
            long deviceP50Nanos,
            Long gpuP50Nanos,
            long stagedP50Nanos,
            double submits,
            double dispatches,
            Long libvmafNanos,
            Long libvmafPlainNanos) {}
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;

/**
 * What {@link CommandsBenchmark} found, with the field names of its JSON.
 *
 * @param device name of the Vulkan device
 * @param driver name and version of its driver
 * @param kernel what the command buffers hold
 * @param primaries primary command buffers whose memory is measured in each case
 * @param replays submissions of each case
 * @param cases every number of executes in every mode
 */
record CommandsReport(String device, String driver, String kernel, int primaries, int replays, List<Case> cases) {
    /**
     * One number of executes in one mode.
     *
     * @param executes how often the work stands in a primary command buffer
     * @param mode title of the {@link org.gstqpu.pipelines.bench.dispatch.CommandMode}
     * @param cpuNanos time on the CPU, of the thread that submits, a replay; mean
     * @param p50Nanos half of the replays took no longer, with the waiting
     * @param residentBytes by how much the process's resident memory grew when {@code primaries} command buffers had
     *     been made, filled and submitted; the median of three times
     * @param vkCreate calls of vkCreate* a replay
     * @param vkAllocate calls of vkAllocate* a replay
     * @param descriptorWrites calls of vkUpdateDescriptorSets a replay
     * @param submits calls of vkQueueSubmit a replay
     * @param reRecords command buffers recorded again a replay
     */
    record Case(
            int executes,
            String mode,
            long cpuNanos,
            long p50Nanos,
            long residentBytes,
            double vkCreate,
            double vkAllocate,
            double descriptorWrites,
            double submits,
            double reRecords) {}
}

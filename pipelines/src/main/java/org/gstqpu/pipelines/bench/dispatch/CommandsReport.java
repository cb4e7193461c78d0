/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import java.util.List;

/**
 * The result of {@link CommandsBenchmark}. The components are the field names of the JSON.
 *
 * @param device name of the Vulkan device
 * @param driver name and version of its driver
 * @param kernel name of the kernel in the command buffers
 * @param primaries primary command buffers per case, whose memory is measured
 * @param replays submissions per case
 * @param cases one for each number of executes in each mode
 */
record CommandsReport(String device, String driver, String kernel, int primaries, int replays, List<Case> cases) {
    /**
     * One number of executes in one mode.
     *
     * @param executes how often a primary command buffer contains the work
     * @param mode title of the {@link org.gstqpu.pipelines.bench.dispatch.CommandMode}
     * @param cpuNanos mean CPU time of the submitting thread per replay
     * @param p50Nanos median time of a replay, including the wait for the device
     * @param residentBytes how much the process's resident memory grew after {@code primaries} command buffers had been made,
     *     recorded and submitted; the median of three such growths
     * @param vkCreate calls of vkCreate* per replay
     * @param vkAllocate calls of vkAllocate* per replay
     * @param descriptorWrites calls of vkUpdateDescriptorSets per replay
     * @param submits calls of vkQueueSubmit per replay
     * @param reRecords command buffers recorded per replay
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

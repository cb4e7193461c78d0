/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A sample of what {@code it/faults --rig} does: calls to Vulkan fail while pictures are handed over as dmabufs with fences. */
@Tag(RealDmabufs.TAG)
final class DmabufFaultsIT {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);
    private static final int CALLS = 1;
    private static final List<String> KINDS = List.of("vulkan:spec", "vulkan:lost");
    private static final List<String> CAPS = List.of(
            "video/x-raw(memory:DMABuf),format=NV12",
            "video/x-raw(memory:DMABuf),format=DMA_DRM,drm-format=NV12:0x0700000000000004");

    @Test
    void aCallThatFailsDoesNoHarm() throws IOException {
        int chosen = Sample.seed();
        Random random = new Random(chosen);
        String kind = KINDS.get(random.nextInt(KINDS.size()));
        String seed = String.valueOf(random.nextInt(Integer.MAX_VALUE));
        String caps = CAPS.get(random.nextInt(CAPS.size()));
        VulkanFaults faults = VulkanFaults.in(BuildTree.workFolder());
        List<String> command =
                new ArrayList<>(List.of(CProgram.named("fault-host").toString(), kind, String.valueOf(CALLS), seed));
        command.addAll(List.of(("videotestsrc num-buffers=5 ! video/x-raw,format=NV12,width=64,height=48 ! queue"
                        + " ! qpuloopfilter name=filter substrate=qpu ! " + caps
                        + " ! qpuloopfilter substrate=qpu queue-depth=4 ! video/x-raw,format=NV12 ! fakesink name=sink")
                .split(" ", -1)));
        ProcessOutcome outcome = Processes.run(
                command,
                faults.layered()
                        .with("FAULT_LAYER", faults.library().toString())
                        // Mesa's layer that sorts devices crashes if its own calls fail.
                        .with("NODEVICE_SELECT", "1")
                        // It would complain of what lies below a device that is lost.
                        .with("GST_QPU_VALIDATION", "0")
                        .variables(),
                Path.of("/dev/null"),
                TIME_LIMIT);
        String how = "-Dgstqpu.seed=" + chosen + ": " + kind + ", seed " + seed + ", " + caps;
        assertFalse(outcome.exitCode() != 0 || outcome.output().contains("WRONG"), () -> outcome.describe(how));
        assertFalse(outcome.standardError().contains("CRITICAL"), () -> outcome.describe(how));
    }
}

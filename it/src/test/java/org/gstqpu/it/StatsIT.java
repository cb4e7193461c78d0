/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The property {@code stats} says which filters ran, on which substrate and how often. */
final class StatsIT {
    private static final Set<String> FIELDS =
            Set.of("substrate", "device", "frames", "submits", "bytes-copied", "re-records", "pool-bytes");
    private static final RawVideo VIDEO = RawVideo.synthetic(VideoFormat.I420, 64, 48, 5, 3);

    @Test
    void onTheCpuNothingIsSubmittedAndNothingCopied(@TempDir Path folder) throws IOException {
        List<Stats> stats = run("cpu", folder);
        Stats last = stats.get(stats.size() - 1);
        assertEquals("cpu", last.substrate());
        assertTrue(last.device().startsWith("CPU"), last.device());
        assertEquals(0, last.submits(), "submits");
        assertEquals(0, last.number("bytes-copied"), "bytes copied");
        assertEquals(0, last.number("re-records"), "re-records");
    }

    @Test
    void onTheQpuEveryPictureIsOneSubmitAndNothingIsRecordedAgain(@TempDir Path folder) throws IOException {
        List<Stats> stats = run("qpu", folder);
        Stats last = stats.get(stats.size() - 1);
        assertEquals("qpu", last.substrate());
        assertFalse(last.device().isBlank() || last.device().startsWith("CPU,"), last.device());
        assertEquals(5, last.submits(), "submits");
        assertEquals(0, last.number("re-records"), "re-records");
        assertTrue(last.number("pool-bytes") > 0, "pool bytes");
        assertEquals(stats.get(2).number("pool-bytes"), last.number("pool-bytes"), "the pool grew in the steady state");
    }

    @Test
    void theDeviceTimesPicturesWhereThatIsAskedFor(@TempDir Path folder) throws Exception {
        assumeTrue(
                VulkanDevices.list().stream().allMatch(DeviceCapabilities::timestamps),
                "needs a device whose queue writes timestamps");
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate qpu", "set timing true", "stats", "start", "stats")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("stats", "state ready", "set timing false", "state playing", "flush")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("stats")
                .run();
        List<Stats> stats = Stats.of(result.linesOf("stats"));
        for (String field : List.of("gpu-time-last", "gpu-time-median")) {
            assertEquals(null, stats.get(0).fields().get(field), "while closed");
            assertEquals(new Stats.Field("guint64", "0"), stats.get(1).fields().get(field));
            assertTrue(stats.get(2).number(field) > 0, stats.get(2)::toString);
            assertEquals(null, stats.get(3).fields().get(field), "no longer asked for");
        }
        assertEquals(5, stats.get(2).submits(), "submits");
    }

    @Test
    void theCpuTellsItsThreads(@TempDir Path folder) throws IOException {
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate cpu", "set threads 3", "start")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("stats")
                .run();
        assertEquals("CPU, 3 threads", Stats.of(result.linesOf("stats")).get(0).device());
    }

    @Test
    void theSourcesCodecIsWhatItsTagsSay(@TempDir Path folder) throws IOException {
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate cpu", "stats", "start")
                .caps(VIDEO)
                .then("stats", "codec JPEG", "stats")
                .push(VIDEO, 0)
                .then("stats", "state null", "stats")
                .run();
        Stats.Field none = new Stats.Field("string", "none");
        Stats.Field jpeg = new Stats.Field("string", "JPEG");
        assertEquals(
                List.of(none, none, jpeg, jpeg, none),
                Stats.of(result.linesOf("stats")).stream()
                        .map(stats -> stats.fields().get("source-codec"))
                        .toList());
    }

    @Test
    void qualityFollowsTheLivenessOfTheStream(@TempDir Path folder) throws IOException {
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate cpu", "start", "live true")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("stats", "live false")
                .push(VIDEO, 200_000_000)
                .then("stats", "caps video/x-raw,format=I420,width=64,height=48,framerate=30/1")
                .push(VIDEO, 400_000_000)
                .then("stats", "set quality fast")
                .push(VIDEO, 600_000_000)
                .then("stats", "set quality auto", "state ready", "state playing", "live true", "flush")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("stats")
                .run();
        List<String> found = Stats.of(result.linesOf("stats")).stream()
                .map(stats -> stats.text("quality") + ", " + stats.text("quality-reason") + ", "
                        + stats.number("shifts") + ", " + stats.text("filters"))
                .toList();
        assertEquals(
                List.of(
                        "balanced, auto: live, 4, cdef+shrinkage",
                        // Upstream is asked for each stream once.
                        "balanced, auto: live, 4, cdef+shrinkage",
                        "best, auto: not live, 8, cdef+shrinkage",
                        "fast, set, 0, deblock+cdef",
                        "balanced, auto: live, 4, cdef+shrinkage"),
                found);
    }

    /** The statistics before the start and after each of five pictures. */
    private static List<Stats> run(String substrate, Path folder) throws IOException {
        ElementHost host = new ElementHost(folder)
                .then("set substrate " + substrate, "stats", "start")
                .caps(VIDEO);
        for (int i = 0; i < VIDEO.frames().size(); i++) {
            host.push(VIDEO.select(List.of(i)), i * 40_000_000L).then("stats");
        }
        List<Stats> stats = Stats.of(host.run().linesOf("stats"));
        assertEquals(6, stats.size());
        for (int i = 0; i < stats.size(); i++) {
            assertTrue(stats.get(i).fields().keySet().containsAll(FIELDS), stats.get(i)::toString);
            assertEquals(i, stats.get(i).frames(), "frames");
        }
        assertEquals("none", stats.get(0).substrate());
        return stats;
    }
}

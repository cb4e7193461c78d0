/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pictures in dmabufs are passed on before they are done, with a fence that the next element waits for. */
@Tag(RealDmabufs.TAG)
final class DmabufFenceIT {
    private static final int FRAMES = 30;
    private static final String DMABUFS = " ! video/x-raw(memory:DMABuf),format=NV12";

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void oneFilterHandsOverToTheNext(int depth, @TempDir Path folder) throws IOException {
        String source =
                "videotestsrc pattern=ball num-buffers=" + FRAMES + " ! video/x-raw,format=NV12,width=322,height=178";
        String qpu = " ! qpuloopfilter substrate=qpu require-zero-copy=true queue-depth=" + depth;
        PipelineHost.Result result = PipelineHost.run(
                GstEnvironment.standard(),
                folder,
                List.of(
                        source + qpu + " name=first cdef=false" + DMABUFS + qpu + " name=second deblock=false" + DMABUFS
                                + " ! identity name=probe-qpu ! fakesink",
                        source + " ! qpuloopfilter substrate=cpu cdef=false ! qpuloopfilter substrate=cpu deblock=false"
                                + " ! identity name=probe-cpu ! fakesink"),
                "play",
                "wait",
                "stats first",
                "stats second");
        List<String> expected = pictures(result, "probe-cpu");
        assertFalse(expected.isEmpty(), "no picture came out");
        assertEquals(expected, pictures(result, "probe-qpu"));
        for (Stats stats : Stats.of(result.lines().stream()
                .filter(line -> line.startsWith("stats "))
                .toList())) {
            assertEquals(FRAMES, stats.frames(), stats::toString);
            assertEquals(FRAMES, stats.number("fences-exported"), stats::toString);
            assertEquals(0, stats.number("copies"), stats::toString);
            // The CPU waits only if the device is more than the queue depth behind.
            assertTrue(stats.number("cpu-waits") < FRAMES, stats::toString);
        }
    }

    private static List<String> pictures(PipelineHost.Result result, String probe) {
        return result.at(probe, "").stream().map(PipelineHost.Probed::md5).toList();
    }
}

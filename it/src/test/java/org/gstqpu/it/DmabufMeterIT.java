/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** qpumeter measures real dmabufs where they lie: those of filters before it. */
@Tag(RealDmabufs.TAG)
final class DmabufMeterIT {
    private static final int FRAMES = 12;
    private static final String CAPS = "video/x-raw,format=NV12,width=320,height=180";

    @TempDir
    private Path folder;

    private Path file(String name) {
        return folder.resolve(name);
    }

    private PipelineHost.Result run(String meter, String results, String reference, String distorted, String output)
            throws IOException {
        return PipelineHost.run(
                GstEnvironment.standard(),
                folder,
                List.of(
                        "qpumeter name=m psnr=true ssim=true " + meter + " results-filename=" + file(results) + " ! "
                                + output,
                        reference + " ! m.ref_sink",
                        distorted + " ! m.dist_sink"),
                "play",
                "wait",
                "stats m");
    }

    private static Stats stats(PipelineHost.Result result) {
        return Stats.of(result.lines().stream()
                        .filter(line -> line.startsWith("stats "))
                        .toList())
                .get(0);
    }

    /** The distorted video is a second filter's, or the first one's, too: then both pictures of a pair lie in one dmabuf. */
    @ParameterizedTest
    @CsvSource({
        "substrate=qpu require-zero-copy=true, true",
        "substrate=qpu require-zero-copy=true, false",
        "substrate=cpu, true"
    })
    void aPairInDmabufsHasTheFiguresOfItsCopies(String meter, boolean filtered) throws IOException {
        PipelineHost.Result inDmabufs = run(
                meter,
                "dmabufs.json",
                "videotestsrc pattern=ball num-buffers=" + FRAMES + " ! " + CAPS
                        + " ! qpuloopfilter substrate=qpu qp=30 ! tee name=t t. ! queue ! filesink async=false location="
                        + file("seen.yuv") + " t. ! queue",
                "t. ! queue" + (filtered ? " ! qpuloopfilter substrate=qpu qp=45" : ""),
                "filesink async=false location=" + file("passed.yuv"));
        String parse = " ! rawvideoparse format=nv12 width=320 height=180";
        PipelineHost.Result copied = run(
                "substrate=" + (meter.contains("cpu") ? "cpu" : "qpu"),
                "copied.json",
                "filesrc location=" + file("seen.yuv") + parse,
                "filesrc location=" + file("passed.yuv") + parse,
                "fakesink");

        String figures = Files.readString(file("dmabufs.json"));
        assertTrue(figures.contains("\"pairs\": " + FRAMES), figures);
        assertEquals(Files.readString(file("copied.json")), figures);
        Stats stats = stats(inDmabufs);
        assertEquals(0, stats.number("copies"), stats::toString);
        assertEquals(0, stats.number("bytes-copied"), stats::toString);
        if (meter.contains("cpu")) {
            assertEquals(0, stats.number("imports-dmabuf"), stats::toString);
            return;
        }
        assertEquals(FRAMES, stats.submits(), stats::toString);
        assertEquals(0, stats.number("imports-host"), stats::toString);
        assertTrue(stats.number("imports-dmabuf") > 0, stats::toString);
        assertEquals(2 * FRAMES, stats.number("imports-dmabuf") + stats.number("import-cache-hits"), stats::toString);
        Stats ofCopies = stats(copied);
        assertEquals(0, ofCopies.number("imports-dmabuf"), ofCopies::toString);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real Vulkan device that fails while it measures: the video goes on, and so do its figures. */
final class MeterLossIT {
    private static final int PICTURES = 8;
    private static final String VIDEO = "videotestsrc pattern=ball num-buffers=" + PICTURES
            + " ! video/x-raw,format=I420,width=64,height=48,framerate=10/1 ! queue ! ";

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"vkQueueSubmit", "vkWaitForFences"})
    void theVideoGoesOnAndTheCpuMeasures(String call) throws IOException {
        VulkanFaults faults = VulkanFaults.in(folder);
        Path results = folder.resolve("scores.json");
        List<String> lines = PipelineHost.run(
                        faults.environment()
                                .with("FAULT_LAYER", faults.library().toString()),
                        folder,
                        List.of(
                                "qpumeter name=m substrate=qpu psnr=true results-filename=" + results
                                        + " ! identity name=probe ! fakesink",
                                VIDEO + "m.ref_sink",
                                VIDEO + "m.dist_sink"),
                        "pause",
                        "lose " + call,
                        "play",
                        "wait")
                .lines();
        assertEquals(
                PICTURES,
                lines.stream().filter(line -> line.startsWith("buffer probe ")).count(),
                lines::toString);
        List<String> warnings =
                lines.stream().filter(line -> line.startsWith("warning ")).toList();
        assertEquals(1, warnings.size(), lines::toString);
        assertTrue(
                warnings.get(0).contains(call) && warnings.get(0).contains("The CPU measures in its place, from pair "),
                warnings.get(0));
        var told = JsonParser.parseString(Files.readString(results)).getAsJsonObject();
        assertEquals(PICTURES, told.get("pairs").getAsInt());
        assertEquals(
                60,
                told.getAsJsonObject("pooled_metrics")
                        .getAsJsonObject("psnr_y")
                        .get("min")
                        .getAsDouble());
    }
}

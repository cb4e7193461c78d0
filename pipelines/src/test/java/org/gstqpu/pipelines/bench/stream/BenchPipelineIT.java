/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.gstqpu.pipelines.bench.BenchPlot;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.cli.VideoSize;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code qpu bench pipeline} and {@code qpu bench element} as processes, from the built tree. */
@DisabledIfEnvironmentVariable(
        named = "GST_QPU_SAMPLE",
        matches = ".*[014-9]",
        disabledReason = "runs where GST_QPU_SAMPLE ends in 2 or 3, and without one")
class BenchPipelineIT {
    private static final Path ROOT = Installation.current().root();

    @TempDir
    private Path folder;

    @Test
    void everyCaseIsMeasuredOrSaysWhyNot() throws IOException {
        Path plot = folder.resolve("plot.png");
        ChildProcess.Result result =
                bench("pipeline", "--size", "480p", "--rounds", "1", "--plot", plot.toString(), "--json");
        assertEquals(0, result.status(), result.output());
        JsonObject report = JsonParser.parseString(
                        result.output().substring(result.output().indexOf('{')))
                .getAsJsonObject();
        List<String> names = new ArrayList<>();
        int measured = 0;
        for (JsonElement element : report.getAsJsonArray("cases")) {
            JsonObject one = element.getAsJsonObject();
            String name = one.get("name").getAsString();
            names.add(name);
            if (one.has("missing")) {
                assertFalse(one.get("missing").getAsString().isBlank(), one::toString);
                assertFalse(one.has("framesPerSecond"), one::toString);
                continue;
            }
            measured++;
            assertTrue(one.get("framesPerSecond").getAsDouble() > 0, one::toString);
            assertTrue(one.get("cpuSecondsPerFrame").getAsDouble() > 0, one::toString);
            if (one.has("submitsPerFrame")) {
                assertEquals(
                        name.endsWith("cpu") ? 0 : 1, one.get("submitsPerFrame").getAsDouble(), one::toString);
                assertEquals(
                        name.endsWith("copies") ? 2 : 0,
                        one.get("copiesPerFrame").getAsDouble(),
                        one::toString);
            }
        }
        assertEquals(PipelineCase.all("any").stream().map(PipelineCase::name).toList(), names);
        // Without a device, the case on the CPU and those without the element are still measured.
        assertTrue(measured >= 3, report::toString);
        BufferedImage image = ImageIO.read(plot.toFile());
        assertEquals(2 * BenchPlot.WIDTH, image.getWidth());
    }

    @Test
    void aPictureThatIsWrongIsNotTimed() throws IOException {
        // Damages the pictures with which the stream is compared.
        Path raw = TestPictures.in(folder, VideoSize.named("480p")).i420();
        byte[] bytes = Files.readAllBytes(raw);
        bytes[0] ^= 1;
        Files.write(raw, bytes);
        ChildProcess.Result result = bench("pipeline", "--size", "480p", "--rounds", "1");
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("decoder, at the begin: byte 0 of picture 0 is "), result.output());
    }

    @Test
    void whatItCannotMeasureIsSaidInALine() {
        assertRefused(2, "no size '8K': one of 480p, 720p, 1080p, 4K", "--size", "8K");
        assertRefused(2, "--rounds is 1 or more, given 0", "--rounds", "0");
        assertRefused(2, "--seconds is more than 0", "--seconds", "0");
        assertRefused(
                3, "none: no such program", "--meter", folder.resolve("none").toString());
    }

    @Test
    void everyPartOfTheElementIsMeasured() throws IOException {
        Path plot = folder.resolve("plot.png");
        ChildProcess.Result result = bench(
                "element",
                "--size",
                "480p",
                "--compared-size",
                "480p",
                "--rounds",
                "1",
                "--plot",
                plot.toString(),
                "--json");
        assertEquals(0, result.status(), result.output());
        JsonObject report = JsonParser.parseString(
                        result.output().substring(result.output().indexOf('{')))
                .getAsJsonObject();
        JsonObject overhead = report.getAsJsonArray("overheads").get(0).getAsJsonObject();
        assertEquals("cpu", overhead.get("substrate").getAsString());
        assertTrue(overhead.get("cpuMicros").getAsDouble() > 0, overhead::toString);
        assertEquals(0, overhead.get("copiesPerFrame").getAsDouble(), overhead::toString);
        JsonObject start = report.getAsJsonArray("starts").get(0).getAsJsonObject();
        assertTrue(start.get("addedSeconds").getAsDouble() > 0, start::toString);
        assertTrue(report.getAsJsonObject("scan").get("millis").getAsDouble() > 0);
        assertEquals("480p", report.get("comparedSize").getAsString());
        JsonArray comparisons = report.getAsJsonArray("comparisons");
        // The element's settings, and ffmpeg's filters.
        assertEquals(8, comparisons.size());
        assertTrue(comparisons.get(0).getAsJsonObject().get("framesPerSecond").getAsDouble() > 0);
        assertTrue(
                report.getAsJsonObject("java").get("version").getAsInt() >= 17,
                () -> report.get("java").toString());
        JsonArray warmUps = report.getAsJsonArray("warmUps");
        assertEquals(2, warmUps.size());
        for (JsonElement element : warmUps) {
            JsonObject warmUp = element.getAsJsonObject();
            assertEquals(200, warmUp.getAsJsonArray("millis").size());
            assertTrue(warmUp.get("firstSeconds").getAsDouble() > 0, element::toString);
        }
        List<Integer> instances = new ArrayList<>();
        for (JsonElement element : report.getAsJsonArray("scalings")) {
            if (element.getAsJsonObject().get("substrate").getAsString().equals("cpu")) {
                instances.add(element.getAsJsonObject().get("instances").getAsInt());
            }
            assertTrue(element.getAsJsonObject().get("millisPerFrame").getAsDouble() > 0, element::toString);
        }
        assertEquals(List.of(1, 2, 3, 4), instances);
        assertEquals(BenchPlot.HEIGHT, ImageIO.read(plot.toFile()).getHeight());
    }

    private void assertRefused(int status, String message, String... options) {
        List<String> arguments = new ArrayList<>(List.of("pipeline"));
        arguments.addAll(List.of(options));
        ChildProcess.Result result = run(arguments);
        assertEquals(status, result.status(), result.output());
        assertTrue(result.lastLines(1).contains(message), result.output());
    }

    private ChildProcess.Result bench(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--seconds", "0.1", "--warm-up", "0.1", "--work", folder.toString()));
        return run(all);
    }

    private static ChildProcess.Result run(List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("pipelines/qpu").toString(), "bench"));
        command.addAll(arguments);
        return new ChildProcess(command, Map.of()).run(600).orElseThrow();
    }
}

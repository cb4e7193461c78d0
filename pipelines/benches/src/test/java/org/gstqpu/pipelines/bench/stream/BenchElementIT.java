/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code pipelines/bench element} as processes, from the built tree. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class BenchElementIT {
    private static final Path ROOT = Installation.current().root();
    /** Only what hangs takes so long. */
    private static final int LIMIT_SECONDS = 1800;

    @TempDir
    private Path folder;

    @Test
    void whatItCannotMeasureIsSaidInALine() {
        assertRefused(2, "no size '8K': one of 16x16, 480p, 720p, 1080p, 4K", "--size", "8K");
        assertRefused(2, "--rounds is 1 or more, given 0", "--rounds", "0");
        assertRefused(2, "--seconds is more than 0", "--seconds", "0");
    }

    @Test
    void everyPartOfTheElementIsMeasured() {
        ChildProcess.Result result =
                bench("element", "--size", "480p", "--compared-size", "480p", "--rounds", "1", "--json");
        assertEquals(0, result.status(), result.output());
        JsonObject report = JsonParser.parseString(
                        result.output().substring(result.output().indexOf('{')))
                .getAsJsonObject();
        JsonObject start = report.getAsJsonArray("starts").get(0).getAsJsonObject();
        // By the machine's noise, that can be less than nothing.
        assertEquals(
                start.get("seconds").getAsDouble()
                        - start.get("identitySeconds").getAsDouble(),
                start.get("addedSeconds").getAsDouble(),
                start::toString);
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
    }

    private void assertRefused(int status, String message, String... options) {
        List<String> arguments = new ArrayList<>(List.of("element"));
        arguments.addAll(List.of(options));
        ChildProcess.Result result = run(arguments);
        assertEquals(status, result.status(), result.output());
        assertTrue(result.lastLines(1).contains(message), result.output());
    }

    private ChildProcess.Result bench(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--seconds", "0.1", "--warm-up", "0", "--work", folder.toString()));
        return run(all);
    }

    private static ChildProcess.Result run(List<String> arguments) {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("pipelines/bench").toString()));
        command.addAll(arguments);
        return new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
    }
}

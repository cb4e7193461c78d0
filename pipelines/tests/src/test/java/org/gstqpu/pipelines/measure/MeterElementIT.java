/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The element qpumeter gives the figures of {@code qpu measure}, for the same two files. */
class MeterElementIT {
    private static final long LIMIT_SECONDS = 1200;
    private static final Path ROOT = Installation.current().root();
    private static final Path PAIRS = ROOT.resolve("kernels/tests/src/test/resources/metrics");
    private static final Pattern MESSAGE = Pattern.compile("VMAF, .*score=\\(double\\)([-0-9.e]+).*");

    @TempDir
    private Path folder;

    private Path unpacked(String name) throws IOException {
        Path file = folder.resolve(name + ".y4m");
        try (InputStream in = new GZIPInputStream(Files.newInputStream(PAIRS.resolve(name + ".y4m.gz")))) {
            Files.copy(in, file);
        }
        return file;
    }

    private static String run(Map<String, String> environment, List<String> command) {
        ChildProcess.Result result =
                new ChildProcess(command, environment).run(LIMIT_SECONDS).orElseThrow();
        assertEquals(ExitStatus.OK, result.status(), result.output());
        return result.output();
    }

    private static JsonObject measured(Path distorted, Path reference, String metrics, String substrate) {
        String output = run(
                Map.of(),
                List.of(
                        ROOT.resolve("pipelines/qpu").toString(),
                        "measure",
                        distorted.toString(),
                        "--reference",
                        reference.toString(),
                        "--metrics",
                        metrics,
                        "--json",
                        "--substrate",
                        substrate));
        return JsonParser.parseString(output.substring(output.indexOf('{')))
                .getAsJsonObject()
                .getAsJsonArray("videos")
                .get(0)
                .getAsJsonObject();
    }

    @ParameterizedTest
    @CsvSource({
        "cpu, vmaf_v0.6.1, vmaf",
        "qpu, vmaf_v0.6.1, vmaf",
        "cpu, vmaf_v1, vmaf_v1",
        "qpu, vmaf_v1_hfr, vmaf_v1_hfr"
    })
    void figuresAreThoseOfTheCommand(String substrate, String model, String score) throws IOException {
        Path reference = unpacked("people.ref");
        Path distorted = unpacked("people_x36.dist");
        Path results = folder.resolve("results.json");
        List<String> pipeline = new ArrayList<>(List.of("gst-launch-1.0", "-m"));
        pipeline.addAll(List.of(("qpumeter name=m psnr=true ms-ssim=true frame-message=true metrics=vmaf_neg substrate="
                        + substrate + " model-filename=" + model + " results-filename=" + results
                        + " ! fakesink filesrc location=" + reference + " ! y4mdec ! queue ! m.ref_sink"
                        + " filesrc location=" + distorted + " ! y4mdec ! queue ! m.dist_sink")
                .split(" ")));
        String output = run(
                Map.of("GST_PLUGIN_PATH", Installation.current().pluginFolder().toString()), pipeline);

        JsonObject element = JsonParser.parseString(Files.readString(results)).getAsJsonObject();
        JsonObject command = measured(distorted, reference, score + ",vmaf_neg,psnr,ms_ssim", substrate);
        assertTrue(command.getAsJsonArray("frames").size() > 2, command::toString);
        for (String member : List.of("frames", "pooled_metrics")) {
            assertEquals(command.get(member), element.get(member), member);
        }
        assertEquals(
                command.getAsJsonArray("frames").size(), element.get("pairs").getAsInt());
        assertEquals(
                0,
                element.get("reference_only").getAsInt()
                        + element.get("distorted_only").getAsInt());

        List<Double> said = new ArrayList<>();
        Matcher messages = MESSAGE.matcher(output);
        while (messages.find()) {
            said.add(Double.valueOf(messages.group(1)));
        }
        List<Double> expected = new ArrayList<>();
        command.getAsJsonArray("frames")
                .forEach(frame -> expected.add(frame.getAsJsonObject()
                        .getAsJsonObject("metrics")
                        .get(score)
                        .getAsDouble()));
        expected.add(command.getAsJsonObject("pooled_metrics")
                .getAsJsonObject(score)
                .get("mean")
                .getAsDouble());
        assertEquals(expected.size(), said.size(), output);
        for (int i = 0; i < said.size(); i++) {
            assertEquals(expected.get(i), said.get(i), 1e-6, "message " + i);
        }
    }
}

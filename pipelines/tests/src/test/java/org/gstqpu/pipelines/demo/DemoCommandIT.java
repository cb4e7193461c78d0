/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** Runs the launcher and the demo as processes, from the built tree. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class DemoCommandIT {
    private static final Path ROOT = Installation.current().root();

    @TempDir
    private Path folder;

    @Test
    void filtersOnEverySubstrateHereAndLeavesAVideoAndAPicture() throws IOException {
        ChildProcess.Result result = qpu("demo", "--frames", "8", "--output", folder.toString());
        String said = result.output();
        assertEquals(0, result.status(), said);
        assertTrue(said.contains("ran on cpu (CPU, "), said);
        assertEquals(hasQpu(), said.contains("ran on qpu ("), said);
        assertEquals(hasQpu(), said.contains("after-cpu and after-qpu hold the same pictures"), said);
        assertFalse(said.contains("WRONG"), said);
        assertTrue(
                said.lines().anyMatch(line -> line.matches("gain +\\+0\\.\\d\\d dB +\\+0\\.\\d{4} +\\+[0-9.]+ dB")),
                said);
        // This PSNR is that of an unconverted sample: a conversion before the encoder or after the decoder would lower
        // it.
        assertTrue(
                said.lines().anyMatch(line -> line.matches("before +4\\d\\.\\d\\d dB +0\\.9\\d{3} +[0-9.]+ dB")), said);
        BufferedImage image = ImageIO.read(folder.resolve("before-after.png").toFile());
        assertEquals(1280, image.getWidth());
        assertTrue(Files.size(folder.resolve("after-cpu.mkv")) > 10_000);
        assertFalse(Files.exists(folder.resolve("after-cpu.y4m")));
    }

    @Test
    void aFilterThatDoesNothingIsCalledWrong() {
        ChildProcess.Result result = qpu(
                "demo",
                "--frames",
                "3",
                "--output",
                folder.toString(),
                "--set",
                "deblock=false",
                "--set",
                "cdef=false",
                "--set",
                "shrinkage=false");
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("WRONG: filtering did not bring the pictures closer"), result.output());
    }

    @Test
    void aPipelineThatFailsIsShownWithWhatGstLaunchSaid() {
        ChildProcess.Result result =
                qpu("demo", "--frames", "1", "--output", folder.toString(), "--set", "no-such-property=1");
        assertEquals(1, result.status(), result.output());
        assertTrue(result.output().contains("no-such-property"), result.output());
        assertTrue(result.output().contains("gst-launch-1.0 filesrc"), result.output());
        assertFalse(result.output().contains("\tat "), result.output());
    }

    @Test
    void theLauncherOfATreeThatIsNotBuiltSaysWhatToRun() throws IOException {
        Path copy = Files.createDirectories(folder.resolve("pipelines")).resolve("qpu");
        Files.copy(ROOT.resolve("pipelines/qpu"), copy);
        ChildProcess.Result result = new ChildProcess(List.of(copy.toString(), "doctor"), Map.of())
                .run(600)
                .orElseThrow();
        assertEquals(3, result.status(), result.output());
        assertTrue(result.output().contains("pipelines/setup"), result.output());
    }

    private static boolean hasQpu() {
        try {
            Substrates.open(SubstrateRequest.of(Substrate.QPU)).close();
            return true;
        } catch (SubstrateUnavailableException e) {
            return false;
        }
    }

    private static ChildProcess.Result qpu(String... arguments) {
        List<String> command =
                new ArrayList<>(List.of(ROOT.resolve("pipelines/qpu").toString()));
        command.addAll(List.of(arguments));
        return new ChildProcess(command, Map.of()).run(600).orElseThrow();
    }
}

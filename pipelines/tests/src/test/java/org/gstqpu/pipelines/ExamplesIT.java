/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** The example programs, which embed the element: each plays a file with side information while keys are pressed. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class ExamplesIT {
    private static final Path ROOT = Installation.current().root();
    private static final Path EXAMPLES = ROOT.resolve("pipelines/examples");
    private static final String SINK = "fakesink sync=true";
    private static final String QP = "33";
    private static final Pattern SAID = Pattern.compile("deblock=false\ncdef=false\ndeblock=true\n"
            + "([1-9]\\d* pictures on (cpu|qpu), [1-9]\\d* with side information\n){2}");
    private static final long LIMIT_SECONDS = 1200;

    @TempDir
    private static Path samples;

    private static String video;

    @TempDir
    private Path folder;

    @BeforeAll
    static void makeVideo() {
        video = samples.resolve("a video.mkv").toString();
        run(List.of(
                "ffmpeg",
                "-nostdin",
                "-v",
                "error",
                "-f",
                "lavfi",
                "-i",
                "testsrc2=size=160x96:rate=25",
                "-t",
                "2",
                video));
    }

    private static void run(List<String> command) {
        ChildProcess.Result result =
                new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
        assertEquals(0, result.status(), result.output());
    }

    @Test
    void theOneInJavaHasTheElementFromItsClassPath() throws IOException, InterruptedException {
        play(javaEnvironment(), javaPlayer());
        assertTrue(Files.isDirectory(folder.resolve("cache/gst-qpu/native")));
    }

    @Test
    void theOneInJavaStopsItsPipelineBeforeTheProcessEnds() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(javaPlayer()));
        command.addAll(List.of(video, SINK));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(javaEnvironment());
        Process process = builder.start();
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            process.getOutputStream().write('i');
            process.getOutputStream().flush();
            String first = lines.readLine();
            // Not process.destroy(), which would also close the output of the process.
            process.toHandle().destroy();
            String said = first + "\n" + lines.lines().collect(Collectors.joining("\n"));
            assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), said);
            assertEquals(128 + 15, process.exitValue(), said);
            assertTrue(said.matches("(\\d+ pictures on .*\n?){2}"), said);
        } finally {
            process.destroyForcibly();
        }
    }

    private Map<String, String> javaEnvironment() {
        return Map.of(
                "XDG_CACHE_HOME",
                folder.resolve("cache").toString(),
                "GST_PLUGIN_PATH",
                "",
                "GST_REGISTRY",
                folder.resolve("registry.bin").toString());
    }

    private static String[] javaPlayer() {
        return new String[] {
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-cp",
            ROOT.resolve("pipelines/target/lib/*").toString(),
            EXAMPLES.resolve("java/Player.java").toString()
        };
    }

    private Path compiled(String name) throws IOException {
        Path program = folder.resolve(name);
        run(List.of(
                "sh",
                "-c",
                "gcc -Wall -Wextra -Werror \"$0\" $(pkg-config --cflags --libs gstreamer-1.0) -o \"$1\"",
                EXAMPLES.resolve("c/" + name + ".c").toString(),
                program.toString()));
        return program;
    }

    @Test
    void theOneInCIsAnyGStreamerProgram() throws IOException, InterruptedException {
        Path program = compiled("player");
        play(Installation.current().environment(), program.toString());
    }

    /** Coded pictures get their quantisers in the order of coding: of three, nothing is known of the second. */
    @Test
    void theOneForCodedPicturesHandsOverAListThroughTheDecoder() throws IOException {
        Path program = compiled("coded");
        Path list = Files.writeString(folder.resolve("list"), "30\n-1\n51\n");
        ChildProcess.Result result = new ChildProcess(
                        List.of(program.toString(), video, list.toString(), "fakesink"),
                        Installation.current().environment())
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(0, result.status(), result.output());
        assertEquals("50 pictures, 2 with a quantiser of their own\n", result.output());
    }

    @Test
    void theOneInPythonIsAnyGStreamerProgram() throws IOException, InterruptedException {
        CheckPackages.needPython("Gst", "python3-gi gir1.2-gstreamer-1.0");
        play(
                Installation.current().environment(),
                "/usr/bin/python3",
                EXAMPLES.resolve("python/player.py").toString());
    }

    private void play(Map<String, String> environment, String... program) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(video, SINK, QP));
        Path complaints = folder.resolve("complaints");
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(complaints.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            try (OutputStream keys = process.getOutputStream()) {
                keys.write("dcdiq".getBytes(StandardCharsets.US_ASCII));
            }
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS), said);
            String all = said + Files.readString(complaints);
            assertEquals(0, process.exitValue(), all);
            assertTrue(SAID.matcher(said).matches(), all);
        } finally {
            process.destroyForcibly();
        }
        command.set(command.indexOf(SINK), "nosuchsink");
        ChildProcess.Result mistaken =
                new ChildProcess(command, environment).run(LIMIT_SECONDS).orElseThrow();
        assertEquals(1, mistaken.status(), mistaken.output());
        assertTrue(mistaken.output().endsWith("no element \"nosuchsink\"\n"), mistaken.output());
    }
}

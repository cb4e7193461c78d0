/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that works on a device is ended by a signal at any moment, with that signal's status and without a crash. */
class InterruptedIT {
    private static final long LIMIT_SECONDS = 1200;
    private static final long LOOK_MILLIS = 20;

    /** So many that no command comes to its end before it is told to. */
    private static final int PICTURES = 2000;

    private static final int WIDTH = 176;
    private static final int HEIGHT = 144;

    @TempDir
    private static Path folder;

    private static Path video;

    @BeforeAll
    static void writeVideo() throws IOException {
        video = folder.resolve("video.y4m");
        byte[] picture = new byte[WIDTH * HEIGHT * 3 / 2];
        for (int i = 0; i < picture.length; i++) {
            picture[i] = (byte) (i * 31 ^ i >> 5);
        }
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(video))) {
            out.write(("YUV4MPEG2 W" + WIDTH + " H" + HEIGHT + " F25:1 Ip C420\n").getBytes(StandardCharsets.US_ASCII));
            for (int i = 0; i < PICTURES; i++) {
                out.write("FRAME\n".getBytes(StandardCharsets.US_ASCII));
                out.write(picture);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 300, 700, 1100, 1700, 2500, 4000})
    void measureIsEndedByASignal(int milliseconds) throws IOException, InterruptedException {
        boolean terminate = milliseconds % 300 == 0 || milliseconds == 1100;
        Path said = folder.resolve("said");
        // Whatever runs the tests may ignore SIGINT, and its children with it.
        Process measure = new ProcessBuilder(
                        "env",
                        "--default-signal=INT,TERM",
                        Installation.current().root().resolve("pipelines/qpu").toString(),
                        "measure",
                        video.toString(),
                        "--reference",
                        video.toString(),
                        "--substrate",
                        "qpu")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            TimeUnit.MILLISECONDS.sleep(milliseconds);
            signal(terminate ? "-TERM" : "-INT", measure.pid());
            assertTrue(measure.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
            String text = Files.readString(said);
            assertEquals(terminate ? 143 : 130, measure.exitValue(), text);
        } finally {
            measure.destroyForcibly();
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(
                    List.of("said", "video.y4m"),
                    files.map(file -> file.getFileName().toString()).sorted().toList());
        }
    }

    /** A filter of compare, and an ffprobe that looks at the input of a transcode for long. */
    @ParameterizedTest
    @CsvSource({"compare, gst-launch", "transcode, sleep"})
    void programsEndWithTheCommandThatRunsThem(String command, String program, @TempDir Path programs)
            throws IOException, InterruptedException {
        if (command.equals("transcode")) {
            Path probe = Files.writeString(programs.resolve("ffprobe"), "#!/bin/sh\nexec sleep 600\n");
            assertTrue(probe.toFile().setExecutable(true));
        }
        List<String> line = new ArrayList<>(List.of("env", "--default-signal=INT,TERM"));
        line.add("PATH=" + programs + ":" + System.getenv("PATH"));
        line.addAll(List.of(Installation.current().root() + "/pipelines/qpu", command, video.toString()));
        if (command.equals("transcode")) {
            line.add(programs.resolve("out.mkv").toString());
        }
        Process running = new ProcessBuilder(line)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            Optional<ProcessHandle> filter = Optional.empty();
            while (filter.isEmpty() && running.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
                filter = running.descendants()
                        .filter(child -> child.info().command().orElse("").contains(program))
                        .findFirst();
            }
            ProcessHandle child = filter.orElseThrow();
            // It does not end by itself: nobody but a signal that cannot be held ends it.
            signal("-STOP", child.pid());
            signal("-TERM", running.pid());
            assertTrue(running.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS));
            assertEquals(143, running.exitValue());
            try {
                child.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
            } catch (ExecutionException | TimeoutException e) {
                throw new AssertionError(program + " still runs", e);
            } finally {
                child.destroyForcibly();
            }
        } finally {
            running.destroyForcibly();
        }
    }

    private static void signal(String signal, long process) throws IOException, InterruptedException {
        assertEquals(
                0,
                new ProcessBuilder("kill", signal, String.valueOf(process))
                        .inheritIO()
                        .start()
                        .waitFor());
    }
}

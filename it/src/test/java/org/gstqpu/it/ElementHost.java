/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes and runs a script for the C program {@code element-host}, which drives a single {@code qpuloopfilter} by its pads. Belongs to
 * one test; its files lie in the test's folder.
 */
final class ElementHost {
    private static final Duration TIME_LIMIT = Duration.ofMinutes(20);

    private final Path folder;
    private final String element;
    private final List<String> script = new ArrayList<>();
    private int files;

    /** The output of a run: one line for each event, and the pictures that the element pushed. Immutable. */
    static final class Result {
        private final List<String> lines;
        private final byte[] pictures;

        private Result(List<String> lines, byte[] pictures) {
            this.lines = List.copyOf(lines);
            this.pictures = pictures;
        }

        /** Everything printed, in order. */
        List<String> lines() {
            return lines;
        }

        /** Every picture that the element pushed, without padding, one after the other. */
        byte[] pictures() {
            return pictures;
        }

        /** Lines that start with {@code word}. */
        List<String> linesOf(String word) {
            return lines.stream().filter(line -> line.startsWith(word + " ")).toList();
        }

        /** The pictures, which must all have one format and size. */
        RawVideo video(VideoFormat format, int width, int height) {
            return RawVideo.of(pictures, format, width, height);
        }
    }

    ElementHost(Path folder) {
        this(folder, "qpuloopfilter");
    }

    /** A script for a part of a pipeline in place of a single {@code qpuloopfilter}. */
    ElementHost(Path folder, String element) {
        this.folder = folder;
        this.element = element;
    }

    /** Adds commands as the C program's header describes them. Returns itself. */
    ElementHost then(String... commands) {
        script.addAll(List.of(commands));
        return this;
    }

    /** Adds the input caps of a video. Returns itself. */
    ElementHost caps(RawVideo video) {
        return then("caps video/x-raw,format=" + video.format() + ",width=" + video.width() + ",height="
                + video.height() + ",framerate=25/1");
    }

    /** Adds a field with bytes to the side information of the next pictures. Returns itself. */
    ElementHost param(String name, byte[] bytes) throws IOException {
        return param(name, "bytes", bytes);
    }

    /** Adds such a field as {@code bytes} (a GBytes) or as a {@code buffer} (a GstBuffer). Returns itself. */
    ElementHost param(String name, String type, byte[] bytes) throws IOException {
        Path file = folder.resolve("param" + files++);
        Files.write(file, bytes);
        return then("param " + name + " " + type + " " + file);
    }

    /** Pushes every picture of a video, 40 ms each from {@code firstNanos} on. Returns itself. */
    ElementHost push(RawVideo video, long firstNanos) throws IOException {
        Path file = folder.resolve("push" + files++ + ".raw");
        video.write(file);
        int pictureBytes = video.format().pictureBytes(video.width(), video.height());
        for (int i = 0; i < video.frames().size(); i++) {
            then("push " + (firstNanos + i * 40_000_000L) + " " + file + " " + (long) i * pictureBytes);
        }
        return this;
    }

    /** Runs the script in the standard environment. Fails unless it succeeds without a complaint. */
    Result run() throws IOException {
        return run(GstEnvironment.standard());
    }

    /** Runs the script in this environment. Fails unless it succeeds without a complaint. */
    Result run(GstEnvironment environment) throws IOException {
        Path pictures = folder.resolve("pictures.raw");
        ProcessOutcome outcome = outcome(environment, pictures).requireSuccess().requireNoComplaint();
        List<String> lines = outcome.output().lines().toList();
        if (lines.stream().anyMatch(line -> line.startsWith("error ") || line.startsWith("flow "))) {
            throw new AssertionError(outcome.describe("the element failed"));
        }
        return new Result(lines, Files.readAllBytes(pictures));
    }

    /** Runs the script; a failure of the process is a result. */
    ProcessOutcome outcome(GstEnvironment environment, Path pictures) throws IOException {
        Path scriptFile = folder.resolve("script.txt");
        Files.write(scriptFile, script);
        return Processes.run(
                List.of(CProgram.named("element-host").toString(), element, pictures.toString()),
                environment.variables(),
                scriptFile,
                TIME_LIMIT);
    }
}

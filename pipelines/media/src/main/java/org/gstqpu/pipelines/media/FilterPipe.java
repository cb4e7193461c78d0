/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.gstqpu.pipelines.cli.CommandFailedException.problem;
import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.EndingChildren;
import org.gstqpu.pipelines.cli.TemporaryFile;

/**
 * A program that filters pictures from YUV4MPEG2 at its standard input. It receives the same pictures repeatedly: the first time,
 * its results are collected; after that, its speed is measured. Immutable. Used by one thread, which starts a second one to feed
 * the program.
 *
 * @param command program and arguments
 * @param environment variables for the program, in addition to those of this process
 * @param output format of its standard output
 */
public record FilterPipe(List<String> command, Map<String, String> environment, Output output) {
    private static final long END_SECONDS = 60;
    private static final int FRAMES_PER_SECOND = 25;

    public FilterPipe {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** Format of the program's standard output. */
    public enum Output {
        /** YUV4MPEG2, as at its input. */
        YUV4MPEG2,
        /** Raw pictures with the strides of GStreamer, as {@link GstPictureReader} reads them. */
        GSTREAMER
    }

    /** Receives the pictures of the first time through. */
    @FunctionalInterface
    public interface Results {
        /** Receives the next picture, which is valid only during the call. */
        void take(int index, I420Picture picture);
    }

    /** Writes pictures to the program, in a thread of its own, until it is stopped or the program closes its input. */
    private static final class Feeder implements Runnable {
        private final OutputStream to;
        private final List<I420Picture> pictures;
        private final boolean repeat;
        private volatile boolean stop;
        private volatile long fed;

        Feeder(OutputStream to, List<I420Picture> pictures, boolean repeat) {
            this.to = to;
            this.pictures = pictures;
            this.repeat = repeat;
        }

        @Override
        public void run() {
            I420Picture first = pictures.get(0);
            try (Y4mWriter writer = new Y4mWriter(to, first.width(), first.height(), FRAMES_PER_SECOND)) {
                long next = 0;
                while (!stop && (repeat || next < pictures.size())) {
                    writer.write(pictures.get((int) (next % pictures.size())));
                    next++;
                    fed = next;
                }
            } catch (IOException e) {
                // The program ended early. The thread that reads from the program detects that, and reports the exit
                // status.
                stop = true;
            }
        }
    }

    /**
     * Runs the program.
     *
     * @param pictures the pictures, all of one size
     * @param results receives the same number of pictures
     * @param warmUpSeconds time before the measurement; longer if the first time through the pictures takes longer
     * @param seconds length of the measurement; if 0, nothing is measured and the pictures are given only once
     * @return pictures per second through both pipes; empty if nothing was measured
     * @throws CommandFailedException when there is no such program, it fails, or it loses pictures
     */
    public Optional<Double> run(List<I420Picture> pictures, Results results, double warmUpSeconds, double seconds) {
        try (TemporaryFile log = TemporaryFile.create(".log")) {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectError(log.path().toFile());
            builder.environment().putAll(environment);
            Process process;
            try {
                process = EndingChildren.start(builder);
            } catch (IOException e) {
                throw unavailable(
                        "there is no " + command.get(0) + ": apt install "
                                + (command.get(0).equals("ffmpeg") ? "ffmpeg" : "gstreamer1.0-tools"),
                        e);
            }
            Feeder feeder = new Feeder(process.getOutputStream(), pictures, seconds > 0);
            Thread thread = new Thread(feeder, "qpu-compare-feeder");
            thread.setDaemon(true);
            thread.start();
            try {
                return read(process, feeder, pictures, results, warmUpSeconds, seconds);
            } catch (IOException e) {
                throw failure(process, e.getMessage(), log.path());
            } finally {
                feeder.stop = true;
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<Double> read(
            Process process,
            Feeder feeder,
            List<I420Picture> pictures,
            Results results,
            double warmUpSeconds,
            double seconds)
            throws IOException {
        long start = System.nanoTime();
        long count = 0;
        long countedFrom = 0;
        long from = 0;
        Optional<Double> speed = Optional.empty();
        I420Picture picture =
                new I420Picture(pictures.get(0).width(), pictures.get(0).height());
        try (PictureStream reader = open(process, picture)) {
            while (reader.read(picture)) {
                if (count < pictures.size()) {
                    results.take((int) count, picture);
                }
                count++;
                long now = System.nanoTime();
                if (seconds > 0 && speed.isEmpty() && count >= pictures.size()) {
                    if (from == 0 && now - start >= warmUpSeconds * 1e9) {
                        from = now;
                        countedFrom = count;
                    } else if (from != 0 && now - from >= seconds * 1e9) {
                        speed = Optional.of((count - countedFrom) * 1e9 / (now - from));
                        feeder.stop = true;
                    }
                }
            }
        }
        await(process);
        if (process.exitValue() != 0) {
            throw new IOException("it ended with status " + process.exitValue());
        }
        if (count != feeder.fed || count < pictures.size()) {
            throw new IOException("of " + feeder.fed + " pictures it gave " + count);
        }
        return speed;
    }

    private PictureStream open(Process process, I420Picture picture) throws IOException {
        if (output == Output.GSTREAMER) {
            return new GstPictureReader(process.getInputStream());
        }
        Y4mReader reader = Y4mReader.open(command.get(0), process.getInputStream());
        if (reader.width() != picture.width() || reader.height() != picture.height()) {
            throw new IOException("it makes pictures of " + reader.width() + "x" + reader.height());
        }
        return reader;
    }

    private static void await(Process process) throws IOException {
        try {
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("it does not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private CommandFailedException failure(Process process, String what, Path log) throws IOException {
        String how = what;
        try {
            // The program has ended or soon will. Its exit status then tells the reason.
            if (process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() != 0) {
                how = "it ended with status " + process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String said = Files.readString(log, StandardCharsets.ISO_8859_1);
        // The cause is in the first lines; later ones tell its consequences.
        String first = said.lines().limit(2).collect(Collectors.joining(" "));
        return problem(new ChildProcess(command, Map.of()).commandLine() + " failed, " + how + ": " + first);
    }
}

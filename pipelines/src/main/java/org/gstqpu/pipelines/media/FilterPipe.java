/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

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
import org.gstqpu.pipelines.cli.ExitStatus;

/**
 * A program that filters pictures, YUV4MPEG2 at its standard input: given the same pictures again and again, the
 * first time to see what it makes of them, then to measure how many it does in a second. Immutable; belongs to one thread, and
 * has another one feed the program.
 *
 * @param command program and arguments
 * @param environment variables that it gets beside this process's own
 * @param output what it writes to its standard output
 */
public record FilterPipe(List<String> command, Map<String, String> environment, Output output) {
    private static final long END_SECONDS = 60;
    private static final int FRAMES_PER_SECOND = 25;

    public FilterPipe {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /** How pictures come out. */
    public enum Output {
        /** As they went in. */
        YUV4MPEG2,
        /** Bare, as a GStreamer element has them. */
        GSTREAMER
    }

    /** Takes each picture that comes out the first time; it is only valid during the call. */
    @FunctionalInterface
    public interface Results {
        /** The next one. */
        void take(int index, I420Picture picture);
    }

    /** Feeds the program in a thread of its own, until it is told to stop or the program hangs up. */
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
                // The program ended early; who reads from it sees that, and its exit status says why.
                stop = true;
            }
        }
    }

    /**
     * Runs the program.
     *
     * @param pictures of one size, given in this order
     * @param results gets as many
     * @param warmUpSeconds how long it runs before it is measured, longer where the first time through takes longer
     * @param seconds how long it is measured; 0 for not at all, when pictures are given only once
     * @return pictures a second through both pipes, empty where that was not measured
     * @throws CommandFailedException when there is no such program, it fails, or it loses pictures
     */
    public Optional<Double> run(List<I420Picture> pictures, Results results, double warmUpSeconds, double seconds) {
        Path log = null;
        try {
            log = Files.createTempFile("qpu-", ".log");
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(log.toFile());
            builder.environment().putAll(environment);
            Process process;
            try {
                process = builder.start();
            } catch (IOException e) {
                throw new CommandFailedException(
                        ExitStatus.UNAVAILABLE,
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
                throw failure(process, e.getMessage(), log);
            } finally {
                feeder.stop = true;
                process.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            delete(log);
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
            // It says why when it ends, which it has or soon will.
            if (process.waitFor(1, TimeUnit.SECONDS) && process.exitValue() != 0) {
                how = "it ended with status " + process.exitValue();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String said = Files.readString(log, StandardCharsets.ISO_8859_1);
        // What comes first is the cause.
        String first = said.lines().limit(2).collect(Collectors.joining(" "));
        return new CommandFailedException(
                ExitStatus.PROBLEM,
                new ChildProcess(command, Map.of()).commandLine() + " failed, " + how + ": " + first);
    }

    private static void delete(Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

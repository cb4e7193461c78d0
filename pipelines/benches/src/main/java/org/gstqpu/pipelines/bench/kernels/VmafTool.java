/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import static org.gstqpu.pipelines.cli.ChildProcess.words;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * libvmaf's command {@code vmaf}, run on files of its own. A run with few pictures is taken from one with more, so that the time of a
 * pair is without the start of the process. Owns its files. Lives on the main thread.
 */
final class VmafTool implements AutoCloseable {
    private static final String PROGRAM = "vmaf";
    private static final long LIMIT_SECONDS = 600;
    private static final int FEW = 2;
    private static final int MANY = 8;

    private final Path folder;
    private final int threads;

    /**
     * Writes pictures to files.
     *
     * @param references 8-bit 4:2:0 without padding, which are repeated in turns
     * @param pictures as many
     */
    VmafTool(List<ByteBuffer> references, List<ByteBuffer> pictures, int width, int height, int threads) {
        this.threads = threads;
        try {
            folder = Files.createTempDirectory("qpu-vmaf-");
            write(reference(), references, width, height);
            write(distorted(), pictures, width, height);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The version of the installed tool; empty if there is none. */
    static Optional<String> version() {
        return new ChildProcess(List.of(PROGRAM, "--version"), Map.of())
                .run(LIMIT_SECONDS)
                .filter(result -> result.status() == 0)
                .map(result -> result.output().strip());
    }

    private Path reference() {
        return folder.resolve("reference.y4m");
    }

    private Path distorted() {
        return folder.resolve("distorted.y4m");
    }

    private static void write(Path file, List<ByteBuffer> pictures, int width, int height) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            out.write(("YUV4MPEG2 W" + width + " H" + height + " F25:1 Ip A1:1 C420jpeg\n")
                    .getBytes(StandardCharsets.US_ASCII));
            byte[] samples = new byte[width * height * 3 / 2];
            for (int i = 0; i < MANY; i++) {
                pictures.get(i % pictures.size()).get(0, samples);
                out.write("FRAME\n".getBytes(StandardCharsets.US_ASCII));
                out.write(samples);
            }
        }
    }

    /**
     * Nanoseconds a pair.
     *
     * @param features feature extractors as the tool names them
     * @param inAssembler false to use none of its code in assembler
     */
    long pairNanos(List<String> features, boolean inAssembler) {
        long few = run(features, inAssembler, FEW);
        long many = run(features, inAssembler, MANY);
        return Math.max(many - few, 0) / (MANY - FEW);
    }

    private long run(List<String> features, boolean inAssembler, int pictures) {
        List<String> command = new ArrayList<>(words(
                "vmaf --reference %s --distorted %s --no_prediction --quiet --threads %s --frame_cnt %s",
                reference(), distorted(), threads, pictures));
        if (!inAssembler) {
            command.addAll(List.of("--cpumask", "-1"));
        }
        features.forEach(feature -> command.addAll(List.of("--feature", feature)));
        long start = System.nanoTime();
        ChildProcess.Result result =
                new ChildProcess(command, Map.of()).run(LIMIT_SECONDS).orElseThrow();
        long nanos = System.nanoTime() - start;
        if (result.status() != 0) {
            throw new WrongResultException(
                    "vmaf ended with status " + result.status() + ": " + result.lastLines(2) + "; see " + command);
        }
        return nanos;
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(reference());
            Files.deleteIfExists(distorted());
            Files.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

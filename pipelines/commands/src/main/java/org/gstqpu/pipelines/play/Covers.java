/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.ChildProcess.words;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.gstqpu.pipelines.cli.TemporaryFile;

/**
 * The covers of an input, each in a file of its own: Matroska has them as attachments, which ffmpeg reads from files; a copy would be
 * a video of one picture. Owns the files.
 */
final class Covers implements AutoCloseable {
    private static final long LIMIT_SECONDS = 60;

    private final Map<Integer, TemporaryFile> files = new HashMap<>();

    /**
     * Writes the covers that such a file has as attachments.
     *
     * @throws IOException when a file cannot be made
     */
    void write(ProbedInput input, Container container) throws IOException {
        if (container == Container.MATROSKA) {
            for (ProbedInput.Stream stream : input.streams()) {
                if (stream.isCover() && suffix(stream).isPresent()) {
                    write(input, stream);
                }
            }
        }
    }

    private void write(ProbedInput input, ProbedInput.Stream stream) throws IOException {
        TemporaryFile file = TemporaryFile.create(suffix(stream).orElseThrow());
        files.put(stream.index(), file);
        boolean isWritten = new ChildProcess(
                        words(
                                "ffmpeg -nostdin -v error -y -i %s -map 0:%s -c copy -frames:v 1 -f image2 -update 1 file:%s",
                                input.address(), stream.index(), file.path()),
                        Map.of())
                .run(LIMIT_SECONDS)
                .filter(result -> result.status() == 0)
                .isPresent();
        if (!isWritten) {
            files.remove(stream.index());
            file.close();
        }
    }

    private static Optional<String> suffix(ProbedInput.Stream stream) {
        return switch (stream.codec()) {
            case "mjpeg" -> Optional.of(".jpg");
            case "png" -> Optional.of(".png");
            default -> Optional.empty();
        };
    }

    /** ffmpeg's options that attach a cover as a stream of this number; empty if it is not to be attached. */
    Optional<List<String>> options(ProbedInput.Stream stream, int number) {
        return Optional.ofNullable(files.get(stream.index()))
                .map(TemporaryFile::path)
                .map(path -> words(
                        "-attach file:%s -metadata:s:%s filename=cover%s -metadata:s:%s mimetype=image/%s",
                        path,
                        number,
                        suffix(stream).orElseThrow(),
                        number,
                        stream.codec().equals("png") ? "png" : "jpeg"));
    }

    @Override
    public void close() throws IOException {
        for (TemporaryFile file : files.values()) {
            file.close();
        }
    }
}

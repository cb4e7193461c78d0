/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.VideoSize;
import org.gstqpu.pipelines.media.Ffmpeg;

/**
 * The pictures that pipelines are measured with: blocky as a coarse encoder leaves them, as a stream and unpacked. Files are
 * made once and kept. Immutable.
 *
 * @param size of each
 * @param stream H.264 without a container, which may be read again and again without end
 * @param nv12 the same pictures, NV12, one after the other without padding
 * @param i420 the same, I420
 */
record TestPictures(VideoSize size, Path stream, Path nv12, Path i420) {
    /** How many there are. */
    static final int COUNT = 6;

    private static final int QP = 36;

    /**
     * Finds or makes them.
     *
     * @throws CommandFailedException when there is no ffmpeg, or it fails
     */
    static TestPictures in(Path folder, VideoSize size) {
        String name = "pictures-" + size.width() + "x" + size.height();
        TestPictures pictures = new TestPictures(
                size, folder.resolve(name + ".h264"), folder.resolve(name + ".nv12"), folder.resolve(name + ".i420"));
        make(pictures.stream, file -> Ffmpeg.encodeTestPictures(size.width(), size.height(), COUNT, QP, file));
        make(pictures.nv12, file -> Ffmpeg.unpackRaw(pictures.stream, "nv12", file));
        make(pictures.i420, file -> Ffmpeg.unpackRaw(pictures.stream, "yuv420p", file));
        return pictures;
    }

    /** Writes a file. */
    @FunctionalInterface
    private interface Maker {
        /** Writes it. */
        void make(Path file);
    }

    /** Makes a file that is not there, so that it is whole or not there. */
    private static void make(Path file, Maker maker) {
        if (Files.exists(file)) {
            return;
        }
        Path part = file.resolveSibling(file.getFileName() + ".part");
        maker.make(part);
        try {
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The meter's options for a source of them.
     *
     * @param format NV12 or I420
     * @param memory in which they lie: system or dmabuf
     */
    List<String> asSource(String format, String memory) {
        String caps = ",format=" + format + ",width=" + size.width() + ",height=" + size.height() + ",framerate=30/1";
        return List.of(
                "--caps",
                (memory.equals("dmabuf") ? "video/x-raw(memory:DMABuf)" : "video/x-raw") + caps,
                "--pictures",
                (format.equals("NV12") ? nv12 : i420).toString(),
                "--memory",
                memory);
    }
}

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
 * The pictures of the measured pipelines, as an encoded stream and unpacked. They are coded coarsely, so that they have visible
 * blocks. The files are made once and kept. Immutable.
 *
 * @param size size of the pictures
 * @param stream H.264 without a container, so that it can be read in an endless loop
 * @param nv12 the decoded pictures in NV12, one after the other without padding
 * @param i420 the decoded pictures in I420, one after the other without padding
 */
record TestPictures(VideoSize size, Path stream, Path nv12, Path i420) {
    /** The number of pictures. */
    static final int COUNT = 6;

    private static final int QP = 36;

    /**
     * Uses the files in this folder, or makes them.
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

    /** Makes one of the files. */
    @FunctionalInterface
    private interface Maker {
        /** Writes this file. */
        void make(Path file);
    }

    /** Makes a file unless it exists. It is written under another name and then renamed, so that it never exists in part. */
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
     * The options of {@link PipelineMeter} for a source of these pictures.
     *
     * @param format NV12 or I420
     * @param memory kind of memory that holds the pictures: system or dmabuf
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

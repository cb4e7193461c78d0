/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Owns a YUV4MPEG2 stream that is being written, progressive 8-bit 4:2:0. Belongs to one thread. */
public final class Y4mWriter implements AutoCloseable {
    private final OutputStream out;

    /**
     * Creates the file, or empties it, and writes its header.
     *
     * @throws IOException when it cannot be written
     */
    public Y4mWriter(Path file, int width, int height, int framesPerSecond) throws IOException {
        this(Files.newOutputStream(file), width, height, framesPerSecond);
    }

    /**
     * Takes ownership of a stream and writes the header to it.
     *
     * @throws IOException when it cannot be written
     */
    public Y4mWriter(OutputStream stream, int width, int height, int framesPerSecond) throws IOException {
        out = new BufferedOutputStream(stream, 1 << 20);
        writeLine("YUV4MPEG2 W" + width + " H" + height + " F" + framesPerSecond + ":1 Ip A1:1 C420mpeg2");
    }

    /** Writes a picture, which must have the size in the header. */
    public void write(I420Picture picture) throws IOException {
        writeLine("FRAME");
        for (int plane = 0; plane < 3; plane++) {
            out.write(picture.plane(plane));
        }
    }

    private void writeLine(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}

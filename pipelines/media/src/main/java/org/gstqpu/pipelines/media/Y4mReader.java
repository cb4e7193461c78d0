/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** Owns an open YUV4MPEG2 stream of 8-bit 4:2:0 pictures, and reads one picture after the other. Belongs to one thread. */
public final class Y4mReader implements PictureStream {
    private static final int LONGEST_LINE_BYTES = 1024;

    private final String file;
    private final InputStream in;
    private int width;
    private int height;
    private boolean fullRange;

    private Y4mReader(String file, InputStream in) {
        this.file = file;
        this.in = in;
    }

    /**
     * Opens a file and reads its header.
     *
     * @throws IOException when it cannot be read or is no YUV4MPEG2 file of 8-bit 4:2:0 pictures
     */
    public static Y4mReader open(Path file) throws IOException {
        return open(file.toString(), Files.newInputStream(file));
    }

    /**
     * Takes ownership of a stream and reads its header.
     *
     * @param name name of the stream in messages
     * @throws IOException when it cannot be read or is no YUV4MPEG2 stream of 8-bit 4:2:0 pictures
     */
    public static Y4mReader open(String name, InputStream in) throws IOException {
        Y4mReader reader = new Y4mReader(name, new BufferedInputStream(in, 1 << 20));
        try {
            reader.readHeader();
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
        return reader;
    }

    private void readHeader() throws IOException {
        String[] words = readLine().split(" ", -1);
        if (!words[0].equals("YUV4MPEG2")) {
            throw new IOException(file + " is no YUV4MPEG2 file");
        }
        for (String word : words) {
            switch (word.isEmpty() ? ' ' : word.charAt(0)) {
                case 'W' -> width = readSize(word);
                case 'H' -> height = readSize(word);
                case 'C' -> requireEightBit420(word.substring(1));
                case 'X' -> fullRange |= word.equals("XCOLORRANGE=FULL");
                default -> {
                    // Frame rate, interlacing and aspect change nothing in how the samples are read.
                }
            }
        }
        if (width < 1 || height < 1) {
            throw new IOException(file + " does not say its picture size");
        }
    }

    private int readSize(String word) throws IOException {
        try {
            return Integer.parseInt(word.substring(1));
        } catch (NumberFormatException e) {
            throw new IOException(file + " has no number in '" + word + "'", e);
        }
    }

    private void requireEightBit420(String colourSpace) throws IOException {
        String name = colourSpace.toLowerCase(Locale.ROOT);
        if (!name.startsWith("420") || name.startsWith("420p1")) {
            throw new IOException(file + " has pictures of colour space " + colourSpace + ", not 8-bit 4:2:0");
        }
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    /** True if samples range from 0 to 255 by ffmpeg's tag in the header; else luma is 16 to 235, and chroma 16 to 240. */
    public boolean isFullRange() {
        return fullRange;
    }

    /** Makes a picture of the size in the header. */
    public I420Picture newPicture() {
        return new I420Picture(width, height);
    }

    /** Whether another picture begins; waits until that is known. */
    public boolean hasNext() throws IOException {
        in.mark(1);
        boolean more = in.read() >= 0;
        in.reset();
        return more;
    }

    @Override
    public boolean read(I420Picture picture) throws IOException {
        if (!hasNext()) {
            return false;
        }
        if (!readLine().startsWith("FRAME")) {
            throw new IOException(file + " has something else where a picture should start");
        }
        for (int plane = 0; plane < 3; plane++) {
            byte[] samples = picture.plane(plane);
            int got = in.readNBytes(samples, 0, samples.length);
            if (got < samples.length) {
                throw new EOFException(file + " ends within a picture: plane " + plane + " has " + got + " of "
                        + samples.length + " bytes");
            }
        }
        return true;
    }

    private String readLine() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = in.read(); next != '\n'; next = in.read()) {
            if (next < 0 || line.size() == LONGEST_LINE_BYTES) {
                throw new IOException(file + " is no YUV4MPEG2 file, or is cut off");
            }
            line.write(next);
        }
        return line.toString(StandardCharsets.US_ASCII);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.freedesktop.gstreamer.Fraction;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * Owns an open file of YUV4MPEG2, and a thread that reads it ahead. GStreamer 1.22 reads only those of 8 bits a sample. Belongs to one
 * thread, apart from {@link #read}.
 */
final class Y4mVideo implements Video.Reader {
    private static final String MAGIC = "YUV4MPEG2";
    private static final int LONGEST_LINE = 256;

    /** At most so many pictures are in memory: those that are read ahead, and the one that is given. */
    private static final int PICTURES = 4;

    private static final int CHUNK_BYTES = 1 << 20;

    /** Longer than any disk takes for some pictures. */
    private static final long CLOSE_SECONDS = 600;

    /** What the header's C tag says; how chroma lies between luma samples changes nothing here. */
    private static final Map<String, PixelFormat> FORMATS = Map.ofEntries(
            Map.entry("420", PixelFormat.I420),
            Map.entry("420jpeg", PixelFormat.I420),
            Map.entry("420mpeg2", PixelFormat.I420),
            Map.entry("420paldv", PixelFormat.I420),
            Map.entry("422", PixelFormat.Y42B),
            Map.entry("444", PixelFormat.Y444),
            Map.entry("mono", PixelFormat.GRAY8),
            Map.entry("420p10", PixelFormat.I420_10LE),
            Map.entry("422p10", PixelFormat.I422_10LE),
            Map.entry("444p10", PixelFormat.Y444_10LE));

    private final String name;
    private final InputStream in;
    private final PictureLayout layout;
    private final int pictures;
    private final byte[] chunk = new byte[CHUNK_BYTES];
    private final ExecutorService reader;

    /** What was read and is not yet given, in order. */
    private final Deque<Future<Optional<ByteBuffer>>> ahead = new ArrayDeque<>();

    /** Memory of the picture that was given last; null before the first. */
    private ByteBuffer given;

    private Y4mVideo(String name, InputStream in, PictureLayout layout, int pictures) {
        this.name = name;
        this.in = in;
        this.layout = layout;
        this.pictures = pictures;
        reader = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task, "qpu-y4m");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Whether a name is that of such a file. */
    static boolean isOne(String input) {
        if (input.contains("://") || input.isBlank() || !Files.isRegularFile(Path.of(input))) {
            return false;
        }
        try (InputStream in = Files.newInputStream(Path.of(input))) {
            return new String(in.readNBytes(MAGIC.length()), StandardCharsets.US_ASCII).equals(MAGIC);
        } catch (IOException e) {
            throw unreadable(input, e);
        }
    }

    private static CommandFailedException unreadable(String input, IOException e) {
        return unusable(input + " cannot be read (" + e.getMessage() + ")", e);
    }

    /** Opens a file that {@link #isOne is one}. */
    static Video open(String input) {
        try {
            InputStream in = new BufferedInputStream(Files.newInputStream(Path.of(input)), 1 << 20);
            int width = 0;
            int height = 0;
            Fraction rate = new Fraction(0, 1);
            String format = "420";
            boolean fullRange = false;
            String header = line(in, input);
            for (String tag : header.split(" ", -1)) {
                String value = tag.substring(Math.min(1, tag.length()));
                switch (tag.isEmpty() ? ' ' : tag.charAt(0)) {
                    case 'W' -> width = number(input, value);
                    case 'H' -> height = number(input, value);
                    case 'F' -> rate = fraction(input, value);
                    case 'C' -> format = value;
                    case 'X' -> fullRange |= value.equals("COLORRANGE=FULL");
                    default -> {
                        // Interlacing, the shape of samples and comments change nothing here.
                    }
                }
            }
            PixelFormat pixels = FORMATS.get(format);
            if (pixels == null || Math.min(width, height) < 1 || Math.max(width, height) > PictureLayout.LARGEST_SIDE) {
                throw broken(input, "its header says " + width + "x" + height + " C" + format);
            }
            PictureLayout layout = PictureLayout.packed(pixels, width, height, 1);
            // A picture begins with a line of its own, "FRAME".
            long pictures = (Files.size(Path.of(input)) - header.length() - 1) / (layout.sizeBytes() + 6);
            // Memory follows what is there, not what the header says.
            if (pictures < 1) {
                throw unusable(input + " holds no whole picture: one of " + width + "x" + height + " has "
                        + layout.sizeBytes() + " bytes; get it whole");
            }
            if (layout.sizeBytes() > Integer.MAX_VALUE) {
                throw unusable(input + " has pictures of " + width + "x" + height
                        + ", more than 2 GiB each, which cannot be measured; scale them down first");
            }
            return new Video(
                    input, layout, rate, Optional.empty(), fullRange, pictures, new Y4mVideo(input, in, layout, (int)
                            Math.min(PICTURES, pictures)));
        } catch (IOException e) {
            throw unreadable(input, e);
        }
    }

    private static CommandFailedException broken(String input, String why) {
        return unusable(input + " is no YUV4MPEG2 that can be measured: " + why
                + "; known are C420, C422, C444, these with p10, and" + " Cmono");
    }

    private static int number(String input, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw broken(input, "its header says " + value + " for a number");
        }
    }

    private static Fraction fraction(String input, String value) {
        String[] parts = value.split(":", -1);
        if (parts.length != 2) {
            throw broken(input, "its header says " + value + " for a rate");
        }
        return new Fraction(number(input, parts[0]), number(input, parts[1]));
    }

    private static String line(InputStream in, String input) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
            if (line.size() == LONGEST_LINE) {
                throw broken(input, "a line of more than " + LONGEST_LINE + " characters");
            }
            line.write(c);
        }
        return line.toString(StandardCharsets.US_ASCII).replaceAll("\\p{Cntrl}", "?");
    }

    @Override
    public Optional<Picture> next() {
        if (given == null) {
            for (int i = 0; i < pictures; i++) {
                readInto(ByteBuffer.allocateDirect(Math.toIntExact(layout.sizeBytes())));
            }
        } else {
            readInto(given);
        }
        try {
            Optional<ByteBuffer> memory = ahead.remove().get();
            given = memory.orElse(given);
            return memory.map(bytes -> Picture.of(HostMemory.of(bytes), layout));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(name + " was interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CommandFailedException failure) {
                throw failure;
            }
            throw new IllegalStateException(name, e.getCause());
        }
    }

    private void readInto(ByteBuffer memory) {
        ahead.add(reader.submit(() -> read(memory)));
    }

    /** Reads the next picture. Runs on the reader's thread. */
    private Optional<ByteBuffer> read(ByteBuffer memory) {
        try {
            String header = line(in, name);
            if (header.isEmpty()) {
                return Optional.empty();
            }
            if (!header.startsWith("FRAME")) {
                throw broken(name, "a picture does not begin with FRAME");
            }
            memory.clear();
            while (memory.hasRemaining()) {
                int count = in.read(chunk, 0, Math.min(chunk.length, memory.remaining()));
                if (count < 0) {
                    throw unusable(name + " ends within a picture; get it whole");
                }
                memory.put(chunk, 0, count);
            }
            return Optional.of(memory.clear());
        } catch (IOException e) {
            throw unreadable(name, e);
        }
    }

    @Override
    public void close() {
        reader.shutdown();
        try {
            if (!reader.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " is still being read");
            }
            in.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

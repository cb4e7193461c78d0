/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Decoded pictures without padding. Immutable by convention: nobody writes into the arrays.
 *
 * @param format the format of every picture
 * @param frames one array for each picture, {@link VideoFormat#pictureBytes} long
 */
record RawVideo(VideoFormat format, int width, int height, List<byte[]> frames) {
    /** The pictures in a file. */
    static RawVideo read(Path file, VideoFormat format, int width, int height) throws IOException {
        return of(Files.readAllBytes(file), format, width, height);
    }

    /** Splits bytes into pictures. Fails if the last picture is incomplete. */
    static RawVideo of(byte[] bytes, VideoFormat format, int width, int height) {
        int pictureBytes = format.pictureBytes(width, height);
        if (bytes.length % pictureBytes != 0) {
            throw new AssertionError(bytes.length + " bytes are no multiple of the " + pictureBytes + " of a " + width
                    + "x" + height + " " + format + " picture");
        }
        List<byte[]> frames = new ArrayList<>();
        for (int at = 0; at < bytes.length; at += pictureBytes) {
            frames.add(Arrays.copyOfRange(bytes, at, at + pictureBytes));
        }
        return new RawVideo(format, width, height, List.copyOf(frames));
    }

    /**
     * Pictures in which every place can be filtered: smooth gradients, steps of a few values at the edges of 4x4 blocks, straight lines
     * in many directions and some noise, with values near black and near white, too.
     */
    static RawVideo synthetic(VideoFormat format, int width, int height, int frames, long seed) {
        VideoFormat planar = format.planar();
        Random random = new Random(seed);
        List<byte[]> pictures = new ArrayList<>();
        for (int i = 0; i < frames; i++) {
            byte[] picture = new byte[planar.pictureBytes(width, height)];
            int to = paint(picture, 0, width, height, format.bitDepth(), random);
            for (int plane = 1; plane <= 2; plane++) {
                to = paint(
                        picture, to, planar.chromaWidth(width), planar.chromaHeight(height), format.bitDepth(), random);
            }
            pictures.add(format.fromPlanar(picture, width, height));
        }
        return new RawVideo(format, width, height, List.copyOf(pictures));
    }

    /**
     * One 8-bit picture as a coarse intra coder leaves it: a smooth gradient, of which each 8x8 block has kept the mean, a multiple
     * of 10, and one in three more than that, as no pixel has that was copied to be as large. Automatic strength filters it.
     */
    static RawVideo blocky(VideoFormat format, int width, int height) {
        VideoFormat planar = format.planar();
        byte[] picture = new byte[planar.pictureBytes(width, height)];
        Arrays.fill(picture, (byte) 128);
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double gradient = 40 + 150.0 * (x - x % 8) / width + 50 * Math.sin((y - y % 8) / 8.0 * 0.9);
                int more = (x / 8 + y / 8) % 3 == 0 && x % 8 >= 3 ? 12 : 0;
                picture[y * width + x] = (byte) (10 * Math.round(gradient / 10) + more);
            }
        }
        return new RawVideo(format, width, height, List.of(format.fromPlanar(picture, width, height)));
    }

    private static int paint(byte[] picture, int first, int width, int height, int bitDepth, Random random) {
        double slopeX = random.nextDouble() * 8 - 4;
        double slopeY = random.nextDouble() * 8 - 4;
        int[] steps = random.ints((width + 3L) / 4 * ((height + 3L) / 4), -6, 7).toArray();
        int to = first;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                double line = Math.sin((x * slopeX + y * slopeY) / 9) * 60;
                int step = steps[y / 4 * ((width + 3) / 4) + x / 4];
                int value = (int) Math.round(128 + line * 2.3 + step + random.nextInt(3));
                int sample = Math.max(0, Math.min(255, value)) << (bitDepth - 8);
                if (bitDepth > 8) {
                    sample = Math.min((1 << bitDepth) - 1, sample + random.nextInt(4));
                    picture[to++] = (byte) sample;
                    picture[to++] = (byte) (sample >> 8);
                } else {
                    picture[to++] = (byte) sample;
                }
            }
        }
        return to;
    }

    /** These pictures, which must be planar, in another format of the same sampling and depth. */
    RawVideo in(VideoFormat target) {
        if (format != target.planar()) {
            throw new IllegalArgumentException("cannot rearrange " + format + " into " + target);
        }
        return new RawVideo(
                target,
                width,
                height,
                frames.stream()
                        .map(frame -> target.fromPlanar(frame, width, height))
                        .toList());
    }

    /** The pictures with these numbers. */
    RawVideo select(List<Integer> numbers) {
        return new RawVideo(
                format, width, height, numbers.stream().map(frames::get).toList());
    }

    void write(Path file) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] frame : frames) {
            bytes.write(frame);
        }
        Files.write(file, bytes.toByteArray());
    }

    /** The source element's part of a {@code gst-launch} line that plays {@code file} as these pictures. */
    String parserFor(Path file) {
        return "filesrc location=" + file + " blocksize=" + format.pictureBytes(width, height)
                + " ! rawvideoparse format=" + format.nick() + " width=" + width + " height=" + height
                + " framerate=25/1";
    }

    /** Fails unless {@code actual} holds equal pictures; the message says where they differ. */
    void requireSame(RawVideo actual, String what) {
        if (actual.format != format || actual.width != width || actual.height != height) {
            throw new AssertionError(what + ": expected " + describe() + ", got " + actual.describe());
        }
        List<String> differences = new ArrayList<>();
        for (int i = 0; i < Math.min(frames.size(), actual.frames.size()); i++) {
            if (!Arrays.equals(frames.get(i), actual.frames.get(i))) {
                differences.add(difference(i, frames.get(i), actual.frames.get(i)));
            }
        }
        if (frames.size() != actual.frames.size()) {
            differences.add("expected " + frames.size() + " frames, got " + actual.frames.size());
        }
        if (!differences.isEmpty()) {
            throw new AssertionError(what + " (" + describe() + "):\n  " + String.join("\n  ", differences));
        }
    }

    private String difference(int number, byte[] expected, byte[] actual) {
        int first = Arrays.mismatch(expected, actual);
        int count = 0;
        for (int i = 0; i < expected.length; i++) {
            if (expected[i] != actual[i]) {
                count++;
            }
        }
        return "frame " + number + ": " + count + " of " + expected.length + " bytes differ, first at "
                + format.describe(first, width, height) + ": expected " + (expected[first] & 0xff) + ", got "
                + (actual[first] & 0xff) + "; md5 expected " + Md5.of(expected) + ", got " + Md5.of(actual);
    }

    private String describe() {
        return frames.size() + " frames " + width + "x" + height + " " + format;
    }
}

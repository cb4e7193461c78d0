/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A file of pictures of one size, one after the other, with 8-bit samples and without padding. Immutable.
 *
 * @param file the file
 * @param pictureBytes bytes per picture
 */
record PictureFile(Path file, int pictureBytes) {
    /** The number of whole pictures in the file. */
    int count() {
        try {
            return Math.toIntExact(Files.size(file) / pictureBytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Compares one picture with one of another file.
     *
     * @param index index of this file's picture
     * @param expected the file of expected pictures
     * @param expectedIndex index of the picture in {@code expected}
     * @param tolerance largest allowed mean of the absolute differences of samples; 0 to compare byte for byte
     * @return the difference in words; empty if the pictures agree
     */
    Optional<String> differs(int index, PictureFile expected, int expectedIndex, double tolerance) {
        if (expected.pictureBytes != pictureBytes) {
            throw new IllegalArgumentException(
                    "pictures of " + pictureBytes + " and " + expected.pictureBytes + " bytes");
        }
        if (count() <= index) {
            return Optional.of("picture " + index + " is not there, only " + count() + " are");
        }
        ByteBuffer own = picture(index);
        ByteBuffer right = expected.picture(expectedIndex);
        int at = own.mismatch(right);
        if (at < 0) {
            return Optional.empty();
        }
        if (tolerance == 0) {
            return Optional.of("byte " + at + " of picture " + index + " is " + (own.get(at) & 0xff) + ", not "
                    + (right.get(at) & 0xff));
        }
        long sum = 0;
        for (int i = 0; i < pictureBytes; i++) {
            sum += Math.abs((own.get(i) & 0xff) - (right.get(i) & 0xff));
        }
        double mean = (double) sum / pictureBytes;
        return mean <= tolerance
                ? Optional.empty()
                : Optional.of(
                        "samples of picture " + index + " are off by " + mean + " on average, more than " + tolerance);
    }

    private ByteBuffer picture(int index) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, (long) index * pictureBytes, pictureBytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

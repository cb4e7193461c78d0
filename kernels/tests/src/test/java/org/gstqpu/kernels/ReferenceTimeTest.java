/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.gstqpu.kernels.ReferenceTime.Reference;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The reference of fusion against the pictures of another implementation, in C, which was given the same pictures and has no guard for drift. */
class ReferenceTimeTest {
    private static final int WIDTH = 136;
    private static final int HEIGHT = 96;
    private static final int THRESHOLD = 165;

    /** Pictures that are compared. Two more follow them. */
    private static final int PICTURES = 4;

    /**
     * Fuses the pictures.
     *
     * @param distances which pictures each one is fused with: those before it, or those around it
     * @param md5 of what the program in C makes of all of them
     */
    @ParameterizedTest
    @CsvSource({
        "-1 -2, d1586e0abbc34926dab8c77d2c49e5a9",
        "-1 1, 08a202fa7761029e9bc5e5d16f26e413",
        "-1 -2 1 2, 116b4a79c5f6e2f3a3d4841164d52ba8"
    })
    void givesThePicturesOfTheProgramInC(String distances, String md5) throws NoSuchAlgorithmException {
        List<SamplePicture> shrunk = new ArrayList<>();
        for (int t = 0; t < PICTURES + 2; t++) {
            shrunk.add(picture(t, false));
        }
        MessageDigest digest = MessageDigest.getInstance("MD5");
        List<SamplePicture> results = new ArrayList<>();
        int changed = 0;
        for (int t = 0; t < PICTURES; t++) {
            List<Reference> references = new ArrayList<>();
            for (String distance : distances.split(" ", -1)) {
                int r = t + Integer.parseInt(distance);
                if (r >= 0) {
                    references.add(new Reference(shrunk.get(r), r < t ? results.get(r) : shrunk.get(r), THRESHOLD));
                }
            }
            SamplePicture result =
                    ReferenceTime.applyWithoutDrift(shrunk.get(t), picture(t, true), references, THRESHOLD, THRESHOLD);
            for (int i = 0; i < WIDTH * HEIGHT; i++) {
                int sample = result.get(0, i % WIDTH, i / WIDTH);
                digest.update((byte) sample);
                changed += sample == shrunk.get(t).get(0, i % WIDTH, i / WIDTH) ? 0 : 1;
            }
            results.add(result);
        }
        assertNotEquals(0, changed);
        assertEquals(md5, HexFormat.of().formatHex(digest.digest()));
    }

    /**
     * A made-up picture: ground that moves by quarters of a sample, a square before it that moves another way, and noise of its own.
     *
     * @param decoded whether the noise is that of a coder, or what shrinkage leaves of it
     */
    static SamplePicture picture(int t, boolean decoded) {
        SamplePicture picture = new SamplePicture(8, PixelFormat.Chroma.NONE, WIDTH, HEIGHT);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++) {
                boolean inSquare = x - 3 * t >= 40 && x - 3 * t < 80 && y >= 30 && y < 66;
                int ground = inSquare
                        ? ground(4 * x - 12 * t + 4000, 4 * y + 2 * t + 4000)
                        : ground(4 * x + 7 * t, 4 * y - 3 * t + 400);
                int noise = (noise(x, y, t) & 3) - 1;
                int coded = decoded ? (noise(x, y, t + 100) % 9) - 4 : 0;
                picture.set(0, x, y, Math.max(0, Math.min(255, ground + noise + coded)));
            }
        }
        return picture;
    }

    /** Smooth hills, 8 samples from one to the next, and smaller ones, 3 samples from one to the next; in quarters of a sample. */
    private static int ground(int x, int y) {
        return 60 + hills(x, y, 32) / 2 + hills(x, y, 12) / 8;
    }

    private static int hills(int x, int y, int step) {
        int column = x / step;
        int row = y / step;
        int right = x % step;
        int down = y % step;
        int top = noise(column, row, step) * (step - right) + noise(column + 1, row, step) * right;
        int bottom = noise(column, row + 1, step) * (step - right) + noise(column + 1, row + 1, step) * right;
        return (top * (step - down) + bottom * down) / (step * step);
    }

    /** A number from 0 to 255 for each place, that looks like chance. */
    private static int noise(int x, int y, int z) {
        int mixed = x * 0x9E3779B1 + y * 0x85EBCA77 + z * 0xC2B2AE3D;
        mixed = (mixed ^ mixed >>> 15) * 0x2C1B3C6D;
        mixed = (mixed ^ mixed >>> 12) * 0x297A2D39;
        return (mixed ^ mixed >>> 15) >>> 24;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Videos that are computed, for sizes and formats of which no footage is here: tiles of more and less detail, which move. Stateless. A
 * name such as {@code made I420 2050x1160 3 ref} has all there is to it; {@code dist} is the same with errors, and {@code bands} has
 * gradients instead, in bands of one to four of 1023 steps, from the darkest luma to the brightest.
 */
final class MadeVideo {
    private static final Pattern NAME = Pattern.compile("made (\\w+) (\\d+)x(\\d+) (\\d+) (ref|dist|bands)");
    private static final int TILE = 40;
    private static final int PERIOD = 61;

    /** Rows of a gradient, and columns after which its bands get another width. */
    private static final int GRADIENT_ROWS = 120;

    private static final int BAND_COLUMNS = 240;
    private static final int BAND_BITS = 10;

    private MadeVideo() {}

    static boolean isMade(String name) {
        return NAME.matcher(name).matches();
    }

    static PixelFormat format(String name) {
        return PixelFormat.valueOf(parsed(name).group(1));
    }

    static List<SamplePicture> pictures(String name) {
        Matcher parsed = parsed(name);
        List<SamplePicture> pictures = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(parsed.group(4)); i++) {
            pictures.add(picture(
                    format(name),
                    Integer.parseInt(parsed.group(2)),
                    Integer.parseInt(parsed.group(3)),
                    i,
                    parsed.group(5)));
        }
        return pictures;
    }

    private static Matcher parsed(String name) {
        Matcher parsed = NAME.matcher(name);
        if (!parsed.matches()) {
            throw new IllegalArgumentException("no video is made of the name " + name);
        }
        return parsed;
    }

    private static SamplePicture picture(PixelFormat format, int width, int height, int number, String kind) {
        SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), width, height);
        int peak = format.peak();
        for (int component = 0; component < picture.components(); component++) {
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    if (kind.equals("bands")) {
                        picture.set(
                                component, x, y, band(x, y, width, height, number) >> (BAND_BITS - format.bitDepth()));
                        continue;
                    }
                    int noise = noise(x, y, component, number);
                    int detail = (x / TILE + y / TILE * 3) % 5;
                    int motion = number * number * ((y / TILE) % 3);
                    int value = peak / 4
                            + (3 * x + 5 * y + motion) % PERIOD * detail * peak / (8 * PERIOD)
                            + (noise & 15) * detail / 4;
                    int error = kind.equals("dist") ? (noise >>> 8) % 11 - 5 : 0;
                    picture.set(component, x, y, Math.max(0, Math.min(peak, value + error)));
                }
            }
        }
        return picture;
    }

    /** Of 10 bits. Each gradient goes over its share of all values. */
    private static int band(int x, int y, int width, int height, int number) {
        int gradient = y / GRADIENT_ROWS;
        int from = gradient * (1 << BAND_BITS) * GRADIENT_ROWS / height;
        int share = (1 << BAND_BITS) * GRADIENT_ROWS / height;
        int step = 1 + (x / BAND_COLUMNS + gradient) % 4;
        int value = from + (x + 5 * number) * share / (width + 5 * number);
        return Math.min(value - value % step, (1 << BAND_BITS) - 1);
    }

    private static int noise(int x, int y, int component, int number) {
        int mixed = (x * 0x9e3779b1) ^ (y * 0x85ebca6b) ^ ((4 * number + component) * 0xc2b2ae35);
        mixed = (mixed ^ (mixed >>> 15)) * 0x27d4eb2f;
        return (mixed ^ (mixed >>> 13)) & 0xffff;
    }
}

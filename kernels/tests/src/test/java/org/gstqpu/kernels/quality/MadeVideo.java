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
 * name such as {@code made I420 2050x1160 3 ref} has all there is to it; {@code dist} is the same with errors.
 */
final class MadeVideo {
    private static final Pattern NAME = Pattern.compile("made (\\w+) (\\d+)x(\\d+) (\\d+) (ref|dist)");
    private static final int TILE = 40;
    private static final int PERIOD = 61;

    private MadeVideo() {}

    static boolean isMade(String name) {
        return NAME.matcher(name).matches();
    }

    static PixelFormat format(String name) {
        return PixelFormat.valueOf(parsed(name).group(1));
    }

    static List<SamplePicture> pictures(String name) {
        Matcher parsed = parsed(name);
        boolean distorted = parsed.group(5).equals("dist");
        List<SamplePicture> pictures = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(parsed.group(4)); i++) {
            pictures.add(picture(
                    format(name), Integer.parseInt(parsed.group(2)), Integer.parseInt(parsed.group(3)), i, distorted));
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

    private static SamplePicture picture(PixelFormat format, int width, int height, int number, boolean distorted) {
        SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), width, height);
        int peak = format.peak();
        for (int component = 0; component < picture.components(); component++) {
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int noise = noise(x, y, component, number);
                    int detail = (x / TILE + y / TILE * 3) % 5;
                    int motion = number * number * ((y / TILE) % 3);
                    int value = peak / 4
                            + (3 * x + 5 * y + motion) % PERIOD * detail * peak / (8 * PERIOD)
                            + (noise & 15) * detail / 4;
                    int error = distorted ? (noise >>> 8) % 11 - 5 : 0;
                    picture.set(component, x, y, Math.max(0, Math.min(peak, value + error)));
                }
            }
        }
        return picture;
    }

    private static int noise(int x, int y, int component, int number) {
        int mixed = (x * 0x9e3779b1) ^ (y * 0x85ebca6b) ^ ((4 * number + component) * 0xc2b2ae35);
        mixed = (mixed ^ (mixed >>> 15)) * 0x27d4eb2f;
        return (mixed ^ (mixed >>> 13)) & 0xffff;
    }
}

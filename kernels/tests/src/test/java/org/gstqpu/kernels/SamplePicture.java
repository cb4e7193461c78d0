/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.Random;
import org.gstqpu.kernels.picture.PixelFormat;

/** The samples of a picture as plain numbers, component by component: what the reference filters of the tests work on. */
public final class SamplePicture {
    /** Significant bits of a sample. */
    public final int bitDepth;

    /** Luma samples a row. */
    public final int width;

    /** Luma rows. */
    public final int height;

    /** The sampling structure. */
    public final PixelFormat.Chroma chroma;

    private final int[][] samples = new int[3][];

    /** A black picture. */
    public SamplePicture(int bitDepth, PixelFormat.Chroma chroma, int width, int height) {
        this.bitDepth = bitDepth;
        this.chroma = chroma;
        this.width = width;
        this.height = height;
        for (int component = 0; component < components(); component++) {
            samples[component] = new int[width(component) * height(component)];
        }
    }

    /** The same samples again. */
    public SamplePicture copy() {
        SamplePicture copy = new SamplePicture(bitDepth, chroma, width, height);
        for (int component = 0; component < components(); component++) {
            System.arraycopy(samples[component], 0, copy.samples[component], 0, samples[component].length);
        }
        return copy;
    }

    /** 3 (Y, Cb, Cr) or 1. */
    public int components() {
        return chroma == PixelFormat.Chroma.NONE ? 1 : 3;
    }

    /** Samples a row of a component. */
    public int width(int component) {
        return component == 0 || chroma == PixelFormat.Chroma.FULL ? width : (width + 1) / 2;
    }

    /** Rows of a component. */
    public int height(int component) {
        return component == 0 || chroma != PixelFormat.Chroma.HALF_BOTH ? height : (height + 1) / 2;
    }

    /** One sample. */
    public int get(int component, int x, int y) {
        return samples[component][y * width(component) + x];
    }

    /** Sets one sample. */
    public void set(int component, int x, int y, int value) {
        samples[component][y * width(component) + x] = value;
    }

    /** Every other row of each component as a picture, from row {@code first}, 0 or 1. */
    public SamplePicture field(int first) {
        SamplePicture field = new SamplePicture(bitDepth, chroma, width, height / 2);
        for (int component = 0; component < components(); component++) {
            for (int y = 0; y < field.height(component); y++) {
                for (int x = 0; x < width(component); x++) {
                    field.set(component, x, y, get(component, x, 2 * y + first));
                }
            }
        }
        return field;
    }

    /** Sets every other row of each component, from row {@code first}, 0 or 1. */
    public void setField(int first, SamplePicture field) {
        for (int component = 0; component < components(); component++) {
            for (int y = 0; y < field.height(component); y++) {
                for (int x = 0; x < width(component); x++) {
                    set(component, x, 2 * y + first, field.get(component, x, y));
                }
            }
        }
    }

    /**
     * Random content that gives all filters work: flat blocks with steps between them, slopes, stripes in all
     * directions, noise from faint to full range, and samples at both ends of the range.
     */
    public static SamplePicture random(Random random, int bitDepth, PixelFormat.Chroma chroma, int width, int height) {
        SamplePicture picture = new SamplePicture(bitDepth, chroma, width, height);
        int max = (1 << bitDepth) - 1;
        for (int component = 0; component < picture.components(); component++) {
            int block = 1 << (2 + random.nextInt(4));
            int[] level = new int[1024];
            int spread = 1 + random.nextInt(random.nextBoolean() ? max : max / 8);
            int base = random.nextInt(max + 1);
            for (int i = 0; i < level.length; i++) {
                level[i] = base + random.nextInt(spread) - spread / 2;
            }
            int noise = random.nextInt(4) == 0 ? max : 1 + random.nextInt(1 + max / 16);
            int stripes = random.nextInt(3) == 0 ? random.nextInt(max / 4) : 0;
            int across = random.nextInt(9) - 4;
            int down = random.nextInt(9) - 4;
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int value = level[(y / block * 37 + x / block) & 1023]
                            + random.nextInt(noise)
                            - noise / 2
                            + (((x * across + y * down) & 15) < 8 ? stripes : 0);
                    picture.set(component, x, y, Math.max(0, Math.min(max, value)));
                }
            }
        }
        return picture;
    }
}

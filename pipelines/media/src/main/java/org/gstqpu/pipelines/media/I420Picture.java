/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

/** Owns the samples of one 8-bit 4:2:0 picture: planes Y, Cb and Cr, with rows without padding. Belongs to one thread. */
public final class I420Picture {
    private final int width;
    private final int height;
    private final byte[][] planes;

    public I420Picture(int width, int height) {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("a picture is at least 1x1, given " + width + "x" + height);
        }
        this.width = width;
        this.height = height;
        int chroma = rowSamples(1) * rows(1);
        this.planes = new byte[][] {new byte[width * height], new byte[chroma], new byte[chroma]};
    }

    public int width() {
        return width;
    }

    public int height() {
        return height;
    }

    /** Samples in a row of plane 0, 1 or 2. */
    public int rowSamples(int plane) {
        return plane == 0 ? width : (width + 1) / 2;
    }

    public int rows(int plane) {
        return plane == 0 ? height : (height + 1) / 2;
    }

    /** The samples of plane 0 (Y), 1 (Cb) or 2 (Cr); not a copy. */
    public byte[] plane(int plane) {
        return planes[plane];
    }

    public int sample(int plane, int x, int y) {
        return planes[plane][y * rowSamples(plane) + x] & 0xff;
    }

    public boolean isSizeOf(I420Picture other) {
        return width == other.width && height == other.height;
    }

    /** Returns a copy of the picture. */
    public I420Picture copy() {
        I420Picture copy = new I420Picture(width, height);
        for (int plane = 0; plane < planes.length; plane++) {
            System.arraycopy(planes[plane], 0, copy.planes[plane], 0, planes[plane].length);
        }
        return copy;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.util.Locale;

/** The formats that the element takes, described a second time so that the tests do not share the element's mistakes. */
enum VideoFormat {
    I420(8, "YUV", 2, 2),
    YV12(8, "YVU", 2, 2),
    NV12(8, "Y(UV)", 2, 2),
    NV21(8, "Y(VU)", 2, 2),
    GRAY8(8, "Y", 1, 1),
    I420_10LE(10, "YUV", 2, 2),
    P010_10LE(10, "Y(UV)", 2, 2),
    Y42B(8, "YUV", 2, 1),
    NV16(8, "Y(UV)", 2, 1),
    I422_10LE(10, "YUV", 2, 1),
    Y444(8, "YUV", 1, 1),
    Y444_10LE(10, "YUV", 1, 1);

    private final int bitDepth;
    private final String order;
    private final int columnsPerChroma;
    private final int rowsPerChroma;

    VideoFormat(int bitDepth, String order, int columnsPerChroma, int rowsPerChroma) {
        this.bitDepth = bitDepth;
        this.order = order;
        this.columnsPerChroma = columnsPerChroma;
        this.rowsPerChroma = rowsPerChroma;
    }

    /** The planar format (Y, Cb, Cr) with this format's sampling and depth. For a grey format its chroma is black. */
    VideoFormat planar() {
        for (VideoFormat format : values()) {
            if (format.order.equals("YUV")
                    && format.bitDepth == bitDepth
                    && (this == GRAY8 || format.hasChromaLike(this))) {
                return format;
            }
        }
        throw new AssertionError(this);
    }

    private boolean hasChromaLike(VideoFormat other) {
        return columnsPerChroma == other.columnsPerChroma && rowsPerChroma == other.rowsPerChroma;
    }

    /** Number of chroma samples of one component in a row. */
    int chromaWidth(int width) {
        return (width + columnsPerChroma - 1) / columnsPerChroma;
    }

    /** Number of chroma rows. */
    int chromaHeight(int height) {
        return (height + rowsPerChroma - 1) / rowsPerChroma;
    }

    int bitDepth() {
        return bitDepth;
    }

    /** The name of GStreamer's enum value, for {@code rawvideoparse}. */
    String nick() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Size in bytes of a picture without padding. */
    int pictureBytes(int width, int height) {
        int sampleBytes = bitDepth > 8 ? 2 : 1;
        int chroma = chromaWidth(width) * chromaHeight(height);
        return (width * height + (this == GRAY8 ? 0 : 2 * chroma)) * sampleBytes;
    }

    /** Number of planes in memory. */
    int planes() {
        return this == GRAY8 ? 1 : order.indexOf('(') > 0 ? 2 : 3;
    }

    /** Number of samples in a row of a plane; in an interleaved plane, samples of both chroma components. */
    int planeRowSamples(int plane, int width) {
        return plane == 0 ? width : chromaWidth(width) * (planes() == 2 ? 2 : 1);
    }

    /** Number of rows of a plane. */
    int planeRows(int plane, int height) {
        return plane == 0 ? height : chromaHeight(height);
    }

    /** Converts a picture from the {@link #planar} format to this format. */
    byte[] fromPlanar(byte[] planar, int width, int height) {
        int sampleBytes = bitDepth > 8 ? 2 : 1;
        int shift = this == P010_10LE ? 6 : 0;
        int luma = width * height;
        int chroma = chromaWidth(width) * chromaHeight(height);
        byte[] result = new byte[pictureBytes(width, height)];
        int to = 0;
        boolean interleaved = false;
        for (int i = 0; i < order.length(); i++) {
            char component = order.charAt(i);
            if (component == '(') {
                interleaved = true;
                continue;
            }
            if (component == ')') {
                continue;
            }
            int count = component == 'Y' ? luma : chroma;
            int from = component == 'Y' ? 0 : component == 'U' ? luma : luma + chroma;
            int step = interleaved ? 2 : 1;
            int first = interleaved && order.charAt(i - 1) != '(' ? to + 1 : to;
            for (int s = 0; s < count; s++) {
                copySample(planar, from + s, result, first + s * step, sampleBytes, shift);
            }
            if (!interleaved) {
                to += count;
            }
        }
        return result;
    }

    private static void copySample(byte[] source, int from, byte[] target, int to, int sampleBytes, int shift) {
        if (sampleBytes == 1) {
            target[to] = source[from];
            return;
        }
        int value = ((source[2 * from] & 0xff) | ((source[2 * from + 1] & 0xff) << 8)) << shift;
        target[2 * to] = (byte) value;
        target[2 * to + 1] = (byte) (value >> 8);
    }

    /** The place of byte {@code offset} of an unpadded picture, in words, for a failure message. */
    String describe(int offset, int width, int height) {
        int sampleBytes = bitDepth > 8 ? 2 : 1;
        int sample = offset / sampleBytes;
        if (sample < width * height) {
            return "luma row " + sample / width + " column " + sample % width;
        }
        int chromaSample = sample - width * height;
        int rowSamples = planeRowSamples(1, width);
        int rows = planeRows(1, height);
        return "chroma plane " + chromaSample / (rowSamples * rows) + " row " + chromaSample / rowSamples % rows
                + " column " + chromaSample % rowSamples;
    }
}

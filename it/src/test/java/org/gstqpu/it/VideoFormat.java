package org.gstqpu.it;

import java.util.Locale;

/** The formats that the element takes, described a second time so that the tests do not share its mistakes. */
enum VideoFormat {
    I420(8, "YUV"),
    YV12(8, "YVU"),
    NV12(8, "Y(UV)"),
    NV21(8, "Y(VU)"),
    GRAY8(8, "Y"),
    I420_10LE(10, "YUV"),
    P010_10LE(10, "Y(UV)");

    private final int bitDepth;
    private final String order;

    VideoFormat(int bitDepth, String order) {
        this.bitDepth = bitDepth;
        this.order = order;
    }

    int bitDepth() {
        return bitDepth;
    }

    /** Name of GStreamer's enum value, as {@code rawvideoparse} takes it. */
    String nick() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Bytes of a picture without padding. */
    int pictureBytes(int width, int height) {
        int sampleBytes = bitDepth > 8 ? 2 : 1;
        int chroma = (width + 1) / 2 * ((height + 1) / 2);
        return (width * height + (this == GRAY8 ? 0 : 2 * chroma)) * sampleBytes;
    }

    /** Planes in memory. */
    int planes() {
        return this == GRAY8 ? 1 : order.indexOf('(') > 0 ? 2 : 3;
    }

    /** Samples in a row of a plane; the two chroma components of an interleaved plane are counted both. */
    int planeRowSamples(int plane, int width) {
        return plane == 0 ? width : (width + 1) / 2 * (planes() == 2 ? 2 : 1);
    }

    /** Rows of a plane. */
    int planeRows(int plane, int height) {
        return plane == 0 ? height : (height + 1) / 2;
    }

    /** A planar picture (Y, Cb, Cr; 8 bit or 10 bit in the low bits) in this format's own arrangement. */
    byte[] fromPlanar(byte[] planar, int width, int height) {
        int sampleBytes = bitDepth > 8 ? 2 : 1;
        int shift = this == P010_10LE ? 6 : 0;
        int luma = width * height;
        int chroma = (width + 1) / 2 * ((height + 1) / 2);
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

    /** Where byte {@code offset} of an unpadded picture lies, for a failure message. */
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

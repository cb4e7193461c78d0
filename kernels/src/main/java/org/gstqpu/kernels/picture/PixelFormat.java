/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/**
 * A picture format with chroma of one of H.264's and AV1's sampling structures, or without, named as GStreamer's {@code
 * GstVideoFormat} names it. Planes are numbered as in {@code GstVideoMeta}: in memory order, so that plane 1 of {@link #YV12}
 * is Cr.
 */
public enum PixelFormat {
    /** 8 bit, 4:2:0, planes Y, Cb, Cr. */
    I420(8, Chroma.HALF_BOTH, 3, 1, 2, 1, 0),
    /** 8 bit, 4:2:0, planes Y, Cr, Cb. */
    YV12(8, Chroma.HALF_BOTH, 3, 2, 1, 1, 0),
    /** 8 bit, 4:2:0, planes Y and interleaved Cb, Cr. */
    NV12(8, Chroma.HALF_BOTH, 2, 1, 1, 2, 0),
    /** 8 bit, 4:2:0, planes Y and interleaved Cr, Cb. */
    NV21(8, Chroma.HALF_BOTH, 2, 1, 1, 2, 0),
    /** 8 bit, plane Y only. */
    GRAY8(8, Chroma.NONE, 1, -1, -1, 0, 0),
    /** 10 bit in the low bits of little-endian 16-bit samples, 4:2:0, planes Y, Cb, Cr. */
    I420_10LE(10, Chroma.HALF_BOTH, 3, 1, 2, 1, 0),
    /** 10 bit in the high bits of little-endian 16-bit samples, 4:2:0, planes Y and interleaved Cb, Cr. */
    P010_10LE(10, Chroma.HALF_BOTH, 2, 1, 1, 2, 6),
    /** 8 bit, 4:2:2, planes Y, Cb, Cr; ffmpeg's yuv422p. */
    Y42B(8, Chroma.HALF_WIDTH, 3, 1, 2, 1, 0),
    /** 8 bit, 4:2:2, planes Y and interleaved Cb, Cr. */
    NV16(8, Chroma.HALF_WIDTH, 2, 1, 1, 2, 0),
    /** 10 bit in the low bits of little-endian 16-bit samples, 4:2:2, planes Y, Cb, Cr. */
    I422_10LE(10, Chroma.HALF_WIDTH, 3, 1, 2, 1, 0),
    /** 8 bit, 4:4:4, planes Y, Cb, Cr; ffmpeg's yuv444p. */
    Y444(8, Chroma.FULL, 3, 1, 2, 1, 0),
    /** 10 bit in the low bits of little-endian 16-bit samples, 4:4:4, planes Y, Cb, Cr. */
    Y444_10LE(10, Chroma.FULL, 3, 1, 2, 1, 0);

    /** How many chroma samples there are to luma's; what H.264 calls ChromaArrayType. */
    public enum Chroma {
        /** None at all. */
        NONE(1, 1),
        /** 4:2:0: half of the samples a row, half of the rows. */
        HALF_BOTH(2, 2),
        /** 4:2:2: half of the samples a row. */
        HALF_WIDTH(2, 1),
        /** 4:4:4: as many. */
        FULL(1, 1);

        private final int subWidth;
        private final int subHeight;

        Chroma(int subWidth, int subHeight) {
            this.subWidth = subWidth;
            this.subHeight = subHeight;
        }
    }

    private final int bitDepth;
    private final Chroma chroma;
    private final int planes;
    private final int cbPlane;
    private final int crPlane;
    private final int chromaPixelStep;
    private final int sampleShift;

    PixelFormat(
            int bitDepth, Chroma chroma, int planes, int cbPlane, int crPlane, int chromaPixelStep, int sampleShift) {
        this.bitDepth = bitDepth;
        this.chroma = chroma;
        this.planes = planes;
        this.cbPlane = cbPlane;
        this.crPlane = crPlane;
        this.chromaPixelStep = chromaPixelStep;
        this.sampleShift = sampleShift;
    }

    /** Significant bits of a sample, 8 or 10. */
    public int bitDepth() {
        return bitDepth;
    }

    /** The greatest sample, 255 or 1023. */
    public int peak() {
        return (1 << bitDepth) - 1;
    }

    /** Bytes of a sample in memory, 1 or 2. */
    public int sampleBytes() {
        return bitDepth > 8 ? 2 : 1;
    }

    /** Zero bits below the significant ones of a sample in memory (6 for {@link #P010_10LE}). */
    public int sampleShift() {
        return sampleShift;
    }

    /** Number of planes, 1 to 3. */
    public int planes() {
        return planes;
    }

    /** Whether there is chroma at all. */
    public boolean hasChroma() {
        return chroma != Chroma.NONE;
    }

    /** The sampling structure. */
    public Chroma chroma() {
        return chroma;
    }

    /** Luma samples a row to a chroma sample, 1 or 2: H.264's SubWidthC; 1 without chroma. */
    public int subWidth() {
        return chroma.subWidth;
    }

    /** Luma rows to a row of chroma, 1 or 2: H.264's SubHeightC; 1 without chroma. */
    public int subHeight() {
        return chroma.subHeight;
    }

    /** Cb samples a row, and Cr samples, of a picture {@code width} luma samples wide. */
    public int chromaWidth(int width) {
        return (width + chroma.subWidth - 1) / chroma.subWidth;
    }

    /** Rows of chroma of a picture {@code height} luma samples high. */
    public int chromaHeight(int height) {
        return (height + chroma.subHeight - 1) / chroma.subHeight;
    }

    /** The plane that holds Cb, -1 where there is none. */
    public int cbPlane() {
        return cbPlane;
    }

    /** The plane that holds Cr, -1 where there is none. */
    public int crPlane() {
        return crPlane;
    }

    /** Samples from one Cb to the next in its plane: 1 planar, 2 interleaved, 0 without chroma. */
    public int chromaPixelStep() {
        return chromaPixelStep;
    }

    /** Samples that stand before the first Cb in its plane (1 for {@link #NV21}, else 0). */
    public int cbFirstSample() {
        return this == NV21 ? 1 : 0;
    }

    /** Samples that stand before the first Cr in its plane (1 where Cb and Cr alternate in this order, else 0). */
    public int crFirstSample() {
        return chromaPixelStep == 2 && this != NV21 ? 1 : 0;
    }

    /** Samples (not bytes) in a row of a plane of a picture {@code width} luma samples wide. */
    public int planeRowSamples(int plane, int width) {
        return plane == 0 ? width : chromaWidth(width) * chromaPixelStep;
    }

    /**
     * The luma column nearest to a share of a picture's width at which it can be cut: whose chroma, if any, begins there too, or
     * the picture's end.
     *
     * @param share 0 to 1
     * @throws IllegalArgumentException when it is none
     */
    public int cut(double share, int width) {
        if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException("a share is from 0 to 1, given " + share);
        }
        double wanted = share * width;
        int before = (int) wanted / chroma.subWidth * chroma.subWidth;
        int after = Math.min(width, before + chroma.subWidth);
        return wanted - before < after - wanted ? before : after;
    }

    /** Rows of a plane of a picture {@code height} luma samples high. */
    public int planeRows(int plane, int height) {
        return plane == 0 ? height : chromaHeight(height);
    }
}

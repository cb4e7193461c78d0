/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/**
 * The picture formats. Names are those of GStreamer's {@code GstVideoFormat}. Planes are numbered in memory order, as in {@code
 * GstVideoMeta}: plane 1 of {@link #YV12} is Cr.
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

    /** Sampling structure of chroma; H.264 calls it ChromaArrayType. */
    public enum Chroma {
        /** No chroma. */
        NONE(1, 1),
        /** 4:2:0: chroma has half of luma's samples a row, and half of luma's rows. */
        HALF_BOTH(2, 2),
        /** 4:2:2: chroma has half of luma's samples a row. */
        HALF_WIDTH(2, 1),
        /** 4:4:4: chroma has as many samples as luma. */
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

    /** The greatest value of a sample, 255 or 1023. */
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

    /** True if the format has chroma. */
    public boolean hasChroma() {
        return chroma != Chroma.NONE;
    }

    /** Sampling structure of chroma. */
    public Chroma chroma() {
        return chroma;
    }

    /** Luma samples for one chroma sample in a row, 1 or 2 (H.264's SubWidthC); 1 without chroma. */
    public int subWidth() {
        return chroma.subWidth;
    }

    /** Luma rows for one row of chroma, 1 or 2 (H.264's SubHeightC); 1 without chroma. */
    public int subHeight() {
        return chroma.subHeight;
    }

    /** Cb samples a row of a picture that is {@code width} luma samples wide; as many Cr samples. */
    public int chromaWidth(int width) {
        return (width + chroma.subWidth - 1) / chroma.subWidth;
    }

    /** Rows of chroma of a picture that has {@code height} luma rows. */
    public int chromaHeight(int height) {
        return (height + chroma.subHeight - 1) / chroma.subHeight;
    }

    /** The plane that holds Cb; -1 without chroma. */
    public int cbPlane() {
        return cbPlane;
    }

    /** The plane that holds Cr; -1 without chroma. */
    public int crPlane() {
        return crPlane;
    }

    /** Samples from one Cb sample to the next in its plane: 1 if Cb has a plane of its own, 2 if it alternates with Cr, 0 without chroma. */
    public int chromaPixelStep() {
        return chromaPixelStep;
    }

    /** Samples before the first Cb sample in its plane: 1 for {@link #NV21}, else 0. */
    public int cbFirstSample() {
        return this == NV21 ? 1 : 0;
    }

    /** Samples before the first Cr sample in its plane: 1 if Cb and Cr alternate in this order, else 0. */
    public int crFirstSample() {
        return chromaPixelStep == 2 && this != NV21 ? 1 : 0;
    }

    /** Samples (not bytes) in a row of a plane of a picture that is {@code width} luma samples wide. */
    public int planeRowSamples(int plane, int width) {
        return plane == 0 ? width : chromaWidth(width) * chromaPixelStep;
    }

    /**
     * The luma column at which a picture can be cut, nearest to a share of its width. A picture can be cut where a chroma sample
     * begins, and at its end.
     *
     * @param share of the width, 0 to 1
     * @throws IllegalArgumentException when the share is not 0 to 1
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

    /** Rows of a plane of a picture that has {@code height} luma rows. */
    public int planeRows(int plane, int height) {
        return plane == 0 ? height : chromaHeight(height);
    }
}

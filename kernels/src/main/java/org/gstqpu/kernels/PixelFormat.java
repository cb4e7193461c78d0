package org.gstqpu.kernels;

/**
 * A 4:2:0 or luma-only picture format, named as GStreamer's {@code GstVideoFormat} names it. Planes are numbered as in
 * {@code GstVideoMeta}: in memory order, so that plane 1 of {@link #YV12} is Cr.
 */
public enum PixelFormat {
    /** 8 bit, planes Y, Cb, Cr. */
    I420(8, 3, 1, 2, 1, 0),
    /** 8 bit, planes Y, Cr, Cb. */
    YV12(8, 3, 2, 1, 1, 0),
    /** 8 bit, planes Y and interleaved Cb, Cr. */
    NV12(8, 2, 1, 1, 2, 0),
    /** 8 bit, planes Y and interleaved Cr, Cb. */
    NV21(8, 2, 1, 1, 2, 0),
    /** 8 bit, plane Y only. */
    GRAY8(8, 1, -1, -1, 0, 0),
    /** 10 bit in the low bits of little-endian 16-bit samples, planes Y, Cb, Cr. */
    I420_10LE(10, 3, 1, 2, 1, 0),
    /** 10 bit in the high bits of little-endian 16-bit samples, planes Y and interleaved Cb, Cr. */
    P010_10LE(10, 2, 1, 1, 2, 6);

    private final int bitDepth;
    private final int planes;
    private final int cbPlane;
    private final int crPlane;
    private final int chromaPixelStep;
    private final int sampleShift;

    PixelFormat(int bitDepth, int planes, int cbPlane, int crPlane, int chromaPixelStep, int sampleShift) {
        this.bitDepth = bitDepth;
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
        return planes > 1;
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

    /** Samples that stand before the first Cr in its plane (1 for {@link #NV12} and {@link #P010_10LE}, else 0). */
    public int crFirstSample() {
        return this == NV12 || this == P010_10LE ? 1 : 0;
    }

    /** Samples (not bytes) in a row of a plane of a picture {@code width} luma samples wide. */
    public int planeRowSamples(int plane, int width) {
        return plane == 0 ? width : (width + 1) / 2 * chromaPixelStep;
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
        int columnsPerChroma = hasChroma() ? 2 : 1;
        return (int) Math.min(width, columnsPerChroma * Math.round(share * width / columnsPerChroma));
    }

    /** Rows of a plane of a picture {@code height} luma samples high. */
    public int planeRows(int plane, int height) {
        return plane == 0 ? height : (height + 1) / 2;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

/**
 * The additive detail metric in integers, as libvmaf computes it: what one of its four scales needs. Each scale is one step of a
 * two-dimensional Daubechies wavelet transform of four taps. The three bands with detail are named by their direction; the fourth one
 * goes on to the next scale. Immutable.
 */
public final class AdmScale {
    public static final int SCALES = 4;

    /** Bands with detail: horizontal, vertical, diagonal. */
    public static final int BANDS = 3;

    /** The diagonal band; the two others share their constants. */
    public static final int DIAGONAL = 2;

    // Taps of the low-pass; those of the high-pass are the same from the end, every other one negative.
    public static final int LOW_0 = 15826;
    public static final int LOW_1 = 27411;
    public static final int LOW_2 = 7345;
    public static final int LOW_3 = -4240;
    public static final int LOW_SUM = LOW_0 + LOW_1 + LOW_2 + LOW_3;
    public static final int HIGH_0 = LOW_3;
    public static final int HIGH_1 = -LOW_2;
    public static final int HIGH_2 = LOW_1;
    public static final int HIGH_3 = -LOW_0;

    /** The greatest gain of detail of metrics that are not limited. */
    public static final int GAIN_LIMIT = 100;

    /** The square of the cosine of 1 degree. Detail of pictures within this angle counts as enhanced. */
    public static final float COSINE_SQUARED = (float) (StrictMath.cos(Math.PI / 180) * StrictMath.cos(Math.PI / 180));

    /** The quotients of the metric have 15 bits behind the point. */
    public static final int ONE = 1 << 15;

    /** One, from which a quotient is computed: its bits. */
    public static final int DIVIDEND = 1 << 30;

    /** Scale 0: a thirtieth and a fifteenth, with 17 bits behind the point, of which 12 are cut. */
    public static final int THIRTIETH_0 = 4369;

    public static final int FIFTEENTH_0 = 8738;
    public static final int SHARE_SHIFT_0 = 12;

    /** Other scales: a thirtieth and a fifteenth, with 32 bits behind the point. */
    public static final int THIRTIETH = 143165577;

    public static final int FIFTEENTH = 286331153;
    public static final int SHARE_SHIFT = 32;

    /** Other scales: bits by which weighted detail is scaled down. */
    public static final int WEIGHT_SHIFT = 28;

    private static final int[] COLUMN_SHIFT = {0, 16, 16};
    private static final int[] ROW_SHIFT = {16, 15, 16, 15};
    private static final int[] REFERENCE_SQUARE_SHIFT = {0, 31, 30, 31};
    private static final double BORDER = 0.1;

    // Bits behind the point of cubes, before they are scaled down.
    private static final int[] REFERENCE_BITS = {18, 32, 27, 23};
    private static final int[] VISIBLE_BITS = {52, 45, 39, 36};
    private static final int DIAGONAL_BITS_0 = 57;

    private final int scale;
    private final int bitDepth;
    private final int sourceWidth;
    private final int sourceHeight;
    private final int width;
    private final int height;

    /**
     * One scale of pictures.
     *
     * @param pictureWidth luma samples a row
     * @param pictureHeight luma rows
     */
    public AdmScale(int scale, int bitDepth, int pictureWidth, int pictureHeight) {
        this.scale = scale;
        this.bitDepth = bitDepth;
        sourceWidth = halved(pictureWidth, scale);
        sourceHeight = halved(pictureHeight, scale);
        width = halved(pictureWidth, scale + 1);
        height = halved(pictureHeight, scale + 1);
    }

    private static int halved(int size, int times) {
        int half = size;
        for (int i = 0; i < times; i++) {
            half = (half + 1) / 2;
        }
        return half;
    }

    public int scale() {
        return scale;
    }

    /** Coefficients a row of what is transformed. */
    public int sourceWidth() {
        return sourceWidth;
    }

    /** Rows of what is transformed. */
    public int sourceHeight() {
        return sourceHeight;
    }

    /** Coefficients a row of each band. */
    public int width() {
        return width;
    }

    /** Rows of each band. */
    public int height() {
        return height;
    }

    private static int border(int size) {
        return (int) (size * BORDER - 0.5);
    }

    /** First column that counts. */
    public int left() {
        return border(width);
    }

    /** End of the columns that count. */
    public int right() {
        return width - left();
    }

    /** First row that counts. */
    public int top() {
        return border(height);
    }

    /** End of the rows that count. */
    public int bottom() {
        return height - top();
    }

    /** The coefficient that stands for one before the first or after the last in the transform. */
    public static int sourceIndex(int at, int size) {
        if (at < 0) {
            return -at;
        }
        return at < size ? at : 2 * size - 1 - at;
    }

    /** The coefficient that stands for a neighbour beyond the band: the last one for itself, the second one for that before the first. */
    public static int neighbourIndex(int at, int size) {
        if (at < 0) {
            return -at;
        }
        return Math.min(at, size - 1);
    }

    /**
     * True if the last coefficient along a row is computed, in the low-pass rows, with the first high-pass sums in the place of the
     * mirrored ones. libvmaf's code for AVX-512 reads on beyond its buffer at such sizes, those whose bands have 8 n + 1 coefficients a
     * row at a scale but the first; its golden values are of that code.
     */
    public boolean readsOn() {
        return scale > 0 && width % 8 == 1;
    }

    /** Bits by which the transform's sums down a column are scaled down. */
    public int columnShift() {
        return scale == 0 ? bitDepth : COLUMN_SHIFT[scale - 1];
    }

    /** What is added to the transform's low-pass sums down a column before they are scaled down. */
    public int lowColumnRound() {
        return scale == 0 ? columnRound() - LOW_SUM * columnRound() : columnRound();
    }

    /** What is added to the transform's high-pass sums down a column before they are scaled down. */
    public int columnRound() {
        return columnShift() == 0 ? 0 : 1 << (columnShift() - 1);
    }

    /** Bits by which the transform's sums along a row are scaled down, rounded. */
    public int rowShift() {
        return ROW_SHIFT[scale];
    }

    /** Bits by which a threshold is scaled up, to compare it with weighted detail. */
    public int thresholdShift(int band) {
        if (scale != 0) {
            return 0;
        }
        return band == DIAGONAL ? 12 : 10;
    }

    /** Bits by which squares of visible detail are scaled down, rounded. */
    public int squareShift(int band) {
        return scale != 0 || band == DIAGONAL ? 30 : 29;
    }

    private static int bits(int size) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }

    /** Bits by which cubes of visible detail are scaled down, rounded. */
    public int cubeShift(int band) {
        if (scale != 0) {
            return bits(width);
        }
        return bits(width) - (band == DIAGONAL ? 3 : 4);
    }

    /** Bits by which the sum of a row is scaled down, rounded. */
    public int rowSumShift() {
        return bits(height);
    }

    /** Other scales: bits by which squares of the reference's detail are scaled down; 2 to that power is added before. */
    public int referenceSquareShift() {
        return REFERENCE_SQUARE_SHIFT[scale];
    }

    /** Bits by which cubes of the reference's detail are scaled down, rounded. */
    public int referenceCubeShift() {
        return scale == 0 ? 0 : bits(right() - left());
    }

    /** Bits by which the sum of a row of the reference is scaled down, rounded. */
    public int referenceRowSumShift() {
        int rows = bottom() - top();
        if (scale != 0) {
            return bits(rows);
        }
        return Math.max((int) Math.ceil(Math.log(rows * (right() - left())) / Math.log(2) - 20), 0);
    }

    /** What the reference's details add up to: the denominator of the scale. */
    float reference(AdmView view, long horizontal, long vertical, long diagonal) {
        int scaled = REFERENCE_BITS[scale] - referenceRowSumShift() - referenceCubeShift();
        double unit = Math.pow(2, scaled);
        double noise = view.noise();
        return strength((float) (horizontal / unit * Math.pow(view.sensitivity(scale, 0), 3)), noise)
                + strength((float) (vertical / unit * Math.pow(view.sensitivity(scale, 1), 3)), noise)
                + strength((float) (diagonal / unit * Math.pow(view.sensitivity(scale, DIAGONAL), 3)), noise);
    }

    /**
     * What the visible details or impairments add up to: the numerator of the scale.
     *
     * @param noise what is added for each coefficient
     */
    float visible(double noise, long horizontal, long vertical, long diagonal) {
        return strength((float) (horizontal / visibleUnit(0)), noise)
                + strength((float) (vertical / visibleUnit(1)), noise)
                + strength((float) (diagonal / visibleUnit(DIAGONAL)), noise);
    }

    private double visibleUnit(int band) {
        int bits = scale == 0 && band == DIAGONAL ? DIAGONAL_BITS_0 : VISIBLE_BITS[scale];
        return Math.pow(2, bits - cubeShift(band) - rowSumShift());
    }

    /** Cube root of a sum of cubes, and the same of noise, in single precision. */
    private float strength(float cubes, double noise) {
        return cubeRoot(cubes) + cubeRoot((float) ((bottom() - top()) * (right() - left()) * noise));
    }

    private static float cubeRoot(float value) {
        return (float) Math.pow(value, 1.0f / 3.0f);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.picture;

/**
 * Where the planes of a picture lie in its {@link PictureMemory}. Each plane has the byte offset of its first sample, and a
 * stride: the bytes from one row to the next. Planes are numbered as {@link PixelFormat} says. Any offset is valid, and any
 * stride that holds a row, whatever their alignment. Planes must not overlap. A plane that the format does not have has offset 0
 * and stride 0. Immutable.
 *
 * <p>{@link #packed} makes the layout of a picture without gaps.
 *
 * <p>A {@link PixelFormat#NV12} picture may instead be cut into columns that are {@value #COLUMN_BYTES} bytes wide ({@link
 * #inColumns}). Linux calls this layout DRM_FORMAT_MOD_BROADCOM_SAND128 (drm_fourcc.h) and V4L2_PIX_FMT_NV12_COL128. In a column,
 * the rows of a plane follow each other without a gap, so the stride is {@value #COLUMN_BYTES}. The next column of the plane
 * begins {@link #columnBytes} after the column. Byte x of row y of a plane lies at offset + (x / 128) columnBytes + 128 y + x %
 * 128.
 *
 * <p>A {@link PixelFormat#P010_10LE} picture may be cut into such columns, too, and is {@linkplain #isPacked packed} then: three samples
 * share a little-endian word of 32 bits, the first in the lowest 10 bits, and a column holds 96 samples of each row. Linux calls this
 * DRM_FORMAT_P030 with DRM_FORMAT_MOD_BROADCOM_SAND128, and V4L2_PIX_FMT_NV12_10_COL128. Only a device takes packed pictures, and
 * only where they lie. It writes 0 to the two bits above three samples.
 *
 * @param format sample format and plane order
 * @param width luma samples a row, at least 1
 * @param height luma rows, at least 1
 * @param offset0Bytes offset of plane 0
 * @param stride0Bytes stride of plane 0
 * @param offset1Bytes offset of plane 1
 * @param stride1Bytes stride of plane 1
 * @param offset2Bytes offset of plane 2
 * @param stride2Bytes stride of plane 2
 * @param column0Bytes bytes from a column of plane 0 to the next, a multiple of {@value #COLUMN_BYTES} that holds the plane's
 *     rows; 0 if rows are whole
 * @param column1Bytes bytes from a column of plane 1 to the next, likewise; 0 exactly if {@code column0Bytes} is 0
 */
public record PictureLayout(
        PixelFormat format,
        int width,
        int height,
        long offset0Bytes,
        int stride0Bytes,
        long offset1Bytes,
        int stride1Bytes,
        long offset2Bytes,
        int stride2Bytes,
        int column0Bytes,
        int column1Bytes) {

    /** Width of a column in bytes. */
    public static final int COLUMN_BYTES = 128;

    /** Largest width and height: no number of bytes in a row exceeds an {@code int}. */
    public static final int LARGEST_SIDE = 1 << 24;

    /** Samples in a word of a {@linkplain #isPacked packed} picture. */
    public static final int SAMPLES_PER_WORD = 3;

    /**
     * @throws IllegalArgumentException when a size, offset or stride is out of range; the message has the numbers
     */
    public PictureLayout {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException("a picture is at least 1x1, given " + width + "x" + height);
        }
        if (width > LARGEST_SIDE || height > LARGEST_SIDE) {
            throw new IllegalArgumentException(
                    "a picture is at most " + LARGEST_SIDE + "x" + LARGEST_SIDE + ", given " + width + "x" + height);
        }
        boolean columns = column0Bytes != 0 || column1Bytes != 0;
        if (columns && format != PixelFormat.NV12 && format != PixelFormat.P010_10LE) {
            throw new IllegalArgumentException("only NV12 and P010_10LE are cut into columns, given " + format);
        }
        check(format, 0, width, offset0Bytes, stride0Bytes, columns);
        check(format, 1, width, offset1Bytes, stride1Bytes, columns);
        check(format, 2, width, offset2Bytes, stride2Bytes, columns);
        if (columns) {
            checkColumns(0, format.planeRows(0, height), column0Bytes);
            checkColumns(1, format.planeRows(1, height), column1Bytes);
        }
    }

    /**
     * A picture whose rows are whole.
     *
     * @throws IllegalArgumentException when a size, offset or stride is out of range; the message has the numbers
     */
    public PictureLayout(
            PixelFormat format,
            int width,
            int height,
            long offset0Bytes,
            int stride0Bytes,
            long offset1Bytes,
            int stride1Bytes,
            long offset2Bytes,
            int stride2Bytes) {
        this(
                format,
                width,
                height,
                offset0Bytes,
                stride0Bytes,
                offset1Bytes,
                stride1Bytes,
                offset2Bytes,
                stride2Bytes,
                0,
                0);
    }

    /**
     * A picture that is cut into columns.
     *
     * @param format {@link PixelFormat#NV12} or {@link PixelFormat#P010_10LE}
     * @throws IllegalArgumentException when a size, an offset or a column is out of range, or the format is another
     */
    public static PictureLayout inColumns(
            PixelFormat format,
            int width,
            int height,
            long offset0Bytes,
            int column0Bytes,
            long offset1Bytes,
            int column1Bytes) {
        return new PictureLayout(
                format,
                width,
                height,
                offset0Bytes,
                COLUMN_BYTES,
                offset1Bytes,
                COLUMN_BYTES,
                0,
                0,
                column0Bytes,
                column1Bytes);
    }

    private static void checkColumns(int plane, int rows, int columnBytes) {
        if (columnBytes % COLUMN_BYTES != 0 || columnBytes / COLUMN_BYTES < rows) {
            throw new IllegalArgumentException("a column of plane " + plane + " takes a multiple of " + COLUMN_BYTES
                    + " bytes and " + (long) rows * COLUMN_BYTES + " or more, given " + columnBytes);
        }
    }

    private static void check(
            PixelFormat format, int plane, int width, long offsetBytes, int strideBytes, boolean columns) {
        if (plane >= format.planes()) {
            if (offsetBytes != 0 || strideBytes != 0) {
                throw new IllegalArgumentException(format + " has no plane " + plane + ", given offset " + offsetBytes
                        + ", stride " + strideBytes);
            }
            return;
        }
        int rowBytes = columns ? COLUMN_BYTES : format.planeRowSamples(plane, width) * format.sampleBytes();
        if (offsetBytes < 0 || strideBytes < rowBytes || (columns && strideBytes != rowBytes)) {
            throw new IllegalArgumentException("plane " + plane + " of " + format + " needs a stride of " + rowBytes
                    + " bytes or more and no negative offset, given stride " + strideBytes + ", offset " + offsetBytes);
        }
    }

    /**
     * The layout of a picture whose planes follow each other.
     *
     * @param strideAlignmentBytes a power of two; each stride is the smallest multiple of it that holds a row. With 1, planes
     *     follow each other without a gap; with more, each plane begins at a multiple of 64 bytes. Devices need 4 or more to
     *     work on a picture in place
     */
    public static PictureLayout packed(PixelFormat format, int width, int height, int strideAlignmentBytes) {
        long[] offset = new long[3];
        int[] stride = new int[3];
        int planeAlignment = strideAlignmentBytes > 1 ? 64 : 1;
        long next = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            int rowBytes = format.planeRowSamples(plane, width) * format.sampleBytes();
            stride[plane] = (rowBytes + strideAlignmentBytes - 1) & -strideAlignmentBytes;
            offset[plane] = next;
            next += (long) stride[plane] * format.planeRows(plane, height);
            next = (next + planeAlignment - 1) & -planeAlignment;
        }
        return new PictureLayout(
                format, width, height, offset[0], stride[0], offset[1], stride[1], offset[2], stride[2]);
    }

    /** Byte offset of a plane's first sample from the start of the memory. */
    public long offsetBytes(int plane) {
        return plane == 0 ? offset0Bytes : plane == 1 ? offset1Bytes : offset2Bytes;
    }

    /** Bytes from one row of a plane to the next; {@value #COLUMN_BYTES} in a picture that is cut into columns. */
    public int strideBytes(int plane) {
        return plane == 0 ? stride0Bytes : plane == 1 ? stride1Bytes : stride2Bytes;
    }

    /** True if the picture is cut into columns. */
    public boolean isInColumns() {
        return column0Bytes != 0;
    }

    /** True if three samples share a word of 32 bits: the picture has 10 bit and is cut into columns. */
    public boolean isPacked() {
        return isInColumns() && format.bitDepth() > 8;
    }

    /** Bytes from one column of a plane to the next; 0 if rows are whole. */
    public int columnBytes(int plane) {
        return plane == 0 ? column0Bytes : plane == 1 ? column1Bytes : 0;
    }

    /** Offset of byte {@code rowByte} of a row, from the start of the memory. */
    public long offsetBytes(int plane, int row, int rowByte) {
        long rowStart = offsetBytes(plane) + (long) row * strideBytes(plane);
        return isInColumns()
                ? rowStart + (long) (rowByte / COLUMN_BYTES) * columnBytes(plane) + rowByte % COLUMN_BYTES
                : rowStart + rowByte;
    }

    /** True if the picture has two {@linkplain #field fields}: its rows are whole, and each plane has twice the rows of a picture of half the height. */
    public boolean hasFields() {
        boolean even = !isInColumns() && height % 2 == 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            even &= rows(plane) == 2 * format.planeRows(plane, height / 2);
        }
        return even;
    }

    /**
     * The field that consists of every other row of each plane.
     *
     * @param first row with which the field begins, 0 or 1
     * @throws IllegalArgumentException when the picture {@linkplain #hasFields has no fields}
     */
    public PictureLayout field(int first) {
        if (!hasFields() || first < 0 || first > 1) {
            throw new IllegalArgumentException("no field " + first + " in " + this);
        }
        return new PictureLayout(
                format,
                width,
                height / 2,
                offset0Bytes + (long) first * stride0Bytes,
                2 * stride0Bytes,
                offset1Bytes + (long) first * stride1Bytes,
                2 * stride1Bytes,
                offset2Bytes + (long) first * stride2Bytes,
                2 * stride2Bytes);
    }

    /** Bytes of the samples in a row of a plane, without padding. In a {@linkplain #isPacked packed} picture, those of whole words. */
    public int rowBytes(int plane) {
        int samples = format.planeRowSamples(plane, width);
        return isPacked()
                ? (samples + SAMPLES_PER_WORD - 1) / SAMPLES_PER_WORD * Integer.BYTES
                : samples * format.sampleBytes();
    }

    /** Rows of a plane. */
    public int rows(int plane) {
        return format.planeRows(plane, height);
    }

    /** Bytes from the start of the memory to the end of the last sample. Padding after the last row does not count. */
    public long sizeBytes() {
        long end = 0;
        for (int plane = 0; plane < format.planes(); plane++) {
            end = Math.max(end, offsetBytes(plane, rows(plane) - 1, rowBytes(plane) - 1) + 1);
        }
        return end;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.quality;

import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * The blocks into which XPSNR (Helmrich, Bosse, Siekmann, Schwarz, Marpe, Wiegand, <i>XPSNR: a low-complexity extension of the
 * perceptually weighted peak signal-to-noise ratio for high-resolution video quality assessment</i>, 2020, as FFmpeg 7.1 has it) divides
 * pictures of one size, and the part of each in which it looks for detail. Immutable.
 */
public final class XpsnrShape {
    /** Luma samples of the picture for which the constants of XPSNR are given. */
    private static final double UHD_SAMPLES = 3840.0 * 2160.0;

    /** Blocks of such a picture have so many quarters of 4 samples. */
    private static final double UHD_BLOCK_QUARTERS = 32;

    private static final int QUARTER = 4;

    /** Pictures of more luma samples are looked at in groups of 2x2. */
    private static final int MOST_SAMPLES_UNGROUPED = 2048 * 1152;

    /** FFmpeg finds no spatial detail in a block of groups whose looked-at part ends before this column or at it. */
    private static final int FEWEST_GROUPED_COLUMNS = 12;

    private final PictureLayout layout;
    private final double sizeToUhd;
    private final int block;
    private final boolean grouped;

    /** @param layout of the pictures, of which format and size count; at least 2025 luma samples */
    public XpsnrShape(PictureLayout layout) {
        this.layout = layout;
        int samples = layout.width() * layout.height();
        sizeToUhd = samples / UHD_SAMPLES;
        block = QUARTER * (int) (UHD_BLOCK_QUARTERS * Math.sqrt(sizeToUhd) + 0.5);
        grouped = samples > MOST_SAMPLES_UNGROUPED;
    }

    /** Format of the pictures. */
    public PixelFormat format() {
        return layout.format();
    }

    /** Luma samples by those of a picture of 3840x2160. */
    double sizeToUhd() {
        return sizeToUhd;
    }

    /** Luma samples of a picture. */
    int samples() {
        return layout.width() * layout.height();
    }

    /** True if detail and motion are those of sums of 2x2 samples. */
    public boolean isGrouped() {
        return grouped;
    }

    /** Samples at the picture's borders, in which no detail is looked for. */
    public int margin() {
        return grouped ? 2 : 1;
    }

    /** Luma samples of a block that the border does not cut, each way; a multiple of 4. */
    public int block() {
        return block;
    }

    /** Blocks across. */
    public int columns() {
        return (layout.width() + block - 1) / block;
    }

    /** Blocks down. */
    public int rows() {
        return (layout.height() + block - 1) / block;
    }

    /** Samples a row of a component. */
    public int width(PictureComponent component) {
        return component.rowSamples(layout);
    }

    /** Rows of a component. */
    public int height(PictureComponent component) {
        return component.rows(layout);
    }

    /** Samples of a component across a block. */
    public int blockWidth(PictureComponent component) {
        return block * width(component) / layout.width();
    }

    /** Samples of a component down a block. */
    public int blockHeight(PictureComponent component) {
        return block * height(component) / layout.height();
    }

    /** Luma samples across a block of a column, which the border may cut. */
    int widthOfColumn(int column) {
        return Math.min(block, layout.width() - column * block);
    }

    /** Luma samples down a block of a row, likewise. */
    int heightOfRow(int row) {
        return Math.min(block, layout.height() - row * block);
    }

    /** Luma samples across that part of a block in which detail is looked for; 0 and less if there is none. */
    int seenAcross(int column) {
        return endAcross(column) - (column > 0 ? 0 : margin());
    }

    /** Luma samples down that part. */
    int seenDown(int row) {
        return heightOfRow(row) - (row < rows() - 1 ? 0 : margin()) - (row > 0 ? 0 : margin());
    }

    private int endAcross(int column) {
        return widthOfColumn(column) - (column < columns() - 1 ? 0 : margin());
    }

    /** True if the spatial detail of blocks of a column counts. */
    boolean hasSpatialDetail(int column) {
        return !grouped || endAcross(column) > FEWEST_GROUPED_COLUMNS;
    }
}

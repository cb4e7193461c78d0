/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.quality;

import org.gstqpu.kernels.internal.quality.VideoColors;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PixelFormat;

/** Linear R, G and B of 0 to 1 of a picture's rows. A sample of chroma stands for all samples of luma that it belongs to. */
final class LinearRow {
    private final PixelFormat format;
    private final int values;
    private final long[] terms;
    private final float[] linear = VideoColors.linear();

    LinearRow(PixelFormat format) {
        this.format = format;
        values = format.peak() + 1;
        terms = VideoColors.terms(format.bitDepth());
    }

    /** Reads row {@code y} into three arrays. */
    void read(SamplePlanes picture, int y, float[][] rgb) {
        int width = picture.width();
        int chromaWidth = format.chromaWidth(width);
        int across = chromaWidth < width ? 1 : 0;
        int down = format.chromaHeight(picture.height()) < picture.height() ? 1 : 0;
        int[] luma = picture.luma();
        int[] cb = picture.of(PictureComponent.CB);
        int[] cr = picture.of(PictureComponent.CR);
        int chromaAt = (y >> down) * chromaWidth;
        for (int x = 0; x < width; x++) {
            int blueness = cb[chromaAt + (x >> across)];
            int redness = cr[chromaAt + (x >> across)];
            long light = terms[VideoColors.Y * values + luma[y * width + x]];
            rgb[0][x] = linear(light + terms[VideoColors.CR_IN_RED * values + redness]);
            rgb[1][x] = linear(light
                    + terms[VideoColors.CB_IN_GREEN * values + blueness]
                    + terms[VideoColors.CR_IN_GREEN * values + redness]);
            rgb[2][x] = linear(light + terms[VideoColors.CB_IN_BLUE * values + blueness]);
        }
    }

    private float linear(long sum) {
        return linear[(int) Math.min(Math.max(sum >> VideoColors.FRACTION_BITS, 0), VideoColors.GREATEST)];
    }
}

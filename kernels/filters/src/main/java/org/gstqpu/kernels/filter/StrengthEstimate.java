/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

/**
 * What automatic strength has found in the pictures: how they were coded, and how strongly to filter them. Immutable.
 *
 * @param comb true if the transform coefficients of the 8x8 grid are multiples of a quantiser step, as intra pictures of MJPEG,
 *     MPEG-1, MPEG-2 and MPEG-4 part 2 leave them; their histogram is then a comb
 * @param drawing true if the pictures are drawings, titles, text or a screen: flat areas with hard edges
 * @param step size, in sample values, up to which coefficients were lost: with a comb those of a middle frequency, about the
 *     quantiser step there; otherwise those of low frequency, and less than the step. About 1 if nothing was lost
 * @param texture how much texture the pictures have that a filter would take for ringing, 0 to 1000: of the coefficients of a
 *     middle frequency off the grid, the thousandths with 4 to 12 sample values, less a third of those with 1 to 4
 * @param tier the last picture's index into {@link StrengthTier#ALL}, or into {@link StrengthTier#WITHOUT_SHRINKAGE}
 * @param gridColumn column in which the first whole 8x8 block begins, 0 to 7
 * @param gridRow row in which the first whole 8x8 block begins, 0 to 7
 */
public record StrengthEstimate(
        boolean comb, boolean drawing, double step, int texture, int tier, int gridColumn, int gridRow) {}

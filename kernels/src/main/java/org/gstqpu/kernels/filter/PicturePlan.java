/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Objects;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Everything that is to happen to one picture. Immutable; one plan may serve any number of pictures, and each picture may have
 * another. A plan that changes numbers only (strengths, the kept part) costs a few hundred bytes of mapped memory; one that
 * switches a filter on or off may re-record device work. Neither waits for pictures in flight.
 *
 * <p>A plan begins with one of {@link #fixed}, {@link #automatic} and {@link #decoded}; the other methods return copies that
 * differ in one point.
 *
 * @param strength how strongly to filter
 * @param byFields whether the picture's two fields are filtered as pictures of their own; a picture whose layout has {@linkplain
 *     org.gstqpu.kernels.picture.PictureLayout#hasFields no fields} is filtered as a frame
 * @param keptLeft part of the width, 0 (nothing) to 1, that stays as it is from the left border to the {@linkplain
 *     PixelFormat#cut nearest column}; the rest is filtered as it would be without
 * @param handOver whether the destination, if it is a dmabuf, goes to other drivers before it is done: the end of the work is
 *     then attached to it as a fence, where the device and Linux (6.0 or newer) can; {@link PictureFilter#isHandedOver} says so
 */
public record PicturePlan(PictureStrength strength, boolean byFields, double keptLeft, boolean handOver) {
    /**
     * @throws IllegalArgumentException when {@code keptLeft} is not from 0 to 1
     */
    public PicturePlan {
        Objects.requireNonNull(strength, "strength");
        if (!(keptLeft >= 0 && keptLeft <= 1)) {
            throw new IllegalArgumentException("a part of the width is 0 to 1, given " + keptLeft);
        }
    }

    private static PicturePlan of(PictureStrength strength) {
        return new PicturePlan(strength, false, 0, false);
    }

    /** Filters with given strengths. */
    public static PicturePlan fixed(FilterParameters parameters) {
        return of(new PictureStrength.Fixed(parameters, 0, 0));
    }

    /** Filters with the strengths that the pictures themselves ask for. */
    public static PicturePlan automatic(StrengthLadder ladder) {
        return of(new PictureStrength.Automatic(ladder));
    }

    /** Filters as the picture's decoder says. */
    public static PicturePlan decoded(PictureParameters parameters) {
        return of(new PictureStrength.Decoded(parameters));
    }

    /**
     * The same, but macroblocks begin in this column and row, as in pictures that were cropped after they were coded: deblocking
     * sees the border samples repeated around the picture. Chroma of half the width or height begins at half of the samples,
     * rounded down.
     *
     * @param column of luma, 0 to 7
     * @param row of luma, 0 to 7
     * @throws IllegalArgumentException when one is not, or the strength is not {@linkplain #fixed fixed}
     */
    public PicturePlan deblockingFrom(int column, int row) {
        if (!(strength instanceof PictureStrength.Fixed fixed)) {
            throw new IllegalArgumentException(
                    "only fixed strengths take a grid; automatic strength finds it, a decoder knows it");
        }
        return new PicturePlan(
                new PictureStrength.Fixed(fixed.parameters(), column, row), byFields, keptLeft, handOver);
    }

    /** Whether the pictures themselves tell how strongly they are filtered. */
    public boolean isAutomatic() {
        return strength instanceof PictureStrength.Automatic;
    }

    /** The same, but fields are filtered by themselves, or are not. */
    public PicturePlan byFields(boolean fields) {
        return fields == byFields ? this : new PicturePlan(strength, fields, keptLeft, handOver);
    }

    /**
     * The same, but another part of the picture is kept.
     *
     * @throws IllegalArgumentException when the share is not from 0 to 1
     */
    public PicturePlan keepingLeft(double share) {
        return share == keptLeft ? this : new PicturePlan(strength, byFields, share, handOver);
    }

    /** The same, but the destination goes on with a fence, or does not. */
    public PicturePlan handingOver(boolean handingOver) {
        return handingOver == handOver ? this : new PicturePlan(strength, byFields, keptLeft, handingOver);
    }
}

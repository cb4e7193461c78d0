/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Objects;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Everything that happens to one picture. Immutable. One plan may serve any number of pictures, and each picture may have another
 * plan.
 *
 * <p>{@link #fixed}, {@link #automatic} and {@link #decoded} begin a plan. The other methods return copies that differ in one
 * point.
 *
 * <p>A change of plan never waits for pictures in flight. If only numbers change (strengths, the kept part), a device writes a few
 * hundred bytes. If a filter is switched on or off, work may be recorded again.
 *
 * @param strength how strongly to filter
 * @param byFields true if the two fields of the picture are filtered as pictures of their own. A picture that {@linkplain
 *     org.gstqpu.kernels.picture.PictureLayout#hasFields has no fields} is filtered as a frame
 * @param keptLeft the part of the width that stays unfiltered, 0 (none) to 1, from the left border to the {@linkplain
 *     PixelFormat#cut nearest column}. The samples right of that column are the same as if the whole picture were filtered
 * @param handOver true if a destination in a dmabuf may go to other drivers before the picture is done. The end of the work is then
 *     attached to the dmabuf as a fence, if the device and Linux (6.0 or newer) can; {@link PictureRun#isHandedOver} says
 *     whether it was. A picture that waits for those after it never is
 * @param prompt true if the picture is awaited, as by a sink that shows it at its time. Else the first pictures of a stream may wait
 *     for the JVM's compiler, about a second in all, so that the others take less time
 */
public record PicturePlan(
        PictureStrength strength, boolean byFields, double keptLeft, boolean handOver, boolean prompt) {
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
        return new PicturePlan(strength, false, 0, false, false);
    }

    /** Filters with these strengths. */
    public static PicturePlan fixed(FilterParameters parameters) {
        return of(new PictureStrength.Fixed(parameters, 0, 0));
    }

    /** Filters as strongly as the pictures themselves show that they need. */
    public static PicturePlan automatic(StrengthLadder ladder) {
        return of(new PictureStrength.Automatic(ladder));
    }

    /** Filters as the picture's decoder says; for one picture only, since the parameters change with the next. */
    public static PicturePlan decoded(PictureParameters parameters) {
        return of(new PictureStrength.Decoded(parameters));
    }

    /**
     * The same, but a macroblock begins in this column and row, as in a picture that was cropped after it was coded. Deblocking then
     * sees the border samples repeated around the picture. In chroma of half the width or height, the macroblock begins at half of
     * the column or row, rounded down.
     *
     * @param column of luma, 0 to 7
     * @param row of luma, 0 to 7
     * @throws IllegalArgumentException when the column or row is not 0 to 7, or the strength is not {@linkplain #fixed fixed}
     */
    public PicturePlan deblockingFrom(int column, int row) {
        if (!(strength instanceof PictureStrength.Fixed fixed)) {
            throw new IllegalArgumentException(
                    "only fixed strengths take a grid; automatic strength finds it, a decoder knows it");
        }
        return new PicturePlan(
                new PictureStrength.Fixed(fixed.parameters(), column, row), byFields, keptLeft, handOver, prompt);
    }

    /** True if the pictures themselves decide how strongly they are filtered. */
    public boolean isAutomatic() {
        return strength instanceof PictureStrength.Automatic;
    }

    /** The same, but with another {@link #byFields() byFields}. */
    public PicturePlan byFields(boolean fields) {
        return fields == byFields ? this : new PicturePlan(strength, fields, keptLeft, handOver, prompt);
    }

    /**
     * The same, but another part of the picture stays unfiltered.
     *
     * @param share of the width, 0 to 1
     * @throws IllegalArgumentException when the share is not 0 to 1
     */
    public PicturePlan keepingLeft(double share) {
        return share == keptLeft ? this : new PicturePlan(strength, byFields, share, handOver, prompt);
    }

    /** The same, but with another {@link #handOver() handOver}. */
    public PicturePlan handingOver(boolean handingOver) {
        return handingOver == handOver ? this : new PicturePlan(strength, byFields, keptLeft, handingOver, prompt);
    }

    /** The same, but with another {@link #prompt() prompt}. */
    public PicturePlan promptly(boolean promptly) {
        return promptly == prompt ? this : new PicturePlan(strength, byFields, keptLeft, handOver, promptly);
    }
}

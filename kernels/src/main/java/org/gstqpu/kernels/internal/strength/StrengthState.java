/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.strength;

import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthRule;

/**
 * Makes the strength of each picture of what the pictures up to it showed. Mutable, allocates nothing; belongs to one thread.
 * strength/decide.comp does the same on the device, in the same integers.
 *
 * <p>Only intra pictures show how coarsely a stream is coded; the others are filtered as the intra picture before them, up to
 * a cut.
 */
public final class StrengthState {
    /** Pictures after which a comb that was not seen again is forgotten. */
    public static final int COMB_PICTURES = 300;

    /** The largest step of this many pictures, and of as many before them, counts where there is no comb. */
    public static final int BUCKET_PICTURES = 256;

    /** A comb of a step below this cannot be told from rounding. */
    private static final int LEAST_COMB_STEP = 48;

    /** What a picture counts that looks drawn; others count 0. */
    private static final int DRAWN = 256;

    /**
     * Pictures after which an offset that was found is used: by then a device is done with the picture that showed it, so that
     * whoever prepares a picture can read it without waiting.
     */
    public static final int OFFSET_DELAY = PictureFilter.MAX_IN_FLIGHT;

    /** Offsets that are remembered at once. */
    public static final int OFFSETS = 2 * OFFSET_DELAY;

    private final GridSearch grid = new GridSearch();
    private final int[] offsets = new int[OFFSETS];
    private int pictures;
    private int offsetBefore;
    private final int[] previousLuma = new int[StrengthHistograms.LUMA_BINS];
    private boolean begun;
    private int combStep;
    private int combAge;
    private int step;
    private int stepBefore;
    private int bucketAge;
    private int texture;
    private int drawing;
    private int estimate;

    /** The last picture's estimate, as {@link StrengthEstimate#pack} packs it. */
    public int estimate() {
        return estimate;
    }

    /** The offset, column | row &lt;&lt; 3, at which the next picture's blocks are to be looked at and filtered. */
    public int nextOffset() {
        return pictures < OFFSET_DELAY ? 0 : offsets[(pictures - OFFSET_DELAY) % OFFSETS];
    }

    /** The offset that the last picture, with those before it, showed. */
    public int foundOffset() {
        return pictures == 0 ? 0 : offsets[(pictures - 1) % OFFSETS];
    }

    /** Takes in the next picture, whose blocks were looked at from {@link #nextOffset} on, and returns its tier. */
    public int next(StrengthHistograms picture) {
        int offset = nextOffset();
        int step8 = picture.lost(StrengthHistograms.ALIGNED_8, StrengthHistograms.SHIFTED_8);
        int step4 = picture.lost(StrengthHistograms.ALIGNED_4, StrengthHistograms.SHIFTED_4);
        int textureHere = picture.texture();
        int drawn = picture.drawing() ? DRAWN : 0;
        int aligned = picture.nonZero(StrengthHistograms.ALIGNED_8);
        int shifted = picture.nonZero(StrengthHistograms.SHIFTED_8);
        // Coefficients in the comb's first gap, on the grid and off it.
        int alignedInGap = picture.inGap(StrengthHistograms.ALIGNED_8, step8);
        int shiftedInGap = Math.max(picture.inGap(StrengthHistograms.SHIFTED_8, step8), 1);
        boolean comb = step8 > LEAST_COMB_STEP && 5 * alignedInGap * shifted < shiftedInGap * aligned;
        // A loop filter leaves small coefficients rather than none.
        boolean looped = 3 * alignedInGap * shifted > 4 * shiftedInGap * aligned;

        boolean moved = offset != offsetBefore;
        offsetBefore = offset;
        offsets[pictures % OFFSETS] = grid.next(picture);
        // Stays in its range: the offsets repeat after OFFSETS pictures.
        pictures = pictures == 2 * OFFSETS - 1 ? OFFSETS : pictures + 1;
        if (!begun || isCut(picture) || moved) {
            begun = true;
            combStep = 0;
            combAge = 0;
            step = 0;
            stepBefore = 0;
            bucketAge = 0;
            texture = textureHere;
            drawing = drawn;
        } else {
            // Coders take texture away and add none, most of it in pictures that are predicted.
            texture = textureHere > texture
                    ? texture + (textureHere - texture + 3) / 4
                    : Math.max(texture - 1, textureHere);
            drawing += (drawn - drawing) / 4;
        }
        for (int bin = 0; bin < StrengthHistograms.LUMA_BINS; bin++) {
            previousLuma[bin] = picture.luma(bin);
        }
        combAge++;
        if (comb) {
            combStep = combStep == 0 ? step8 : combStep + (step8 - combStep) / 4;
            combAge = 0;
        } else if (combAge > COMB_PICTURES) {
            combStep = 0;
        }
        int seen = looped ? 0 : Math.max(step8, step4);
        step = Math.max(step, seen);
        bucketAge++;
        if (bucketAge == BUCKET_PICTURES) {
            stepBefore = step;
            step = seen;
            bucketAge = 0;
        }
        boolean onComb = combStep > 0;
        int found = onComb ? combStep : Math.max(step, stepBefore);
        boolean isDrawing = 2 * drawing > DRAWN;
        int tier = StrengthRule.tier(onComb, isDrawing, found, texture);
        estimate = StrengthEstimate.pack(onComb, isDrawing, found, texture, tier);
        return tier;
    }

    /** Whether half of the blocks are of another brightness than in the picture before. */
    private boolean isCut(StrengthHistograms picture) {
        int blocks = 0;
        int moved = 0;
        for (int bin = 0; bin < StrengthHistograms.LUMA_BINS; bin++) {
            blocks += picture.luma(bin);
            moved += Math.abs(picture.luma(bin) - previousLuma[bin]);
        }
        return moved > blocks;
    }
}

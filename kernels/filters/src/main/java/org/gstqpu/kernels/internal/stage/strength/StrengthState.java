/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.StrengthRule;
import org.gstqpu.kernels.filter.StrengthTier;

/**
 * Owns what automatic strength remembers of a stream, and chooses the strength of each picture by that picture and
 * those before it. Mutable; allocates nothing. Belongs to one thread. strength/decide.comp computes the same on the
 * device, with the same integers.
 *
 * <p>Only intra pictures show how coarsely a stream is coded. Up to the next cut, other pictures are filtered with the
 * strength of the intra picture before them.
 *
 * <p>Between two pictures the strength moves by one level at most, except at a cut and where the grid is found to begin at
 * another place. It stays where it is until what was measured is clearly beyond its level, so that it does not go up and
 * down.
 */
public final class StrengthState {
    /** A comb that was not seen again for this many pictures is forgotten. */
    public static final int COMB_PICTURES = 300;

    /** Without a comb, the largest step of the current and the previous span of this many pictures counts. */
    public static final int BUCKET_PICTURES = 256;

    /** A comb with a smaller step cannot be told from rounding. In {@linkplain StrengthRule#UNIT units}. */
    private static final int LEAST_COMB_STEP = 34;

    /** What a picture that looks drawn adds to {@link #drawing}'s average; other pictures add 0. */
    private static final int DRAWN = 256;

    /** How far, of {@link #DRAWN}, the average must be beyond one half until the pictures count as drawn, or as filmed. */
    private static final int CLEARLY_DRAWN = 32;

    /** How far a position must be beyond a level until the level changes. */
    private static final int CLEARLY_BEYOND = StrengthRule.POSITIONS / 2;

    /**
     * Pictures between finding an offset and using it. By then, the device is done with the picture that showed the
     * offset, so the offset can be read without waiting.
     */
    public static final int OFFSET_DELAY = PictureFilter.MAX_IN_FLIGHT;

    /** Number of offsets that are remembered at a time. */
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
    private boolean isDrawing;
    private int level;
    private int estimate;

    /** The estimate of the last picture, as {@link PackedEstimate#pack} packs it. */
    public int estimate() {
        return estimate;
    }

    /** The offset at which the next picture's blocks are measured and filtered, column | row &lt;&lt; 3. */
    public int nextOffset() {
        return pictures < OFFSET_DELAY ? 0 : offsets[(pictures - OFFSET_DELAY) % OFFSETS];
    }

    /** The offset found in the last picture and those before it, column | row &lt;&lt; 3. */
    public int foundOffset() {
        return pictures == 0 ? 0 : offsets[(pictures - 1) % OFFSETS];
    }

    /**
     * Adds the next picture and returns its tier. The picture's blocks must have been measured from {@link #nextOffset}
     * on.
     *
     * @param shrinks true if the picture's ladder lets shrinkage run
     */
    public int next(StrengthHistograms picture, boolean shrinks) {
        int offset = nextOffset();
        int step8 = picture.lost(StrengthHistograms.ALIGNED_8, StrengthHistograms.SHIFTED_8);
        int step4 = picture.lost(StrengthHistograms.ALIGNED_4, StrengthHistograms.SHIFTED_4);
        int stepOfTexture = picture.lostOfTexture();
        int textureHere = picture.texture();
        int drawn = picture.drawing() ? DRAWN : 0;
        int aligned = picture.nonZero(StrengthHistograms.ALIGNED_8);
        int shifted = picture.nonZero(StrengthHistograms.SHIFTED_8);
        // A comb is a histogram with gaps between the multiples of the quantiser's step. These are the coefficients in
        // its first gap, on the grid and off it.
        int alignedInGap = picture.inGap(StrengthHistograms.ALIGNED_8, step8);
        int shiftedInGap = Math.max(picture.inGap(StrengthHistograms.SHIFTED_8, step8), 1);
        boolean comb = step8 > LEAST_COMB_STEP && 5 * alignedInGap * shifted < shiftedInGap * aligned;
        // A loop filter in the coder leaves small coefficients in the gap rather than none.
        boolean looped = 3 * alignedInGap * shifted > 4 * shiftedInGap * aligned;

        boolean moved = offset != offsetBefore;
        offsetBefore = offset;
        offsets[pictures % OFFSETS] = grid.next(picture);
        // The count stays in the range in which the offsets repeat.
        pictures = pictures == 2 * OFFSETS - 1 ? OFFSETS : pictures + 1;
        boolean anew = !begun || isCut(picture) || moved;
        if (anew) {
            begun = true;
            combStep = 0;
            combAge = 0;
            step = 0;
            stepBefore = 0;
            bucketAge = 0;
            texture = textureHere;
            drawing = drawn;
        } else {
            // Coders remove texture and add none, and remove most in predicted pictures. So texture rises faster than
            // it falls.
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
            // Matrices of quantisers rise by up to a half from low to middle frequencies. More is chance, and so is
            // much less: smooth pictures have nothing to lose there.
            int combHere = Math.max(3 * step8 / 4, Math.min(stepOfTexture, 3 * step8 / 2));
            combStep = combStep == 0 ? combHere : combStep + (combHere - combStep) / 4;
            combAge = 0;
        } else if (combAge > COMB_PICTURES) {
            combStep = 0;
        }
        // Drawings and screens have so few small coefficients that blocks of 4x4 samples alone show far too much.
        int seen = looped ? 0 : Math.max(step8, Math.min(step4, 3 * Math.max(step8, stepOfTexture) / 2));
        step = Math.max(step, seen);
        bucketAge++;
        if (bucketAge == BUCKET_PICTURES) {
            stepBefore = step;
            step = seen;
            bucketAge = 0;
        }
        boolean onComb = combStep > 0;
        int found = onComb ? combStep : Math.max(step, stepBefore);
        int clearly = anew ? 0 : isDrawing ? -CLEARLY_DRAWN : CLEARLY_DRAWN;
        isDrawing = 2 * drawing > DRAWN + 2 * clearly;
        int position = StrengthRule.position(shrinks, onComb, isDrawing, found, texture);
        if (anew) {
            level = position / StrengthRule.POSITIONS;
        } else if (position >= StrengthRule.POSITIONS * (level + 1) + CLEARLY_BEYOND) {
            level++;
        } else if (position < StrengthRule.POSITIONS * level - CLEARLY_BEYOND) {
            level--;
        }
        int tier = StrengthTier.number(isDrawing, level);
        estimate = PackedEstimate.pack(onComb, isDrawing, found, texture, tier);
        return tier;
    }

    /** True if at least half of the blocks have another brightness than in the picture before. */
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

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
 * <p>Intra pictures show best how coarsely a stream is coded. Up to the next cut, other pictures are filtered by that, and by
 * what they show themselves.
 *
 * <p>Between two pictures the strength moves by one level at most, except at a cut, in the picture after it, and where
 * shrinkage is switched on or off. It stays where it is until what was measured is clearly beyond its level, so that it does
 * not go up and down. Pictures that stand still are filtered alike, unless the grid is found to begin at another place.
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

    /** Units of a mean of steps in one {@linkplain StrengthRule#UNIT unit}. */
    private static final int MEAN = 16;

    /** Pictures that a mean is of, about. */
    private static final int MEAN_PICTURES = 8;

    /** The share of pictures with a comb if all have one. */
    private static final int ALL_INTRA = 1024;

    /** Of the excess of steps at block edges, how much may be chance, and from how much more on it surely is none; both in 1/64. */
    private static final int CHANCE_EXCESS = 1;

    private static final int SURE_EXCESS = 8;

    /** Of the size of steps elsewhere, that which a coder's steps have at least, and from how much more on they surely are; in 1/64. */
    private static final int CHANCE_SIZE = 13;

    private static final int SURE_SIZE = 8;

    /** Larger steps are edges of what is in the picture, and from how much less on they surely are a coder's; in 1/16 of a sample value. */
    private static final int MOST_EDGE = 160;

    private static final int SURE_EDGE = 32;

    /** The excess, in 1/64, from which on a grid that begins elsewhere than blocks are measured counts as found. */
    private static final int LEAST_MISPLACED = 64;

    /** The excess beyond which large steps on such a grid may be a coder's; in 1/64. */
    private static final int OWN_EXCESS = 80;

    /** The loss in 8x8 blocks beyond which large steps may be a coder's, and how much larger ones by each unit of loss. */
    private static final int OWN_LOSS = 20;

    private static final int EDGE_BY_LOSS = 8;

    /** Size of the steps elsewhere, up to which there are too few for those on the grid to be large; in 1/16 of a sample value. */
    private static final int LEAST_NATURAL = 32;

    /** The loss in 8x8 blocks that predicted 4x4 blocks show at most, and from how much more on a quantiser of 8x8 blocks is sure. */
    private static final int CHANCE_LOSS = 40;

    private static final int SURE_LOSS = 40;

    /** The loss in 8x8 and in 4x4 blocks that pictures show which were made twice as large, and from how much less on it is sure that they were. */
    private static final int MOST_SCALED_8 = 13;

    private static final int SURE_SCALED_8 = 3;
    private static final int MOST_SCALED_4 = 20;
    private static final int SURE_SCALED_4 = 4;

    /**
     * The excess of steps on the grid of enlarged pictures that may be chance, and from how much more on it surely is none; in 1/64. Less
     * than 3/4 of the excess on the grid of 8x8 or 4x4 blocks is that of pictures that were not enlarged.
     */
    private static final int CHANCE_ENLARGED = 40;

    private static final int SURE_ENLARGED = 16;

    /**
     * Pixels that were made larger by copying them have large steps on their grid, and flat ground elsewhere, with the ripples of a later
     * coder at most: the size of the steps elsewhere from which on there is more, and from how much less on there surely is not; and the size
     * of steps on the grid that a coder may have left of such ground, and from how much more on it has not. In 1/16 of a sample value.
     */
    private static final int LEAST_GROUND = 20;

    private static final int SURE_GROUND = 3;
    private static final int MOST_ON_GROUND = 48;
    private static final int SURE_ON_GROUND = 8;

    /**
     * Where samples were blended to make pictures larger, large steps became wide ones, and small ones are left beside them. The largest
     * size that is left, in 1/16 of a sample value, and from how much more on nothing was blended, if the wide steps say so, too, in 1/64 of
     * the others: blending leaves at least as many. Steps between copied pixels stand alone, with two wide ones each or nearly so, never more.
     */
    private static final int MOST_SMEARED = 60;

    private static final int SURE_SHARP = 16;
    private static final int LEAST_WIDE = 68;
    private static final int MOST_WIDE = 108;
    private static final int MOST_ALONE = 132;
    private static final int SURE_WIDE = 2;

    /**
     * The number of wide steps, in 1/64 of the others, and the excess of steps on the grid of 8x8 blocks, in 1/64, which pictures show at most
     * that were not made twice as large; and from how much more on they were.
     */
    private static final int LEAST_SMEARED = 112;

    private static final int SURE_SMEARED = 16;
    private static final int CHANCE_SMEARED = 88;
    private static final int SURE_ON_SMEARED = 24;

    /** The texture, in thousandths, that such strength would blur, and from how much less on it does not. */
    private static final int MOST_TEXTURE = 220;

    private static final int SURE_TEXTURE = 60;

    /** The loss in 8x8 and in 4x4 blocks that pictures show at most which no coder of 4x4 blocks has left, and from how much more it has. */
    private static final int CHANCE_BLOCKS_8 = 10;

    private static final int SURE_BLOCKS_8 = 4;
    private static final int CHANCE_BLOCKS_4 = 16;
    private static final int SURE_BLOCKS_4 = 7;

    /** By so much the position of a drawing is below that of footage with such steps at block edges. */
    private static final int LESS_FOR_DRAWINGS = 3 * StrengthRule.POSITIONS;

    /** By this part of itself the most that was lost fades with each picture. */
    private static final int MOST_PICTURES = 256;

    /** The highest level that footage gets. What is beyond is for those who ask for more. */
    private static final int MOST_LEVEL = 36;

    /** What {@link #surely} returns if it is sure. */
    private static final int SURE = 64;

    /**
     * Pictures between finding an offset and using it. By then, the device is done with the picture that showed the
     * offset, so the offset can be read without waiting.
     */
    public static final int OFFSET_DELAY = PictureFilter.MAX_IN_FLIGHT;

    /** Number of offsets that are remembered at a time. */
    public static final int OFFSETS = 2 * OFFSET_DELAY;

    private final GridSearch grid = new GridSearch();
    private final EnlargedSearch enlarged = new EnlargedSearch();
    private final int[] offsets = new int[OFFSETS];
    private int pictures;
    private int offsetBefore;

    /** True if a grid of 8x8 blocks was found, and not where the last picture's blocks were measured. */
    private boolean misplaced;

    private final int[] previousLuma = new int[StrengthHistograms.LUMA_BINS];
    private boolean begun;
    private int combStep;
    private int comb8;

    /** The step of the last picture's own comb; 0 if it had none. */
    private int comb;

    private int combAge;
    private int step;
    private int stepBefore;
    private int bucketAge;
    private int texture;
    private int drawing;
    private boolean isDrawing;

    /** Means of what was lost in 8x8 and 4x4 blocks, in 1/{@link #MEAN} of a unit. */
    private int mean8;

    private int mean4;

    /** The most that was lost in 4x4 blocks, in 1/{@link #MEAN} of a unit. */
    private int most4;

    /** The share of pictures with a comb, of {@link #ALL_INTRA}. */
    private int intra;

    private final int[] measures = new int[StrengthRule.Measure.values().length];

    /** Pictures since the last cut, at most 2. */
    private int age;

    private boolean shrankBefore;
    private int level;
    private int estimate;

    /** The estimate of the last picture, as {@link PackedEstimate#pack} packs it. */
    public int estimate() {
        return estimate;
    }

    /** The step of the comb on which the coefficients of the last picture stand, in {@linkplain StrengthRule#UNIT units}; 0 if on none. */
    public int comb() {
        return comb;
    }

    /** True if those of the last intra picture do. */
    public boolean hasCombs() {
        return combStep > 0;
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
        boolean onOwnComb = step8 > LEAST_COMB_STEP && 5 * alignedInGap * shifted < shiftedInGap * aligned;
        comb = onOwnComb ? step8 : 0;
        // A loop filter in the coder leaves small coefficients in the gap rather than none.
        boolean looped = 3 * alignedInGap * shifted > 4 * shiftedInGap * aligned;

        boolean moved = offset != offsetBefore;
        offsetBefore = offset;
        boolean cut = !begun || isCut(picture);
        age = cut ? 0 : Math.min(age + 1, 2);
        int found8 = grid.next(picture, age);
        offsets[pictures % OFFSETS] = found8;
        misplaced = found8 != offset && !grid.quarters() && grid.excess() >= LEAST_MISPLACED;
        enlarged.next(picture, age);
        // The count stays in the range in which the offsets repeat.
        pictures = pictures == 2 * OFFSETS - 1 ? OFFSETS : pictures + 1;
        boolean anew = cut || moved;
        if (anew) {
            begun = true;
            combStep = 0;
            comb8 = 0;
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
        if (onOwnComb) {
            // Matrices of quantisers rise by up to a half from low to middle frequencies. More is chance, and so is
            // much less: smooth pictures have nothing to lose there.
            int combHere = Math.max(3 * step8 / 4, Math.min(stepOfTexture, 3 * step8 / 2));
            comb8 = combStep == 0 ? step8 : comb8 + (step8 - comb8) / 4;
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
        mean8 = mean(anew, mean8, step8);
        mean4 = mean(anew, mean4, step4);
        most4 = Math.max(MEAN * step4, anew ? 0 : most4 - most4 / MOST_PICTURES);
        int intraHere = onOwnComb ? ALL_INTRA : 0;
        intra = anew || age < 2 ? intraHere : intra + (intraHere - intra) / MEAN_PICTURES;
        int position = shrinks && !isDrawing ? 0 : StrengthRule.position(shrinks, onComb, isDrawing, found, texture);
        if (shrinks && !(isDrawing && onComb)) {
            // Large steps make what was lost in a drawing look large, too.
            position = position * surely(mostEdge() - grid.edge(), SURE_EDGE) / SURE;
            position = Math.max(position, positionByBlocks(onComb));
        }
        // The picture after the first one shows whether pictures are predicted. The first one, and a cut, hide a jump.
        boolean turns = age == 1 && shrinks && !onOwnComb;
        // Levels with and without shrinkage do not mean the same.
        boolean otherLadder = shrinks != shrankBefore;
        shrankBefore = shrinks;
        if (cut || turns || otherLadder) {
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

    /** Follows a step that is seen anew in each picture; the second picture outweighs the first, which is an intra picture. */
    private int mean(boolean anew, int before, int step) {
        int here = MEAN * step;
        return anew ? here : age == 1 ? (before + 3 * here) / 4 : before + (here - before) / MEAN_PICTURES;
    }

    private int positionByBlocks(boolean onComb) {
        set(StrengthRule.Measure.EDGE, grid.edge());
        set(StrengthRule.Measure.NATURAL, grid.natural());
        set(StrengthRule.Measure.EXCESS, grid.excess());
        set(StrengthRule.Measure.LOST_8, mean8 / MEAN);
        set(StrengthRule.Measure.LOST_4, mean4 / MEAN);
        set(StrengthRule.Measure.COMB, combStep);
        set(StrengthRule.Measure.COMB_8, comb8);
        set(StrengthRule.Measure.MOST_4, most4 / MEAN);
        int position;
        if (onComb) {
            boolean matrix = 10 * combStep > 11 * comb8;
            int predicted = positionFor(matrix ? StrengthRule.Coding.PREDICTED : StrengthRule.Coding.PREDICTED_FLAT);
            position = predicted + intra * (positionFor(StrengthRule.Coding.INTRA) - predicted) / ALL_INTRA;
        } else {
            position = positionByEdges();
            if (isDrawing) {
                position -= LESS_FOR_DRAWINGS;
            } else {
                // So much is lost in no clean picture. What blurs the comb of an 8x8 DCT is clipping, or smooth ground.
                int lost = surely(mean8 / MEAN - CHANCE_LOSS, SURE_LOSS);
                position += lost * (positionFor(StrengthRule.Coding.INTRA) - position) / SURE;
            }
            if (4 * enlarged.excess() >= 3 * grid.excess()) {
                int sure = surely(enlarged.excess() - CHANCE_ENLARGED, SURE_ENLARGED)
                        * surely(mostEdge() - grid.edge(), SURE_EDGE)
                        / SURE
                        * (SURE - sharp())
                        / SURE;
                set(StrengthRule.Measure.EXCESS, enlarged.excess());
                int larger = positionFor(StrengthRule.Coding.ENLARGED) - (isDrawing ? LESS_FOR_DRAWINGS : 0);
                position = Math.max(position, larger * sure / SURE);
            }
            position = position * (SURE - onGround()) / SURE;
        }
        return Math.max(0, Math.min(position, StrengthRule.POSITIONS * MOST_LEVEL + StrengthRule.POSITIONS / 2));
    }

    /** How sure it is that pictures were not made larger by blending samples, 0 to {@link #SURE}. */
    private int sharp() {
        int wide = wide();
        int alone = surely(wide - MOST_WIDE, SURE_WIDE) * surely(MOST_ALONE - wide, SURE_WIDE) / SURE;
        return (surely(LEAST_WIDE - wide, SURE_WIDE) + alone)
                * surely(grid.natural() - MOST_SMEARED, SURE_SHARP)
                / SURE;
    }

    /** The number of wide steps, in 1/64 of the others. */
    private int wide() {
        return 64 * enlarged.steps() / Math.max(grid.steps(), 1);
    }

    /** How sure it is that there are large steps on a grid, and nothing but flat ground elsewhere, 0 to {@link #SURE}. */
    private int onGround() {
        return surely(LEAST_GROUND - grid.natural(), SURE_GROUND)
                * surely(grid.edge() - MOST_ON_GROUND, SURE_ON_GROUND)
                / SURE;
    }

    /** The position that the steps at block edges ask for where there is no comb. */
    private int positionByEdges() {
        int lost8 = mean8 / MEAN;
        StrengthRule.Coding coding = grid.quarters()
                ? StrengthRule.Coding.BLOCKS_4
                : misplaced ? StrengthRule.Coding.CROPPED : StrengthRule.Coding.BLOCKS_8;
        int position = Math.max(positionFor(coding), 0);
        if (grid.quarters()) {
            // Scaling leaves steps at the edges of 4x4 blocks, too, and noise does now and then.
            position = position
                    * surely(most4 / MEAN - CHANCE_BLOCKS_4, SURE_BLOCKS_4)
                    * surely(lost8 - CHANCE_BLOCKS_8, SURE_BLOCKS_8)
                    / (SURE * SURE);
        }
        int ifScaled = Math.max(positionFor(StrengthRule.Coding.SCALED), 0);
        int little4 = misplaced ? 0 : surely(MOST_SCALED_4 - mean4 / MEAN, SURE_SCALED_4);
        int scaled = surely(MOST_SCALED_8 - lost8, SURE_SCALED_8) * little4 / SURE * (SURE - sharp()) / SURE;
        position += scaled * (ifScaled - position) / SURE;
        // Blocks of 4x4 samples became such of 8x8: these have lost something, but their steps are smeared.
        int smeared = surely(wide() - LEAST_SMEARED, SURE_SMEARED)
                * surely(grid.excess() - CHANCE_SMEARED, SURE_ON_SMEARED)
                / SURE
                * little4
                / SURE
                * surely(MOST_TEXTURE - texture, SURE_TEXTURE)
                / SURE;
        position += smeared * Math.max(ifScaled - position, 0) / SURE;
        int sure = surely(grid.excess() - CHANCE_EXCESS, SURE_EXCESS)
                * surely(64 * grid.edge() / grid.natural() - CHANCE_SIZE, SURE_SIZE)
                / SURE
                * surely(mostEdge() - grid.edge(), SURE_EDGE);
        return position * sure / (SURE * SURE);
    }

    /**
     * The size up to which steps may be a coder's, in 1/16 of a sample value. It is more where the steps are so many, or so much was lost,
     * that a coder is sure; but neither in drawings nor where pixels were made as large as blocks, so that there are no steps elsewhere.
     */
    private int mostEdge() {
        int lost8 = mean8 / MEAN;
        int sure = isDrawing
                ? 0
                : misplaced ? grid.excess() - OWN_EXCESS : EDGE_BY_LOSS * (lost8 - Math.max(OWN_LOSS, mean4 / MEAN));
        return MOST_EDGE + Math.max(0, Math.min(sure, 2 * (grid.natural() - LEAST_NATURAL)));
    }

    private int positionFor(StrengthRule.Coding coding) {
        return StrengthRule.position(coding, measures, texture);
    }

    private void set(StrengthRule.Measure measure, int value) {
        measures[measure.index()] = value;
    }

    /** How sure it is that what is measured is a coder's work, 0 to {@link #SURE}. */
    private static int surely(int beyondChance, int sure) {
        return Math.max(0, Math.min(SURE * beyondChance / sure, SURE));
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

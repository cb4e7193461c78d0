/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.ArrayList;
import java.util.List;

/**
 * A tier of automatic strength: the settings of the filters for luma that belong together. Settings for chroma are the caller's
 * choice. Immutable.
 *
 * <p>Tier 0 leaves pictures as they are. Tiers 1 to {@link #LEVELS} are for footage, each a sixth of an octave stronger than the one
 * before, so that neighbours differ little. As many tiers for drawings follow. Those have the same thresholds of shrinkage, and a
 * strong CDEF, because the ringing of drawings lies on flat ground.
 *
 * <p>There are two lists with the same numbers: {@link #ALL} for callers that let shrinkage run, {@link #WITHOUT_SHRINKAGE} for
 * callers that do not. {@link StrengthRule} chooses numbers for each list apart, because shrinkage spares texture and the other two
 * filters do not.
 *
 * @param indexA index into the alpha and tC0 tables for deblocking with bS 3 on the 8x8 grid; 0 for no deblocking
 * @param indexB index into the beta table
 * @param primary CDEF strength along the direction, 0..15, 8-bit scale
 * @param secondary CDEF strength across, 0, 1, 2 or 4
 * @param damping CdefDamping, 3..6
 * @param shrinkage threshold of shrinkage of 8 shifts after these two filters, in sixteenths of an 8-bit sample value; 0 for none
 */
public record StrengthTier(int indexA, int indexB, int primary, int secondary, int damping, int shrinkage) {
    /** Number of tiers for footage, and of tiers for drawings. */
    public static final int LEVELS = 39;

    /** Levels that double a threshold. */
    static final int LEVELS_PER_OCTAVE = 6;

    /** Threshold of the first level, in sixteenths. */
    private static final int LEAST_SHRINKAGE = 8;

    /**
     * What {@link #ALL} has for the filters before shrinkage, from each level on: nothing. CDEF before shrinkage gains a little PSNR
     * and costs as much SSIM; deblocking gains nothing.
     */
    private static final Mix[] BESIDE_SHRINKAGE = {new Mix(1, 0, 0, 0, 0, 4)};

    /** The same for drawings. */
    private static final Mix[] BESIDE_SHRINKAGE_DRAWN = {
        new Mix(1, 0, 0, 1, 0, 4),
        new Mix(10, 0, 0, 2, 1, 4),
        new Mix(15, 0, 0, 4, 1, 5),
        new Mix(19, 0, 0, 8, 2, 6),
        new Mix(25, 0, 0, 11, 2, 6)
    };

    /** What {@link #WITHOUT_SHRINKAGE} has, from each level on. */
    private static final Mix[] ALONE = {
        new Mix(1, 0, 0, 1, 0, 4),
        new Mix(4, 0, 0, 1, 1, 4),
        new Mix(7, 0, 0, 2, 1, 4),
        new Mix(10, 20, 28, 2, 1, 4),
        new Mix(13, 20, 28, 3, 1, 5),
        new Mix(16, 24, 31, 3, 1, 5),
        new Mix(19, 26, 33, 3, 1, 5),
        new Mix(22, 26, 33, 4, 1, 5),
        new Mix(24, 26, 33, 5, 2, 5),
        new Mix(26, 26, 33, 7, 2, 6),
        new Mix(29, 26, 33, 9, 2, 6),
        new Mix(31, 27, 34, 11, 2, 6),
        new Mix(33, 28, 36, 11, 2, 6),
        new Mix(35, 29, 37, 13, 2, 6),
        new Mix(37, 30, 38, 15, 2, 6),
        new Mix(39, 31, 39, 15, 2, 6)
    };

    /** The same for drawings, whose flat ground deblocking would spoil. */
    private static final Mix[] ALONE_DRAWN = {
        new Mix(1, 0, 0, 2, 1, 4),
        new Mix(5, 0, 0, 4, 1, 5),
        new Mix(9, 0, 0, 8, 2, 6),
        new Mix(15, 0, 0, 11, 2, 6),
        new Mix(21, 0, 0, 15, 2, 6)
    };

    /** All tiers, in the order in which {@link StrengthRule} numbers them, for callers that let shrinkage run. */
    public static final List<StrengthTier> ALL = tiers(true, BESIDE_SHRINKAGE, BESIDE_SHRINKAGE_DRAWN);

    /** All tiers in the same order, for callers that let deblocking, CDEF or both run, without shrinkage. */
    public static final List<StrengthTier> WITHOUT_SHRINKAGE = tiers(false, ALONE, ALONE_DRAWN);

    /** Strengths of deblocking and CDEF from a level on. */
    private record Mix(int level, int indexA, int indexB, int primary, int secondary, int damping) {}

    private static List<StrengthTier> tiers(boolean shrinks, Mix[] footage, Mix[] drawings) {
        List<StrengthTier> tiers = new ArrayList<>();
        tiers.add(new StrengthTier(0, 0, 0, 0, 4, 0));
        for (Mix[] mixes : new Mix[][] {footage, drawings}) {
            int at = 0;
            for (int level = 1; level <= LEVELS; level++) {
                at += at + 1 < mixes.length && mixes[at + 1].level() == level ? 1 : 0;
                Mix mix = mixes[at];
                tiers.add(new StrengthTier(
                        mix.indexA(),
                        mix.indexB(),
                        mix.primary(),
                        mix.secondary(),
                        mix.damping(),
                        shrinks ? threshold(level) : 0));
            }
        }
        return List.copyOf(tiers);
    }

    private static int threshold(int level) {
        return (int) Math.round(LEAST_SHRINKAGE * Math.pow(2, (level - 1.0) / LEVELS_PER_OCTAVE));
    }

    /**
     * The level whose threshold of shrinkage is nearest to this one by ratio, in units of a level. Less than 1 where the first level
     * would do too much.
     *
     * @param shrinkage in sixteenths, more than 0
     */
    static double level(int shrinkage) {
        return 1 + LEVELS_PER_OCTAVE * Math.log(shrinkage / (double) LEAST_SHRINKAGE) / Math.log(2);
    }

    /**
     * The number of a tier.
     *
     * @param level 0 for nothing, up to {@link #LEVELS}
     */
    public static int number(boolean drawing, int level) {
        return drawing && level > 0 ? LEVELS + level : level;
    }

    /** True if the tier of a number is for drawings. Tier 0 is for both. */
    public static boolean isDrawn(int number) {
        return number > LEVELS;
    }

    /** The level of the tier of a number, 0 to {@link #LEVELS}. */
    public static int level(int number, boolean drawing) {
        return drawing && number > 0 ? number - LEVELS : number;
    }

    /**
     * The tier that is stronger by a factor, or weaker. 1 is the tier itself; 0 leaves pictures as they are; a larger factor never
     * gives a weaker tier. A tier that does nothing stays one.
     *
     * @param number an index into {@link #ALL}
     * @param strength factor of the thresholds, 0 or more
     * @throws IllegalArgumentException when there is no such tier, or the factor is negative or no number
     */
    public static int scaled(int number, double strength) {
        if (number < 0 || number > 2 * LEVELS) {
            throw new IllegalArgumentException("there are tiers 0 to " + 2 * LEVELS + ", given " + number);
        }
        if (!(strength >= 0)) {
            throw new IllegalArgumentException("a strength is 0 or more, given " + strength);
        }
        boolean drawing = number > LEVELS;
        int level = level(number, drawing);
        if (level == 0 || strength == 0) {
            return 0;
        }
        double shifted = level + Math.rint(LEVELS_PER_OCTAVE * Math.log(strength) / Math.log(2));
        return number(drawing, (int) Math.max(0, Math.min(LEVELS, shifted)));
    }

    /** True if pictures of this tier are deblocked. */
    public boolean deblocks() {
        return indexA > 0;
    }
}

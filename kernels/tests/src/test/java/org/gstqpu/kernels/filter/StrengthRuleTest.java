/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Walks the rule of automatic strength, and the ladders of its tiers. */
class StrengthRuleTest {
    /** One more than the largest step and the largest texture that an estimate holds. */
    private static final int STEPS = 2048;

    private static final int TEXTURES = 1001;

    private interface Place {
        void at(boolean shrinks, boolean comb, boolean drawing, int step, int texture);
    }

    private static void everywhere(Place place) {
        for (int flags = 0; flags < 8; flags++) {
            boolean shrinks = (flags & 1) != 0;
            boolean comb = (flags & 2) != 0;
            boolean drawing = (flags & 4) != 0;
            if (shrinks && !drawing) {
                // Footage that shrinkage filters has no tables.
                continue;
            }
            for (int step = 0; step < STEPS; step++) {
                for (int texture = 0; texture < TEXTURES; texture += step < 800 ? 1 : 20) {
                    place.at(shrinks, comb, drawing, step, texture);
                }
            }
        }
    }

    private static int tier(boolean shrinks, boolean comb, boolean drawing, int step, int texture) {
        return StrengthTier.number(
                drawing, StrengthRule.position(shrinks, comb, drawing, step, texture) / StrengthRule.POSITIONS);
    }

    /** What is measured in pictures that lost a little. */
    private static int[] measures() {
        return new int[] {40, 60, 40, 60, 30, 80, 60, 50};
    }

    @Test
    void footageIsFilteredMoreTheMoreACoderLeft() {
        for (StrengthRule.Coding coding : StrengthRule.Coding.values()) {
            for (StrengthRule.Measure measure : List.of(
                    StrengthRule.Measure.EDGE,
                    StrengthRule.Measure.EXCESS,
                    StrengthRule.Measure.LOST_8,
                    StrengthRule.Measure.LOST_4,
                    StrengthRule.Measure.COMB,
                    StrengthRule.Measure.MOST_4)) {
                int[] measures = measures();
                int before = Integer.MIN_VALUE;
                for (int value = 0; value < STEPS; value++) {
                    measures[measure.index()] = value;
                    int here = StrengthRule.position(coding, measures, 100);
                    assertTrue(here >= before, coding + ", " + measure + " " + value + ": " + before + " to " + here);
                    before = here;
                }
            }
            int before = Integer.MAX_VALUE;
            for (int texture = 0; texture < TEXTURES; texture++) {
                int here = StrengthRule.position(coding, measures(), texture);
                assertTrue(here <= before, coding + ", texture " + texture);
                before = here;
            }
        }
    }

    /** The threshold of intra pictures is about the quantiser's step. */
    @Test
    void anOctaveOfAStepIsWorthItsWeight() {
        int before = StrengthRule.position(StrengthRule.Coding.INTRA, withLost8(64), 0);
        assertEquals(before + 80, StrengthRule.position(StrengthRule.Coding.INTRA, withLost8(128), 0));
        assertEquals(before + 40, StrengthRule.position(StrengthRule.Coding.INTRA, withLost8(96), 0));
        assertEquals(before - 20, StrengthRule.position(StrengthRule.Coding.INTRA, withLost8(64), 200));
    }

    private static int[] withLost8(int lost) {
        int[] measures = measures();
        measures[StrengthRule.Measure.LOST_8.index()] = lost;
        return measures;
    }

    private static String where(boolean shrinks, boolean comb, boolean drawing, int step, int texture) {
        return (shrinks ? "shrinkage, " : "") + (comb ? "comb, " : "") + (drawing ? "drawing, " : "") + "step " + step
                + ", texture " + texture;
    }

    @Test
    void theStrengthNeverFallsWhileTheStepRises() {
        everywhere((shrinks, comb, drawing, step, texture) -> {
            int here = StrengthRule.position(shrinks, comb, drawing, step, texture);
            int next = StrengthRule.position(shrinks, comb, drawing, step + 1, texture);
            if (next < here) {
                throw new AssertionError(where(shrinks, comb, drawing, step, texture) + ": " + here + " to " + next);
            }
        });
    }

    @Test
    void neighbouringTexturesDifferByOneLevelAtMostAndMoreTextureIsNeverFilteredMore() {
        everywhere((shrinks, comb, drawing, step, texture) -> {
            int here = StrengthRule.position(shrinks, comb, drawing, step, texture);
            int next = StrengthRule.position(shrinks, comb, drawing, step, texture + 1);
            if (next > here || here - next > StrengthRule.POSITIONS) {
                throw new AssertionError(where(shrinks, comb, drawing, step, texture) + ": " + here + " to " + next);
            }
        });
    }

    /** On a comb, whose step is a quantiser's; off combs from twice the step of clean footage on, or four times without shrinkage. */
    @Test
    void wherePicturesArePlainlyCodedSomethingIsDone() {
        everywhere((shrinks, comb, drawing, step, texture) -> {
            boolean plainly = comb || step >= (shrinks ? 2 : 4) * StrengthRule.UNIT;
            if (plainly && tier(shrinks, comb, drawing, step, texture) == 0) {
                throw new AssertionError(where(shrinks, comb, drawing, step, texture) + ": nothing");
            }
        });
    }

    @Test
    void whatIsCleanIsLeftAlone() {
        for (int step = 0; step <= StrengthRule.UNIT; step++) {
            for (int texture = 0; texture < TEXTURES; texture++) {
                assertEquals(0, tier(true, false, true, step, texture));
                assertEquals(0, tier(false, false, false, step, texture));
                assertEquals(0, tier(false, false, true, step, texture));
            }
        }
    }

    @Test
    void everyChoiceIsATier() {
        everywhere((shrinks, comb, drawing, step, texture) -> {
            int tier = tier(shrinks, comb, drawing, step, texture);
            if (tier < 0 || tier >= StrengthTier.ALL.size() || tier > StrengthTier.LEVELS != (drawing && tier > 0)) {
                throw new AssertionError(where(shrinks, comb, drawing, step, texture) + ": " + tier);
            }
        });
    }

    @Test
    void tiersGrowByASixthOfAnOctaveAndNeverWeaken() {
        assertEquals(1 + 2 * StrengthTier.LEVELS, StrengthTier.ALL.size());
        assertEquals(StrengthTier.ALL.size(), StrengthTier.WITHOUT_SHRINKAGE.size());
        for (List<StrengthTier> tiers : List.of(StrengthTier.ALL, StrengthTier.WITHOUT_SHRINKAGE)) {
            assertEquals(new StrengthTier(0, 0, 0, 0, 4, 0), tiers.get(0));
            for (int number = 1; number < tiers.size(); number++) {
                if (number == 1 || number == StrengthTier.LEVELS + 1) {
                    continue;
                }
                StrengthTier before = tiers.get(number - 1);
                StrengthTier tier = tiers.get(number);
                String where = before + " and " + tier;
                assertTrue(tier.indexA() >= before.indexA() && tier.indexB() >= before.indexB(), where);
                assertTrue(tier.primary() >= before.primary() && tier.secondary() >= before.secondary(), where);
                assertTrue(tier.primary() - before.primary() <= 4 && tier.secondary() - before.secondary() <= 1, where);
                assertTrue(tier.damping() >= before.damping() && tier.shrinkage() >= before.shrinkage(), where);
                // Rounded to sixteenths.
                assertEquals(before.shrinkage() * Math.pow(2, 1.0 / 6), tier.shrinkage(), 1.2, where);
            }
        }
        assertEquals(8, StrengthTier.ALL.get(1).shrinkage());
        assertEquals(8, StrengthTier.ALL.get(StrengthTier.LEVELS + 1).shrinkage());
        assertEquals(64, StrengthTier.ALL.get(19).shrinkage());
    }

    @Test
    void aStrengthScalesThresholds() {
        for (int tier = 0; tier < StrengthTier.ALL.size(); tier++) {
            assertEquals(tier, StrengthTier.scaled(tier, 1));
            assertEquals(0, StrengthTier.scaled(tier, 0));
            int before = 0;
            for (int hundredths = 0; hundredths <= 200; hundredths++) {
                int scaled = StrengthTier.scaled(tier, hundredths / 100.0);
                assertTrue(scaled >= before, tier + " times " + hundredths + "/100");
                assertTrue(scaled == 0 || scaled > StrengthTier.LEVELS == tier > StrengthTier.LEVELS);
                before = scaled;
            }
        }
        assertEquals(25, StrengthTier.scaled(19, 2));
        assertEquals(13, StrengthTier.scaled(19, 0.5));
        assertEquals(StrengthTier.LEVELS, StrengthTier.scaled(StrengthTier.LEVELS, 2));
        assertEquals(2 * StrengthTier.LEVELS, StrengthTier.scaled(2 * StrengthTier.LEVELS, 2));
        assertThrows(IllegalArgumentException.class, () -> StrengthTier.scaled(1, -0.1));
        assertThrows(IllegalArgumentException.class, () -> StrengthTier.scaled(1, Double.NaN));
        assertThrows(IllegalArgumentException.class, () -> StrengthTier.scaled(StrengthTier.ALL.size(), 1));
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The kernel of 16 bits against the one of 32 bits, on content that makes the largest numbers there can be; RandomPicturesTest has
 * both against the reference.
 */
class ShrinkageKernelTest {
    private static final int STRIPS = 400;
    private static final int BANDS = 3;
    private static final int[] SHIFTS = {4, 8, 16};

    @ParameterizedTest
    @EnumSource(names = {"GRAY8", "I420_10LE"})
    void vectorsGiveTheSamplesOfThePlainKernel(PixelFormat format) {
        long seed = RandomSeed.get();
        ShrinkageKernel plain = new PlainShrinkageKernel();
        ShrinkageKernel vector = VectorUse.always().newKernel(ShrinkageKernel.class, "VectorShrinkageKernel");
        ShrinkageTile expected = new ShrinkageTile(format);
        ShrinkageTile found = new ShrinkageTile(format);
        for (int strip = 0; strip < STRIPS; strip++) {
            Random random = new Random(seed + strip);
            ShrinkageLimits limits = new ShrinkageLimits(format.bitDepth());
            limits.set(random.nextBoolean() ? 768 : 1 + random.nextInt(768), 1 + random.nextInt(100));
            ShrinkageShifts shifts = new ShrinkageShifts();
            shifts.set(SHIFTS[random.nextInt(3)], random.nextInt(8), random.nextInt(8));
            int blocks = 1 + random.nextInt(random.nextBoolean() ? 30 : ShrinkageTile.MOST_BLOCKS);
            int left = random.nextInt(9) - 4;
            int width = left + 8 * blocks - random.nextInt(8);
            if (width <= 0) {
                continue;
            }
            int top = random.nextInt(9) - 4;
            boolean chroma = random.nextInt(4) == 0;
            expected.place(1, 0, width, left, top, blocks, chroma);
            found.place(1, 0, width, left, top, blocks, chroma);
            plain.begin(expected, limits, shifts);
            vector.begin(found, limits, shifts);
            String where = format + ", " + limits.thresholds[0] + ", " + shifts.count() + " shifts, " + blocks
                    + " blocks, -Dgstqpu.seed=" + (seed + strip);
            int difference = random.nextInt(3);
            for (int band = -1; band < BANDS; band++) {
                if (band == -1) {
                    fill(random, expected, expected.samples, 64 * expected.lanes(), difference == 2);
                }
                fill(random, expected, expected.samples, ((band + 1) & 1) * 64 * expected.lanes(), difference == 2);
                switch (difference) {
                    case 0 -> fill(random, expected, expected.decoded, 0, false);
                    case 1 -> moveAFew(random, expected, band & 1);
                    default -> Arrays.fill(expected.decoded, (short) (expected.low + random.nextInt(4)));
                }
                System.arraycopy(expected.samples, 0, found.samples, 0, found.samples.length);
                System.arraycopy(expected.decoded, 0, found.decoded, 0, found.decoded.length);
                plain.shrink(band & 1);
                vector.shrink(band & 1);
                if (band >= 0) {
                    compare(expected, found, band, "shrunk, " + where);
                    plain.bound(band & 1);
                    vector.bound(band & 1);
                    compare(expected, found, band, "bounded, " + where);
                }
            }
        }
    }

    /** Makes the decoded band of a band's samples, with all samples of a block moved by the same little, or by nothing. */
    private static void moveAFew(Random random, ShrinkageTile tile, int band) {
        int lanes = tile.lanes();
        int least = random.nextInt(30);
        for (int lane = 0; lane < lanes; lane++) {
            int move = random.nextInt(3) == 0 ? least + random.nextInt(10) : 0;
            for (int k = 0; k < 64; k++) {
                int sample = tile.samples[band * 64 * lanes + k * lanes + lane];
                tile.decoded[k * lanes + lane] = (short) Math.min(sample + move, tile.high);
            }
        }
    }

    /** Fills a band: white, or noise, faint or of the full range, or in each block the signs of one of the transform's patterns. */
    private static void fill(Random random, ShrinkageTile tile, short[] samples, int first, boolean white) {
        int lanes = tile.lanes();
        int range = tile.high - tile.low;
        int kind = white ? 4 : random.nextInt(4);
        for (int lane = 0; lane < lanes; lane++) {
            int base = random.nextInt(range + 1);
            int amplitude = random.nextInt(3) == 0 ? range : 1 + random.nextInt(random.nextBoolean() ? range : 40);
            int across = random.nextInt(8);
            int down = random.nextInt(8);
            for (int k = 0; k < 64; k++) {
                double sign = Math.cos((2 * (k & 7) + 1) * across * Math.PI / 16)
                        * Math.cos((2 * (k >> 3) + 1) * down * Math.PI / 16);
                int value = switch (kind) {
                    case 0 -> base + random.nextInt(amplitude) - amplitude / 2;
                    case 1 -> random.nextBoolean() ? 0 : range;
                    case 2 -> sign < 0 ? 0 : range;
                    case 4 -> range;
                    default -> (int) (base + sign * amplitude);
                };
                samples[first + k * lanes + lane] = (short) (tile.low + Math.max(0, Math.min(value, range)));
            }
        }
    }

    private static void compare(ShrinkageTile expected, ShrinkageTile found, int band, String where) {
        int lanes = expected.lanes();
        for (int k = 64 * (band & 1); k < 64 * (band & 1) + 64; k++) {
            for (int lane = 1; lane <= expected.blocks(); lane++) {
                int at = k * lanes + lane;
                int sample = k;
                int block = lane;
                assertEquals(
                        expected.samples[at],
                        found.samples[at],
                        () -> "sample " + sample % 64 + " of block " + block + ", " + where);
                // Both go on from the same samples.
                found.samples[at] = expected.samples[at];
            }
        }
    }

    /** The bounds that the vector kernel's 16 bits rest on. */
    @Test
    void whatIsTakenAwayFitsIn16Bits() {
        ShrinkageLimits limits = new ShrinkageLimits(10);
        limits.set(768, 100);
        for (int k = 1; k < 64; k++) {
            int removed = limits.thresholds[k] / 2;
            int scale = ShrinkageLimits.SCALES[k];
            assertTrue(removed * (scale > 64 ? scale - 64 : scale) + 32 <= Short.MAX_VALUE, "coefficient " + k);
            assertTrue(limits.bounds[k] <= Short.MAX_VALUE, "bound " + k);
        }
        // Times 65536 it has less than 32 bits.
        assertTrue(mostTaken(10) < 22000, "what is taken away of a sample");
    }

    /** The bounds that the words of sums in shrinkage/filter.comp rest on. */
    @Test
    void sumsAndWeightsOfTheDeviceShareAWord() {
        assertTrue(8 * 64 * mostTaken(8) < 1 << 22, "8 shifts of 8 bits");
        assertTrue(4 * 64 * mostTaken(10) < 1 << 23, "4 shifts of 10 bits");
        assertTrue(16 * 64 * mostTaken(10) < 1 << 25, "16 shifts of 10 bits");
    }

    /** The most that a block takes away of a sample, in 1/32. */
    private static double mostTaken(int bitDepth) {
        ShrinkageLimits limits = new ShrinkageLimits(bitDepth);
        limits.set(768, 100);
        // How much of a coefficient at most comes to one sample, by its row and by its column.
        double[] gains = {1, 1.5, 1, 1.25, 1, 0.75, 0.5, 0.375};
        double sum = 0;
        for (int k = 1; k < 64; k++) {
            int taken = (limits.thresholds[k] / 2 * ShrinkageLimits.SCALES[k] + 32) >> 6;
            sum += taken * gains[k >> 3] * gains[k & 7];
        }
        return sum;
    }
}

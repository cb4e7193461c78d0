/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceFilters;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.internal.stage.strength.PackedEstimate;
import org.gstqpu.kernels.internal.stage.strength.StrengthHistograms;
import org.gstqpu.kernels.internal.stage.strength.StrengthState;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Strength by what pictures show: the same on every substrate, and the filters do what the tier says. */
@Tag("thorough")
class AutomaticStrengthTest {
    private static final int WIDTH = 108;
    private static final int HEIGHT = 84;

    /** Luma alone is looked at: both sizes of its samples, and the shapes of chroma that follow. */
    private static final List<PixelFormat> FORMATS =
            List.of(PixelFormat.I420, PixelFormat.NV12, PixelFormat.P010_10LE, PixelFormat.I422_10LE, PixelFormat.Y444);

    /**
     * What becomes of footage of an intra codec, of clean footage, of a cut, of pictures that show less than the first, and of
     * drawings and noise, alone and coded.
     */
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void everySubstrateFindsTheSameAndFiltersByIt(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        for (PixelFormat format : FORMATS) {
            Random random = new Random(seed);
            List<SamplePicture> stream = new ArrayList<>();
            for (int step : new int[] {0, 12, 0, 24, 24}) {
                stream.add(coded(random, format, step, stream.size() >= 3 ? 140 : 0, 0));
            }
            stream.add(drawing(random, format));
            stream.add(noise(random, format, 8));
            stream.add(quantised(noise(random, format, 8), 12));
            stream.add(inSmallBlocks(coded(random, format, 0, 0, 0), 24));
            stream.add(inSmallBlocks(coded(random, format, 0, 0, 0), 12));
            stream.add(enlarged(coded(random, format, 24, 0, 0), 2, 2));
            // Each is a cut, so that its own grid alone counts; then one that is not.
            stream.add(enlarged(coded(random, format, 24, 140, 0), 1.5, 1.5));
            stream.add(enlarged(coded(random, format, 24, 0, 0), 64 / 45.0, 1));
            stream.add(enlarged(coded(random, format, 16, 0, 0), 64 / 45.0, 1));
            stream.add(enlarged(coded(random, format, 12, 140, 0), 2.25, 4 / 3.0));
            // Hardly to be seen.
            stream.add(enlarged(coded(random, format, 5, 0, 0), 1.5, 1.5));
            stream.add(enlarged(coded(random, format, 6, 140, 0), 1.5, 1.5));
            stream.add(inSmallBlocks(letters(random, format, 80), 60));
            stream.add(quantised(drawing(random, format), 12));
            stream.add(copied(random, format, 8, 25, 0));
            stream.add(copied(random, format, 8, 3, 0));
            stream.add(copied(random, format, 5, 25, 0));
            stream.add(copied(random, format, 5, 3.8, 0));
            stream.add(enlarged(inSmallBlocks(coded(random, format, 0, 0, 0), 12), 2, 2));
            stream.add(enlarged(inSmallBlocks(coded(random, format, 0, 140, 0), 8), 2, 2));
            for (StrengthLadder ladder : List.of(ladder(0), shrinking())) {
                String where = choice + ", " + format + ", " + ladder.shifts() + " shifts, -Dgstqpu.seed=" + seed;
                Set<Integer> tiers = filterAll(choice, random, format, stream, List.of(ladder), where)
                        .tiers();
                assertTrue(tiers.size() > 2, where + ": only the tiers " + tiers);
            }
        }
    }

    /** What becomes of footage that was cropped after it was coded, and then in another way. */
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void everySubstrateFindsWhereBlocksBeginAndDeblocksThem(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        Random random = new Random(seed);
        PixelFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
        int first = 1 + random.nextInt(63);
        int second = first ^ (1 + random.nextInt(63));
        List<SamplePicture> stream = new ArrayList<>();
        // The second has to outweigh the first.
        for (int i = 0; i < 2 * StrengthState.OFFSET_DELAY + 14; i++) {
            stream.add(
                    i == 0
                            ? coded(random, format, 24, 0, first)
                            : i == StrengthState.OFFSET_DELAY + 2
                                    ? coded(random, format, 24, 0, second)
                                    : stream.get(i - 1));
        }
        String where = choice + ", " + format + ", offsets " + first + ", " + second + ", -Dgstqpu.seed=" + seed;
        Found found = filterAll(choice, random, format, stream, where);
        // Column and row may come one after the other.
        assertTrue(found.offsets().contains(first), where + ": found " + found.offsets());
        assertEquals(second, found.offsets().get(found.offsets().size() - 1), where);
    }

    /** What was found is kept from ladder to ladder, and each picture is filtered by its own. */
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forRandomPictures")
    void everyPictureMayHaveAnotherLadder(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        Random random = new Random(seed);
        PixelFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
        SamplePicture coarse = coded(random, format, 24, 0, 0);
        SamplePicture fine = coded(random, format, 12, 140, 0);
        List<SamplePicture> stream = List.of(coarse, coarse, coarse, coarse, coarse, fine, fine, fine, fine, fine);
        List<StrengthLadder> ladders = List.of(ladder(0), ladder(9), shrinking(), ladder(4));
        filterAll(choice, random, format, stream, ladders, choice + ", " + format + ", -Dgstqpu.seed=" + seed);
    }

    /**
     * What was found on the way.
     *
     * @param tiers all there were
     * @param offsets where blocks were taken to begin, one after the other
     */
    private record Found(Set<Integer> tiers, List<Integer> offsets) {}

    private static Found filterAll(
            TestSubstrates.Choice choice, Random random, PixelFormat format, List<SamplePicture> stream, String where)
            throws Exception {
        return filterAll(choice, random, format, stream, List.of(ladder(0)), where);
    }

    /** The same with each of several ladders by turns. */
    private static Found filterAll(
            TestSubstrates.Choice choice,
            Random random,
            PixelFormat format,
            List<SamplePicture> stream,
            List<StrengthLadder> ladders,
            String where)
            throws Exception {
        StrengthState expected = new StrengthState();
        Set<Integer> tiers = new HashSet<>();
        List<Integer> offsets = new ArrayList<>();
        // Pictures come again.
        Map<List<Object>, StrengthHistograms> counted = new HashMap<>();
        Map<List<Object>, SamplePicture> filtered = new HashMap<>();
        try (FilterContext context = choice.open();
                PictureFilter filter = context.newPictureFilter(format, WIDTH, HEIGHT)) {
            assertEquals(Optional.empty(), filter.estimate(), where);
            for (int picture = 0; picture < stream.size(); picture++) {
                SamplePicture samples = stream.get(picture);
                StrengthLadder ladder = ladders.get(picture % ladders.size());
                int offset = expected.nextOffset();
                if (offsets.isEmpty() || offsets.get(offsets.size() - 1) != offset) {
                    offsets.add(offset);
                }
                int tier = expected.next(
                        counted.computeIfAbsent(List.of(samples, offset), key -> histograms(samples, offset)),
                        ladder.shifts() > 0);
                tiers.add(tier);
                SamplePicture wanted = filtered.computeIfAbsent(
                        List.of(samples, offset, tier, ladder),
                        key -> filtered(samples, ladder.tiers().get(tier), offset));
                check(
                        filter,
                        PicturePlan.automatic(ladder),
                        random,
                        format,
                        samples,
                        wanted,
                        where + ", picture " + picture);
                assertEquals(
                        Optional.of(PackedEstimate.unpack(expected.estimate(), expected.foundOffset())),
                        filter.estimate(),
                        where + ", picture " + picture);
            }
        }
        return new Found(tiers, offsets);
    }

    private static SamplePicture filtered(SamplePicture samples, FilterParameters parameters, int offset) {
        return ReferenceFilters.apply(samples, parameters, offset & 7, offset >> 3);
    }

    private static StrengthEstimate estimate(StrengthState state) {
        return PackedEstimate.unpack(state.estimate(), state.foundOffset());
    }

    @Test
    void theStepOfAnIntraCodecIsFoundAndRememberedUpToACut() {
        StrengthState state = new StrengthState();
        state.next(histograms(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 0), true);
        StrengthEstimate clean = estimate(state);
        assertFalse(clean.comb(), clean::toString);
        assertTrue(clean.step() < 1.25, clean::toString);
        assertEquals(0, clean.tier(), clean::toString);
        for (int step : new int[] {10, 16, 24}) {
            StrengthState fresh = new StrengthState();
            fresh.next(histograms(coded(new Random(4), PixelFormat.GRAY8, step, 0, 0), 0), true);
            StrengthEstimate coded = estimate(fresh);
            assertTrue(coded.comb(), coded::toString);
            assertTrue(coded.step() > 0.5 * step && coded.step() < step * 1.25, coded::toString);
            fresh.next(histograms(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 0), true);
            StrengthEstimate after = estimate(fresh);
            assertEquals(coded.step(), after.step(), after::toString);
            assertTrue(after.comb(), after::toString);
            fresh.next(histograms(coded(new Random(4), PixelFormat.GRAY8, 0, 140, 0), 0), true);
            StrengthEstimate cut = estimate(fresh);
            assertFalse(cut.comb(), cut::toString);
        }
    }

    /** From a plain wall to leaves; every picture coded anew, so that what is measured trembles. */
    @Test
    void overAPanTheStrengthMovesByOneLevelAtATimeAndNotToAndFro() {
        long seed = RandomSeed.get();
        Random random = new Random(seed);
        int pictures = 90;
        double[][] panorama = panorama(random, WIDTH + 4 * pictures);
        List<SamplePicture> pan = new ArrayList<>();
        for (int i = 0; i < pictures; i++) {
            int left = 4 * i;
            pan.add(view(panorama, (x, y) -> panorama[y][left + x]));
        }
        assertMovesSmoothly(pan, "-Dgstqpu.seed=" + seed);
    }

    /** Towards the place where the wall meets the leaves. */
    @Test
    void overASlowZoomTheStrengthMovesByOneLevelAtATimeAndNotToAndFro() {
        long seed = RandomSeed.get();
        Random random = new Random(seed);
        double[][] panorama = panorama(random, 3 * WIDTH);
        List<SamplePicture> zoom = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            double scale = Math.pow(0.99, i);
            zoom.add(view(panorama, (x, y) -> {
                double column = 1.5 * WIDTH + scale * (x - 0.3 * WIDTH);
                double row = 0.5 * HEIGHT + scale * (y - 0.5 * HEIGHT);
                int left = (int) column;
                int above = Math.min((int) row, HEIGHT - 2);
                double across = column - left;
                double down = row - above;
                return (panorama[above][left] * (1 - across) + panorama[above][left + 1] * across) * (1 - down)
                        + (panorama[above + 1][left] * (1 - across) + panorama[above + 1][left + 1] * across) * down;
            }));
        }
        assertMovesSmoothly(zoom, "-Dgstqpu.seed=" + seed);
    }

    private static void assertMovesSmoothly(List<SamplePicture> pictures, String where) {
        List<StrengthHistograms> measured = new ArrayList<>();
        for (SamplePicture picture : pictures) {
            // Coded more and more coarsely.
            measured.add(histograms(quantised(picture, 8 + measured.size() / 6), 0));
        }
        for (boolean shrinks : new boolean[] {true, false}) {
            StrengthState state = new StrengthState();
            List<Integer> levels = new ArrayList<>();
            for (StrengthHistograms picture : measured) {
                state.next(picture, shrinks);
                StrengthEstimate found = estimate(state);
                levels.add(StrengthTier.level(found.tier(), found.drawing()));
            }
            int turns = 0;
            int direction = 0;
            for (int i = 1; i < levels.size(); i++) {
                int move = levels.get(i) - levels.get(i - 1);
                // Only the second picture shows whether pictures are predicted.
                assertTrue(Math.abs(move) <= 1 || (i == 1 && shrinks), where + ", shrinks " + shrinks + ": " + levels);
                turns += move * direction < 0 ? 1 : 0;
                direction = move == 0 ? direction : move;
            }
            // Pumping would turn at every second or third picture.
            assertTrue(turns <= 8, where + ", shrinks " + shrinks + ": " + turns + " turns in " + levels);
            assertTrue(Set.copyOf(levels).size() > 3, where + ", shrinks " + shrinks + ": " + levels);
        }
    }

    /** A wall on the left, with a slope of brightness and faint noise, and leaves on the right. */
    private static double[][] panorama(Random random, int width) {
        double[][] panorama = new double[HEIGHT][width];
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < width; x++) {
                double leaves = Math.max(0, Math.min(1, (x - 0.45 * width) / (0.1 * width)));
                double leaf = 40 * Math.sin(0.9 * x + 0.3 * y) * Math.sin(0.7 * y - 0.2 * x + 0.05 * x)
                        + 12 * random.nextGaussian();
                panorama[y][x] = 110 + 0.1 * y + random.nextGaussian() + leaves * leaf;
            }
        }
        return panorama;
    }

    private interface Scene {
        double sample(int x, int y);
    }

    private static SamplePicture view(double[][] panorama, Scene scene) {
        SamplePicture picture = new SamplePicture(8, PixelFormat.Chroma.NONE, WIDTH, panorama.length);
        for (int y = 0; y < panorama.length; y++) {
            for (int x = 0; x < WIDTH; x++) {
                picture.set(0, x, y, (int) Math.round(Math.max(0, Math.min(255, scene.sample(x, y)))));
            }
        }
        return picture;
    }

    @Test
    void textureIsTheMostOfLateAndFadesSlowly() {
        StrengthState state = new StrengthState();
        StrengthHistograms rough = histograms(noise(new Random(4), PixelFormat.GRAY8, 6), 0);
        StrengthHistograms smooth = histograms(noise(new Random(4), PixelFormat.GRAY8, 0.5), 0);
        state.next(smooth, true);
        assertEquals(0, estimate(state).texture(), estimate(state)::toString);
        // Of a normal distribution, 0.459 lie between 4 and 12 times a sixth of its deviation.
        int all = 459;
        StrengthState fresh = new StrengthState();
        fresh.next(rough, true);
        int most = estimate(fresh).texture();
        assertEquals(all, most, 60);
        state.next(rough, true);
        assertEquals((most + 3) / 4, estimate(state).texture(), "rises by quarters");
        for (int i = 1; i <= 20; i++) {
            fresh.next(smooth, true);
            assertEquals(most - i, estimate(fresh).texture(), "fades by one");
        }
        for (int i = 0; i < 40; i++) {
            fresh.next(rough, true);
        }
        assertEquals(most, estimate(fresh).texture(), "is reached again");
    }

    /** Of a normal distribution of the deviation 14, 0.168 lie between 1 and 4, 0.384 up to 12, and 0.391 beyond, as of edges. */
    @Test
    void smallCoefficientsAreNoTextureBesideLargeOnes() {
        StrengthState state = new StrengthState();
        state.next(histograms(noise(new Random(4), PixelFormat.GRAY8, 14), 0), true);
        assertEquals((int) (1000 * (0.384 - 0.168 / 3)), estimate(state).texture(), 40);
    }

    @Test
    void drawingsAreToldFromFootage() {
        StrengthHistograms drawing = histograms(drawing(new Random(4), PixelFormat.GRAY8), 0);
        for (StrengthHistograms footage : List.of(
                histograms(noise(new Random(4), PixelFormat.GRAY8, 0), 0),
                histograms(noise(new Random(4), PixelFormat.GRAY8, 4), 0),
                histograms(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 0),
                histograms(coded(new Random(4), PixelFormat.GRAY8, 24, 0, 0), 0))) {
            StrengthState state = new StrengthState();
            state.next(footage, true);
            assertFalse(estimate(state).drawing(), estimate(state)::toString);
        }
        StrengthState state = new StrengthState();
        state.next(drawing, true);
        assertTrue(estimate(state).drawing(), estimate(state)::toString);
        StrengthHistograms blank = histograms(noise(new Random(4), PixelFormat.GRAY8, 0), 0);
        state.next(blank, true);
        assertTrue(estimate(state).drawing(), "one picture changes nothing");
        for (int i = 0; i < 8; i++) {
            state.next(blank, true);
        }
        assertFalse(estimate(state).drawing(), "is no longer one");
    }

    /** As H.264 leaves them without its loop filter: no comb, but steps at the edges of 4x4 blocks. */
    @Test
    void stepsAtTheEdgesOfSmallBlocksAloneAreFilteredBySize() {
        int before = 0;
        for (int size : new int[] {0, 3, 5}) {
            StrengthState state = new StrengthState();
            StrengthHistograms measured = histograms(withSmallBlocks(size), 0);
            for (int i = 0; i < 8; i++) {
                state.next(measured, true);
            }
            StrengthEstimate found = estimate(state);
            assertFalse(found.comb(), found::toString);
            assertTrue(size == 0 ? found.tier() == 0 : found.tier() > before, size + ": " + found + " after " + before);
            before = found.tier();
        }
    }

    /** Predicted pictures show less than was lost of what they are predicted from. */
    @Test
    void theLossOfAnIntraPictureInSmallBlocksCountsUpToACut() {
        StrengthHistograms coarse = histograms(inSmallBlocks(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 8), 0);
        StrengthHistograms fine = histograms(inSmallBlocks(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 4), 0);
        StrengthState predicted = new StrengthState();
        StrengthState alone = new StrengthState();
        predicted.next(coarse, true);
        for (int i = 0; i < 40; i++) {
            predicted.next(fine, true);
            alone.next(fine, true);
        }
        int kept = estimate(predicted).tier();
        int own = estimate(alone).tier();
        assertTrue(own > 0 && kept > own + 1, () -> kept + " beside " + own);
        predicted.next(histograms(coded(new Random(4), PixelFormat.GRAY8, 0, 140, 0), 0), true);
        predicted.next(fine, true);
        assertEquals(own, estimate(predicted).tier(), "after a cut");
    }

    /** The grid is of another pitch then, which may differ across and down, and each step is smeared over two samples or more. */
    @Test
    void picturesThatWereMadeLargerAreFilteredIfTheyWereCodedBefore() {
        double[][] factors = {
            {2, 2}, {1.5, 1.5}, {4 / 3.0, 4 / 3.0}, {5 / 3.0, 5 / 3.0}, {2.25, 2.25}, {64 / 45.0, 1}, {1, 1.25}
        };
        for (double[] factor : factors) {
            for (int step : new int[] {0, 24}) {
                StrengthState state = new StrengthState();
                SamplePicture picture = coded(new Random(4), PixelFormat.GRAY8, step, 0, 0);
                state.next(histograms(enlarged(picture, factor[0], factor[1]), 0), true);
                StrengthEstimate found = estimate(state);
                assertFalse(found.comb(), found::toString);
                assertTrue(
                        step == 0 ? found.tier() == 0 : found.tier() > 20,
                        factor[0] + ", " + factor[1] + ", step " + step + ": " + found);
            }
        }
    }

    /** H.264 that was made twice as large has the grid of 8x8 blocks, and has lost in these what a coder of 8x8 blocks leaves behind. */
    @Test
    void smallBlocksThatWereMadeTwiceAsLargeAreFilteredAsScaledOnes() {
        StrengthState state = new StrengthState();
        SamplePicture picture = inSmallBlocks(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 12);
        state.next(histograms(enlarged(picture, 2, 2), 0), true);
        StrengthEstimate found = estimate(state);
        assertTrue(found.tier() > 26, found::toString);
    }

    /** As in old games, and in screens that were magnified: all of each pixel is flat, and the steps between them are of any size. */
    @Test
    void pixelsThatWereCopiedToBeLargerAreNoBlocksOfACoder() {
        for (double factor : new double[] {3.75, 4, 5, 6, 8, 10, 12, 16}) {
            // Blocks of 4 samples bear the ripples of a later coder.
            for (double ripples : factor % 4 == 0 ? new double[] {0, 0.3} : new double[] {0}) {
                StrengthState state = new StrengthState();
                StrengthHistograms measured =
                        histograms(copied(new Random(4), PixelFormat.GRAY8, factor, 25, ripples), 0);
                for (int i = 0; i < 20; i++) {
                    state.next(measured, true);
                    StrengthEstimate found = estimate(state);
                    assertEquals(0, found.tier(), () -> factor + " with " + ripples + ": " + found);
                }
            }
        }
    }

    /** Noise of which each pixel was copied to be as large as the factor says, and what a later coder added to some samples. */
    private static SamplePicture copied(
            Random random, PixelFormat format, double factor, double deviation, double ripples) {
        SamplePicture pixels = noise(random, format, deviation);
        SamplePicture picture = noise(random, format, ripples);
        for (int i = 0; i < WIDTH * HEIGHT; i++) {
            int x = i % WIDTH;
            int y = i / WIDTH;
            int ripple = luma(picture, x, y) - 120;
            int pixel = luma(pixels, (int) (x / factor), (int) (y / factor));
            picture.set(0, x, y, Math.max(0, Math.min(255, pixel + ripple)) << (picture.bitDepth - 8));
        }
        return picture;
    }

    /** A picture of which each block of 4x4 samples is brighter by up to twice the size. */
    private static SamplePicture withSmallBlocks(int size) {
        SamplePicture picture = coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0);
        Random random = new Random(5);
        for (int y = 0; y < HEIGHT; y += 4) {
            for (int x = 0; x < WIDTH; x += 4) {
                int more = random.nextInt(2 * size + 1);
                for (int i = 0; i < 16; i++) {
                    int there = picture.get(0, x + i % 4, y + i / 4);
                    picture.set(0, x + i % 4, y + i / 4, Math.min(255, there + more));
                }
            }
        }
        return picture;
    }

    /** The picture after a transform of 4x4 blocks, Hadamard's, with a quantiser of this step. */
    private static SamplePicture inSmallBlocks(SamplePicture picture, int step) {
        for (int block = 0; block < WIDTH / 4 * (HEIGHT / 4); block++) {
            int left = 4 * (block % (WIDTH / 4));
            int top = 4 * (block / (WIDTH / 4));
            double[] coefficients = new double[16];
            for (int i = 0; i < 256; i++) {
                int sample = luma(picture, left + i % 4, top + i / 4 % 4);
                coefficients[i / 16] += (Integer.bitCount(i / 16 & i % 16) % 2 == 0 ? sample : -sample) / 4.0;
            }
            for (int u = 1; u < 16; u++) {
                coefficients[u] = step * (double) (long) (coefficients[u] / step);
            }
            for (int i = 0; i < 16; i++) {
                double sample = 0;
                for (int u = 0; u < 16; u++) {
                    sample += (Integer.bitCount(u & i) % 2 == 0 ? coefficients[u] : -coefficients[u]) / 4;
                }
                int value = (int) Math.round(Math.max(0, Math.min(255, sample)));
                picture.set(0, left + i % 4, top + i / 4, value << (picture.bitDepth - 8));
            }
        }
        return picture;
    }

    /** The upper left part, made larger by straight lines from sample to sample. */
    private static SamplePicture enlarged(SamplePicture picture, double across, double down) {
        int[] samples = new int[WIDTH * HEIGHT];
        for (int i = 0; i < samples.length; i++) {
            int line = i / WIDTH;
            double column = Math.max(0, (i % WIDTH + 0.5) / across - 0.5);
            double row = Math.max(0, (line + 0.5) / down - 0.5);
            int x = Math.min((int) column, WIDTH - 2);
            int y = Math.min((int) row, HEIGHT - 2);
            double right = column - x;
            double below = row - y;
            samples[i] =
                    (int) Math.round((luma(picture, x, y) * (1 - right) + luma(picture, x + 1, y) * right) * (1 - below)
                            + (luma(picture, x, y + 1) * (1 - right) + luma(picture, x + 1, y + 1) * right) * below);
        }
        for (int i = 0; i < samples.length; i++) {
            picture.set(0, i % WIDTH, i / WIDTH, samples[i] << (picture.bitDepth - 8));
        }
        return picture;
    }

    /** So a property that is changed between two pictures acts as if it had been set before the first. */
    @Test
    void whatStandsStillIsFilteredAlikeFromTheFirstPictureOn() {
        for (SamplePicture picture :
                List.of(withSmallBlocks(3), withSmallBlocks(5), coded(new Random(4), PixelFormat.GRAY8, 24, 0, 0))) {
            StrengthHistograms measured = histograms(picture, 0);
            for (boolean shrinks : new boolean[] {true, false}) {
                StrengthState state = new StrengthState();
                int first = state.next(measured, shrinks);
                for (int i = 1; i < StrengthState.OFFSET_DELAY; i++) {
                    assertEquals(first, state.next(measured, shrinks), "picture " + i + ": " + estimate(state));
                }
                int other = state.next(measured, !shrinks);
                assertEquals(new StrengthState().next(measured, !shrinks), other, "another ladder");
            }
        }
    }

    /** Their blocks are measured aside of the grid until it is used, but its steps are seen at once. */
    @Test
    void croppedPicturesAreFilteredFromTheFirstOneOnAndTheStrengthDoesNotJump() {
        StrengthState state = new StrengthState();
        SamplePicture picture = coded(new Random(4), PixelFormat.GRAY8, 24, 0, 5 | 3 << 3);
        int before = 0;
        for (int i = 0; i < 2 * StrengthState.OFFSET_DELAY; i++) {
            state.next(histograms(picture, state.nextOffset()), true);
            int tier = estimate(state).tier();
            assertTrue(i == 0 ? tier > 0 : Math.abs(tier - before) <= 1, i + ": " + before + " to " + tier);
            before = tier;
        }
        assertEquals(5 | 3 << 3, state.nextOffset());
    }

    @Test
    void picturesThatArePredictedFinelyAreFilteredLessThanTheirIntraPicture() {
        StrengthState state = new StrengthState();
        StrengthState intra = new StrengthState();
        StrengthHistograms coarse = histograms(coded(new Random(4), PixelFormat.GRAY8, 24, 0, 0), 0);
        StrengthHistograms fine = histograms(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 0);
        state.next(coarse, true);
        int first = estimate(state).tier();
        state.next(fine, true);
        assertTrue(estimate(state).tier() < first - 1, () -> first + ", then " + estimate(state));
        for (int i = 0; i < 9; i++) {
            intra.next(coarse, true);
        }
        assertEquals(first, estimate(intra).tier(), "nothing is predicted, nothing changes");
    }

    @Test
    void theCombIsForgottenInTheEnd() {
        StrengthState state = new StrengthState();
        StrengthHistograms coded = histograms(coded(new Random(4), PixelFormat.GRAY8, 16, 0, 0), 0);
        StrengthHistograms clean = histograms(coded(new Random(4), PixelFormat.GRAY8, 0, 0, 0), 0);
        state.next(coded, true);
        for (int i = 0; i < StrengthState.COMB_PICTURES; i++) {
            state.next(clean, true);
        }
        assertTrue(estimate(state).comb());
        for (int i = 0; i < 2 * StrengthState.BUCKET_PICTURES; i++) {
            state.next(clean, true);
        }
        StrengthEstimate last = estimate(state);
        assertFalse(last.comb(), last::toString);
        assertEquals(0, last.tier(), last::toString);
    }

    @Test
    void anEstimateSurvivesItsWord() {
        assertEquals(
                new StrengthEstimate(true, false, 27.5, 1000, 15, 5, 2),
                PackedEstimate.unpack(
                        PackedEstimate.pack(true, false, 440, 1000, 15), PackedEstimate.packOffset(5, 2)));
        assertEquals(
                new StrengthEstimate(false, true, 2047 / 16.0, 2047, 255, 0, 7),
                PackedEstimate.unpack(
                        PackedEstimate.pack(false, true, 99999, 99999, 255), PackedEstimate.packOffset(0, 7)));
    }

    /**
     * @param more than a tier's own indexes of thresholds
     */
    private static StrengthLadder ladder(int more) {
        List<FilterParameters> tiers = new ArrayList<>();
        for (StrengthTier tier : StrengthTier.WITHOUT_SHRINKAGE) {
            Optional<H264DeblockParameters> deblock = Optional.of(new H264DeblockParameters(
                    Math.min(51, tier.indexA() + more),
                    tier.indexB(),
                    Math.min(51, tier.indexA() + more),
                    tier.indexB(),
                    Math.min(51, tier.indexA() + more),
                    tier.indexB(),
                    tier.deblocks() ? 3 : 0,
                    tier.deblocks() ? 3 : 0,
                    true));
            CdefStrength strength =
                    new CdefStrength(tier.primary(), tier.secondary(), tier.primary() / 2, tier.secondary());
            tiers.add(new FilterParameters(deblock, Optional.of(CdefParameters.uniform(tier.damping(), strength))));
        }
        return new StrengthLadder(tiers);
    }

    private static StrengthLadder shrinking() {
        List<FilterParameters> tiers = new ArrayList<>();
        for (StrengthTier tier : StrengthTier.ALL) {
            CdefStrength strength =
                    new CdefStrength(tier.primary(), tier.secondary(), tier.primary() / 2, tier.secondary());
            tiers.add(FilterParameters.cdef(CdefParameters.uniform(tier.damping(), strength))
                    .withShrinkage(new ShrinkageParameters(
                            4, tier.shrinkage(), tier.shrinkage() / 2, ShrinkageParameters.DEFAULT_BOUND)));
        }
        return new StrengthLadder(tiers);
    }

    private static void check(
            PictureFilter filter,
            PicturePlan plan,
            Random random,
            PixelFormat format,
            SamplePicture samples,
            SamplePicture wanted,
            String where) {
        try (MappedPicture source =
                        new MappedPicture(MappedPicture.randomLayout(random, format, WIDTH, HEIGHT), random);
                MappedPicture destination =
                        new MappedPicture(MappedPicture.randomLayout(random, format, WIDTH, HEIGHT), random)) {
            source.write(samples);
            byte[] expected = destination.bytes();
            destination.put(wanted, expected);
            filter.filter(source, destination, plan);
            int difference = Arrays.mismatch(expected, destination.bytes());
            assertEquals(-1, difference, () -> where + ": " + destination.describe(difference, wanted));
        }
    }

    /**
     * Smooth noise and slopes, the luma of which went through an 8x8 DCT with a quantiser of this step, 0 for none; brighter
     * by some amount.
     *
     * @param offset where blocks begin, column | row &lt;&lt; 3
     */
    private static SamplePicture coded(Random random, PixelFormat format, int step, int brightness, int offset) {
        SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), WIDTH, HEIGHT);
        for (int component = 0; component < picture.components(); component++) {
            int width = picture.width(component);
            int height = picture.height(component);
            double[] smooth = new double[width * height];
            double slope = random.nextDouble() * 0.4;
            for (int i = 0; i < smooth.length; i++) {
                double left = i % width == 0 ? 0 : smooth[i - 1];
                double above = i < width ? 0 : smooth[i - width];
                smooth[i] = 0.48 * left + 0.48 * above + 2 * random.nextGaussian();
            }
            for (int i = 0; i < smooth.length; i++) {
                smooth[i] = Math.max(0, Math.min(255, smooth[i] + 50 + brightness + slope * (i % width)));
            }
            if (component == 0 && step > 0) {
                quantise(smooth, width, height, step, offset);
            }
            for (int i = 0; i < smooth.length; i++) {
                int value = (int) Math.round(Math.max(0, Math.min(255, smooth[i])));
                picture.set(component, i % width, i / width, value << (format.bitDepth() - 8));
            }
        }
        return picture;
    }

    /** Flat grey with noise of a normal distribution in luma. */
    private static SamplePicture noise(Random random, PixelFormat format, double deviation) {
        SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), WIDTH, HEIGHT);
        for (int component = 0; component < picture.components(); component++) {
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int value = (int) Math.round(120.5 + (component == 0 ? deviation * random.nextGaussian() : 0));
                    picture.set(component, x, y, Math.max(0, Math.min(255, value)) << (format.bitDepth() - 8));
                }
            }
        }
        return picture;
    }

    /** Flat but for a few letters, as bright as noise is. */
    private static SamplePicture drawing(Random random, PixelFormat format) {
        return letters(random, format, 8);
    }

    private static SamplePicture letters(Random random, PixelFormat format, int letters) {
        SamplePicture picture = noise(random, format, 0);
        for (int letter = 0; letter < letters; letter++) {
            int left = random.nextInt(WIDTH - 9);
            int top = random.nextInt(HEIGHT - 9);
            for (int i = 0; i < 9; i++) {
                picture.set(0, left + i, top + i, 235 << (format.bitDepth() - 8));
                picture.set(0, left + 8 - i, top + i, 16 << (format.bitDepth() - 8));
            }
        }
        return picture;
    }

    /** Such a picture after an 8x8 DCT with a quantiser of this step. */
    private static SamplePicture quantised(SamplePicture picture, int step) {
        double[] samples = new double[WIDTH * HEIGHT];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = luma(picture, i % WIDTH, i / WIDTH);
        }
        quantise(samples, WIDTH, HEIGHT, step, 0);
        for (int i = 0; i < samples.length; i++) {
            int value = (int) Math.round(Math.max(0, Math.min(255, samples[i])));
            picture.set(0, i % WIDTH, i / WIDTH, value << (picture.bitDepth - 8));
        }
        return picture;
    }

    private static void quantise(double[] samples, int width, int height, int step, int offset) {
        for (int y = offset >> 3; y + 8 <= height; y += 8) {
            for (int x = offset & 7; x + 8 <= width; x += 8) {
                double[] block = new double[64];
                for (int i = 0; i < 64; i++) {
                    block[i] = samples[(y + i / 8) * width + x + i % 8];
                }
                double[] coefficients = dct(block, false);
                for (int i = 1; i < 64; i++) {
                    coefficients[i] = step * (double) (long) (coefficients[i] / step);
                }
                block = dct(coefficients, true);
                for (int i = 0; i < 64; i++) {
                    samples[(y + i / 8) * width + x + i % 8] = block[i];
                }
            }
        }
    }

    private static double[] dct(double[] from, boolean inverse) {
        double[] to = new double[64];
        for (int i = 0; i < 64; i++) {
            double sum = 0;
            for (int j = 0; j < 64; j++) {
                int u = inverse ? j : i;
                int s = inverse ? i : j;
                sum += from[j] * basis(u / 8, s / 8) * basis(u % 8, s % 8);
            }
            to[i] = sum;
        }
        return to;
    }

    private static double basis(int u, int x) {
        return (u == 0 ? Math.sqrt(0.125) : 0.5) * Math.cos((2 * x + 1) * u * Math.PI / 16);
    }

    /** The definition, without any of the kernels' shortcuts. */
    private static StrengthHistograms histograms(SamplePicture picture, int offset) {
        StrengthHistograms counts = new StrengthHistograms();
        int left = offset & 7;
        int top = offset >> 3;
        int columns = StrengthHistograms.blocks(WIDTH - left);
        int rows = StrengthHistograms.blocks(HEIGHT - top);
        int step = StrengthHistograms.sampleStep(columns, rows);
        for (int row = 0; row < rows; row += step) {
            for (int column = 0; column < columns; column += step) {
                for (int shift = 0; shift < 2; shift++) {
                    count8(counts, picture, left + 8 * column + 4 * shift, top + 8 * row + 4 * shift, shift != 0);
                    for (int quarter = 0; quarter < 4; quarter++) {
                        count4(
                                counts,
                                shift == 0 ? StrengthHistograms.ALIGNED_4 : StrengthHistograms.SHIFTED_4,
                                picture,
                                left + 8 * column + 4 * (quarter % 2) + 2 * shift,
                                top + 8 * row + 4 * (quarter / 2) + 2 * shift);
                    }
                }
            }
        }
        for (int line = 0; line < StrengthHistograms.LINES; line++) {
            int y = StrengthHistograms.line(line, HEIGHT);
            for (int x = 2; x < WIDTH - 1; x++) {
                counts.countStep(
                        false,
                        x,
                        Math.abs(luma(picture, x, y) - luma(picture, x - 1, y))
                                - Math.abs(luma(picture, x - 1, y) - luma(picture, x - 2, y))
                                - Math.abs(luma(picture, x + 1, y) - luma(picture, x, y)));
            }
            int column = StrengthHistograms.line(line, WIDTH);
            for (int row = 2; row < HEIGHT - 1; row++) {
                counts.countStep(
                        true,
                        row,
                        Math.abs(luma(picture, column, row) - luma(picture, column, row - 1))
                                - Math.abs(luma(picture, column, row - 1) - luma(picture, column, row - 2))
                                - Math.abs(luma(picture, column, row + 1) - luma(picture, column, row)));
            }
            for (int x = 3; x < WIDTH - 3; x++) {
                if (Math.abs(luma(picture, x + 1, y) - luma(picture, x - 1, y))
                        > Math.abs(luma(picture, x - 1, y) - luma(picture, x - 3, y))
                                + Math.abs(luma(picture, x + 3, y) - luma(picture, x + 1, y))) {
                    counts.countWideSteps(false, x, 1);
                }
            }
            for (int row = 3; row < HEIGHT - 3; row++) {
                if (Math.abs(luma(picture, column, row + 1) - luma(picture, column, row - 1))
                        > Math.abs(luma(picture, column, row - 1) - luma(picture, column, row - 3))
                                + Math.abs(luma(picture, column, row + 3) - luma(picture, column, row + 1))) {
                    counts.countWideSteps(true, row, 1);
                }
            }
        }
        return counts;
    }

    private static int luma(SamplePicture picture, int x, int y) {
        return picture.get(0, x, y) >> (picture.bitDepth - 8);
    }

    private static int scaled(double value) {
        return (int) Math.round(256 * value);
    }

    private static void count8(StrengthHistograms counts, SamplePicture picture, int x, int y, boolean shifted) {
        int sum = 0;
        for (int u = 0; u < 4; u++) {
            for (int v = 0; v < 4; v++) {
                int coefficient = 0;
                for (int i = 0; i < 64; i++) {
                    int sample = luma(picture, x + i % 8, y + i / 8);
                    coefficient += sample * scaled(basis(u, i / 8)) * scaled(basis(v, i % 8));
                    sum += u + v == 0 ? sample : 0;
                }
                if (u + v >= 1 && u + v <= 3) {
                    counts.count(shifted ? StrengthHistograms.SHIFTED_8 : StrengthHistograms.ALIGNED_8, coefficient);
                } else if (u + v == 5) {
                    counts.count(
                            shifted ? StrengthHistograms.TEXTURE : StrengthHistograms.ALIGNED_TEXTURE, coefficient);
                }
            }
        }
        if (!shifted) {
            counts.countLuma(sum);
        }
    }

    private static void count4(StrengthHistograms counts, int kind, SamplePicture picture, int x, int y) {
        for (int u = 0; u < 3; u++) {
            for (int v = 0; v < 3; v++) {
                int coefficient = 0;
                for (int i = 0; i < 16; i++) {
                    coefficient += luma(picture, x + i % 4, y + i / 4) * basis4(u, i / 4) * basis4(v, i % 4);
                }
                if (u + v == 1 || u + v == 2) {
                    counts.count(kind, coefficient);
                }
            }
        }
    }

    private static int basis4(int u, int x) {
        return scaled((u == 0 ? 0.5 : Math.sqrt(0.5)) * Math.cos((2 * x + 1) * u * Math.PI / 8));
    }
}

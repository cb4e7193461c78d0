/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Fusion with what motion finds in the pictures around, block by block and sample by sample: slow, and independent of the kernels.
 * Chroma moves as luma does. Samples outside a picture repeat the nearest sample of the border.
 *
 * <p>With more than 8 bits, all that is counted in samples is so much larger: the threshold and what follows from it, the price of a
 * vector, and the change of mean at which a picture is left out. The factor of class A is taken from the threshold as it is given.
 */
public final class ReferenceTime {
    /** Blocks of motion, and of the transform. */
    private static final int BLOCK = 8;

    /** Around a block of motion: the samples by which it is compared, and which it predicts. */
    private static final int WINDOW = 16;

    /** Blocks across and down a square, of which is judged whether its mean drifts. */
    private static final int SQUARE = 8;

    /** The price of a vector on the small pictures, and on the whole one. */
    private static final int PRICE = 4;

    private static final int PRICE_WHOLE = 16;

    /** A block and its four neighbours. */
    private static final int[][] CROSS = {{0, 0}, {-1, 0}, {1, 0}, {0, -1}, {0, 1}};

    /** How much a block counts at each column and row of its window. */
    private static final int[] OVERLAP = {1, 3, 5, 7, 9, 11, 13, 15, 15, 13, 11, 9, 7, 5, 3, 1};

    /** One over one more than the number of references that count, in 32nds. */
    private static final int[] SHARE = {0, 16, 11, 8, 6};

    /** The most coefficients of each level but the last. */
    private static final int[] LEVELS = {0, 2, 5, 9};

    private static final int[] SHIFTS = {0, 2, 4, 6};

    /**
     * A picture that another one is fused with.
     *
     * @param source as shrinkage left it: motion is looked for in it
     * @param result what is taken from it: for a picture of the past what fusion made of it, for one of the future the same as
     *     {@code source}
     * @param comb the step of the quantiser on whose comb its coefficients stand; 0 if on none
     */
    public record Reference(SamplePicture source, SamplePicture result, int comb) {}

    private record Vector(int x, int y, int sad) {}

    private final SamplePicture source;

    /** The component at hand. */
    private final int component;

    private final int width;
    private final int height;
    private final int columns;
    private final int rows;

    /** The threshold in sixteenths of a sample of the picture's own depth. */
    private final int threshold;

    private final int scale;
    private final boolean guardsDrift;

    /** For each block: how much of its window differs from the window's mean, and what noise may add. */
    private final int[] texture;

    private ReferenceTime(SamplePicture source, int component, int threshold, boolean guardsDrift) {
        this.guardsDrift = guardsDrift;
        this.source = source;
        this.component = component;
        width = source.width(component);
        height = source.height(component);
        columns = (width + BLOCK - 1) / BLOCK;
        rows = (height + BLOCK - 1) / BLOCK;
        scale = 1 << (source.bitDepth - 8);
        this.threshold = threshold * scale;
        texture = new int[columns * rows];
        for (int block = 0; block < texture.length; block++) {
            texture[block] = deviation(block) + 8 * this.threshold;
        }
    }

    /**
     * The fused picture.
     *
     * @param source what shrinkage left
     * @param decoded the picture before all filters, from which the bound is counted
     * @param references those that exist, at most 4
     * @param threshold of shrinkage for luma, in sixteenths of an 8-bit sample; 0 for pictures that stay as they are
     * @param chromaThreshold that for chroma; 0 for chroma that stays as it is
     * @param comb the step of the quantiser on whose comb the picture's coefficients stand; 0 if on none
     * @param combs whether those of any picture of the stream do
     * @param column of luma in which a block of the codec begins, 0 to 7
     * @param row of luma in which a block of the codec begins, 0 to 7
     */
    public static SamplePicture apply(
            SamplePicture source,
            SamplePicture decoded,
            List<Reference> references,
            int threshold,
            int chromaThreshold,
            int comb,
            boolean combs,
            int column,
            int row) {
        SamplePicture result = source.copy();
        if (threshold == 0) {
            return result;
        }
        boolean intra = comb > 0 && references.stream().allMatch(one -> one.comb() > 0);
        int factor = intra ? Math.max(16, Math.min(12 + threshold / 20, 20)) : comb > 0 || combs ? 16 : 12;
        ReferenceTime luma = new ReferenceTime(source, 0, threshold, true);
        List<Prediction> predictions = luma.predict(finer(references, comb));
        luma.apply(predictions, factor, intra, decoded, column, row, result);
        for (int component = 1; component < source.components() && chromaThreshold > 0; component++) {
            ReferenceTime chroma = new ReferenceTime(source, component, chromaThreshold, true);
            if (!chroma.isCoded(decoded)) {
                continue;
            }
            int subWidth = source.chroma == PixelFormat.Chroma.FULL ? 1 : 2;
            int subHeight = source.chroma == PixelFormat.Chroma.HALF_BOTH ? 2 : 1;
            List<Prediction> same = predictions.stream()
                    .map(one -> chroma.predictAs(luma, one, subWidth, subHeight))
                    .toList();
            chroma.apply(same, factor, intra, decoded, column / subWidth, row / subHeight, result);
        }
        return result;
    }

    /** Luma of the same picture without the guard for drift. Parameters as above. */
    static SamplePicture applyWithoutDrift(
            SamplePicture source, SamplePicture decoded, List<Reference> references, int threshold, int comb) {
        SamplePicture result = source.copy();
        ReferenceTime luma = new ReferenceTime(source, 0, threshold, false);
        int factor = Math.max(16, Math.min(12 + threshold / 20, 20));
        luma.apply(luma.predict(finer(references, comb)), factor, true, decoded, 0, 0, result);
        return result;
    }

    /** Whether shrinkage changed the component by a 64th of its threshold, a sixteenth of a sample each, on average. */
    private boolean isCoded(SamplePicture decoded) {
        long changed = 0;
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                changed += Math.abs(sample(x, y) - decoded.get(component, x, y));
            }
        }
        // Samples are counted by 1024, rounded up.
        return changed >= threshold * (((long) width * height + 1023) / 1024);
    }

    /** Fuses the component at hand into the result. */
    private void apply(
            List<Prediction> predictions,
            int factor,
            boolean intra,
            SamplePicture decoded,
            int column,
            int row,
            SamplePicture result) {
        if (predictions.isEmpty()) {
            return;
        }
        fuse(predictions, (threshold * factor + 4) >> 3, result);
        int bound = (threshold * (intra ? 10 : 6) + 8) >> 4;
        ReferenceShrinkage.bound(result, decoded, component, bound, column, row);
    }

    /** How many of the references no guard leaves out of the whole picture. Parameters as above. */
    public static int kept(SamplePicture source, List<Reference> references, int threshold, int comb) {
        return new ReferenceTime(source, 0, threshold, true)
                .predict(finer(references, comb))
                .size();
    }

    /** Those that were not quantised much more coarsely than the picture. */
    private static List<Reference> finer(List<Reference> references, int comb) {
        return references.stream()
                .filter(one -> comb == 0 || one.comb() * 3 <= comb * 5)
                .toList();
    }

    private static int clamp(int value, int low, int high) {
        return Math.max(low, Math.min(value, high));
    }

    private int deviation(int block) {
        int left = block % columns * BLOCK - 4;
        int top = block / columns * BLOCK - 4;
        int sum = 0;
        for (int y = 0; y < WINDOW; y++) {
            for (int x = 0; x < WINDOW; x++) {
                sum += sample(left + x, top + y);
            }
        }
        int mean = (sum + 128) >> 8;
        int deviation = 0;
        for (int y = 0; y < WINDOW; y++) {
            for (int x = 0; x < WINDOW; x++) {
                deviation += Math.abs(sample(left + x, top + y) - mean);
            }
        }
        return deviation;
    }

    private int sample(int x, int y) {
        return source.get(component, clamp(x, 0, width - 1), clamp(y, 0, height - 1));
    }

    /**
     * What a reference predicts: the vectors of blocks, samples less those of the picture, in which blocks they may be used, and in which
     * their mean may not.
     */
    private static final class Prediction {
        final SamplePicture from;
        final Vector[] vectors;
        final int[] difference;
        final boolean[] kept;
        final boolean[] drifts;

        Prediction(SamplePicture from, Vector[] vectors, int[] difference, boolean[] kept, boolean[] drifts) {
            this.from = from;
            this.vectors = vectors;
            this.difference = difference;
            this.kept = kept;
            this.drifts = drifts;
        }
    }

    /** What is predicted of chroma: by the mean of the vectors of luma's blocks in a block, where three quarters of these are kept. */
    private Prediction predictAs(ReferenceTime luma, Prediction ofLuma, int subWidth, int subHeight) {
        Vector[] vectors = new Vector[columns * rows];
        boolean[] kept = new boolean[columns * rows];
        int all = subWidth * subHeight;
        for (int block = 0; block < vectors.length; block++) {
            int x = 0;
            int y = 0;
            int count = 0;
            for (int i = 0; i < all; i++) {
                int column = Math.min(block % columns * subWidth + i % subWidth, luma.columns - 1);
                int row = Math.min(block / columns * subHeight + i / subWidth, luma.rows - 1);
                Vector one = ofLuma.vectors[row * luma.columns + column];
                x += one.x;
                y += one.y;
                count += ofLuma.kept[row * luma.columns + column] ? 1 : 0;
            }
            vectors[block] = new Vector(rounded(x, all * subWidth), rounded(y, all * subHeight), 0);
            kept[block] = 4 * count >= 3 * all;
        }
        int[] difference = predict(ofLuma.from, vectors);
        return new Prediction(ofLuma.from, vectors, difference, kept, drifts(difference));
    }

    /** A quotient, rounded to the nearest whole number; halves upwards. */
    private static int rounded(int number, int divisor) {
        return (int) Math.floor((double) number / divisor + 0.5);
    }

    private List<Prediction> predict(List<Reference> references) {
        List<Prediction> predictions = new ArrayList<>();
        for (Reference reference : references) {
            Vector[] vectors = motion(reference.source());
            int[] difference = predict(reference.result(), vectors);
            long change = 0;
            for (int one : difference) {
                change += one;
            }
            long sads = 0;
            long textures = 0;
            boolean[] kept = new boolean[vectors.length];
            for (int block = 0; block < vectors.length; block++) {
                sads += vectors[block].sad;
                textures += texture[block];
                kept[block] = 10L * vectors[block].sad <= 7L * texture[block];
            }
            if (10 * sads <= 7 * textures && Math.abs(change) <= (long) width * height * scale) {
                predictions.add(new Prediction(reference.result(), vectors, difference, kept, drifts(difference)));
            }
        }
        return predictions;
    }

    /**
     * In which blocks the prediction is brighter or darker as a whole: in its square of 64x64 samples, which begins 4 samples before that of its
     * corner, the differences are more than an eighth of an 8-bit sample on average, and more than half of the sizes that they have by 8x8.
     */
    private boolean[] drifts(int[] difference) {
        boolean[] drifts = new boolean[columns * rows];
        for (int block = 0; block < drifts.length; block++) {
            int left = block % columns / SQUARE * SQUARE * BLOCK - 4;
            int top = block / columns / SQUARE * SQUARE * BLOCK - 4;
            int samples = 0;
            int sum = 0;
            int sizes = 0;
            for (int corner = 0; corner < SQUARE * SQUARE; corner++) {
                int own = 0;
                for (int i = 0; i < BLOCK * BLOCK; i++) {
                    int x = left + corner % SQUARE * BLOCK + i % BLOCK;
                    int y = top + corner / SQUARE * BLOCK + i / BLOCK;
                    if (x >= 0 && x < width && y >= 0 && y < height) {
                        own += difference[y * width + x];
                        samples++;
                    }
                }
                sum += own;
                sizes += Math.abs(own);
            }
            drifts[block] = guardsDrift && 8 * Math.abs(sum) > samples * scale && 2 * Math.abs(sum) > sizes;
        }
        return drifts;
    }

    /** The best vector of each block, in quarter samples, from coarse to fine. */
    private Vector[] motion(SamplePicture from) {
        Luma here = new Luma(source);
        Luma there = new Luma(from);
        Luma here1 = here.half();
        Luma there1 = there.half();
        Luma here2 = here1.half();
        Luma there2 = there1.half();
        Vector[] coarse = new Vector[here2.columns() * here2.rows()];
        for (int block = 0; block < coarse.length; block++) {
            coarse[block] = searchWidely(here2, there2, block);
        }
        Vector[] middle = new Vector[here1.columns() * here1.rows()];
        for (int block = 0; block < middle.length; block++) {
            middle[block] = refine(here1, there1, block, coarse, here2);
        }
        QuarterSamples quarters = new QuarterSamples(from, 0);
        Vector[] fine = new Vector[columns * rows];
        for (int block = 0; block < fine.length; block++) {
            fine[block] = refine(quarters, block, middle, here1);
        }
        return fine;
    }

    private Vector searchWidely(Luma here, Luma there, int block) {
        int left = block % here.columns() * BLOCK;
        int top = block / here.columns() * BLOCK;
        Vector best = null;
        int least = Integer.MAX_VALUE;
        for (int y = -7; y <= 7; y++) {
            for (int x = -7; x <= 7; x++) {
                int sad = here.sad(there, left, top, x, y);
                int cost = sad + PRICE * scale * (Math.abs(x) + Math.abs(y));
                if (cost < least) {
                    least = cost;
                    best = new Vector(x, y, sad);
                }
            }
        }
        return best;
    }

    private Vector refine(Luma here, Luma there, int block, Vector[] coarse, Luma coarser) {
        int column = block % here.columns();
        int row = block / here.columns();
        Search search = new Search(PRICE * scale, 18) {
            @Override
            int sad(int x, int y) {
                return here.sad(there, column * BLOCK, row * BLOCK, x, y);
            }
        };
        search.tryCoarse(column, row, coarse, coarser, 2);
        search.tryAround(1);
        return search.best;
    }

    private Vector refine(QuarterSamples there, int block, Vector[] middle, Luma coarser) {
        int column = block % columns;
        int row = block / columns;
        Search search = new Search(PRICE_WHOLE * scale, 38 * 4) {
            @Override
            int sad(int x, int y) {
                int sad = 0;
                for (int i = -4; i < WINDOW - 4; i++) {
                    for (int j = -4; j < WINDOW - 4; j++) {
                        int atX = column * BLOCK + j;
                        int atY = row * BLOCK + i;
                        sad += Math.abs(sample(atX, atY) - there.get(4 * atX + x, 4 * atY + y));
                    }
                }
                return sad;
            }
        };
        search.tryCoarse(column, row, middle, coarser, 8);
        search.tryAround(4);
        search.tryAround(2);
        search.tryAround(1);
        return search.best;
    }

    /** Looks for the vector that costs least; of equals, the first one that was tried. */
    private abstract static class Search {
        private final int price;
        private final int farthest;
        private Vector best;
        private int least = Integer.MAX_VALUE;

        Search(int price, int farthest) {
            this.price = price;
            this.farthest = farthest;
        }

        abstract int sad(int x, int y);

        private void tryOne(int x, int y) {
            int sad = sad(x, y);
            int cost = sad + (x == 0 && y == 0 ? 0 : price);
            if (cost < least) {
                least = cost;
                best = new Vector(x, y, sad);
            }
        }

        /** Tries what was found for the block of a smaller picture that this one lies in and for its neighbours, then no motion. */
        void tryCoarse(int column, int row, Vector[] vectors, Luma coarser, int times) {
            for (int[] step : CROSS) {
                int x = clamp(column / 2 + step[0], 0, coarser.columns() - 1);
                int y = clamp(row / 2 + step[1], 0, coarser.rows() - 1);
                Vector vector = vectors[y * coarser.columns() + x];
                tryOne(vector.x * times, vector.y * times);
            }
            tryOne(0, 0);
        }

        void tryAround(int distance) {
            Vector centre = best;
            for (int y = -1; y <= 1; y++) {
                for (int x = -1; x <= 1; x++) {
                    if (x != 0 || y != 0) {
                        tryOne(
                                clamp(centre.x + x * distance, -farthest, farthest),
                                clamp(centre.y + y * distance, -farthest, farthest));
                    }
                }
            }
        }
    }

    /** Whole samples of a picture, or of one half or a quarter as wide and high. */
    private static final class Luma {
        private final int width;
        private final int height;
        private final int[] samples;

        private Luma(int width, int height) {
            this.width = width;
            this.height = height;
            samples = new int[width * height];
        }

        Luma(SamplePicture picture) {
            this(picture.width, picture.height);
            for (int i = 0; i < samples.length; i++) {
                samples[i] = picture.get(0, i % width, i / width);
            }
        }

        int columns() {
            return (width + BLOCK - 1) / BLOCK;
        }

        int rows() {
            return (height + BLOCK - 1) / BLOCK;
        }

        int get(int x, int y) {
            return samples[clamp(y, 0, height - 1) * width + clamp(x, 0, width - 1)];
        }

        Luma half() {
            Luma half = new Luma((width + 1) / 2, (height + 1) / 2);
            for (int y = 0; y < half.height; y++) {
                for (int x = 0; x < half.width; x++) {
                    int sum = get(2 * x, 2 * y)
                            + get(2 * x + 1, 2 * y)
                            + get(2 * x, 2 * y + 1)
                            + get(2 * x + 1, 2 * y + 1);
                    half.samples[y * half.width + x] = (sum + 2) >> 2;
                }
            }
            return half;
        }

        int sad(Luma there, int left, int top, int x, int y) {
            int sad = 0;
            for (int i = 0; i < BLOCK; i++) {
                for (int j = 0; j < BLOCK; j++) {
                    sad += Math.abs(get(left + j, top + i) - there.get(left + j + x, top + i + y));
                }
            }
            return sad;
        }
    }

    /** A picture's luma at every quarter of a sample, by the regular 8 taps of VP9: along the rows first. */
    private static final class QuarterSamples {
        private static final int[][] TAPS = {
            {0, 0, 0, 128, 0, 0, 0, 0},
            {-1, 4, -16, 112, 37, -11, 4, -1},
            {-1, 6, -19, 78, 78, -19, 6, -1},
            {-1, 4, -11, 37, 112, -16, 4, -1}
        };

        /** Beyond this distance from the picture, all samples are those of the border. */
        private static final int MARGIN = 4;

        private final int largest;
        private final int width;
        private final int height;

        /** Index: quarters down, quarters across. Each has the margin all around. */
        private final int[][][] samples = new int[4][4][];

        QuarterSamples(SamplePicture picture, int component) {
            largest = (1 << picture.bitDepth) - 1;
            width = picture.width(component) + 2 * MARGIN;
            height = picture.height(component) + 2 * MARGIN;
            int[] whole = new int[width * height];
            for (int i = 0; i < whole.length; i++) {
                whole[i] = picture.get(
                        component,
                        clamp(i % width - MARGIN, 0, picture.width(component) - 1),
                        clamp(i / width - MARGIN, 0, picture.height(component) - 1));
            }
            for (int across = 0; across < 4; across++) {
                samples[0][across] = filter(whole, TAPS[across], 1, 0);
                for (int down = 1; down < 4; down++) {
                    samples[down][across] = filter(samples[0][across], TAPS[down], 0, 1);
                }
            }
        }

        private int[] filter(int[] in, int[] taps, int stepX, int stepY) {
            int[] out = new int[in.length];
            for (int i = 0; i < in.length; i++) {
                int sum = 64;
                for (int tap = 0; tap < 8; tap++) {
                    int x = clamp(i % width + (tap - 3) * stepX, 0, width - 1);
                    int y = clamp(i / width + (tap - 3) * stepY, 0, height - 1);
                    sum += taps[tap] * in[y * width + x];
                }
                out[i] = clamp(sum >> 7, 0, largest);
            }
            return out;
        }

        /** The sample at a place in quarter samples. */
        int get(int x, int y) {
            int column = clamp((x >> 2) + MARGIN, 0, width - 1);
            int row = clamp((y >> 2) + MARGIN, 0, height - 1);
            return samples[y & 3][x & 3][row * width + column];
        }
    }

    /** Predicts each sample by the four blocks around it. Returns the predictions less the picture's own samples. */
    private int[] predict(SamplePicture from, Vector[] vectors) {
        QuarterSamples quarters = new QuarterSamples(from, component);
        int[] difference = new int[width * height];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int sum = 0;
                for (int row = ((y + 4) >> 3) - 1; row <= (y + 4) >> 3; row++) {
                    for (int column = ((x + 4) >> 3) - 1; column <= (x + 4) >> 3; column++) {
                        Vector vector = vectors[clamp(row, 0, rows - 1) * columns + clamp(column, 0, columns - 1)];
                        int weight = OVERLAP[y - row * BLOCK + 4] * OVERLAP[x - column * BLOCK + 4];
                        sum += weight * quarters.get(4 * x + vector.x, 4 * y + vector.y);
                    }
                }
                difference[y * width + x] = ((sum + 128) >> 8) - sample(x, y);
            }
        }
        return difference;
    }

    private void fuse(List<Prediction> predictions, int strength, SamplePicture result) {
        int[] sums = new int[width * height];
        for (int shift : SHIFTS) {
            for (int top = shift - BLOCK; top < height; top += BLOCK) {
                for (int left = shift - BLOCK; left < width; left += BLOCK) {
                    int[][] change = fuse(left, top, predictions, strength);
                    for (int y = Math.max(0, -top); y < BLOCK && top + y < height; y++) {
                        for (int x = Math.max(0, -left); x < BLOCK && left + x < width; x++) {
                            sums[(top + y) * width + left + x] += change[y][x];
                        }
                    }
                }
            }
        }
        int largest = (1 << source.bitDepth) - 1;
        for (int i = 0; i < sums.length; i++) {
            int x = i % width;
            int y = i / width;
            result.set(component, x, y, clamp(sample(x, y) + ((sums[i] + 64) >> 7), 0, largest));
        }
    }

    /** What one block adds to its samples, times 32. */
    private int[][] fuse(int left, int top, List<Prediction> predictions, int strength) {
        int[][] own = new int[BLOCK][BLOCK];
        for (int y = 0; y < BLOCK; y++) {
            for (int x = 0; x < BLOCK; x++) {
                own[y][x] = sample(left + x, top + y);
            }
        }
        ReferenceShrinkage.forward(own);
        int large = 0;
        for (int u = 0; u < BLOCK; u++) {
            for (int v = 0; v < BLOCK; v++) {
                large += Math.abs(own[u][v]) > (threshold * ReferenceShrinkage.norm(u, v) + 2048) >> 12 ? 1 : 0;
            }
        }
        int level = 0;
        while (level < LEVELS.length && Math.max(large - 1, 0) > LEVELS[level]) {
            level++;
        }
        int[][] sums = new int[BLOCK][BLOCK];
        int[][] counts = new int[BLOCK][BLOCK];
        int guarded = clamp((top + 4) >> 3, 0, rows - 1) * columns + clamp((left + 4) >> 3, 0, columns - 1);
        for (Prediction prediction : predictions) {
            if (prediction.kept[guarded]) {
                add(left, top, prediction, guarded, (strength * (4 + level) + 4) >> 3, sums, counts);
            }
        }
        for (int u = 0; u < BLOCK; u++) {
            for (int v = 0; v < BLOCK; v++) {
                int mean = (sums[u][v] * SHARE[counts[u][v]] + 16) >> 5;
                sums[u][v] = (mean * ReferenceShrinkage.scale(u, v) + 32) >> 6;
            }
        }
        ReferenceShrinkage.inverse(sums);
        return sums;
    }

    /** Adds what of a reference's coefficients counts: all where it differs little, less from half the threshold on, then nothing. */
    private void add(
            int left, int top, Prediction prediction, int guarded, int strength, int[][] sums, int[][] counts) {
        int[] difference = prediction.difference;
        int[][] block = new int[BLOCK][BLOCK];
        for (int y = 0; y < BLOCK; y++) {
            for (int x = 0; x < BLOCK; x++) {
                block[y][x] = difference[clamp(top + y, 0, height - 1) * width + clamp(left + x, 0, width - 1)];
            }
        }
        ReferenceShrinkage.forward(block);
        for (int u = 0; u < BLOCK; u++) {
            for (int v = 0; v < BLOCK; v++) {
                int limit = (strength * ReferenceShrinkage.norm(u, v) + 2048) >> 12;
                boolean leftOut = u + v == 0 && prediction.drifts[guarded];
                int most = leftOut ? 0 : Math.max(0, limit - Math.abs(block[u][v]));
                sums[u][v] += clamp(block[u][v], -most, most);
                counts[u][v] += most > 0 ? 1 : 0;
            }
        }
    }
}

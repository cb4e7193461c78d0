/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.cpu.CpuPictureFilter;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.ShrinkageTransform;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Runs temporal fusion from one picture into another. Belongs to one {@link CpuPictureFilter}; {@link #work} runs on all workers at
 * once. Keeps what other pictures need of the last ones, in arrays that are made for the first pictures. A picture that is fused with those
 * after it is kept by {@link #run}, and fused by {@link #complete}.
 *
 * <p>A picture goes through steps, each a pass over rows of blocks that may be taken in any order.
 */
final class TimePicture extends TimeJob implements CpuStage {
    /** Parts for each thread, so that all threads end at about the same time. */
    private static final int TILES_A_THREAD = 3;

    private static final int LEAST_BANDS = 4;

    private enum Step {
        READ,
        HALVE,
        QUARTER,
        PREDICT,
        FUSE,
        WRITE
    }

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int threads;
    private final VectorUse vectors;

    /** Of luma and of chroma. */
    private final TimeLimits limits;

    private final TimeLimits chromaLimits;
    private final int components;

    /** The memory that all stages hold. */
    private final AtomicLong scratchBytes;

    /** The part of it that pictures before and predictions take. */
    private long heldBytes;

    /** By sequence, null before its first picture. */
    private final TimeHistory[] histories = new TimeHistory[RowFilter.SEQUENCES];

    private int sequence;

    // Null before the first picture, and made anew where another number of pictures ahead is asked for.
    private Worker[] workers;

    /** By component. */
    private final TimeFusion[] fusions;

    private TimeMotion motion;

    /** For each corner of blocks, of one component at a time: what the samples predicted around it differ by, in all. */
    private int[][] changes;

    /** True if the stage runs. */
    private boolean runs;

    private int threshold;
    private int chromaThreshold;

    /** As of {@link PastPicture}. */
    private int comb;

    private boolean combs;

    /** How many pictures after it a picture is fused with, and that number of what is made. */
    private int ahead;

    private int madeFor;

    /** The picture at hand. */
    private PastPicture picture;

    /** The pictures that it is fused with. */
    private final PastPicture[] references = new PastPicture[TimeFusion.MOST_REFERENCES];

    /** What each of them predicts by, by component: of a picture before what fusion made of it, of one after what shrinkage left. */
    private final TimePlane[][] predicted = new TimePlane[TimeFusion.MOST_REFERENCES][];

    private int count;

    /** How many references pictures have had, and how many of these a guard has left out. */
    private long allReferences;

    private long dropped;

    private Step step;
    private CpuPlace source;
    private CpuPlace decoded;
    private CpuPlace destination;
    private int gridColumn;
    private int gridRow;
    private int component;

    /** Whether the component at hand is fused. */
    private boolean fuses;

    TimePicture(PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        this.scratchBytes = scratchBytes;
        this.format = format;
        this.width = width;
        this.height = height;
        this.threads = threads;
        this.vectors = vectors;
        limits = new TimeLimits(format.bitDepth());
        chromaLimits = new TimeLimits(format.bitDepth());
        components = format.hasChroma() ? 3 : 1;
        fusions = new TimeFusion[components];
    }

    @Override
    public void configure(FilterParameters wanted) {
        runs = wanted.time().isPresent();
        if (runs) {
            TimeParameters parameters = wanted.time().get();
            threshold = parameters.threshold();
            chromaThreshold = parameters.chromaThreshold();
            comb = parameters.comb();
            combs = parameters.combs();
            ahead = parameters.ahead();
        } else {
            forgetPast();
        }
    }

    /** No decoder gives parameters of fusion. */
    @Override
    public void configure(PictureParameters own) {
        runs = false;
        forgetPast();
    }

    @Override
    public void measured(int comb, boolean combs) {
        this.comb = comb;
        this.combs = combs;
    }

    @Override
    public void setSequence(int sequence) {
        this.sequence = sequence;
    }

    @Override
    public void forgetPast() {
        for (TimeHistory history : histories) {
            if (history != null) {
                history.turns.forget();
            }
        }
    }

    @Override
    public FusionCounts fusion() {
        int held = 0;
        for (TimeHistory history : histories) {
            held += history == null ? 0 : history.turns.held();
        }
        return new FusionCounts(held, allReferences, dropped);
    }

    @Override
    public boolean changesPictures() {
        return runs;
    }

    @Override
    public void run(Workers workers, CpuPlace from, CpuPlace decoded, CpuPlace to, int offset) {
        source = from;
        this.decoded = decoded;
        TimeHistory history = history();
        vectors.expect(Time.FILTER, format, (width + 63) / 64 * ((height + 63) / 64));
        picture = history.at(history.turns.begin());
        picture.threshold = threshold;
        picture.chromaThreshold = chromaThreshold;
        picture.comb = comb;
        picture.combs = combs;
        for (component = 0; component < components; component++) {
            TimePlane plane = picture.sources[component];
            picture.changed.set(component, 0);
            go(workers, Step.READ, plane.rows);
            plane.repeatDown();
        }
        go(workers, Step.HALVE, picture.half.rows);
        picture.half.repeatDown();
        go(workers, Step.QUARTER, picture.quarter.rows);
        picture.quarter.repeatDown();
        if (ahead == 0) {
            complete(workers, decoded, to, offset);
        }
    }

    @Override
    public void complete(Workers workers, CpuPlace decoded, CpuPlace to, int offset) {
        this.decoded = decoded;
        destination = to;
        gridColumn = offset & 7;
        gridRow = offset >> 3;
        TimeHistory history = histories[sequence];
        TimeTurns turns = history.turns;
        picture = history.at(turns.waiting(0));
        count = 0;
        allReferences += turns.others();
        if (picture.threshold > 0) {
            for (int i = 0; i < turns.known(); i++) {
                references[count] = history.at(turns.past(i));
                predicted[count] = references[count].results;
                count++;
            }
            for (int i = 1; i < turns.waiting(); i++) {
                references[count] = history.at(turns.waiting(i));
                predicted[count] = references[count].sources;
                count++;
            }
        }
        boolean used = count > 0 && findMotion(workers);
        for (component = 0; component < components; component++) {
            TimePlane from = picture.sources[component];
            TimePlane result = picture.results[component];
            fuses = used && (component == 0 || picture.isCoded(component, format.bitDepth() - 8));
            if (fuses) {
                fuse(workers);
            } else {
                System.arraycopy(from.samples, 0, result.samples, 0, from.samples.length);
            }
            go(workers, Step.WRITE, from.rows + 1);
            result.repeatDown();
        }
        turns.keep();
    }

    /** The pictures of the sequence at hand. */
    private TimeHistory history() {
        if (workers == null || madeFor != ahead) {
            make();
        }
        if (histories[sequence] == null) {
            histories[sequence] = new TimeHistory(format, width, height, ahead);
            hold(histories[sequence].bytes());
        }
        return histories[sequence];
    }

    private void make() {
        hold(-heldBytes);
        Arrays.fill(histories, null);
        madeFor = ahead;
        int references = new TimeTurns(ahead).references();
        for (int component = 0; component < components; component++) {
            TimeLimits own = component == 0 ? limits : chromaLimits;
            fusions[component] = new TimeFusion(own, references, format, component, width, height);
            hold((long) Short.BYTES * references * fusions[component].differences[0].samples.length);
        }
        workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new Worker();
        }
        TimePlane whole = fusions[0].differences[0];
        changes = new int[references][(whole.rows + 1) * (whole.columns + 1)];
        motion = new TimeMotion(format, vectors, limits, fusions[0].high, whole, references, threads);
        hold(motion.bytes());
    }

    private void hold(long bytes) {
        heldBytes += bytes;
        scratchBytes.addAndGet(bytes);
    }

    @Override
    public void close() {
        hold(-heldBytes);
    }

    /** Finds where the references show the same. Returns false if none of them does. */
    private boolean findMotion(Workers workers) {
        boolean intra = picture.comb > 0;
        for (int i = 0; i < count; i++) {
            intra &= references[i].comb > 0;
        }
        boolean combs = picture.comb > 0 || picture.combs;
        limits.set(picture.threshold, picture.threshold, combs, intra);
        chromaLimits.set(picture.chromaThreshold, picture.threshold, combs, intra);
        motion.find(workers, picture, references, count);
        predict(workers, 0);
        return guard();
    }

    /** Predicts a component, and judges that of each reference by its squares. */
    private void predict(Workers workers, int component) {
        this.component = component;
        TimeFusion fusion = fusions[component];
        fusion.source = picture.sources[component];
        fusion.result = picture.results[component];
        go(workers, Step.PREDICT, count * (fusion.source.rows + 1));
        for (int i = 0; i < count; i++) {
            fusion.differences[i].repeatDown();
        }
    }

    /** Fuses the component at hand, of which luma is predicted already. */
    private void fuse(Workers workers) {
        if (component > 0) {
            predict(workers, component);
            for (int i = 0; i < fusions[component].references; i++) {
                fusions[component].used[i] = fusions[0].used[i];
                if (fusions[0].used[i]) {
                    judgeSquares(i);
                    keepAsLuma(i);
                }
            }
        }
        go(workers, Step.FUSE, (picture.sources[component].rows + tileBands() - 1) / tileBands());
    }

    /** A block of chroma is kept where three quarters of luma's blocks in it are. */
    private void keepAsLuma(int reference) {
        TimePlane chroma = picture.sources[component];
        boolean[] kept = fusions[0].kept[reference];
        int all = format.subWidth() * format.subHeight();
        for (int block = 0; block < chroma.rows * chroma.columns; block++) {
            int count = 0;
            for (int i = 0; i < all; i++) {
                count += kept[motion.blockOfLuma(block % chroma.columns, block / chroma.columns, i)] ? 1 : 0;
            }
            fusions[component].kept[reference][block] = 4 * count >= 3 * all;
        }
    }

    /** Bands that are fused one after the other: above the first, a row of blocks is transformed that another part has, too. */
    private int tileBands() {
        return Math.max(LEAST_BANDS, (picture.sources[component].rows - 1) / (TILES_A_THREAD * threads) + 1);
    }

    private void go(Workers workers, Step step, int parts) {
        this.step = step;
        go(workers, parts);
    }

    /** Decides which references are used, and where. Returns whether any is. */
    private boolean guard() {
        boolean any = false;
        TimeFusion fusion = fusions[0];
        for (int i = 0; i < fusion.references; i++) {
            fusion.used[i] = i < count && guard(i);
            any |= fusion.used[i];
            dropped += i < count && !fusion.used[i] ? 1 : 0;
        }
        return any;
    }

    private boolean guard(int reference) {
        boolean matches = motion.judge(reference, fusions[0].kept[reference]);
        long change = judgeSquares(reference);
        return !references[reference].isCoarseFor(picture)
                && matches
                && Math.abs(change) <= (long) width * height * limits.mostChange();
    }

    /**
     * Finds the squares that are brighter or darker in a prediction as a whole: by more than an eighth of an 8-bit sample, which more than half of
     * what corners differ by adds up to. Motion that is found wrongly differs both ways. Returns what all differ by.
     */
    private long judgeSquares(int reference) {
        TimePlane plane = picture.sources[component];
        boolean[] drifts = fusions[component].drifts[reference];
        int across = TimeFusion.squares(plane.columns);
        long all = 0;
        for (int square = 0; square < drifts.length; square++) {
            int left = square % across * TimeFusion.SQUARE;
            int top = square / across * TimeFusion.SQUARE;
            int right = Math.min(left + TimeFusion.SQUARE, plane.columns + 1);
            int bottom = Math.min(top + TimeFusion.SQUARE, plane.rows + 1);
            int sum = 0;
            int sizes = 0;
            for (int row = top; row < bottom; row++) {
                for (int column = left; column < right; column++) {
                    int change = changes[reference][row * (plane.columns + 1) + column];
                    sum += change;
                    sizes += Math.abs(change);
                }
            }
            int samples = (Math.min(8 * right - 4, plane.width) - Math.max(0, 8 * left - 4))
                    * (Math.min(8 * bottom - 4, plane.height) - Math.max(0, 8 * top - 4));
            drifts[square] = 8 * Math.abs(sum) > samples * limits.mostChange() && 2 * Math.abs(sum) > sizes;
            all += sum;
        }
        return all;
    }

    @Override
    void part(int worker, int part) {
        workers[worker].work(part);
    }

    /** Where a row of the component at hand begins, at its first sample. */
    private long rowOf(CpuPlace place, int y) {
        int plane = component == 0 ? 0 : component == 1 ? format.cbPlane() : format.crPlane();
        int first = component == 0 ? 0 : component == 1 ? format.cbFirstSample() : format.crFirstSample();
        return place.row(plane, y) + (long) first * format.sampleBytes();
    }

    /** Bytes from one sample of the component at hand to the next. */
    private int step() {
        return format.sampleBytes() * (component == 0 ? 1 : format.chromaPixelStep());
    }

    private int get(long at) {
        int sample = format.sampleBytes() == 1 ? memGetByte(at) : memGetShort(at) >> format.sampleShift();
        return (sample & format.peak()) + fusions[0].low;
    }

    /** What one thread needs. */
    private final class Worker {
        private final TimeKernel plain = new PlainTimeKernel(width);

        /** Used only if the JVM offers vectors. */
        private final TimeKernel vector = TimeKernel.inVectors(vectors, format, width, plain);

        /** The same for rows of chroma. */
        private final TimeKernel chromaVector = TimeKernel.inVectors(vectors, format, format.chromaWidth(width), plain);

        /** Samples of a window between others. */
        private final short[] across = new short[15 * 16];

        private final short[] window = new short[8 * 16];
        private final int sumsStride = 8 * fusions[0].differences[0].columns + 32;
        private final int[] sums = new int[8 * sumsStride];
        private final int[] block = new int[64];

        void work(int part) {
            boolean inVectors = vectors.inUse(Time.FILTER, format);
            TimeKernel kernel = !inVectors ? plain : component == 0 ? vector : chromaVector;
            switch (step) {
                case READ -> read(part);
                case HALVE -> halve(picture.half, picture.sources[0], part);
                case QUARTER -> halve(picture.quarter, picture.half, part);
                case PREDICT -> predict(kernel, part);
                case FUSE ->
                    kernel.fuse(
                            fusions[component],
                            part * tileBands(),
                            Math.min((part + 1) * tileBands(), picture.sources[component].rows));
                case WRITE -> write(part);
            }
        }

        private void read(int band) {
            TimePlane plane = picture.sources[component];
            int step = step();
            int changed = 0;
            for (int y = 8 * band; y < Math.min(8 * band + 8, plane.height); y++) {
                long row = rowOf(source, y);
                int to = plane.at(0, y);
                for (int x = 0; x < plane.width; x++) {
                    plane.samples[to + x] = (short) get(row + (long) x * step);
                }
                plane.repeatAcross(y);
                if (component > 0) {
                    long before = rowOf(decoded, y);
                    for (int x = 0; x < plane.width; x++) {
                        changed += Math.abs(plane.samples[to + x] - get(before + (long) x * step));
                    }
                }
            }
            picture.changed.addAndGet(component, changed);
        }

        private void halve(TimePlane to, TimePlane from, int band) {
            for (int y = 8 * band; y < Math.min(8 * band + 8, to.height); y++) {
                to.halve(from, y);
            }
        }

        /** Predicts 8 rows, of which the windows of two rows of blocks hold one half each. */
        private void predict(TimeKernel kernel, int part) {
            int reference = part % count;
            int strip = part / count;
            TimePlane here = picture.sources[component];
            TimePlane from = predicted[reference][component];
            Arrays.fill(sums, 0);
            for (int half = 0; half < 2; half++) {
                int row = Math.max(0, Math.min(strip - 1 + half, here.rows - 1));
                for (int column = -1; column <= here.columns; column++) {
                    int inside = Math.max(0, Math.min(column, here.columns - 1));
                    add(kernel, from, motion.vectorOf(reference, component, inside, row), column, strip, 8 - 8 * half);
                }
            }
            TimePlane to = fusions[component].differences[reference];
            int[] change = changes[reference];
            int corners = strip * (here.columns + 1);
            Arrays.fill(change, corners, corners + here.columns + 1, 0);
            for (int y = Math.max(0, 8 * strip - 4); y < Math.min(8 * strip + 4, here.height); y++) {
                int sum = (y - 8 * strip + 4) * sumsStride + 12;
                int at = here.at(0, y);
                for (int x = 0; x < here.width; x++) {
                    to.samples[at + x] = (short) (((sums[sum + x] + 128) >> 8) - here.samples[at + x]);
                }
                for (int corner = 0; corner <= here.columns; corner++) {
                    int own = 0;
                    for (int x = Math.max(0, 8 * corner - 4); x < Math.min(8 * corner + 4, here.width); x++) {
                        own += to.samples[at + x];
                    }
                    change[corners + corner] += own;
                }
                to.repeatAcross(y);
            }
        }

        /** Adds one half of what a block predicts. */
        private void add(TimeKernel kernel, TimePlane from, int vector, int column, int strip, int firstWeight) {
            int x = TimeSearch.x(vector);
            int y = TimeSearch.y(vector);
            int at = from.at(8 * column - 4 + (x >> 2), 8 * strip - 4 + (y >> 2));
            int stride = from.stride;
            int to = 8 * column - 4 + 12;
            short[] samples = from.samples;
            if ((x & 3) != 0) {
                boolean alone = (y & 3) == 0;
                int rows = alone ? 8 : 15;
                int first = alone ? at : at - 3 * stride;
                for (int i = 0; i < rows; i++) {
                    kernel.filter(samples, first + i * stride, 1, across, 16 * i, 16, x & 3, fusions[0].high);
                }
                samples = across;
                at = alone ? 0 : 3 * 16;
                stride = 16;
            }
            if ((y & 3) != 0) {
                for (int i = 0; i < 8; i++) {
                    kernel.filter(samples, at + i * stride, stride, window, 16 * i, 16, y & 3, fusions[0].high);
                }
                samples = window;
                at = 0;
                stride = 16;
            }
            kernel.weigh(samples, at, stride, firstWeight, sums, to, sumsStride);
        }

        /** Bounds the blocks of the codec's grid in 8 rows, and writes these. */
        private void write(int part) {
            int column = gridColumn / (component == 0 ? 1 : format.subWidth());
            int row = gridRow / (component == 0 ? 1 : format.subHeight());
            int first = 8 * part - (-row & 7);
            TimePlane plane = picture.results[component];
            if (fuses && first >= 0 && first + 8 <= plane.height) {
                for (int left = column; left + 8 <= plane.width; left += 8) {
                    bound(plane, left, first);
                }
            }
            int step = step();
            for (int y = Math.max(0, first); y < Math.min(first + 8, plane.height); y++) {
                long to = rowOf(destination, y);
                int at = plane.at(0, y);
                for (int x = 0; x < plane.width; x++) {
                    int sample = plane.samples[at + x] - fusions[0].low;
                    if (format.sampleBytes() == 1) {
                        memPutByte(to + (long) x * step, (byte) sample);
                    } else {
                        memPutShort(to + (long) x * step, (short) (sample << format.sampleShift()));
                    }
                }
                plane.repeatAcross(y);
            }
        }

        private void bound(TimePlane plane, int left, int top) {
            TimeFusion fusion = fusions[component];
            int step = step();
            for (int y = 0; y < 8; y++) {
                long row = rowOf(decoded, top + y);
                int at = plane.at(left, top + y);
                for (int x = 0; x < 8; x++) {
                    block[8 * y + x] = plane.samples[at + x] - get(row + (long) (left + x) * step);
                }
            }
            if (ShrinkageTransform.excess(block, fusion.limits.bound)) {
                for (int y = 0; y < 8; y++) {
                    int at = plane.at(left, top + y);
                    for (int x = 0; x < 8; x++) {
                        int bounded = plane.samples[at + x] - ((block[8 * y + x] + 16) >> 5);
                        plane.samples[at + x] = (short) Math.max(fusion.low, Math.min(bounded, fusion.high));
                    }
                }
            }
        }
    }
}

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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.cpu.CpuPictureFilter;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.SampleCopy;
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
final class TimePicture implements PictureJob, CpuStage {
    /** Parts for each thread, so that all threads end at about the same time. */
    private static final int TILES_A_THREAD = 3;

    private static final int LEAST_BANDS = 4;

    private enum Step {
        READ,
        HALVE,
        QUARTER,
        ACROSS,
        DOWN,
        SEARCH,
        REFINE,
        MOTION,
        PREDICT,
        FUSE,
        WRITE
    }

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int threads;
    private final VectorUse vectors;
    private final SampleCopy copy;
    private final TimeLimits limits;
    private final AtomicInteger nextPart = new AtomicInteger();

    /** The memory that all stages hold. */
    private final AtomicLong scratchBytes;

    /** The part of it that pictures before and predictions take. */
    private long heldBytes;

    /** By sequence, null before its first picture. */
    private final TimeHistory[] histories = new TimeHistory[RowFilter.SEQUENCES];

    private int sequence;

    // Null before the first picture, and made anew where another number of pictures ahead is asked for.
    private Worker[] workers;
    private TimeFusion fusion;
    private BetweenRows[] between;
    private int[][] coarse;
    private int[][] middle;
    private int[][] vectorsOf;
    private int[][] sads;
    private int[] texture;

    /** For each corner of blocks: what the samples predicted around it differ by, in all. */
    private int[][] changes;

    /** True if the stage runs. */
    private boolean runs;

    private int threshold;

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

    /** What each of them predicts by: of a picture before what fusion made of it, of one after what shrinkage left. */
    private final TimePlane[] predicted = new TimePlane[TimeFusion.MOST_REFERENCES];

    private int count;

    /** How many references pictures have had, and how many of these a guard has left out. */
    private long allReferences;

    private long dropped;

    /** The first row of blocks of those that are looked at from the same rows between others. */
    private int firstRow;

    private Step step;
    private int parts;
    private CpuPlace source;
    private CpuPlace decoded;
    private CpuPlace destination;
    private int gridColumn;
    private int gridRow;
    private boolean fuses;

    TimePicture(PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        this.scratchBytes = scratchBytes;
        this.format = format;
        this.width = width;
        this.height = height;
        this.threads = threads;
        this.vectors = vectors;
        copy = new SampleCopy(format);
        limits = new TimeLimits(format.bitDepth());
    }

    @Override
    public void configure(FilterParameters wanted) {
        runs = wanted.time().isPresent();
        if (runs) {
            TimeParameters parameters = wanted.time().get();
            threshold = parameters.threshold();
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
        destination = to;
        TimeHistory history = history();
        vectors.expect(Time.FILTER, format, (width + 63) / 64 * ((height + 63) / 64));
        picture = history.at(history.turns.begin());
        picture.threshold = threshold;
        picture.comb = comb;
        picture.combs = combs;
        go(workers, Step.READ, picture.source.rows);
        picture.source.repeatDown();
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
                predicted[count] = references[count].result;
                count++;
            }
            for (int i = 1; i < turns.waiting(); i++) {
                references[count] = history.at(turns.waiting(i));
                predicted[count] = references[count].source;
                count++;
            }
        }
        fuses = count > 0;
        if (fuses) {
            fuse(workers);
        }
        if (!fuses) {
            System.arraycopy(picture.source.samples, 0, picture.result.samples, 0, picture.source.samples.length);
        }
        go(workers, Step.WRITE, picture.source.rows + 1);
        picture.result.repeatDown();
        turns.keep();
    }

    /** The pictures of the sequence at hand. */
    private TimeHistory history() {
        if (workers == null || madeFor != ahead) {
            make();
        }
        if (histories[sequence] == null) {
            histories[sequence] = new TimeHistory(width, height, ahead);
            hold(histories[sequence].bytes());
        }
        return histories[sequence];
    }

    private void make() {
        hold(-heldBytes);
        Arrays.fill(histories, null);
        madeFor = ahead;
        int references = new TimeTurns(ahead).references();
        fusion = new TimeFusion(limits, references, format.bitDepth(), width, height);
        workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new Worker();
        }
        TimePlane whole = fusion.differences[0];
        int columns = (width + 1) / 2;
        int rows = (height + 1) / 2;
        coarse = new int[references][blocks((columns + 1) / 2) * blocks((rows + 1) / 2)];
        middle = new int[references][blocks(columns) * blocks(rows)];
        vectorsOf = new int[references][whole.columns * whole.rows];
        sads = new int[references][whole.columns * whole.rows];
        texture = new int[whole.columns * whole.rows];
        changes = new int[references][(whole.rows + 1) * (whole.columns + 1)];
        between = new BetweenRows[references];
        for (int i = 0; i < references; i++) {
            between[i] = new BetweenRows(whole);
            hold(between[i].bytes() + Short.BYTES * (long) whole.samples.length);
        }
    }

    private static int blocks(int samples) {
        return (samples + 7) / 8;
    }

    private void hold(long bytes) {
        heldBytes += bytes;
        scratchBytes.addAndGet(bytes);
    }

    @Override
    public void close() {
        hold(-heldBytes);
    }

    private void fuse(Workers workers) {
        boolean intra = picture.comb > 0;
        for (int i = 0; i < count; i++) {
            intra &= references[i].comb > 0;
        }
        limits.set(picture.threshold, picture.comb > 0 || picture.combs, intra);
        fusion.picture = picture;
        go(workers, Step.SEARCH, count * picture.quarter.rows);
        go(workers, Step.REFINE, count * picture.half.rows);
        for (firstRow = 0; firstRow < picture.source.rows; firstRow += BetweenRows.BLOCK_ROWS) {
            for (int i = 0; i < count; i++) {
                between[i].ask(firstRow, picture.source.rows);
            }
            go(workers, Step.ACROSS, count * between[0].parts());
            go(workers, Step.DOWN, count * between[0].parts());
            go(workers, Step.MOTION, count * Math.min(BetweenRows.BLOCK_ROWS, picture.source.rows - firstRow));
        }
        go(workers, Step.PREDICT, count * (picture.source.rows + 1));
        fuses = guard();
        if (fuses) {
            go(workers, Step.FUSE, (picture.source.rows + tileBands() - 1) / tileBands());
        }
    }

    /** Bands that are fused one after the other: above the first, a row of blocks is transformed that another part has, too. */
    private int tileBands() {
        return Math.max(LEAST_BANDS, (picture.source.rows - 1) / (TILES_A_THREAD * threads) + 1);
    }

    private void go(Workers workers, Step step, int parts) {
        this.step = step;
        this.parts = parts;
        nextPart.set(0);
        workers.run(this);
    }

    /** Decides which references are used, and where. Returns whether any is. */
    private boolean guard() {
        long textures = 0;
        for (int one : texture) {
            textures += one;
        }
        boolean any = false;
        for (int i = 0; i < fusion.references; i++) {
            fusion.used[i] = i < count && guard(i, textures);
            any |= fusion.used[i];
            dropped += i < count && !fusion.used[i] ? 1 : 0;
        }
        return any;
    }

    private boolean guard(int reference, long textures) {
        long sum = 0;
        for (int block = 0; block < texture.length; block++) {
            int sad = sads[reference][block];
            sum += sad;
            fusion.kept[reference][block] = 10L * sad <= 7L * texture[block];
        }
        fusion.differences[reference].repeatDown();
        long change = judgeSquares(reference);
        return !references[reference].isCoarseFor(picture)
                && 10 * sum <= 7 * textures
                && Math.abs(change) <= (long) width * height * limits.mostChange();
    }

    /**
     * Finds the squares that are brighter or darker in a prediction as a whole: by more than an eighth of an 8-bit sample, which more than half of
     * what corners differ by adds up to. Motion that is found wrongly differs both ways. Returns what all differ by.
     */
    private long judgeSquares(int reference) {
        TimePlane plane = picture.source;
        int across = TimeFusion.squares(plane.columns);
        long all = 0;
        for (int square = 0; square < fusion.drifts[reference].length; square++) {
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
            int samples = (Math.min(8 * right - 4, width) - Math.max(0, 8 * left - 4))
                    * (Math.min(8 * bottom - 4, height) - Math.max(0, 8 * top - 4));
            fusion.drifts[reference][square] =
                    8 * Math.abs(sum) > samples * limits.mostChange() && 2 * Math.abs(sum) > sizes;
            all += sum;
        }
        return all;
    }

    @Override
    public void work(int worker) {
        for (int part = nextPart.getAndIncrement(); part < parts; part = nextPart.getAndIncrement()) {
            workers[worker].work(part);
        }
    }

    private int get(long row, int x) {
        int sample =
                format.sampleBytes() == 1 ? memGetByte(row + x) : memGetShort(row + 2L * x) >> format.sampleShift();
        return (sample & format.peak()) + fusion.low;
    }

    /** What one thread needs. */
    private final class Worker {
        private final TimeKernel plain = new PlainTimeKernel(width);

        /** Used only if the JVM offers vectors. */
        private final TimeKernel vector = vectors.offers(Time.FILTER, format)
                ? vectors.newKernel(TimeKernel.class, "VectorTimeKernel", width, format.bitDepth() > 8)
                : plain;

        private final TimeSearch plainSearch = new TimeSearch(plain);
        private final TimeSearch vectorSearch = new TimeSearch(vector);

        /** Samples of a window between others. */
        private final short[] across = new short[15 * 16];

        private final short[] window = new short[8 * 16];
        private final int sumsStride = 8 * fusion.differences[0].columns + 32;
        private final int[] sums = new int[8 * sumsStride];
        private final int[] block = new int[64];

        void work(int part) {
            boolean inVectors = vectors.inUse(Time.FILTER, format);
            TimeKernel kernel = inVectors ? vector : plain;
            TimeSearch search = inVectors ? vectorSearch : plainSearch;
            switch (step) {
                case READ -> read(part);
                case HALVE -> halve(picture.half, picture.source, part);
                case QUARTER -> halve(picture.quarter, picture.half, part);
                case ACROSS ->
                    between[part % count].across(kernel, references[part % count].source, part / count, fusion.high);
                case DOWN ->
                    between[part % count].down(kernel, references[part % count].source, part / count, fusion.high);
                case SEARCH -> search(search, part);
                case REFINE -> refine(search, part);
                case MOTION -> motion(search, part);
                case PREDICT -> predict(kernel, part);
                case FUSE ->
                    kernel.fuse(fusion, part * tileBands(), Math.min((part + 1) * tileBands(), picture.source.rows));
                case WRITE -> write(part);
            }
        }

        /** Reads a band of luma, and copies as large a part of chroma. */
        private void read(int band) {
            TimePlane plane = picture.source;
            for (int y = 8 * band; y < Math.min(8 * band + 8, height); y++) {
                long row = source.row(0, y);
                int to = plane.at(0, y);
                for (int x = 0; x < width; x++) {
                    plane.samples[to + x] = (short) get(row, x);
                }
                plane.repeatAcross(y);
            }
            for (int chroma = 1; chroma < format.planes(); chroma++) {
                int rows = format.planeRows(chroma, height);
                long bytes = (long) format.planeRowSamples(chroma, width) * format.sampleBytes();
                for (int y = band * rows / plane.rows; y < (band + 1) * rows / plane.rows; y++) {
                    copy.copy(source.row(chroma, y), destination.row(chroma, y), bytes);
                }
            }
        }

        private void halve(TimePlane to, TimePlane from, int band) {
            for (int y = 8 * band; y < Math.min(8 * band + 8, to.height); y++) {
                to.halve(from, y);
            }
        }

        private void search(TimeSearch search, int part) {
            TimePlane here = picture.quarter;
            TimePlane there = references[part % count].quarter;
            int row = part / count;
            for (int column = 0; column < here.columns; column++) {
                coarse[part % count][row * here.columns + column] =
                        search.widely(here, there, column, row, limits.price());
            }
        }

        private void refine(TimeSearch search, int part) {
            TimePlane here = picture.half;
            int reference = part % count;
            TimePlane there = references[reference].half;
            int row = part / count;
            for (int column = 0; column < here.columns; column++) {
                middle[reference][row * here.columns + column] =
                        search.half(here, there, column, row, limits.price(), coarse[reference], picture.quarter);
            }
        }

        private void motion(TimeSearch search, int part) {
            TimePlane here = picture.source;
            int reference = part % count;
            int row = firstRow + part / count;
            for (int column = 0; column < here.columns; column++) {
                int block = row * here.columns + column;
                vectorsOf[reference][block] = search.whole(
                        here,
                        references[reference].source,
                        between[reference],
                        column,
                        row,
                        4 * limits.price(),
                        middle[reference],
                        picture.half);
                sads[reference][block] = search.sad();
                if (reference == 0) {
                    texture[block] = deviation(here.at(8 * column - 4, 8 * row - 4)) + limits.noise();
                }
            }
        }

        /** How far the samples of a window are from their mean, in all. */
        private int deviation(int at) {
            short[] samples = picture.source.samples;
            int stride = picture.source.stride;
            int sum = 128;
            for (int y = 0; y < 16; y++) {
                for (int x = 0; x < 16; x++) {
                    sum += samples[at + y * stride + x];
                }
            }
            int mean = sum >> 8;
            int deviation = 0;
            for (int y = 0; y < 16; y++) {
                for (int x = 0; x < 16; x++) {
                    deviation += Math.abs(samples[at + y * stride + x] - mean);
                }
            }
            return deviation;
        }

        /** Predicts 8 rows, of which the windows of two rows of blocks hold one half each. */
        private void predict(TimeKernel kernel, int part) {
            int reference = part % count;
            int strip = part / count;
            TimePlane here = picture.source;
            Arrays.fill(sums, 0);
            for (int half = 0; half < 2; half++) {
                int row = Math.max(0, Math.min(strip - 1 + half, here.rows - 1));
                for (int column = -1; column <= here.columns; column++) {
                    int inside = Math.max(0, Math.min(column, here.columns - 1));
                    int vector = vectorsOf[reference][row * here.columns + inside];
                    add(kernel, predicted[reference], vector, column, strip, 8 - 8 * half);
                }
            }
            TimePlane to = fusion.differences[reference];
            int[] change = changes[reference];
            int corners = strip * (here.columns + 1);
            Arrays.fill(change, corners, corners + here.columns + 1, 0);
            for (int y = Math.max(0, 8 * strip - 4); y < Math.min(8 * strip + 4, height); y++) {
                int sum = (y - 8 * strip + 4) * sumsStride + 12;
                int at = here.at(0, y);
                for (int x = 0; x < width; x++) {
                    to.samples[at + x] = (short) (((sums[sum + x] + 128) >> 8) - here.samples[at + x]);
                }
                for (int corner = 0; corner <= here.columns; corner++) {
                    int own = 0;
                    for (int x = Math.max(0, 8 * corner - 4); x < Math.min(8 * corner + 4, width); x++) {
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
                    kernel.filter(samples, first + i * stride, 1, across, 16 * i, 16, x & 3, fusion.high);
                }
                samples = across;
                at = alone ? 0 : 3 * 16;
                stride = 16;
            }
            if ((y & 3) != 0) {
                for (int i = 0; i < 8; i++) {
                    kernel.filter(samples, at + i * stride, stride, window, 16 * i, 16, y & 3, fusion.high);
                }
                samples = window;
                at = 0;
                stride = 16;
            }
            kernel.weigh(samples, at, stride, firstWeight, sums, to, sumsStride);
        }

        /** Bounds the blocks of the codec's grid in 8 rows, and writes these. */
        private void write(int part) {
            int first = 8 * part - (-gridRow & 7);
            TimePlane plane = picture.result;
            if (fuses && first >= 0 && first + 8 <= height) {
                for (int left = gridColumn; left + 8 <= width; left += 8) {
                    bound(plane, left, first);
                }
            }
            for (int y = Math.max(0, first); y < Math.min(first + 8, height); y++) {
                long row = destination.row(0, y);
                int at = plane.at(0, y);
                for (int x = 0; x < width; x++) {
                    int sample = plane.samples[at + x] - fusion.low;
                    if (format.sampleBytes() == 1) {
                        memPutByte(row + x, (byte) sample);
                    } else {
                        memPutShort(row + 2L * x, (short) (sample << format.sampleShift()));
                    }
                }
                plane.repeatAcross(y);
            }
        }

        private void bound(TimePlane plane, int left, int top) {
            for (int y = 0; y < 8; y++) {
                long row = decoded.row(0, top + y);
                int at = plane.at(left, top + y);
                for (int x = 0; x < 8; x++) {
                    block[8 * y + x] = plane.samples[at + x] - get(row, left + x);
                }
            }
            if (ShrinkageTransform.excess(block, limits.bound)) {
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

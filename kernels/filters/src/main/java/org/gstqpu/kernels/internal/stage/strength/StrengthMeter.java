/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.strength;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetShort;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.internal.cpu.CpuPictureFilter;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Fills {@link StrengthHistograms} from a picture's luma; of samples of more than 8 bit, only the upper 8 bits count.
 * Belongs to one {@link CpuPictureFilter}; {@link #work} runs on all workers at once.
 */
public final class StrengthMeter implements PictureJob {
    // Rows of an orthonormal DCT of 8 and of 4 points, in units of 1/256.
    private static final int DC8 = 91;
    private static final int[] FIRST8 = {126, 106, 71, 25, -25, -71, -106, -126};
    private static final int[] SECOND8 = {118, 49, -49, -118, -118, -49, 49, 118};
    private static final int[] THIRD8 = {106, -25, -126, -71, 71, 126, 25, -106};
    private static final int DC4 = 128;
    private static final int[] FIRST4 = {167, 69, -69, -167};
    private static final int[] SECOND4 = {128, -128, -128, 128};

    private final int sampleBytes;
    private final int sampleShift;
    private final int width;
    private final int height;
    private int step;
    private int columns;
    private int rows;
    private final AtomicInteger nextRow = new AtomicInteger();
    private final StrengthHistograms[] workers;

    /** Wide steps that each worker has counted: by column, then by row. */
    private final int[][] wideSteps;

    private final StrengthHistograms sum = new StrengthHistograms();

    private long source;
    private long blocks;
    private long stride;

    public StrengthMeter(PixelFormat format, int width, int height, int threads) {
        sampleBytes = format.sampleBytes();
        sampleShift = format.sampleShift() + format.bitDepth() - 8;
        this.width = width;
        this.height = height;
        workers = new StrengthHistograms[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new StrengthHistograms();
        }
        wideSteps = new int[threads][width + height];
    }

    /**
     * Sets the picture of the next run.
     *
     * @param offset where the grid of blocks begins, column | row &lt;&lt; 3
     */
    public void prepare(long source, PictureLayout layout, int offset) {
        this.source = source + layout.offsetBytes(0);
        stride = layout.strideBytes(0);
        int column = offset & 7;
        int row = offset >> 3;
        blocks = this.source + row * stride + (long) column * sampleBytes;
        int blockColumns = StrengthHistograms.blocks(width - column);
        int blockRows = StrengthHistograms.blocks(height - row);
        step = StrengthHistograms.sampleStep(blockColumns, blockRows);
        columns = StrengthHistograms.sampled(blockColumns, step);
        rows = StrengthHistograms.sampled(blockRows, step);
        for (StrengthHistograms worker : workers) {
            worker.clear();
        }
        for (int[] steps : wideSteps) {
            Arrays.fill(steps, 0);
        }
        nextRow.set(0);
    }

    /** The counts of the last run. Valid until the next run is prepared. */
    public StrengthHistograms histograms() {
        sum.clear();
        for (StrengthHistograms worker : workers) {
            sum.add(worker);
        }
        for (int at = 0; at < width + height; at++) {
            int steps = 0;
            for (int[] counted : wideSteps) {
                steps += counted[at];
            }
            boolean down = at >= width;
            sum.countWideSteps(down, down ? at - width : at, steps);
        }
        return sum;
    }

    @Override
    public void work(int worker) {
        StrengthHistograms counts = workers[worker];
        if (columns == 0) {
            return;
        }
        int row = nextRow.getAndIncrement();
        for (; row < rows; row = nextRow.getAndIncrement()) {
            for (int column = 0; column < columns; column++) {
                long block = blocks + 8L * step * row * stride + 8L * step * column * sampleBytes;
                measure8(counts, block, false);
                measure8(counts, block + 4 * stride + 4L * sampleBytes, true);
                for (int quarter = 0; quarter < 4; quarter++) {
                    long quarterBlock = block + 4L * (quarter >> 1) * stride + 4L * (quarter & 1) * sampleBytes;
                    measure4(counts, quarterBlock, StrengthHistograms.ALIGNED_4);
                    measure4(counts, quarterBlock + 2 * stride + 2L * sampleBytes, StrengthHistograms.SHIFTED_4);
                }
            }
        }
        for (; rows > 0 && row < rows + 2 * StrengthHistograms.LINES; row = nextRow.getAndIncrement()) {
            int line = (row - rows) / 2;
            if ((row - rows) % 2 == 0) {
                countSteps(worker, false, StrengthHistograms.line(line, height) * stride, sampleBytes, width);
            } else {
                countSteps(worker, true, (long) StrengthHistograms.line(line, width) * sampleBytes, stride, height);
            }
        }
    }

    /**
     * Counts the steps along one row or column.
     *
     * @param down whether the line is a column
     * @param first offset of the line's first sample, in bytes
     * @param next bytes from one sample to the next
     * @param samples samples of the line
     */
    private void countSteps(int worker, boolean down, long first, long next, int samples) {
        StrengthHistograms counts = workers[worker];
        int[] wide = wideSteps[worker];
        int begin = down ? width : 0;
        long at = source + first;
        int twoBefore = sample(at, 0);
        int before = sample(at + next, 0);
        int left = 0;
        int middle = Math.abs(before - twoBefore);
        // Differences of samples two apart: the last one, and those before it.
        int second = 0;
        int third = 0;
        int fourth = 0;
        int fifth = 0;
        for (int i = 2; i < samples; i++) {
            int here = sample(at + i * next, 0);
            int right = Math.abs(here - before);
            if (i > 2) {
                counts.countStep(down, i - 1, middle - left - right);
            }
            int last = Math.abs(here - twoBefore);
            if (i > 5 && third > fifth + last) {
                wide[begin + i - 3]++;
            }
            left = middle;
            middle = right;
            twoBefore = before;
            before = here;
            fifth = fourth;
            fourth = third;
            third = second;
            second = last;
        }
    }

    private int sample(long row, int x) {
        // Bits above the format's depth, which a faulty decoder may leave, count for nothing here and in measure.comp.
        return sampleBytes == 1 ? memGetByte(row + x) & 0xff : memGetShort(row + 2L * x) >> sampleShift & 0xff;
    }

    private void measure8(StrengthHistograms counts, long block, boolean shifted) {
        int c01 = 0;
        int c02 = 0;
        int c03 = 0;
        int c10 = 0;
        int c11 = 0;
        int c12 = 0;
        int c20 = 0;
        int c21 = 0;
        int c30 = 0;
        int c23 = 0;
        int c32 = 0;
        int luma = 0;
        long row = block;
        for (int y = 0; y < 8; y++) {
            int p0 = sample(row, 0);
            int p1 = sample(row, 1);
            int p2 = sample(row, 2);
            int p3 = sample(row, 3);
            int p4 = sample(row, 4);
            int p5 = sample(row, 5);
            int p6 = sample(row, 6);
            int p7 = sample(row, 7);
            int r0 = p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7;
            int r1 = 126 * (p0 - p7) + 106 * (p1 - p6) + 71 * (p2 - p5) + 25 * (p3 - p4);
            int r2 = 118 * (p0 + p7 - p3 - p4) + 49 * (p1 + p6 - p2 - p5);
            int r3 = 106 * (p0 - p7) - 25 * (p1 - p6) - 126 * (p2 - p5) - 71 * (p3 - p4);
            luma += r0;
            r0 *= DC8;
            c01 += r1;
            c02 += r2;
            c03 += r3;
            c10 += FIRST8[y] * r0;
            c11 += FIRST8[y] * r1;
            c12 += FIRST8[y] * r2;
            c20 += SECOND8[y] * r0;
            c21 += SECOND8[y] * r1;
            c23 += SECOND8[y] * r3;
            c30 += THIRD8[y] * r0;
            c32 += THIRD8[y] * r2;
            row += stride;
        }
        int kind = shifted ? StrengthHistograms.SHIFTED_8 : StrengthHistograms.ALIGNED_8;
        counts.count(kind, DC8 * c01);
        counts.count(kind, DC8 * c02);
        counts.count(kind, DC8 * c03);
        counts.count(kind, c10);
        counts.count(kind, c11);
        counts.count(kind, c12);
        counts.count(kind, c20);
        counts.count(kind, c21);
        counts.count(kind, c30);
        int textureKind = shifted ? StrengthHistograms.TEXTURE : StrengthHistograms.ALIGNED_TEXTURE;
        counts.count(textureKind, c23);
        counts.count(textureKind, c32);
        if (!shifted) {
            counts.countLuma(luma);
        }
    }

    private void measure4(StrengthHistograms counts, long block, int kind) {
        int c01 = 0;
        int c02 = 0;
        int c10 = 0;
        int c11 = 0;
        int c20 = 0;
        long row = block;
        for (int y = 0; y < 4; y++) {
            int p0 = sample(row, 0);
            int p1 = sample(row, 1);
            int p2 = sample(row, 2);
            int p3 = sample(row, 3);
            int r0 = DC4 * (p0 + p1 + p2 + p3);
            int r1 = 167 * (p0 - p3) + 69 * (p1 - p2);
            int r2 = 128 * (p0 - p1 - p2 + p3);
            c01 += r1;
            c02 += r2;
            c10 += FIRST4[y] * r0;
            c11 += FIRST4[y] * r1;
            c20 += SECOND4[y] * r0;
            row += stride;
        }
        counts.count(kind, DC4 * c01);
        counts.count(kind, DC4 * c02);
        counts.count(kind, c10);
        counts.count(kind, c11);
        counts.count(kind, c20);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Finds where blocks of a picture's luma are in other pictures: first in quarters of these, then in halves, then to a quarter of a sample. Owned
 * by the stage.
 */
final class TimeMotion extends TimeJob {
    private enum Step {
        SEARCH,
        REFINE,
        ACROSS,
        DOWN,
        MOTION
    }

    /** What one thread needs. */
    private record Worker(TimeKernel plain, TimeSearch plainSearch, TimeKernel vector, TimeSearch vectorSearch) {}

    private final PixelFormat format;
    private final VectorUse vectors;
    private final TimeLimits limits;

    /** The largest sample. */
    private final int high;

    private final Worker[] workers;

    // By reference.
    private final BetweenRows[] between;
    private final int[][] coarse;
    private final int[][] middle;
    private final int[][] fine;
    private final int[][] sads;

    /** For each block: how much of its window differs from the window's mean, and what noise may add. */
    private final int[] texture;

    private PastPicture picture;
    private PastPicture[] references;
    private int count;
    private Step step;

    /** The first row of blocks of those that are looked at from the same rows between others. */
    private int firstRow;

    /**
     * Makes what is needed for pictures of one size.
     *
     * @param luma a plane as that of the pictures
     * @param most how many references a picture has at most
     * @param threads how many threads take parts
     */
    TimeMotion(
            PixelFormat format, VectorUse vectors, TimeLimits limits, int high, TimePlane luma, int most, int threads) {
        this.format = format;
        this.vectors = vectors;
        this.limits = limits;
        this.high = high;
        workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            TimeKernel plain = new PlainTimeKernel(luma.width);
            TimeKernel vector = TimeKernel.inVectors(vectors, format, luma.width, plain);
            workers[i] = new Worker(plain, new TimeSearch(plain), vector, new TimeSearch(vector));
        }
        int columns = (luma.width + 1) / 2;
        int rows = (luma.height + 1) / 2;
        coarse = new int[most][blocks((columns + 1) / 2) * blocks((rows + 1) / 2)];
        middle = new int[most][blocks(columns) * blocks(rows)];
        fine = new int[most][luma.columns * luma.rows];
        sads = new int[most][luma.columns * luma.rows];
        texture = new int[luma.columns * luma.rows];
        between = new BetweenRows[most];
        for (int i = 0; i < most; i++) {
            between[i] = new BetweenRows(luma);
        }
    }

    private static int blocks(int samples) {
        return (samples + 7) / 8;
    }

    /** Bytes of the samples between samples. */
    long bytes() {
        return between.length * between[0].bytes();
    }

    /** Finds the blocks of a picture in so many others. */
    void find(CpuStage.Workers workers, PastPicture picture, PastPicture[] references, int count) {
        this.picture = picture;
        this.references = references;
        this.count = count;
        int rows = picture.sources[0].rows;
        go(workers, Step.SEARCH, picture.quarter.rows);
        go(workers, Step.REFINE, picture.half.rows);
        for (firstRow = 0; firstRow < rows; firstRow += BetweenRows.BLOCK_ROWS) {
            for (int i = 0; i < count; i++) {
                between[i].ask(firstRow, rows);
            }
            go(workers, Step.ACROSS, between[0].parts());
            go(workers, Step.DOWN, between[0].parts());
            go(workers, Step.MOTION, Math.min(BetweenRows.BLOCK_ROWS, rows - firstRow));
        }
    }

    /** Does so many rows with each reference. */
    private void go(CpuStage.Workers workers, Step step, int rows) {
        this.step = step;
        go(workers, count * rows);
    }

    /** Decides in which blocks a reference may be used. Returns whether it may be at all. */
    boolean judge(int reference, boolean[] kept) {
        long sum = 0;
        long textures = 0;
        for (int block = 0; block < texture.length; block++) {
            int sad = sads[reference][block];
            sum += sad;
            textures += texture[block];
            kept[block] = 10L * sad <= 7L * texture[block];
        }
        return 10 * sum <= 7 * textures;
    }

    /** One of luma's blocks in a block of chroma; beyond the border the nearest one. */
    int blockOfLuma(int column, int row, int number) {
        TimePlane luma = picture.sources[0];
        int x = Math.min(column * format.subWidth() + number % format.subWidth(), luma.columns - 1);
        int y = Math.min(row * format.subHeight() + number / format.subWidth(), luma.rows - 1);
        return y * luma.columns + x;
    }

    /** The vector of a block of a component, in quarters of its samples: that of luma, or the mean of those of luma's blocks in it. */
    int vectorOf(int reference, int component, int column, int row) {
        if (component == 0) {
            return fine[reference][row * picture.sources[0].columns + column];
        }
        int all = format.subWidth() * format.subHeight();
        int x = 0;
        int y = 0;
        for (int i = 0; i < all; i++) {
            int vector = fine[reference][blockOfLuma(column, row, i)];
            x += TimeSearch.x(vector);
            y += TimeSearch.y(vector);
        }
        return TimeSearch.pack(
                Math.floorDiv(x + all * format.subWidth() / 2, all * format.subWidth()),
                Math.floorDiv(y + all * format.subHeight() / 2, all * format.subHeight()));
    }

    @Override
    void part(int worker, int part) {
        boolean inVectors = vectors.inUse(Time.FILTER, format);
        TimeKernel kernel = inVectors ? workers[worker].vector : workers[worker].plain;
        TimeSearch search = inVectors ? workers[worker].vectorSearch : workers[worker].plainSearch;
        int reference = part % count;
        int row = part / count;
        switch (step) {
            case SEARCH -> search(search, reference, row);
            case REFINE -> refine(search, reference, row);
            case ACROSS -> between[reference].across(kernel, references[reference].sources[0], row, high);
            case DOWN -> between[reference].down(kernel, references[reference].sources[0], row, high);
            case MOTION -> motion(search, reference, firstRow + row);
        }
    }

    private void search(TimeSearch search, int reference, int row) {
        TimePlane here = picture.quarter;
        TimePlane there = references[reference].quarter;
        for (int column = 0; column < here.columns; column++) {
            coarse[reference][row * here.columns + column] = search.widely(here, there, column, row, limits.price());
        }
    }

    private void refine(TimeSearch search, int reference, int row) {
        TimePlane here = picture.half;
        TimePlane there = references[reference].half;
        for (int column = 0; column < here.columns; column++) {
            middle[reference][row * here.columns + column] =
                    search.half(here, there, column, row, limits.price(), coarse[reference], picture.quarter);
        }
    }

    private void motion(TimeSearch search, int reference, int row) {
        TimePlane here = picture.sources[0];
        for (int column = 0; column < here.columns; column++) {
            int block = row * here.columns + column;
            fine[reference][block] = search.whole(
                    here,
                    references[reference].sources[0],
                    between[reference],
                    column,
                    row,
                    4 * limits.price(),
                    middle[reference],
                    picture.half);
            sads[reference][block] = search.sad();
            if (reference == 0) {
                texture[block] = deviation(here, here.at(8 * column - 4, 8 * row - 4)) + limits.noise();
            }
        }
    }

    /** How far the samples of a window are from their mean, in all. */
    private static int deviation(TimePlane plane, int at) {
        short[] samples = plane.samples;
        int sum = 128;
        for (int y = 0; y < 16; y++) {
            for (int x = 0; x < 16; x++) {
                sum += samples[at + y * plane.stride + x];
            }
        }
        int mean = sum >> 8;
        int deviation = 0;
        for (int y = 0; y < 16; y++) {
            for (int x = 0; x < 16; x++) {
                deviation += Math.abs(samples[at + y * plane.stride + x] - mean);
            }
        }
        return deviation;
    }
}

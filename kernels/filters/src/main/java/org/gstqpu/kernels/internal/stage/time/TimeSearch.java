/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

/** Looks for the motion of single blocks. Belongs to one worker. */
final class TimeSearch {
    /** A vector as one number: x in the upper 16 bits, y in the lower ones. */
    static int pack(int x, int y) {
        return (x << 16) | (y & 0xffff);
    }

    static int x(int vector) {
        return vector >> 16;
    }

    static int y(int vector) {
        return (short) vector;
    }

    /** How far the smallest pictures are searched. */
    private static final int WIDEST = 7;

    // A block, then its neighbours.
    private static final int[] CROSS_X = {0, -1, 1, 0, 0};
    private static final int[] CROSS_Y = {0, 0, 0, -1, 1};

    private final TimeKernel kernel;

    // What is being searched.
    private TimePlane here;
    private TimePlane there;
    private BetweenRows between;
    private int top;
    private int left;
    private int at;
    private int side;
    private int price;

    private final int[] tried = new int[CROSS_X.length];
    private int least;
    private int bestX;
    private int bestY;
    private int bestSad;

    TimeSearch(TimeKernel kernel) {
        this.kernel = kernel;
    }

    /** Sum of the absolute differences of the best vector. */
    int sad() {
        return bestSad;
    }

    /** Begins with the block whose window has this sample first. */
    private void begin(TimePlane here, TimePlane there, int x, int y, int side, int price) {
        this.here = here;
        this.there = there;
        left = x + TimePlane.MARGIN;
        top = y + TimePlane.MARGIN;
        at = here.at(x, y);
        this.side = side;
        this.price = price;
        least = Integer.MAX_VALUE;
    }

    /** Tries all vectors of whole samples. Returns the best. */
    int widely(TimePlane here, TimePlane there, int column, int row, int price) {
        begin(here, there, 8 * column, 8 * row, 8, price);
        for (int y = -WIDEST; y <= WIDEST; y++) {
            for (int x = -WIDEST; x <= WIDEST; x++) {
                int sad = kernel.sad(here.samples, at, there.samples, at + y * here.stride + x, here.stride, side);
                int cost = sad + price * (Math.abs(x) + Math.abs(y));
                if (cost < least) {
                    least = cost;
                    bestX = x;
                    bestY = y;
                }
            }
        }
        return pack(bestX, bestY);
    }

    /** Refines vectors of a plane half as wide and high, to whole samples. Returns the best. */
    int half(TimePlane here, TimePlane there, int column, int row, int price, int[] coarse, TimePlane coarser) {
        begin(here, there, 8 * column, 8 * row, 8, price);
        coarsely(column, row, coarse, coarser, 8);
        around(4);
        return pack(bestX / 4, bestY / 4);
    }

    /** Refines vectors of a plane half as wide and high, to quarters of a sample. Returns the best. */
    int whole(
            TimePlane here,
            TimePlane there,
            BetweenRows between,
            int column,
            int row,
            int price,
            int[] coarse,
            TimePlane coarser) {
        begin(here, there, 8 * column - 4, 8 * row - 4, 16, price);
        this.between = between;
        coarsely(column, row, coarse, coarser, 8);
        around(4);
        around(2);
        around(1);
        return pack(bestX, bestY);
    }

    /** Tries what was found for a block of the smaller plane and its neighbours, each once, then no motion. */
    private void coarsely(int column, int row, int[] coarse, TimePlane coarser, int times) {
        for (int i = 0; i < CROSS_X.length; i++) {
            int x = Math.max(0, Math.min((column >> 1) + CROSS_X[i], coarser.columns - 1));
            int y = Math.max(0, Math.min((row >> 1) + CROSS_Y[i], coarser.rows - 1));
            tried[i] = coarse[y * coarser.columns + x];
            if (isNew(i, tried[i])) {
                tryOne(x(tried[i]) * times, y(tried[i]) * times);
            }
        }
        if (isNew(CROSS_X.length, 0)) {
            tryOne(0, 0);
        }
    }

    private boolean isNew(int count, int vector) {
        for (int i = 0; i < count; i++) {
            if (tried[i] == vector) {
                return false;
            }
        }
        return true;
    }

    private void around(int distance) {
        int x = bestX;
        int y = bestY;
        for (int down = -distance; down <= distance; down += distance) {
            for (int across = -distance; across <= distance; across += distance) {
                if (down != 0 || across != 0) {
                    tryOne(x + across, y + down);
                }
            }
        }
    }

    /** Tries a vector in quarters of a sample. No vector is longer than 31 samples and three quarters. */
    private void tryOne(int x, int y) {
        int phase = (y & 3) * 4 + (x & 3);
        int line = phase == 0 ? (top + (y >> 2)) * there.stride : between.line(top + (y >> 2));
        short[] other = phase == 0 ? there.samples : between.samples[phase];
        int sad = kernel.sad(here.samples, at, other, line + left + (x >> 2), here.stride, side);
        int cost = sad + (x == 0 && y == 0 ? 0 : price);
        if (cost < least) {
            least = cost;
            bestX = x;
            bestY = y;
            bestSad = sad;
        }
    }
}

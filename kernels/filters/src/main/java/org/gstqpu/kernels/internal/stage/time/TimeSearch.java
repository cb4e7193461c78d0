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
    private short[][] there;
    private int at;
    private int side;
    private int price;

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

    private void begin(TimePlane here, short[][] there, int at, int side, int price) {
        this.here = here;
        this.there = there;
        this.at = at;
        this.side = side;
        this.price = price;
        least = Integer.MAX_VALUE;
    }

    /** Tries all vectors of whole samples. Returns the best. */
    int widely(TimePlane here, short[][] there, int column, int row, int price) {
        begin(here, there, here.at(8 * column, 8 * row), 8, price);
        for (int y = -WIDEST; y <= WIDEST; y++) {
            for (int x = -WIDEST; x <= WIDEST; x++) {
                int sad = kernel.sad(here.samples, at, there[0], at + y * here.stride + x, here.stride, side);
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
    int half(TimePlane here, short[][] there, int column, int row, int price, int[] coarse, TimePlane coarser) {
        begin(here, there, here.at(8 * column, 8 * row), 8, price);
        coarsely(column, row, coarse, coarser, 8);
        around(4);
        return pack(bestX / 4, bestY / 4);
    }

    /** Refines vectors of a plane half as wide and high, to quarters of a sample. Returns the best. */
    int whole(TimePlane here, short[][] there, int column, int row, int price, int[] coarse, TimePlane coarser) {
        begin(here, there, here.at(8 * column - 4, 8 * row - 4), 16, price);
        coarsely(column, row, coarse, coarser, 8);
        around(4);
        around(2);
        around(1);
        return pack(bestX, bestY);
    }

    /** Tries what was found for a block of the smaller plane and its neighbours, then no motion. */
    private void coarsely(int column, int row, int[] coarse, TimePlane coarser, int times) {
        for (int i = 0; i < CROSS_X.length; i++) {
            int x = Math.max(0, Math.min((column >> 1) + CROSS_X[i], coarser.columns - 1));
            int y = Math.max(0, Math.min((row >> 1) + CROSS_Y[i], coarser.rows - 1));
            int vector = coarse[y * coarser.columns + x];
            tryOne(x(vector) * times, y(vector) * times);
        }
        tryOne(0, 0);
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
        int from = at + (y >> 2) * here.stride + (x >> 2);
        int sad = kernel.sad(here.samples, at, there[(y & 3) * 4 + (x & 3)], from, here.stride, side);
        int cost = sad + (x == 0 && y == 0 ? 0 : price);
        if (cost < least) {
            least = cost;
            bestX = x;
            bestY = y;
            bestSad = sad;
        }
    }
}

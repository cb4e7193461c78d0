/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;

/** The arithmetic of temporal fusion. All implementations give the same numbers. Belongs to one worker. */
interface TimeKernel {
    /** Returns the kernel that computes in vectors, for planes of a width; the plain one where the JVM offers none. */
    static TimeKernel inVectors(VectorUse vectors, PixelFormat format, int width, TimeKernel plain) {
        return vectors.offers(Time.FILTER, format)
                ? vectors.newKernel(TimeKernel.class, "VectorTimeKernel", width, format.bitDepth() > 8)
                : plain;
    }

    /**
     * Computes samples between others.
     *
     * @param at index of the fourth of the eight samples of the first result
     * @param step from one of the eight samples to the next
     * @param count how many results side by side, a multiple of 8
     * @param phase quarters of a sample from the fourth sample on, 1 to 3
     * @param high the largest sample; the least is -1 less that
     */
    void filter(short[] in, int at, int step, short[] out, int to, int count, int phase, int high);

    /**
     * The same for all three quarters of a sample at once.
     *
     * @param one gets those a quarter of a sample on, as {@code two} and {@code three} those a half and three quarters on
     */
    void filterAll(short[] in, int at, int step, short[] one, short[] two, short[] three, int to, int count, int high);

    /** Sum of the absolute differences of square blocks of 8 or 16 samples a side, whose rows are equally far apart. */
    int sad(short[] one, int at, short[] other, int otherAt, int stride, int side);

    /** Adds 8 rows of 16 samples, times weights. */
    void weigh(short[] samples, int at, int stride, int firstWeight, int[] sums, int to, int sumsStride);

    /** Fuses bands of 8 rows, from {@code firstBand} to the one before {@code endBand}. */
    void fuse(TimeFusion fusion, int firstBand, int endBand);
}

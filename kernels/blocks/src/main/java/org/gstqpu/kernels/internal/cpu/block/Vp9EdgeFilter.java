/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memPutByte;

/** Filters the samples of one VP9 edge of 8-bit video (VP9 specification, 8.8.4 and 8.8.5). Any thread may call it. */
final class Vp9EdgeFilter {
    private static final int LENGTH = 8;

    private Vp9EdgeFilter() {}

    /**
     * Filters an edge of eight samples.
     *
     * @param q0Address first sample on the far side of the edge
     * @param across bytes from p0 to q0
     * @param along bytes from one line of the edge to the next
     * @param wd filter size: 4 or 8, which read four samples on either side, or 16, which reads eight
     * @param edgeLimit E of the specification
     * @param limit I of the specification
     * @param threshold H of the specification
     */
    static void filter(long q0Address, long across, long along, int wd, int edgeLimit, int limit, int threshold) {
        long address = q0Address;
        for (int line = 0; line < LENGTH; line++, address += along) {
            filterLine(address, across, wd, edgeLimit, limit, threshold);
        }
    }

    private static void filterLine(long q, long across, int wd, int edgeLimit, int limit, int threshold) {
        int p3 = sample(q - 4 * across);
        int p2 = sample(q - 3 * across);
        int p1 = sample(q - 2 * across);
        int p0 = sample(q - across);
        int q0 = sample(q);
        int q1 = sample(q + across);
        int q2 = sample(q + 2 * across);
        int q3 = sample(q + 3 * across);
        int hp = Math.abs(p1 - p0);
        int hq = Math.abs(q1 - q0);
        if (Math.abs(p3 - p2) > limit
                || Math.abs(p2 - p1) > limit
                || hp > limit
                || hq > limit
                || Math.abs(q2 - q1) > limit
                || Math.abs(q3 - q2) > limit
                || 2 * Math.abs(p0 - q0) + Math.abs(p1 - q1) / 2 > edgeLimit) {
            return;
        }
        boolean flat = wd > 4
                && hp <= 1
                && hq <= 1
                && Math.abs(p2 - p0) <= 1
                && Math.abs(q2 - q0) <= 1
                && Math.abs(p3 - p0) <= 1
                && Math.abs(q3 - q0) <= 1;
        if (!flat) {
            narrow(q, across, p1, p0, q0, q1, hp > threshold || hq > threshold);
        } else if (wd == 16 && isFlatOutside(q, across, p0, q0)) {
            wide16(q, across, p3, p2, p1, p0, q0, q1, q2, q3);
        } else {
            int sum = 3 * p3 + 2 * p2 + p1 + p0 + q0 + 4;
            put(q - 3 * across, sum >> 3);
            sum += p1 - p3 - p2 + q1;
            put(q - 2 * across, sum >> 3);
            sum += p0 - p3 - p1 + q2;
            put(q - across, sum >> 3);
            sum += q0 - p3 - p0 + q3;
            put(q, sum >> 3);
            sum += q1 - p2 - q0 + q3;
            put(q + across, sum >> 3);
            sum += q2 - p1 - q1 + q3;
            put(q + 2 * across, sum >> 3);
        }
    }

    private static boolean isFlatOutside(long q, long across, int p0, int q0) {
        for (int i = 4; i < 8; i++) {
            if (Math.abs(sample(q - (i + 1) * across) - p0) > 1 || Math.abs(sample(q + i * across) - q0) > 1) {
                return false;
            }
        }
        return true;
    }

    private static void narrow(long q, long across, int p1, int p0, int q0, int q1, boolean highVariance) {
        int filter = clip(3 * (q0 - p0) + (highVariance ? clip(p1 - q1) : 0));
        int filter1 = Math.min(127, filter + 4) >> 3;
        int filter2 = Math.min(127, filter + 3) >> 3;
        put(q - across, clipSample(p0 + filter2));
        put(q, clipSample(q0 - filter1));
        if (!highVariance) {
            int outer = (filter1 + 1) >> 1;
            put(q - 2 * across, clipSample(p1 + outer));
            put(q + across, clipSample(q1 - outer));
        }
    }

    /**
     * Filters with fifteen taps. A window of weights in sixteenths slides over the edge; beyond p7 and q7, it repeats
     * p7 and q7.
     */
    private static void wide16(long q, long across, int p3, int p2, int p1, int p0, int q0, int q1, int q2, int q3) {
        int p7 = sample(q - 8 * across);
        int p6 = sample(q - 7 * across);
        int p5 = sample(q - 6 * across);
        int p4 = sample(q - 5 * across);
        int q4 = sample(q + 4 * across);
        int q5 = sample(q + 5 * across);
        int q6 = sample(q + 6 * across);
        int q7 = sample(q + 7 * across);
        int sum = 7 * p7 + 2 * p6 + p5 + p4 + p3 + p2 + p1 + p0 + q0 + 8;
        put(q - 7 * across, sum >> 4);
        sum += p5 - p7 - p6 + q1;
        put(q - 6 * across, sum >> 4);
        sum += p4 - p7 - p5 + q2;
        put(q - 5 * across, sum >> 4);
        sum += p3 - p7 - p4 + q3;
        put(q - 4 * across, sum >> 4);
        sum += p2 - p7 - p3 + q4;
        put(q - 3 * across, sum >> 4);
        sum += p1 - p7 - p2 + q5;
        put(q - 2 * across, sum >> 4);
        sum += p0 - p7 - p1 + q6;
        put(q - across, sum >> 4);
        sum += q0 - p7 - p0 + q7;
        put(q, sum >> 4);
        sum += q1 - p6 - q0 + q7;
        put(q + across, sum >> 4);
        sum += q2 - p5 - q1 + q7;
        put(q + 2 * across, sum >> 4);
        sum += q3 - p4 - q2 + q7;
        put(q + 3 * across, sum >> 4);
        sum += q4 - p3 - q3 + q7;
        put(q + 4 * across, sum >> 4);
        sum += q5 - p2 - q4 + q7;
        put(q + 5 * across, sum >> 4);
        sum += q6 - p1 - q5 + q7;
        put(q + 6 * across, sum >> 4);
    }

    private static int sample(long address) {
        return memGetByte(address) & 255;
    }

    private static void put(long address, int sample) {
        memPutByte(address, (byte) sample);
    }

    private static int clip(int value) {
        return Math.max(-128, Math.min(127, value));
    }

    private static int clipSample(int value) {
        return Math.max(0, Math.min(255, value));
    }
}

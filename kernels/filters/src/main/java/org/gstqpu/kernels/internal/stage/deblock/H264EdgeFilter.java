/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

/**
 * Filters the samples of one edge (ITU-T H.264, 8.7.2.3 and 8.7.2.4). All alpha, beta and tC0 are scaled to the bit
 * depth. Any thread may call it.
 */
public final class H264EdgeFilter {
    /** The filter for samples of 8 bit. */
    public static final H264EdgeFilter OF_BYTES = new H264EdgeFilter(SampleAccess.BYTES, 8);

    private final SampleAccess samples;
    private final int most;

    /** Makes a filter for samples of {@code bitDepth} bits. */
    H264EdgeFilter(SampleAccess samples, int bitDepth) {
        this.samples = samples;
        this.most = (1 << bitDepth) - 1;
    }

    /**
     * Filters an edge with bS less than 4.
     *
     * @param chroma true if it is filtered as subsampled chroma is
     * @param q0Address first sample on the far side of the edge; the filter reads four samples on either side, of chroma two
     * @param across bytes from p0 to q0
     * @param along bytes from one line of the edge to the next
     * @param lines samples along the edge
     * @param tc0 tC0 for the edge's bS
     */
    public void normal(
            boolean chroma, long q0Address, long across, long along, int lines, int alpha, int beta, int tc0) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = samples.get(address - 2 * across);
            int p0 = samples.get(address - across);
            int q0 = samples.get(address);
            int q1 = samples.get(address + across);
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            int tc = chroma ? tc0 + 1 : tc0;
            if (!chroma && Math.abs(samples.get(address - 3 * across) - p0) < beta) {
                int p2 = samples.get(address - 3 * across);
                int change = clip3(-tc0, tc0, (p2 + ((p0 + q0 + 1) >> 1) - 2 * p1) >> 1);
                samples.put(address - 2 * across, p1 + change);
                tc++;
            }
            if (!chroma && Math.abs(samples.get(address + 2 * across) - q0) < beta) {
                int q2 = samples.get(address + 2 * across);
                int change = clip3(-tc0, tc0, (q2 + ((p0 + q0 + 1) >> 1) - 2 * q1) >> 1);
                samples.put(address + across, q1 + change);
                tc++;
            }
            int delta = clip3(-tc, tc, (4 * (q0 - p0) + (p1 - q1) + 4) >> 3);
            samples.put(address - across, clip1(p0 + delta));
            samples.put(address, clip1(q0 - delta));
        }
    }

    /** Filters an edge with bS 4. The parameters are those of {@link #normal}. */
    public void strong(boolean chroma, long q0Address, long across, long along, int lines, int alpha, int beta) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = samples.get(address - 2 * across);
            int p0 = samples.get(address - across);
            int q0 = samples.get(address);
            int q1 = samples.get(address + across);
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            boolean smallStep = !chroma && Math.abs(p0 - q0) < (alpha >> 2) + 2;
            strongSide(smallStep, address - across, -across, p0, p1, q0, q1, beta);
            strongSide(smallStep, address, across, q0, q1, p0, p1, beta);
        }
    }

    /** Filters one side of a line: x0, next to the edge, to x3, {@code step} bytes apart; y0 and y1 are the other side's. */
    private void strongSide(boolean smallStep, long address, long step, int x0, int x1, int y0, int y1, int beta) {
        if (smallStep && Math.abs(samples.get(address + 2 * step) - x0) < beta) {
            int x2 = samples.get(address + 2 * step);
            int x3 = samples.get(address + 3 * step);
            samples.put(address, (x2 + 2 * x1 + 2 * x0 + 2 * y0 + y1 + 4) >> 3);
            samples.put(address + step, (x2 + x1 + x0 + y0 + 2) >> 2);
            samples.put(address + 2 * step, (2 * x3 + 3 * x2 + x1 + x0 + y0 + 4) >> 3);
        } else {
            samples.put(address, (2 * x1 + x0 + y1 + 2) >> 2);
        }
    }

    private static int clip3(int low, int high, int value) {
        return Math.max(low, Math.min(high, value));
    }

    private int clip1(int value) {
        return Math.max(0, Math.min(most, value));
    }
}

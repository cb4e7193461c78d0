/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

/**
 * Filters the samples of one edge (ITU-T H.264, 8.7.2.3 and 8.7.2.4). All alpha, beta and tC0 are scaled to the bit
 * depth. Any thread may call it.
 */
final class H264EdgeFilter {
    /** The filter for samples of 8 bit. */
    static final H264EdgeFilter OF_BYTES = new H264EdgeFilter(SampleAccess.BYTES, 8);

    private final SampleAccess samples;
    private final int most;

    /** Makes a filter for samples of {@code bitDepth} bits. */
    H264EdgeFilter(SampleAccess samples, int bitDepth) {
        this.samples = samples;
        this.most = (1 << bitDepth) - 1;
    }

    /**
     * Filters a luma edge with bS less than 4.
     *
     * @param q0Address first sample on the far side of the edge; the filter reads four samples on either side
     * @param across bytes from p0 to q0
     * @param along bytes from one line of the edge to the next
     * @param lines samples along the edge
     * @param tc0 tC0 for the edge's bS
     */
    void lumaNormal(long q0Address, long across, long along, int lines, int alpha, int beta, int tc0) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = samples.get(address - 2 * across);
            int p0 = samples.get(address - across);
            int q0 = samples.get(address);
            int q1 = samples.get(address + across);
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            int p2 = samples.get(address - 3 * across);
            int q2 = samples.get(address + 2 * across);
            int tc = tc0;
            if (Math.abs(p2 - p0) < beta) {
                int change = clip3(-tc0, tc0, (p2 + ((p0 + q0 + 1) >> 1) - 2 * p1) >> 1);
                samples.put(address - 2 * across, p1 + change);
                tc++;
            }
            if (Math.abs(q2 - q0) < beta) {
                int change = clip3(-tc0, tc0, (q2 + ((p0 + q0 + 1) >> 1) - 2 * q1) >> 1);
                samples.put(address + across, q1 + change);
                tc++;
            }
            int delta = clip3(-tc, tc, (4 * (q0 - p0) + (p1 - q1) + 4) >> 3);
            samples.put(address - across, clip1(p0 + delta));
            samples.put(address, clip1(q0 - delta));
        }
    }

    /** Filters a luma edge with bS 4. The parameters are those of {@link #lumaNormal}. */
    void lumaStrong(long q0Address, long across, long along, int lines, int alpha, int beta) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = samples.get(address - 2 * across);
            int p0 = samples.get(address - across);
            int q0 = samples.get(address);
            int q1 = samples.get(address + across);
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            int p2 = samples.get(address - 3 * across);
            int q2 = samples.get(address + 2 * across);
            boolean smallStep = Math.abs(p0 - q0) < (alpha >> 2) + 2;
            if (smallStep && Math.abs(p2 - p0) < beta) {
                int p3 = samples.get(address - 4 * across);
                samples.put(address - across, (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3);
                samples.put(address - 2 * across, (p2 + p1 + p0 + q0 + 2) >> 2);
                samples.put(address - 3 * across, (2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3);
            } else {
                samples.put(address - across, (2 * p1 + p0 + q1 + 2) >> 2);
            }
            if (smallStep && Math.abs(q2 - q0) < beta) {
                int q3 = samples.get(address + 3 * across);
                samples.put(address, (p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3);
                samples.put(address + across, (p0 + q0 + q1 + q2 + 2) >> 2);
                samples.put(address + 2 * across, (2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3);
            } else {
                samples.put(address, (2 * q1 + q0 + p1 + 2) >> 2);
            }
        }
    }

    /**
     * Filters a chroma edge with bS less than 4. Reads two samples on either side.
     *
     * @param tc0 tC0 for the edge's bS; chroma's tC is tC0 + 1
     */
    void chromaNormal(long q0Address, long across, long along, int lines, int alpha, int beta, int tc0) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = samples.get(address - 2 * across);
            int p0 = samples.get(address - across);
            int q0 = samples.get(address);
            int q1 = samples.get(address + across);
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            int delta = clip3(-tc0 - 1, tc0 + 1, (4 * (q0 - p0) + (p1 - q1) + 4) >> 3);
            samples.put(address - across, clip1(p0 + delta));
            samples.put(address, clip1(q0 - delta));
        }
    }

    /** Filters a chroma edge with bS 4. The parameters are those of {@link #chromaNormal}. */
    void chromaStrong(long q0Address, long across, long along, int lines, int alpha, int beta) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = samples.get(address - 2 * across);
            int p0 = samples.get(address - across);
            int q0 = samples.get(address);
            int q1 = samples.get(address + across);
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            samples.put(address - across, (2 * p1 + p0 + q1 + 2) >> 2);
            samples.put(address, (2 * q1 + q0 + p1 + 2) >> 2);
        }
    }

    private static int clip3(int low, int high, int value) {
        return Math.max(low, Math.min(high, value));
    }

    private int clip1(int value) {
        return Math.max(0, Math.min(most, value));
    }
}

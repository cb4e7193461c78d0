package org.gstqpu.kernels.cpu;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memPutByte;

/** Filters the samples of one edge, as ITU-T H.264, 8.7.2.3 and 8.7.2.4 say, for 8-bit video; on any thread. */
final class H264EdgeFilter {
    private H264EdgeFilter() {}

    /**
     * Filters a luma edge with bS less than 4.
     *
     * @param q0Address first sample on the far side of the edge; four samples on either side are read
     * @param across bytes from p0 to q0
     * @param along bytes from one line of the edge to the next
     * @param lines samples along the edge
     * @param tc0 tC0 for the edge's bS
     */
    static void lumaNormal(long q0Address, long across, long along, int lines, int alpha, int beta, int tc0) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = memGetByte(address - 2 * across) & 255;
            int p0 = memGetByte(address - across) & 255;
            int q0 = memGetByte(address) & 255;
            int q1 = memGetByte(address + across) & 255;
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            int p2 = memGetByte(address - 3 * across) & 255;
            int q2 = memGetByte(address + 2 * across) & 255;
            int tc = tc0;
            if (Math.abs(p2 - p0) < beta) {
                int change = clip3(-tc0, tc0, (p2 + ((p0 + q0 + 1) >> 1) - 2 * p1) >> 1);
                memPutByte(address - 2 * across, (byte) (p1 + change));
                tc++;
            }
            if (Math.abs(q2 - q0) < beta) {
                int change = clip3(-tc0, tc0, (q2 + ((p0 + q0 + 1) >> 1) - 2 * q1) >> 1);
                memPutByte(address + across, (byte) (q1 + change));
                tc++;
            }
            int delta = clip3(-tc, tc, (4 * (q0 - p0) + (p1 - q1) + 4) >> 3);
            memPutByte(address - across, (byte) clip1(p0 + delta));
            memPutByte(address, (byte) clip1(q0 - delta));
        }
    }

    /** Filters a luma edge with bS 4; parameters as of {@link #lumaNormal}. */
    static void lumaStrong(long q0Address, long across, long along, int lines, int alpha, int beta) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = memGetByte(address - 2 * across) & 255;
            int p0 = memGetByte(address - across) & 255;
            int q0 = memGetByte(address) & 255;
            int q1 = memGetByte(address + across) & 255;
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            int p2 = memGetByte(address - 3 * across) & 255;
            int q2 = memGetByte(address + 2 * across) & 255;
            boolean smallStep = Math.abs(p0 - q0) < (alpha >> 2) + 2;
            if (smallStep && Math.abs(p2 - p0) < beta) {
                int p3 = memGetByte(address - 4 * across) & 255;
                memPutByte(address - across, (byte) ((p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3));
                memPutByte(address - 2 * across, (byte) ((p2 + p1 + p0 + q0 + 2) >> 2));
                memPutByte(address - 3 * across, (byte) ((2 * p3 + 3 * p2 + p1 + p0 + q0 + 4) >> 3));
            } else {
                memPutByte(address - across, (byte) ((2 * p1 + p0 + q1 + 2) >> 2));
            }
            if (smallStep && Math.abs(q2 - q0) < beta) {
                int q3 = memGetByte(address + 3 * across) & 255;
                memPutByte(address, (byte) ((p1 + 2 * p0 + 2 * q0 + 2 * q1 + q2 + 4) >> 3));
                memPutByte(address + across, (byte) ((p0 + q0 + q1 + q2 + 2) >> 2));
                memPutByte(address + 2 * across, (byte) ((2 * q3 + 3 * q2 + q1 + q0 + p0 + 4) >> 3));
            } else {
                memPutByte(address, (byte) ((2 * q1 + q0 + p1 + 2) >> 2));
            }
        }
    }

    /**
     * Filters a chroma edge with bS less than 4; two samples on either side are read.
     *
     * @param tc0 tC0 for the edge's bS; chroma's tC is one more
     */
    static void chromaNormal(long q0Address, long across, long along, int lines, int alpha, int beta, int tc0) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = memGetByte(address - 2 * across) & 255;
            int p0 = memGetByte(address - across) & 255;
            int q0 = memGetByte(address) & 255;
            int q1 = memGetByte(address + across) & 255;
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            int delta = clip3(-tc0 - 1, tc0 + 1, (4 * (q0 - p0) + (p1 - q1) + 4) >> 3);
            memPutByte(address - across, (byte) clip1(p0 + delta));
            memPutByte(address, (byte) clip1(q0 - delta));
        }
    }

    /** Filters a chroma edge with bS 4; parameters as of {@link #chromaNormal}. */
    static void chromaStrong(long q0Address, long across, long along, int lines, int alpha, int beta) {
        long address = q0Address;
        for (int i = 0; i < lines; i++, address += along) {
            int p1 = memGetByte(address - 2 * across) & 255;
            int p0 = memGetByte(address - across) & 255;
            int q0 = memGetByte(address) & 255;
            int q1 = memGetByte(address + across) & 255;
            if (Math.abs(p0 - q0) >= alpha || Math.abs(p1 - p0) >= beta || Math.abs(q1 - q0) >= beta) {
                continue;
            }
            memPutByte(address - across, (byte) ((2 * p1 + p0 + q1 + 2) >> 2));
            memPutByte(address, (byte) ((2 * q1 + q0 + p1 + 2) >> 2));
        }
    }

    private static int clip3(int low, int high, int value) {
        return Math.max(low, Math.min(high, value));
    }

    private static int clip1(int value) {
        return Math.max(0, Math.min(255, value));
    }
}

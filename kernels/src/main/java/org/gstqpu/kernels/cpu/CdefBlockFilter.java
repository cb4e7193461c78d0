package org.gstqpu.kernels.cpu;

/** Filters one block of a plane (AV1 specification, 7.15.3); on any thread. */
final class CdefBlockFilter {
    /**
     * What stands in a tile for a sample that is not available: its distance to any sample is so large that its
     * constrained difference is 0, as a signed number it is below every sample, and as an unsigned one above.
     */
    static final short UNAVAILABLE = Short.MIN_VALUE;

    private static final int[] DIRECTION_Y1 = {-1, 0, 0, 0, 1, 1, 1, 1};
    private static final int[] DIRECTION_X1 = {1, 1, 1, 1, 1, 0, 0, 0};
    private static final int[] DIRECTION_Y2 = {-2, -1, 0, 1, 2, 2, 2, 2};
    private static final int[] DIRECTION_X2 = {2, 2, 2, 2, 2, 1, 0, -1};

    private CdefBlockFilter() {}

    /**
     * Luma's primary strength, adjusted by the block's variance (AV1 specification, 7.15.1).
     *
     * @param primary scaled to the bit depth
     */
    static int adjustedPrimary(int primary, int variance) {
        if (variance == 0) {
            return 0;
        }
        int v = variance >> 6;
        int log = v == 0 ? 0 : Math.min(floorLog2(v), 12);
        return (primary * (4 + log) + 8) >> 4;
    }

    /**
     * Filters a square block.
     *
     * @param in the block from {@code inOffset}, {@code inStride} samples a row, and two samples around it, {@link
     *     #UNAVAILABLE} where there are none
     * @param out where the result goes, from {@code outOffset}
     * @param size 8 or 4 samples a side
     * @param primary strength, scaled to the bit depth, luma's adjusted
     * @param secondary strength, scaled to the bit depth
     * @param direction 0..7
     * @param damping scaled to the bit depth, chroma's one less than luma's
     * @param coefficientShift bit depth less 8
     */
    static void filter(
            short[] in,
            int inOffset,
            int inStride,
            short[] out,
            int outOffset,
            int outStride,
            int size,
            int primary,
            int secondary,
            int direction,
            int damping,
            int coefficientShift) {
        int primaryShift = primary == 0 ? 0 : Math.max(0, damping - floorLog2(primary));
        int secondaryShift = secondary == 0 ? 0 : Math.max(0, damping - floorLog2(secondary));
        boolean odd = (primary >> coefficientShift & 1) != 0;
        int tap1 = odd ? 3 : 4;
        int tap2 = odd ? 3 : 2;
        int p1 = offset1(direction, inStride);
        int p2 = offset2(direction, inStride);
        int s1 = offset1(direction + 2, inStride);
        int s2 = offset2(direction + 2, inStride);
        int t1 = offset1(direction - 2, inStride);
        int t2 = offset2(direction - 2, inStride);
        for (int row = 0; row < size; row++) {
            int i = inOffset + row * inStride;
            int o = outOffset + row * outStride;
            for (int column = 0; column < size; column++, i++, o++) {
                int x = in[i];
                int sum = tap1
                                * (constrain(in[i + p1] - x, primary, primaryShift)
                                        + constrain(in[i - p1] - x, primary, primaryShift))
                        + tap2
                                * (constrain(in[i + p2] - x, primary, primaryShift)
                                        + constrain(in[i - p2] - x, primary, primaryShift))
                        + 2
                                * (constrain(in[i + s1] - x, secondary, secondaryShift)
                                        + constrain(in[i - s1] - x, secondary, secondaryShift)
                                        + constrain(in[i + t1] - x, secondary, secondaryShift)
                                        + constrain(in[i - t1] - x, secondary, secondaryShift))
                        + constrain(in[i + s2] - x, secondary, secondaryShift)
                        + constrain(in[i - s2] - x, secondary, secondaryShift)
                        + constrain(in[i + t2] - x, secondary, secondaryShift)
                        + constrain(in[i - t2] - x, secondary, secondaryShift);
                int max = x;
                max = Math.max(Math.max(max, in[i + p1]), in[i - p1]);
                max = Math.max(Math.max(max, in[i + p2]), in[i - p2]);
                max = Math.max(Math.max(max, in[i + s1]), in[i - s1]);
                max = Math.max(Math.max(max, in[i + s2]), in[i - s2]);
                max = Math.max(Math.max(max, in[i + t1]), in[i - t1]);
                max = Math.max(Math.max(max, in[i + t2]), in[i - t2]);
                int min = x;
                min = Math.min(Math.min(min, in[i + p1] & 0xffff), in[i - p1] & 0xffff);
                min = Math.min(Math.min(min, in[i + p2] & 0xffff), in[i - p2] & 0xffff);
                min = Math.min(Math.min(min, in[i + s1] & 0xffff), in[i - s1] & 0xffff);
                min = Math.min(Math.min(min, in[i + s2] & 0xffff), in[i - s2] & 0xffff);
                min = Math.min(Math.min(min, in[i + t1] & 0xffff), in[i - t1] & 0xffff);
                min = Math.min(Math.min(min, in[i + t2] & 0xffff), in[i - t2] & 0xffff);
                int y = x + ((8 + sum + (sum >> 31)) >> 4);
                out[o] = (short) Math.max(min, Math.min(max, y));
            }
        }
    }

    private static int constrain(int difference, int strength, int shift) {
        int magnitude = Math.abs(difference);
        int kept = Math.min(magnitude, Math.max(0, strength - (magnitude >> shift)));
        return difference < 0 ? -kept : kept;
    }

    private static int offset1(int direction, int stride) {
        return DIRECTION_Y1[direction & 7] * stride + DIRECTION_X1[direction & 7];
    }

    private static int offset2(int direction, int stride) {
        return DIRECTION_Y2[direction & 7] * stride + DIRECTION_X2[direction & 7];
    }

    private static int floorLog2(int value) {
        return 31 - Integer.numberOfLeadingZeros(value);
    }
}

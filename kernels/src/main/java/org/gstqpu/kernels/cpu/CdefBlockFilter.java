package org.gstqpu.kernels.cpu;

/** Filters one block of a plane (AV1 specification, 7.15.3); on any thread. */
final class CdefBlockFilter {
    private static final int[] DIRECTION_Y1 = {-1, 0, 0, 0, 1, 1, 1, 1};
    private static final int[] DIRECTION_X1 = {1, 1, 1, 1, 1, 0, 0, 0};
    private static final int[] DIRECTION_Y2 = {-2, -1, 0, 1, 2, 2, 2, 2};
    private static final int[] DIRECTION_X2 = {2, 2, 2, 2, 2, 1, 0, -1};

    private final CdefConstraints constraints;
    private final int coefficientShift;

    /** A filter for samples of {@code bitDepth} bits; {@code constraints} are prepared by their owner. */
    CdefBlockFilter(CdefConstraints constraints, int bitDepth) {
        this.constraints = constraints;
        this.coefficientShift = bitDepth - 8;
    }

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
     * Filters a square block; at least one of the strengths is not 0.
     *
     * @param in the block from {@code inOffset}, {@code inStride} samples a row, and two samples around it, {@link
     *     CdefConstraints#UNAVAILABLE} where there are none
     * @param out where the result goes, from {@code outOffset}
     * @param size 8 or 4 samples a side
     * @param primary strength, scaled to the bit depth, luma's adjusted
     * @param secondary strength, scaled to the bit depth
     * @param direction 0..7
     * @param damping scaled to the bit depth, chroma's one less than luma's
     */
    void filter(
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
            int damping) {
        byte[] primaryTable = constraints.table(primary, damping);
        byte[] secondaryTable = constraints.table(secondary, damping);
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
                int sum = primarySum(in, i, x, p1, p2, primaryTable, tap1, tap2)
                        + secondarySum(in, i, x, s1, s2, t1, t2, secondaryTable);
                int change = (8 + sum + (sum >> 31)) >> 4;
                // A change by 1 comes from a tap on that side of x, which bounds it already.
                if (change < -1 || change > 1) {
                    change = clip(in, i, x, p1, p2, s1, s2, t1, t2, change);
                }
                out[o] = (short) (x + change);
            }
        }
    }

    private static int primarySum(short[] in, int i, int x, int o1, int o2, byte[] table, int tap1, int tap2) {
        int mask = table.length - 1;
        return tap1 * (table[(in[i + o1] - x) & mask] + table[(in[i - o1] - x) & mask])
                + tap2 * (table[(in[i + o2] - x) & mask] + table[(in[i - o2] - x) & mask]);
    }

    private static int secondarySum(short[] in, int i, int x, int s1, int s2, int t1, int t2, byte[] table) {
        int mask = table.length - 1;
        return 2
                        * (table[(in[i + s1] - x) & mask]
                                + table[(in[i - s1] - x) & mask]
                                + table[(in[i + t1] - x) & mask]
                                + table[(in[i - t1] - x) & mask])
                + table[(in[i + s2] - x) & mask]
                + table[(in[i - s2] - x) & mask]
                + table[(in[i + t2] - x) & mask]
                + table[(in[i - t2] - x) & mask];
    }

    private static int clip(short[] in, int i, int x, int p1, int p2, int s1, int s2, int t1, int t2, int change) {
        int max = x;
        int min = x;
        for (int k = 0; k < 12; k++) {
            int offset = switch (k >> 1) {
                case 0 -> p1;
                case 1 -> p2;
                case 2 -> s1;
                case 3 -> s2;
                case 4 -> t1;
                default -> t2;
            };
            int tap = in[(k & 1) == 0 ? i + offset : i - offset];
            if (tap != CdefConstraints.UNAVAILABLE) {
                max = Math.max(max, tap);
                min = Math.min(min, tap);
            }
        }
        return Math.max(min - x, Math.min(max - x, change));
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

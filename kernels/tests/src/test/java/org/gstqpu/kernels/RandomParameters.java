/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;

/** Random filter parameters over their whole ranges. */
public final class RandomParameters {
    private RandomParameters() {}

    /** Deblocking with independent indexes, or as of an intra picture. */
    public static H264DeblockParameters deblock(Random random) {
        if (random.nextInt(4) == 0) {
            return H264DeblockParameters.intra(
                    random.nextInt(52),
                    2 * random.nextInt(13) - 12,
                    2 * random.nextInt(13) - 12,
                    random.nextInt(25) - 12,
                    random.nextInt(25) - 12,
                    random.nextBoolean());
        }
        // All edges with bS 0 now and then: pictures are then copied.
        boolean left = random.nextInt(8) == 0;
        return new H264DeblockParameters(
                index(random),
                index(random),
                index(random),
                index(random),
                index(random),
                index(random),
                left ? 0 : random.nextInt(5),
                left ? 0 : random.nextInt(4),
                random.nextBoolean());
    }

    /** High indexes more often than low ones, at which nothing happens. */
    private static int index(Random random) {
        return random.nextInt(4) == 0 ? random.nextInt(52) : 20 + random.nextInt(32);
    }

    /** CDEF with 1 to 8 strengths and, half of the time, a map of blocks. */
    public static CdefParameters cdef(Random random, int width, int height) {
        List<CdefStrength> strengths = new ArrayList<>();
        for (int i = random.nextInt(8); i >= 0; i--) {
            strengths.add(new CdefStrength(primary(random), secondary(random), primary(random), secondary(random)));
        }
        return new CdefParameters(
                3 + random.nextInt(4),
                strengths,
                random.nextBoolean() ? Optional.of(map(random, width, height, strengths.size())) : Optional.empty());
    }

    private static int primary(Random random) {
        return random.nextInt(4) == 0 ? 0 : random.nextInt(16);
    }

    private static int secondary(Random random) {
        return new int[] {0, 1, 2, 4}[random.nextInt(4)];
    }

    private static CdefBlockMap map(Random random, int width, int height, int strengths) {
        byte[] strengthIndex64 = new byte[((width + 63) / 64) * ((height + 63) / 64)];
        for (int i = 0; i < strengthIndex64.length; i++) {
            strengthIndex64[i] = (byte) (random.nextInt(strengths + 1) - 1);
        }
        byte[] filtered8 = new byte[((width + 7) / 8) * ((height + 7) / 8)];
        for (int i = 0; i < filtered8.length; i++) {
            filtered8[i] = (byte) (random.nextInt(4) == 0 ? 0 : 1);
        }
        return new CdefBlockMap(width, height, strengthIndex64, filtered8);
    }

    /** Shrinkage of both planes, one of them or none, with and without a bound. */
    public static ShrinkageParameters shrinkage(Random random) {
        return new ShrinkageParameters(4 << random.nextInt(3), threshold(random), threshold(random), bound(random));
    }

    /** Small thresholds more often than large ones, and both ends of the range. */
    private static int threshold(Random random) {
        return switch (random.nextInt(12)) {
            case 0 -> 0;
            case 1 -> 1 + random.nextInt(4);
            case 2 -> ShrinkageParameters.LARGEST_THRESHOLD;
            case 3, 4, 5 -> 1 + random.nextInt(ShrinkageParameters.LARGEST_THRESHOLD);
            default -> 1 + random.nextInt(160);
        };
    }

    private static int bound(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(101);
            default -> ShrinkageParameters.DEFAULT_BOUND;
        };
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What one run takes of tests that are much alike, and of random numbers: always the same, or, where {@code GST_QPU_TESTS} is {@code
 * all}, all tests and another seed each time.
 */
final class Sample {
    private static final boolean ALL = "all".equals(System.getenv("GST_QPU_TESTS"));
    private static final int FIXED_SEED = 20_261_126;

    private Sample() {}

    /** Whether this run takes a sample, and not all tests. */
    static boolean isTaken() {
        return !ALL;
    }

    /** The first and every further one at a distance of {@code parts}; all where all tests run. */
    static <T> List<T> of(int parts, List<T> all) {
        return IntStream.range(0, all.size())
                .filter(i -> ALL || i % parts == 0)
                .mapToObj(all::get)
                .collect(Collectors.toList());
    }

    /** From 0 on: {@code -Dgstqpu.seed=N} if it is given. Whoever uses it prints it. */
    static int seed() {
        return Integer.getInteger("gstqpu.seed", ALL ? new Random().nextInt(Integer.MAX_VALUE) : FIXED_SEED);
    }
}

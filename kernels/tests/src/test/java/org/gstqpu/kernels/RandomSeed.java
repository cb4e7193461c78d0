/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

/**
 * The seed of a test with random input: {@code -Dgstqpu.seed=N} if it is given, another one each time where {@code GST_QPU_TESTS} is
 * {@code all}, and otherwise always the same.
 */
public final class RandomSeed {
    private static final long FIXED = 20_261_126;

    private RandomSeed() {}

    /** Prints the seed that it returns, unless that is the fixed one. */
    public static long get() {
        Long given = Long.getLong("gstqpu.seed");
        if (given == null && !"all".equals(System.getenv("GST_QPU_TESTS"))) {
            return FIXED;
        }
        long seed = given != null ? given : System.nanoTime();
        String test = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE)
                .getCallerClass()
                .getSimpleName();
        System.out.println(test + ": -Dgstqpu.seed=" + seed);
        return seed;
    }
}

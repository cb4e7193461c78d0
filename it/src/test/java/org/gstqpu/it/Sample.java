/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Of tests that are much alike, and take long, those that one run takes: some, by the number {@code GST_QPU_SAMPLE}, or all without
 * it. {@code it/check} chooses another number each time, continuous integration none.
 */
final class Sample {
    private static final Optional<Long> SEED = Optional.ofNullable(System.getenv("GST_QPU_SAMPLE"))
            .filter(text -> !text.isEmpty())
            .map(Long::valueOf);

    private Sample() {}

    /** Whether this run takes a sample, and not all tests. */
    static boolean isTaken() {
        return SEED.isPresent();
    }

    /** One in {@code parts} of these, at least one. */
    static <T> List<T> of(int parts, List<T> all) {
        if (SEED.isEmpty()) {
            return all;
        }
        List<T> mixed = new ArrayList<>(all);
        Collections.shuffle(mixed, new Random(SEED.get()));
        List<T> some = mixed.subList(0, Math.max(1, all.size() / parts));
        System.out.println("Sample with GST_QPU_SAMPLE=" + SEED.get() + ": " + some + " of " + all);
        return some;
    }
}

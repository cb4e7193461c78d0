/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.util.Optional;

/** Counts the values that were compared and those that differ. Belongs to one verification. */
final class GoldenTally {
    private long values;
    private long mismatches;
    private long lastExpected;
    private long lastFound;
    private String firstMismatch;

    /** Compares one value. Returns false if it differs; {@link #describe} may then say where it lies. */
    boolean add(long expected, long found) {
        values++;
        if (expected == found) {
            return true;
        }
        mismatches++;
        lastExpected = expected;
        lastFound = found;
        return false;
    }

    /** Says where the value lies that {@link #add} found different. Only the first description is kept. */
    void describe(String where) {
        if (firstMismatch == null) {
            firstMismatch = where + ": expected " + lastExpected + ", got " + lastFound;
        }
    }

    GoldenResult result(String kernel, int records, boolean onSubstrate) {
        return new GoldenResult(kernel, records, values, mismatches, Optional.ofNullable(firstMismatch), onSubstrate);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.util.Optional;

/**
 * The result of verifying a file. Immutable.
 *
 * @param kernel the file's kernel
 * @param records number of records, or 1 for a picture
 * @param samples number of samples compared, over all layouts that a picture was run in
 * @param mismatches number of samples that differ
 * @param firstMismatch one line: where the first sample that differs lies, the expected and the actual value
 * @param onSubstrate whether the substrate computed the samples; false for tables, which the CPU looks up on every
 *     substrate
 */
public record GoldenResult(
        String kernel,
        int records,
        long samples,
        long mismatches,
        Optional<String> firstMismatch,
        boolean onSubstrate) {

    /** Joins two results of one file. */
    GoldenResult and(GoldenResult other) {
        return new GoldenResult(
                kernel,
                records,
                samples + other.samples,
                mismatches + other.mismatches,
                firstMismatch.or(other::firstMismatch),
                onSubstrate && other.onSubstrate);
    }
}

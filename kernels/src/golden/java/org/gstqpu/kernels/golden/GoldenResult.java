/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.util.Optional;

/**
 * What came of verifying a file.
 *
 * @param kernel the file's kernel
 * @param records records, or 1 for a picture
 * @param samples samples that were compared, over all layouts that a picture was run in
 * @param mismatches samples that differ
 * @param firstMismatch one line: where the first of them is, what was expected and what came
 * @param onSubstrate whether the substrate computed them; false for tables, which are the CPU's on every substrate
 */
public record GoldenResult(
        String kernel,
        int records,
        long samples,
        long mismatches,
        Optional<String> firstMismatch,
        boolean onSubstrate) {

    /** This and another result of the same file. */
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

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.golden.GoldenRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CdefBlockFilterTest {
    private static final int IN_STRIDE = 12;
    private static final int ORIGIN = 2 * IN_STRIDE + 2;

    @ParameterizedTest
    @ValueSource(ints = {8, 10})
    void everyBlockEqualsTheReferenceDecoder(int bitDepth) throws Exception {
        GoldenRecords records = TestVectors.records("av1_cdef" + bitDepth);
        assertTrue(records.records() > 1500);
        CdefConstraints constraints = new CdefConstraints(bitDepth);
        CdefBlockFilter filter = new CdefBlockFilter(constraints, bitDepth);
        short[] out = new short[10 * 10];
        for (int i = 0; i < records.records(); i++) {
            int size = (int) records.value(i, "w");
            int primary = (int) records.value(i, "pri");
            int secondary = (int) records.value(i, "sec");
            int damping = (int) records.value(i, "damping");
            constraints.prepare(primary, damping);
            constraints.prepare(secondary, damping);
            Arrays.fill(out, (short) -7);
            int outOrigin = 11;
            filter.filter(
                    input(records, i, size),
                    ORIGIN,
                    IN_STRIDE,
                    out,
                    outOrigin,
                    10,
                    size,
                    size,
                    1,
                    primary,
                    secondary,
                    (int) records.value(i, "dir"),
                    damping);
            for (int k = 0; k < 100; k++) {
                int y = k / 10 - 1;
                int x = k % 10 - 1;
                boolean inside = x >= 0 && y >= 0 && x < size && y < size;
                long expected = inside ? records.value(i, "out", y * size + x) : -7;
                assertEquals(expected, out[k], "record " + i + ", column " + x + ", row " + y);
            }
        }
    }

    /** The record's samples, with those beyond a missing edge marked as a tile marks them. */
    private static short[] input(GoldenRecords records, int record, int size) {
        short[] in = new short[IN_STRIDE * IN_STRIDE];
        int edges = (int) records.value(record, "edges");
        for (int k = 0; k < in.length; k++) {
            int y = k / IN_STRIDE - 2;
            int x = k % IN_STRIDE - 2;
            boolean available = (x >= 0 || (edges & 1) != 0)
                    && (x < size || (edges & 2) != 0)
                    && (y >= 0 || (edges & 4) != 0)
                    && (y < size || (edges & 8) != 0);
            in[k] = available ? (short) records.value(record, "in", k) : CdefConstraints.UNAVAILABLE;
        }
        return in;
    }

    @Test
    void everyAdjustedPrimaryStrengthEqualsTheReferenceDecoder() throws Exception {
        GoldenRecords records = TestVectors.records("av1_cdef_adjust");
        assertTrue(records.records() > 1500);
        for (int i = 0; i < records.records(); i++) {
            int primary = (int) records.value(i, "pri");
            int variance = (int) records.value(i, "var");
            assertEquals(
                    records.value(i, "adjusted"),
                    CdefBlockFilter.adjustedPrimary(primary, variance),
                    () -> "strength " + primary + ", variance " + variance);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.golden.GoldenRecords;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CdefDirectionTest {
    @ParameterizedTest
    @ValueSource(ints = {8, 10})
    void everyDirectionAndVarianceEqualsTheReferenceDecoder(int bitDepth) throws Exception {
        GoldenRecords records = TestVectors.records("av1_cdef_dir" + bitDepth);
        assertTrue(records.records() > 1000);
        CdefDirection direction = new CdefDirection();
        int stride = 11;
        int offset = 5;
        short[] samples = new short[offset + 8 * stride];
        for (int i = 0; i < records.records(); i++) {
            for (int k = 0; k < 64; k++) {
                samples[offset + k / 8 * stride + k % 8] = (short) records.value(i, "in", k);
            }
            int found = direction.search(samples, offset, stride, bitDepth - 8);
            assertEquals(records.value(i, "dir"), found, "direction of record " + i);
            assertEquals(records.value(i, "var"), direction.variance(), "variance of record " + i);
        }
    }
}

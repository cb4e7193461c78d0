/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.golden.GoldenRecords;
import org.junit.jupiter.api.Test;

class H264TablesTest {
    @Test
    void everyEntryEqualsTheStandards() throws Exception {
        GoldenRecords tables = TestVectors.records("h264_tables");
        assertEquals(52, tables.records());
        for (int i = 0; i < tables.records(); i++) {
            int index = (int) tables.value(i, "index");
            assertEquals(i, index);
            assertEquals(tables.value(i, "alpha"), H264Tables.alpha(index), () -> "alpha of " + index);
            assertEquals(tables.value(i, "beta"), H264Tables.beta(index), () -> "beta of " + index);
            for (int bS = 1; bS <= 3; bS++) {
                assertEquals(
                        tables.value(i, "tc0_bS123", bS - 1),
                        H264Tables.tc0(bS, index),
                        "tC0 of bS " + bS + ", indexA " + index);
            }
            assertEquals(tables.value(i, "chroma_qp"), H264Tables.chromaQp(index), () -> "QPc of " + index);
        }
    }

    @Test
    void qpiOutsideTheTableIsClipped() {
        assertEquals(0, H264Tables.chromaQp(-12));
        assertEquals(39, H264Tables.chromaQp(63));
    }

    @Test
    void tc0ExistsForBs1To3Only() {
        assertThrows(IllegalArgumentException.class, () -> H264Tables.tc0(0, 30));
        assertThrows(IllegalArgumentException.class, () -> H264Tables.tc0(4, 30));
    }
}

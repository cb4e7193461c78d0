/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.filter.H264Tables;
import org.gstqpu.kernels.golden.GoldenRecords;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;

class H264EdgeFilterTest {
    @Test
    void everyLumaEdgeEqualsTheReferenceDecoder() throws Exception {
        checkAll("h264_luma", true);
    }

    @Test
    void everyChromaEdgeEqualsTheReferenceDecoder() throws Exception {
        checkAll("h264_chroma", false);
    }

    private static void checkAll(String vectors, boolean luma) throws Exception {
        GoldenRecords records = TestVectors.records(vectors);
        assertTrue(records.records() > 2000);
        int samples = records.count("in");
        long memory = MemoryUtil.nmemAllocChecked(samples);
        try {
            for (int i = 0; i < records.records(); i++) {
                for (int k = 0; k < samples; k++) {
                    MemoryUtil.memPutByte(memory + k, (byte) records.value(i, "in", k));
                }
                filter(records, i, memory, luma);
                for (int k = 0; k < samples; k++) {
                    assertEquals(
                            records.value(i, "out", k),
                            MemoryUtil.memGetByte(memory + k) & 255,
                            vectors + " record " + i + ", sample " + k);
                }
            }
        } finally {
            MemoryUtil.nmemFree(memory);
        }
    }

    private static void filter(GoldenRecords records, int record, long memory, boolean luma) {
        int length = luma ? 16 : 8;
        boolean vertical = records.value(record, "dir") == 0;
        long across = vertical ? 1 : length;
        long along = vertical ? 8 : 1;
        int alpha = (int) records.value(record, "alpha");
        int beta = (int) records.value(record, "beta");
        for (int segment = 0; segment < 4; segment++) {
            int lines = length / 4;
            long q0 = memory + 4 * across + (long) segment * lines * along;
            int bS = (int) records.value(record, "bS", segment);
            if (bS == 0) {
                continue;
            }
            if (bS < 4) {
                int tc0 = (int) records.value(record, "tc0", segment);
                assertEquals(H264Tables.tc0(bS, (int) records.value(record, "indexA")), tc0);
                H264EdgeFilter.OF_BYTES.normal(!luma, q0, across, along, lines, alpha, beta, tc0);
            } else {
                H264EdgeFilter.OF_BYTES.strong(!luma, q0, across, along, lines, alpha, beta);
            }
        }
    }
}

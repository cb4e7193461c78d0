/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.nmemAlignedAlloc;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9InterpolationFilter;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.StrengthRule;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.strength.GridPitch;
import org.gstqpu.kernels.internal.stage.strength.StrengthState;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefDirectionRecord;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefDirectionResult;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefFilterRecord;
import org.gstqpu.kernels.internal.vulkan.block.layout.EdgeSegment;
import org.gstqpu.kernels.internal.vulkan.block.layout.EdgeTable;
import org.gstqpu.kernels.internal.vulkan.block.layout.H264EdgeRecord;
import org.gstqpu.kernels.internal.vulkan.block.layout.RunCount;
import org.gstqpu.kernels.internal.vulkan.block.layout.ShrinkageRecord;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9EdgeRecord;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9IdctRecord;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9MotionRecord;
import org.gstqpu.kernels.internal.vulkan.layout.CdefStrengthTable;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthCounts;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthFindings;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthLadderTable;
import org.junit.jupiter.api.Test;

/** What the public API fixes about records and tables, held against what the shaders declare. */
class SharedLayoutTest {
    private static final int INDEX = 2;

    @Test
    void recordsOfEdgesLieWhereTheShadersReadThem() {
        try (Memory records = new Memory()) {
            H264Edge.putRecord(records, INDEX, 64, EdgeDirection.HORIZONTAL, 11, 7, 1, 2, 3, 4);
            long h264 = records.address() + INDEX * H264EdgeRecord.BYTES;
            assertEquals(64, memGetInt(h264 + H264EdgeRecord.OFFSET));
            assertEquals(11 | 7 << 8 | 1 << 31, memGetInt(h264 + H264EdgeRecord.PARAMETERS));
            assertEquals(0x04030201, memGetInt(h264 + H264EdgeRecord.TC));
            assertEquals(H264EdgeRecord.BYTES, H264Edge.RECORD_BYTES);

            Vp9LoopFilter.putRecord(records, INDEX, 128, EdgeDirection.VERTICAL, 8, 5, 6, 7);
            long vp9 = records.address() + INDEX * Vp9EdgeRecord.BYTES;
            assertEquals(128, memGetInt(vp9 + Vp9EdgeRecord.OFFSET));
            assertEquals(5 | 6 << 8 | 7 << 16 | 8 << 24, memGetInt(vp9 + Vp9EdgeRecord.PARAMETERS));
            assertEquals(Vp9EdgeRecord.BYTES, Vp9LoopFilter.RECORD_BYTES);
        }
    }

    @Test
    void recordsOfBlocksLieWhereTheShadersReadThem() {
        try (Memory records = new Memory()) {
            Vp9IdctAdd.putRecord(records, INDEX, 20);
            assertEquals(20, memGetInt(records.address() + INDEX * Vp9IdctRecord.BYTES + Vp9IdctRecord.OFFSET));
            assertEquals(Vp9IdctRecord.BYTES, Vp9IdctAdd.RECORD_BYTES);

            Vp9InterpolationFilter filter = Vp9InterpolationFilter.SHARP;
            Vp9MotionCompensation.putRecord(records, INDEX, 24, 28, filter, 3, 5, true);
            long motion = records.address() + INDEX * Vp9MotionRecord.BYTES;
            assertEquals(24, memGetInt(motion + Vp9MotionRecord.SOURCE_OFFSET));
            assertEquals(28, memGetInt(motion + Vp9MotionRecord.DESTINATION_OFFSET));
            assertEquals(filter.code() | 3 << 8 | 5 << 16 | 1 << 24, memGetInt(motion + Vp9MotionRecord.PARAMETERS));
            assertEquals(Vp9MotionRecord.BYTES, Vp9MotionCompensation.RECORD_BYTES);

            CdefDirection.putRecord(records, INDEX, 32);
            assertEquals(
                    32, memGetInt(records.address() + INDEX * CdefDirectionRecord.BYTES + CdefDirectionRecord.OFFSET));
            assertEquals(CdefDirectionRecord.BYTES, CdefDirection.RECORD_BYTES);

            CdefDirection.putResult(records, INDEX, 6, 1000);
            long result = records.address() + INDEX * CdefDirectionResult.BYTES;
            assertEquals(6, memGetInt(result + CdefDirectionResult.DIRECTION));
            assertEquals(1000, memGetInt(result + CdefDirectionResult.VARIANCE));
            assertEquals(CdefDirectionResult.BYTES, CdefDirection.RESULT_BYTES);

            CdefFilter.putRecord(records, INDEX, 36, 40, 9, 2, CdefFilter.LEFT, 5, 4);
            long cdef = records.address() + INDEX * CdefFilterRecord.BYTES;
            assertEquals(36, memGetInt(cdef + CdefFilterRecord.SOURCE_OFFSET));
            assertEquals(40, memGetInt(cdef + CdefFilterRecord.DESTINATION_OFFSET));
            assertEquals(9 | 2 << 16, memGetInt(cdef + CdefFilterRecord.STRENGTHS));
            assertEquals(CdefFilter.LEFT | 5 << 8 | 4 << 16, memGetInt(cdef + CdefFilterRecord.PARAMETERS));
            assertEquals(CdefFilterRecord.BYTES, CdefFilter.RECORD_BYTES);

            Shrinkage.putRecord(records, INDEX, 44);
            assertEquals(44, memGetInt(records.address() + INDEX * ShrinkageRecord.BYTES + ShrinkageRecord.THRESHOLD));
            assertEquals(ShrinkageRecord.BYTES, Shrinkage.RECORD_BYTES);
        }
    }

    @Test
    void theTableOfAScheduleLiesWhereTheShadersReadIt() {
        assertEquals(EdgeTable.SEGMENTS_COUNT, EdgeSchedule.SEGMENTS);
        assertEquals(EdgeTable.SEGMENTS_STEP, EdgeSchedule.SEGMENT_BYTES);
        assertEquals(EdgeTable.LEVEL_STARTS, EdgeSchedule.LEVELS_BYTE);
        assertEquals(0, EdgeTable.SEGMENTS);
        assertEquals(0, EdgeSegment.GROUPS);
        assertEquals(12, EdgeSegment.FIRST_LEVEL);
        assertEquals(16, EdgeSegment.LEVELS);
        assertEquals(0, RunCount.COUNT);
    }

    @Test
    void tablesHoldAllThatIsPutIntoThem() {
        assertEquals(CdefDecisions.MOST_STRENGTHS, CdefStrengthTable.STRENGTHS_COUNT);
        assertEquals(StrengthState.OFFSETS, StrengthFindings.OFFSETS_COUNT);
        assertEquals(GridPitch.COUNT, StrengthCounts.FREQUENCIES_COUNT);
        assertTrue(StrengthRule.words().size() <= StrengthFindings.RULE_COUNT);
        assertEquals(0, ParameterRoom.align(1) % StrengthLadderTable.TIERS_STEP, "a tier is whole words");
        assertTrue(StrengthLadderTable.GENERATION < StrengthLadderTable.TIERS, "the number lies before the tiers");
    }

    /** Memory of the process. */
    private static final class Memory implements KernelBuffer {
        private static final int ALIGNMENT_BYTES = 64;

        private final long address = nmemAlignedAlloc(ALIGNMENT_BYTES, sizeBytes());

        @Override
        public long sizeBytes() {
            return 256;
        }

        @Override
        public long address() {
            return address;
        }

        @Override
        public void close() {
            nmemAlignedFree(address);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockCallTest {
    private static final int COUNT = 64;
    private static final int STRIDE = 64;
    private static final int GUARDED_BYTES = 64 * STRIDE;

    private static List<BlockCall> calls(
            KernelBuffer records, KernelBuffer in, KernelBuffer picture, KernelBuffer out) {
        return List.of(
                new Vp9IdctAdd(in, records, COUNT, picture, STRIDE),
                new Vp9LoopFilter(records, COUNT, picture, STRIDE),
                new Vp9MotionCompensation(records, COUNT, in, STRIDE, picture, STRIDE),
                new CdefDirection(records, COUNT, picture, STRIDE, 8, in),
                new CdefDirection(records, COUNT, picture, STRIDE, 10, in),
                new CdefFilter(records, COUNT, in, STRIDE, picture, STRIDE, 8, 8, Optional.empty(), false),
                new CdefFilter(records, COUNT, in, STRIDE, picture, STRIDE, 4, 10, Optional.of(in), true),
                new Shrinkage(in, records, COUNT, out, picture),
                new H264Edge(records, COUNT, picture, STRIDE, false),
                new H264Edge(records, COUNT, picture, STRIDE, true));
    }

    /** Records of pure noise: nothing crashes, and nothing outside the buffers changes, which the next block checks. */
    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void recordsOutOfRangeTouchNoOtherMemory(TestSubstrates.Choice choice) throws Exception {
        long seed = RandomSeed.get();
        Random random = new Random(seed);
        try (BlockContext context = choice.openBlocks()) {
            try (KernelBuffer before = context.newBuffer(GUARDED_BYTES);
                    KernelBuffer records = context.newBuffer(COUNT * 16);
                    KernelBuffer in = context.newBuffer(COUNT * 128);
                    KernelBuffer picture = context.newBuffer(32 * STRIDE);
                    KernelBuffer out = context.newBuffer(COUNT * 128);
                    KernelBuffer after = context.newBuffer(GUARDED_BYTES)) {
                for (BlockCall call : calls(records, in, picture, out)) {
                    try (PreparedCall prepared = context.prepare(call)) {
                        for (int i = 0; i < 20; i++) {
                            byte[] noise = new byte[(int) records.sizeBytes()];
                            random.nextBytes(noise);
                            memByteBuffer(records.address(), noise.length).put(noise);
                            byte[] recordsGiven = noise.clone();
                            prepared.run(COUNT);
                            byte[] recordsAfter = new byte[noise.length];
                            memByteBuffer(records.address(), noise.length).get(recordsAfter);
                            assertArrayEquals(
                                    recordsGiven, recordsAfter, call.kernelName() + " changed its records, " + seed);
                            assertZero(before, call);
                            assertZero(after, call);
                        }
                    }
                }
            }
        }
    }

    private static void assertZero(KernelBuffer buffer, BlockCall call) {
        byte[] found = new byte[(int) buffer.sizeBytes()];
        memByteBuffer(buffer.address(), found.length).get(found);
        assertArrayEquals(new byte[found.length], found, call.kernelName());
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void countsOutOfRangeAreRefused(TestSubstrates.Choice choice) throws Exception {
        try (BlockContext context = choice.openBlocks()) {
            try (KernelBuffer records = context.newBuffer(COUNT * 16);
                    KernelBuffer in = context.newBuffer(COUNT * 128);
                    KernelBuffer picture = context.newBuffer(32 * STRIDE);
                    KernelBuffer out = context.newBuffer(COUNT * 128)) {
                for (BlockCall call : calls(records, in, picture, out)) {
                    PreparedCall prepared = context.prepare(call);
                    assertEquals(call, prepared.call());
                    assertThrows(IllegalArgumentException.class, () -> prepared.submit(-1));
                    assertThrows(IllegalArgumentException.class, () -> prepared.submit(COUNT + 1));
                    prepared.run(0);
                    prepared.await();
                    prepared.close();
                    prepared.close();
                    assertThrows(IllegalStateException.class, () -> prepared.submit(1));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void checkRecordsNamesTheFirstRecordThatIsOutOfRange(TestSubstrates.Choice choice) throws Exception {
        try (BlockContext context = choice.openBlocks()) {
            try (KernelBuffer records = context.newBuffer(COUNT * 16);
                    KernelBuffer in = context.newBuffer(COUNT * 128);
                    KernelBuffer picture = context.newBuffer(32 * STRIDE);
                    KernelBuffer out = context.newBuffer(COUNT * 128)) {
                for (BlockCall call : calls(records, in, picture, out)) {
                    putGoodAndBad(call, records);
                    call.checkRecords(3);
                    Exception e = assertThrows(IllegalArgumentException.class, () -> call.checkRecords(4));
                    assertTrue(e.getMessage().contains("record 3"), e.getMessage());
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void checkRecordsNamesTheNumberOfABlockThatIsOutOfRange(TestSubstrates.Choice choice) throws Exception {
        try (BlockContext context = choice.openBlocks()) {
            try (KernelBuffer records = context.newBuffer(16);
                    KernelBuffer in = context.newBuffer(4 * 128);
                    KernelBuffer weights = context.newBuffer(16);
                    KernelBuffer out = context.newBuffer(4 * 128)) {
                Shrinkage call = new Shrinkage(in, records, 4, out, weights);
                memPutShort(in.address() + 2 * 128 + 2 * 63, (short) -1023);
                call.checkRecords(4);
                memPutShort(in.address() + 2 * 128 + 2 * 63, (short) -1024);
                call.checkRecords(2);
                Exception e = assertThrows(IllegalArgumentException.class, () -> call.checkRecords(4));
                assertEquals("record 2: number 63 of its block is -1023..1023, given -1024", e.getMessage());
                assertThrows(IllegalArgumentException.class, () -> new Shrinkage(in, records, 4, in, weights));
                assertThrows(IllegalArgumentException.class, () -> new Shrinkage(in, records, 4, out, out));
                assertThrows(IllegalArgumentException.class, () -> new Shrinkage(in, records, 5, out, weights));
            }
        }
    }

    /** Three records in range and one whose block ends a row below the picture, or whose threshold is too large. */
    private static void putGoodAndBad(BlockCall call, KernelBuffer records) {
        EdgeDirection direction = EdgeDirection.VERTICAL;
        for (int i = 0; i < 4; i++) {
            int offset = (i == 3 ? 29 : 8 + i) * STRIDE + 8;
            if (call instanceof Vp9IdctAdd) {
                Vp9IdctAdd.putRecord(records, i, offset);
            } else if (call instanceof Vp9LoopFilter) {
                Vp9LoopFilter.putRecord(records, i, offset, direction, 16, 1, 1, 1);
            } else if (call instanceof Vp9MotionCompensation) {
                Vp9MotionCompensation.putRecord(records, i, 512, offset, Vp9InterpolationFilter.SHARP, 1, 1, false);
            } else if (call instanceof CdefDirection) {
                CdefDirection.putRecord(records, i, offset);
            } else if (call instanceof CdefFilter) {
                CdefFilter.putRecord(records, i, 512, i == 3 ? offset + STRIDE : offset, 1, 1, 0, 1, 5);
            } else if (call instanceof Shrinkage) {
                memPutInt(records.address() + 4L * i, Shrinkage.LARGEST_THRESHOLD + i / 3);
            } else {
                H264Edge.putStrongRecord(records, i, offset, direction, 1, 1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#all")
    void buffersAreZeroedAlignedAndOfTheSizeAskedFor(TestSubstrates.Choice choice) throws Exception {
        try (BlockContext context = choice.openBlocks()) {
            for (int i = 0; i < 2; i++) {
                // The second time from memory that the first has written.
                try (KernelBuffer buffer = context.newBuffer(1001)) {
                    assertEquals(1004, buffer.sizeBytes());
                    assertEquals(0, buffer.address() % 64);
                    byte[] found = new byte[1004];
                    memByteBuffer(buffer.address(), found.length).get(found);
                    assertArrayEquals(new byte[1004], found);
                    for (int k = 0; k < 1004; k++) {
                        memByteBuffer(buffer.address(), 1004).put(k, (byte) 0xff);
                    }
                }
            }
            assertThrows(IllegalArgumentException.class, () -> context.newBuffer(0));
            assertThrows(IllegalArgumentException.class, () -> context.newBuffer(1L << 31));
        }
    }
}

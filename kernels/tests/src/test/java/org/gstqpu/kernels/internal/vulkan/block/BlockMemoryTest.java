/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Thousands of runs of the block library leave the process as large as it was, drivers that lose memory included. */
@Tag("thorough")
class BlockMemoryTest {
    private static final Path STATM = Path.of("/proc/self/statm");
    private static final int PAGE_BYTES = 4096;
    private static final int COUNT = 64;
    private static final int STRIDE = 256;
    private static final int ROWS = 64;
    private static final int WARM_UP_ROUNDS = 150;
    private static final int ROUNDS = 600;

    /** Room for what the JVM and the allocator do by themselves; 600 rounds of 8 calls that lose 4 KB each take 19 MB. */
    private static final long MOST_GROWTH_BYTES = 12L << 20;

    static Stream<TestSubstrates.Choice> thousandsOfRunsLoseNoMemory() {
        return TestSubstrates.forBlocks()
                .filter(choice -> Set.of("QPU", "QPU, subgroups of four").contains(choice.name()));
    }

    private static long residentBytes() throws IOException {
        String pages = Files.readString(STATM);
        int begin = pages.indexOf(' ') + 1;
        return Long.parseLong(pages, begin, pages.indexOf(' ', begin), 10) * PAGE_BYTES;
    }

    private static EdgeSchedule schedule(BlockContext context, EdgeSchedule.Codec codec) {
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, STRIDE, ROWS, 4);
        EdgeSchedule schedule = new EdgeSchedule(context, codec, layout, COUNT);
        for (int i = 0; i < COUNT; i++) {
            // Some in each other's way, so that there is more than one level.
            if (codec == EdgeSchedule.Codec.VP9) {
                schedule.addVp9(0, EdgeDirection.VERTICAL, 16, 1, 1, 1, 8 + i % 20 * 8, i / 20 * 8);
            } else {
                schedule.addH264Strong(0, EdgeDirection.VERTICAL, 1, 1, 4 + i % 20 * 4, i / 20 * 8);
            }
        }
        schedule.arrange();
        return schedule;
    }

    @ParameterizedTest
    @MethodSource
    void thousandsOfRunsLoseNoMemory(TestSubstrates.Choice choice) throws Exception {
        try (BlockContext context = choice.openBlocks();
                KernelBuffer records = context.newBuffer(COUNT * 16L);
                KernelBuffer in = context.newBuffer((long) STRIDE * ROWS);
                KernelBuffer picture = context.newBuffer((long) STRIDE * ROWS);
                EdgeSchedule vp9 = schedule(context, EdgeSchedule.Codec.VP9);
                EdgeSchedule h264 = schedule(context, EdgeSchedule.Codec.H264)) {
            assertTrue(vp9.levels() > 1 && h264.levels() > 1, "workgroups wait for themselves");
            List<BlockCall> calls = List.of(
                    new Vp9IdctAdd(in, records, COUNT, picture, STRIDE),
                    new Vp9LoopFilter(records, COUNT, picture, STRIDE),
                    new Vp9MotionCompensation(records, COUNT, in, STRIDE, picture, STRIDE),
                    new CdefDirection(records, COUNT, picture, STRIDE, 10, in),
                    new CdefFilter(records, COUNT, in, STRIDE, picture, STRIDE, 8, 8, Optional.empty(), false),
                    new H264Edge(records, COUNT, picture, STRIDE, false),
                    new ScheduledEdges(vp9, picture),
                    new ScheduledEdges(h264, picture));
            List<PreparedCall> prepared = new ArrayList<>();
            for (BlockCall call : calls) {
                prepared.add(context.prepare(call));
            }
            run(prepared, WARM_UP_ROUNDS);
            long before = residentBytes();
            for (int round = 0; round < ROUNDS; round += 50) {
                run(prepared, 50);
                long growth = residentBytes() - before;
                int done = round + 50;
                assertTrue(
                        growth <= MOST_GROWTH_BYTES,
                        () -> "after " + done + " rounds of " + calls.size() + " calls the process has " + growth / 1024
                                + " KB more, at most " + MOST_GROWTH_BYTES / 1024);
            }
            prepared.forEach(PreparedCall::close);
        }
    }

    private static void run(List<PreparedCall> calls, int rounds) {
        for (int round = 0; round < rounds; round++) {
            for (PreparedCall call : calls) {
                call.run(COUNT);
            }
        }
    }
}

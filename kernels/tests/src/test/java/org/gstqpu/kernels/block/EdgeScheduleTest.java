/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memGetInt;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntSupplier;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Random lists of overlapping edges against the same edges one after the other. */
class EdgeScheduleTest {
    private static final int WIDTH = 320;
    private static final int HEIGHT = 192;
    private static final int CAPACITY = 3000;
    private static final int PICTURES = 8;

    private final long seed = RandomSeed.get();
    private final Random random = new Random(seed);
    private final PictureLayout layout = PictureLayout.packed(PixelFormat.I420, WIDTH, HEIGHT, 64);
    private final byte[] expected = new byte[(int) layout.sizeBytes()];

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void vp9EdgesInParallelEqualThoseInOrder(TestSubstrates.Choice choice) throws Exception {
        check(choice, EdgeSchedule.Codec.VP9);
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void h264EdgesInParallelEqualThoseInOrder(TestSubstrates.Choice choice) throws Exception {
        check(choice, EdgeSchedule.Codec.H264);
    }

    private void check(TestSubstrates.Choice choice, EdgeSchedule.Codec codec) throws Exception {
        try (BlockContext context = choice.openBlocks()) {
            try (KernelBuffer picture = context.newBuffer(layout.sizeBytes());
                    EdgeSchedule schedule = new EdgeSchedule(context, codec, layout, CAPACITY);
                    PreparedCall call = context.prepare(new ScheduledEdges(schedule, picture))) {
                for (int i = 0; i < PICTURES; i++) {
                    fill(picture);
                    schedule.clear();
                    // From few edges, in which little overlaps, to many; sometimes all in a corner.
                    int edges = random.nextInt(1 << random.nextInt(12));
                    int spread = 1 << (1 + random.nextInt(4));
                    for (int k = 0; k < edges; k++) {
                        if (codec == EdgeSchedule.Codec.VP9) {
                            addVp9(schedule, spread);
                        } else {
                            addH264(schedule, spread);
                        }
                    }
                    schedule.arrange();
                    call.run(schedule.count());
                    compare(picture, choice + ", picture " + i + ", -Dgstqpu.seed=" + seed);
                }
            }
        }
    }

    private void fill(KernelBuffer picture) {
        for (int first = 0; first < expected.length; first += 512) {
            IntSupplier content = TestPlane.content(random, 8);
            for (int i = first; i < Math.min(first + 512, expected.length); i++) {
                expected[i] = (byte) content.getAsInt();
            }
        }
        memByteBuffer(picture.address(), expected.length).put(expected);
    }

    private void compare(KernelBuffer picture, String where) {
        byte[] found = new byte[expected.length];
        memByteBuffer(picture.address(), expected.length).get(found);
        assertEquals(-1, Arrays.mismatch(expected, found), where + ", first different byte");
    }

    private void addVp9(EdgeSchedule schedule, int spread) {
        int plane = random.nextInt(3);
        boolean vertical = random.nextBoolean();
        int wd = 4 << random.nextInt(3);
        int reach = wd == 16 ? 8 : 4;
        int x = 4 * position(layout.rowBytes(plane) / 4, vertical ? reach / 4 : 0, vertical ? reach / 4 : 2, spread);
        int y = position(layout.rows(plane), vertical ? 0 : reach, vertical ? 8 : reach, 4 * spread);
        int e = random.nextInt(256);
        int i = random.nextInt(256);
        int h = random.nextInt(16);
        schedule.addVp9(plane, vertical ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL, wd, e, i, h, x, y);
        for (int k = 0; k < 8; k++) {
            int[] line = line(plane, vertical, x, y, k, reach, 8);
            ReferenceBlocks.vp9Line(line, wd, e, i, h);
            putLine(plane, vertical, x, y, k, reach, 8, line);
        }
    }

    private void addH264(EdgeSchedule schedule, int spread) {
        int plane = random.nextInt(3);
        boolean chroma = plane > 0;
        boolean vertical = random.nextBoolean();
        int length = chroma ? 8 : 16;
        int reach = chroma ? 2 : 4;
        int x = 4 * position(layout.rowBytes(plane) / 4, vertical ? 1 : 0, vertical ? 1 : length / 4, spread);
        int y = position(layout.rows(plane), vertical ? 0 : reach, vertical ? length : reach, 4 * spread);
        int alpha = random.nextInt(256);
        int beta = random.nextInt(64);
        int[] tc = new int[4];
        for (int k = 0; k < 4; k++) {
            tc[k] = random.nextInt(20) - 1;
        }
        boolean strong = random.nextInt(3) == 0;
        EdgeDirection direction = vertical ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL;
        if (strong) {
            schedule.addH264Strong(plane, direction, alpha, beta, x, y);
        } else {
            schedule.addH264(plane, direction, alpha, beta, tc[0], tc[1], tc[2], tc[3], x, y);
        }
        for (int k = 0; k < length; k++) {
            int[] line = line(plane, vertical, x, y, k, reach, 4);
            if (strong) {
                ReferenceBlocks.h264StrongLine(line, chroma, alpha, beta);
            } else {
                ReferenceBlocks.h264Line(line, chroma, alpha, beta, tc[k * 4 / length]);
            }
            putLine(plane, vertical, x, y, k, reach, 4, line);
        }
    }

    /** A position with room before and after it, in one of the {@code spread} parts that the plane is cut into. */
    private int position(int size, int before, int after, int spread) {
        int places = Math.max(1, (size - before - after + 1) / spread);
        return before + random.nextInt(places);
    }

    private int index(int plane, boolean vertical, int x, int y, int k, int i) {
        int column = vertical ? x + i : x + k;
        int row = vertical ? y + k : y + i;
        return (int) layout.offsetBytes(plane) + row * layout.strideBytes(plane) + column;
    }

    private int[] line(int plane, boolean vertical, int x, int y, int k, int reach, int half) {
        int[] line = new int[2 * half];
        for (int i = -reach; i < reach; i++) {
            line[half + i] = expected[index(plane, vertical, x, y, k, i)] & 255;
        }
        return line;
    }

    private void putLine(int plane, boolean vertical, int x, int y, int k, int reach, int half, int[] line) {
        for (int i = -reach; i < reach; i++) {
            expected[index(plane, vertical, x, y, k, i)] = (byte) line[half + i];
        }
    }

    @ParameterizedTest
    @EnumSource(EdgeSchedule.Codec.class)
    void segmentsCoverEveryLevelOnceInOrder(EdgeSchedule.Codec codec) throws Exception {
        try (BlockContext opened =
                        TestSubstrates.all().findFirst().orElseThrow().openBlocks();
                EdgeSchedule schedule = new EdgeSchedule(opened, codec, layout, CAPACITY)) {
            for (int plane = 0; plane < 3; plane++) {
                for (int y = 8; y <= layout.rows(plane) - 16; y += 8) {
                    for (int x = 8; x <= layout.rowBytes(plane) - 16; x += 16) {
                        if (codec == EdgeSchedule.Codec.VP9) {
                            schedule.addVp9(plane, EdgeDirection.VERTICAL, 8, 1, 1, 1, x, y);
                        } else {
                            schedule.addH264Strong(plane, EdgeDirection.HORIZONTAL, 1, 1, x, y);
                        }
                    }
                }
            }
            // In the way of many, and of one another.
            for (int i = 0; i < 3; i++) {
                addVertical(schedule, 8, 8);
            }
            schedule.arrange();
            ByteBuffer table = memByteBuffer(schedule.table().address(), EdgeSchedule.LEVELS_BYTE);
            table.order(ByteOrder.nativeOrder());
            int level = 0;
            boolean wide = false;
            for (int segment = 0; segment < EdgeSchedule.SEGMENTS; segment++) {
                int at = segment * EdgeSchedule.SEGMENT_BYTES;
                int groups = table.getInt(at);
                if (segment >= schedule.segments()) {
                    assertEquals(0, groups);
                    continue;
                }
                assertEquals(level, table.getInt(at + 12));
                int levels = table.getInt(at + 16);
                assertTrue(levels == 1 || groups == 1, "several levels need one workgroup");
                wide |= groups > 1;
                level += levels;
            }
            assertEquals(schedule.levels(), level);
            assertTrue(wide, "the first level has a dispatch of its own");
            long starts = schedule.table().address() + EdgeSchedule.LEVELS_BYTE;
            assertEquals(0, memGetInt(starts));
            assertEquals(schedule.count(), memGetInt(starts + 4L * schedule.levels()));
        }
    }

    @ParameterizedTest
    @EnumSource(EdgeSchedule.Codec.class)
    void edgesOutsideTheirPlaneAreRefused(EdgeSchedule.Codec codec) throws Exception {
        try (BlockContext opened =
                        TestSubstrates.all().findFirst().orElseThrow().openBlocks();
                EdgeSchedule schedule = new EdgeSchedule(opened, codec, layout, 2)) {
            int[][] outside = {{0, 0}, {WIDTH, 0}, {8, HEIGHT}, {6, 8}, {8, HEIGHT - 4}};
            for (int[] position : outside) {
                assertThrows(
                        IllegalArgumentException.class,
                        () -> addVertical(schedule, position[0], position[1]),
                        () -> Arrays.toString(position));
            }
            assertEquals(0, schedule.count());
            addVertical(schedule, 8, 8);
            addVertical(schedule, 8, 8);
            assertEquals(2, schedule.levels());
            assertThrows(IllegalStateException.class, () -> addVertical(schedule, 8, 8));
        }
    }

    private static void addVertical(EdgeSchedule schedule, int x, int y) {
        if (schedule.codec() == EdgeSchedule.Codec.VP9) {
            schedule.addVp9(0, EdgeDirection.VERTICAL, 16, 1, 1, 1, x, y);
        } else {
            schedule.addH264Strong(0, EdgeDirection.VERTICAL, 1, 1, x, y);
        }
    }
}

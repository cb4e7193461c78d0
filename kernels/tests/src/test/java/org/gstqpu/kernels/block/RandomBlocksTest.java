/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.ReferenceShrinkage;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Random blocks in batches of every size against the specifications' own words. */
@Tag("thorough")
class RandomBlocksTest {
    private static final int[] BATCHES = {1, 2, 7, 8, 64, 4096};
    private static final int[] SMALL_BATCHES = {5, 500};
    private static final List<Vp9InterpolationFilter> FILTERS = List.of(Vp9InterpolationFilter.values());
    private static final int CAPACITY = 4096;
    private static final int COLUMNS = 64;
    private static final int CELL = 24;
    private static final int PLANE_COLUMNS = COLUMNS * CELL + 16;
    private static final int PLANE_ROWS = CAPACITY / COLUMNS * CELL + 16;

    private final long seed = RandomSeed.get();
    private final Random random = new Random(seed);
    private final int[] cells = new int[CAPACITY];

    private interface Case {
        void check(BlockContext context, String where);
    }

    private void on(TestSubstrates.Choice choice, Case body) throws Exception {
        String where = choice + ", -Dgstqpu.seed=" + seed;
        try (BlockContext context = choice.openBlocks()) {
            body.check(context, where);
        }
    }

    private TestPlane plane(BlockContext context, int bitDepth) {
        return new TestPlane(context, random, PLANE_COLUMNS, PLANE_ROWS, bitDepth);
    }

    /** Blocks lie in cells in random order, none twice. */
    private void shuffleCells() {
        for (int i = 0; i < CAPACITY; i++) {
            cells[i] = i;
        }
        for (int i = CAPACITY - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int kept = cells[i];
            cells[i] = cells[j];
            cells[j] = kept;
        }
    }

    private int cellX(int block) {
        return cells[block] % COLUMNS * CELL;
    }

    private int cellY(int block) {
        return cells[block] / COLUMNS * CELL;
    }

    private EdgeDirection direction() {
        return random.nextBoolean() ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL;
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void vp9InverseDct(TestSubstrates.Choice choice) throws Exception {
        on(choice, (context, where) -> {
            try (TestPlane picture = plane(context, 8);
                    KernelBuffer coefficients = context.newBuffer((long) CAPACITY * Vp9IdctAdd.COEFFICIENT_BYTES);
                    KernelBuffer records = context.newBuffer((long) CAPACITY * Vp9IdctAdd.RECORD_BYTES);
                    PreparedCall call = context.prepare(
                            new Vp9IdctAdd(coefficients, records, CAPACITY, picture.buffer, picture.strideBytes))) {
                for (int batch : BATCHES) {
                    shuffleCells();
                    for (int i = 0; i < batch; i++) {
                        int x = cellX(i) + 4 * random.nextInt(5);
                        int y = cellY(i) + random.nextInt(17);
                        picture.fill(x, y, 8, 8, TestPlane.content(random, 8));
                        Vp9IdctAdd.putRecord(records, i, picture.offset(x, y));
                        short[] block = coefficients();
                        int[] residual = ReferenceBlocks.inverseDct(block);
                        for (int k = 0; k < 64; k++) {
                            long address = coefficients.address() + (long) i * Vp9IdctAdd.COEFFICIENT_BYTES + 2L * k;
                            memPutShort(address, block[k]);
                            int sample = picture.get(x + k % 8, y + k / 8) + ((residual[k] + 16) >> 5);
                            picture.set(x + k % 8, y + k / 8, ReferenceBlocks.clip(0, 255, sample));
                        }
                    }
                    call.run(batch);
                    picture.check(where + ", batch " + batch);
                }
            }
        });
    }

    /** As a decoder may meet them: mostly few and small, sometimes as large as 16 bits allow. */
    private short[] coefficients() {
        short[] block = new short[64];
        int count = 1 + random.nextInt(random.nextBoolean() ? 4 : 64);
        int size = 1 << random.nextInt(16);
        for (int i = 0; i < count; i++) {
            block[random.nextInt(64)] = (short) (random.nextInt(2 * size) - size);
        }
        while (ReferenceBlocks.inverseDct(block) == null) {
            for (int k = 0; k < 64; k++) {
                block[k] = (short) (block[k] * 7 / 8);
            }
        }
        return block;
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void vp9LoopFilter(TestSubstrates.Choice choice) throws Exception {
        on(choice, (context, where) -> {
            try (TestPlane picture = plane(context, 8);
                    KernelBuffer records = context.newBuffer((long) CAPACITY * Vp9LoopFilter.RECORD_BYTES);
                    PreparedCall call = context.prepare(
                            new Vp9LoopFilter(records, CAPACITY, picture.buffer, picture.strideBytes))) {
                for (int batch : BATCHES) {
                    shuffleCells();
                    for (int i = 0; i < batch; i++) {
                        picture.fill(cellX(i), cellY(i), CELL, CELL, TestPlane.content(random, 8));
                        vp9Edge(picture, records, i);
                    }
                    call.run(batch);
                    picture.check(where + ", batch " + batch);
                }
            }
        });
    }

    private void vp9Edge(TestPlane picture, KernelBuffer records, int i) {
        EdgeDirection direction = direction();
        boolean vertical = direction == EdgeDirection.VERTICAL;
        int wd = 4 << random.nextInt(3);
        int x = cellX(i) + (vertical ? 8 + 4 * random.nextInt(3) : 4 * random.nextInt(5));
        int y = cellY(i) + (vertical ? random.nextInt(17) : 8 + random.nextInt(9));
        int edgeLimit = random.nextInt(256);
        int limit = random.nextInt(random.nextBoolean() ? 256 : 64);
        int threshold = random.nextInt(16);
        Vp9LoopFilter.putRecord(records, i, picture.offset(x, y), direction, wd, edgeLimit, limit, threshold);
        for (int k = 0; k < 8; k++) {
            int[] line = line(picture, vertical, x, y, k, 8);
            ReferenceBlocks.vp9Line(line, wd, edgeLimit, limit, threshold);
            putLine(picture, vertical, x, y, k, 8, line);
        }
    }

    private static int[] line(TestPlane picture, boolean vertical, int x, int y, int k, int reach) {
        int[] line = new int[2 * reach];
        for (int i = -reach; i < reach; i++) {
            line[reach + i] = vertical ? picture.get(x + i, y + k) : picture.get(x + k, y + i);
        }
        return line;
    }

    private static void putLine(TestPlane picture, boolean vertical, int x, int y, int k, int reach, int[] line) {
        for (int i = -reach; i < reach; i++) {
            if (vertical) {
                picture.set(x + i, y + k, line[reach + i]);
            } else {
                picture.set(x + k, y + i, line[reach + i]);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void vp9MotionCompensation(TestSubstrates.Choice choice) throws Exception {
        on(choice, (context, where) -> {
            try (TestPlane source = plane(context, 8);
                    TestPlane destination = plane(context, 8);
                    KernelBuffer records = context.newBuffer((long) CAPACITY * Vp9MotionCompensation.RECORD_BYTES);
                    PreparedCall call = context.prepare(new Vp9MotionCompensation(
                            records,
                            CAPACITY,
                            source.buffer,
                            source.strideBytes,
                            destination.buffer,
                            destination.strideBytes))) {
                for (int batch : BATCHES) {
                    shuffleCells();
                    for (int i = 0; i < batch; i++) {
                        motionBlock(source, destination, records, i);
                    }
                    call.run(batch);
                    source.check(where + ", batch " + batch);
                    destination.check(where + ", batch " + batch);
                }
            }
        });
    }

    private void motionBlock(TestPlane source, TestPlane destination, KernelBuffer records, int i) {
        int sourceX = cellX(i) + random.nextInt(9);
        int sourceY = cellY(i) + random.nextInt(9);
        source.fill(sourceX, sourceY, 16, 16, TestPlane.content(random, 8));
        int x = cellX(i) + 4 * random.nextInt(5);
        int y = cellY(i) + random.nextInt(17);
        Vp9InterpolationFilter filter = FILTERS.get(random.nextInt(4));
        int mx = random.nextInt(3) == 0 ? 0 : random.nextInt(16);
        int my = random.nextInt(3) == 0 ? 0 : random.nextInt(16);
        boolean average = random.nextBoolean();
        Vp9MotionCompensation.putRecord(
                records, i, source.offset(sourceX + 3, sourceY + 3), destination.offset(x, y), filter, mx, my, average);
        int[] area = new int[256];
        for (int k = 0; k < 256; k++) {
            area[k] = source.get(sourceX + k % 16, sourceY + k / 16);
        }
        int[] prediction = ReferenceBlocks.vp9Prediction(area, filter, mx, my);
        for (int k = 0; k < 64; k++) {
            int before = destination.get(x + k % 8, y + k / 8);
            int sample = average ? (before + prediction[k] + 1) >> 1 : prediction[k];
            destination.set(x + k % 8, y + k / 8, sample);
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void h264Edge(TestSubstrates.Choice choice) throws Exception {
        on(choice, (context, where) -> {
            for (boolean chroma : new boolean[] {false, true}) {
                try (TestPlane picture = plane(context, 8);
                        KernelBuffer records = context.newBuffer((long) CAPACITY * H264Edge.RECORD_BYTES);
                        PreparedCall call = context.prepare(
                                new H264Edge(records, CAPACITY, picture.buffer, picture.strideBytes, chroma))) {
                    for (int batch : BATCHES) {
                        shuffleCells();
                        for (int i = 0; i < batch; i++) {
                            picture.fill(cellX(i), cellY(i), CELL, CELL, TestPlane.content(random, 8));
                            h264Edge(picture, records, i, chroma);
                        }
                        call.run(batch);
                        picture.check(where + ", chroma " + chroma + ", batch " + batch);
                    }
                }
            }
        });
    }

    private void h264Edge(TestPlane picture, KernelBuffer records, int i, boolean chroma) {
        EdgeDirection direction = direction();
        boolean vertical = direction == EdgeDirection.VERTICAL;
        int x = cellX(i) + 4 * (vertical ? 1 + random.nextInt(5) : random.nextInt(3));
        int y = cellY(i) + (vertical ? random.nextInt(9) : 4 + random.nextInt(17));
        int alpha = random.nextInt(256);
        int beta = random.nextInt(random.nextBoolean() ? 256 : 19);
        int[] tc = new int[4];
        for (int k = 0; k < 4; k++) {
            tc[k] = random.nextInt(4) == 0 ? -1 : random.nextInt(26);
        }
        boolean strong = random.nextInt(3) == 0;
        int offset = picture.offset(x, y);
        if (strong) {
            H264Edge.putStrongRecord(records, i, offset, direction, alpha, beta);
        } else {
            H264Edge.putRecord(records, i, offset, direction, alpha, beta, tc[0], tc[1], tc[2], tc[3]);
        }
        int length = chroma ? 8 : 16;
        for (int k = 0; k < length; k++) {
            int[] line = line(picture, vertical, x, y, k, 4);
            if (strong) {
                ReferenceBlocks.h264StrongLine(line, chroma, alpha, beta);
            } else {
                ReferenceBlocks.h264Line(line, chroma, alpha, beta, tc[k * 4 / length]);
            }
            putLine(picture, vertical, x, y, k, 4, line);
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void shrinkage(TestSubstrates.Choice choice) throws Exception {
        on(choice, (context, where) -> {
            try (KernelBuffer blocks = context.newBuffer((long) CAPACITY * Shrinkage.BLOCK_BYTES);
                    KernelBuffer records = context.newBuffer((long) CAPACITY * Shrinkage.RECORD_BYTES);
                    KernelBuffer removed = context.newBuffer((long) CAPACITY * Shrinkage.BLOCK_BYTES);
                    KernelBuffer weights = context.newBuffer((long) CAPACITY * Shrinkage.WEIGHT_BYTES);
                    PreparedCall call = context.prepare(new Shrinkage(blocks, records, CAPACITY, removed, weights))) {
                for (int batch : BATCHES) {
                    byte[] wanted = bytes(removed);
                    byte[] wantedWeights = bytes(weights);
                    for (int i = 0; i < batch; i++) {
                        int threshold = threshold();
                        int[][] block = shrinkable();
                        Shrinkage.putRecord(records, i, threshold);
                        for (int k = 0; k < 64; k++) {
                            memPutShort(blocks.address() + 128L * i + 2L * k, (short) block[k / 8][k % 8]);
                        }
                        ByteBuffer.wrap(wantedWeights)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt(4 * i, ReferenceShrinkage.shrinkBlock(block, threshold));
                        for (int k = 0; k < 64; k++) {
                            int value = block[k / 8][k % 8];
                            assertEquals(value, (short) value, where);
                            wanted[128 * i + 2 * k] = (byte) value;
                            wanted[128 * i + 2 * k + 1] = (byte) (value >> 8);
                        }
                    }
                    call.call().checkRecords(batch);
                    byte[] before = bytes(blocks);
                    call.run(batch);
                    assertArrayEquals(before, bytes(blocks), where + ", batch " + batch);
                    assertArrayEquals(wanted, bytes(removed), where + ", batch " + batch);
                    assertArrayEquals(wantedWeights, bytes(weights), where + ", weights of batch " + batch);
                }
            }
        });
    }

    private static byte[] bytes(KernelBuffer buffer) {
        byte[] bytes = new byte[(int) buffer.sizeBytes()];
        memByteBuffer(buffer.address(), bytes.length).get(bytes);
        return bytes;
    }

    private int threshold() {
        return switch (random.nextInt(6)) {
            case 0 -> random.nextInt(4);
            case 1 -> Shrinkage.LARGEST_THRESHOLD;
            case 2 -> random.nextInt(Shrinkage.LARGEST_THRESHOLD + 1);
            default -> random.nextInt(400);
        };
    }

    /** Samples and residuals, from faint noise to extremes, with steps and slopes in them, and blocks of a single peak. */
    private int[][] shrinkable() {
        int most = random.nextInt(3) == 0 ? 255 : Shrinkage.LARGEST_SAMPLE;
        int least = random.nextBoolean() ? 0 : -most;
        int noise = 1 + random.nextInt(random.nextInt(3) == 0 ? 2 * most : 40);
        int mean = least + random.nextInt(most - least + 1);
        int across = random.nextInt(3) == 0 ? random.nextInt(41) - 20 : 0;
        int step = random.nextInt(3) == 0 ? random.nextInt(200) : 0;
        boolean extremes = random.nextInt(8) == 0;
        boolean peak = random.nextInt(8) == 0;
        int peakAt = random.nextInt(64);
        int[][] block = new int[8][8];
        for (int k = 0; k < 64; k++) {
            int value = mean + random.nextInt(noise) - noise / 2 + k % 8 * across + (k / 8 < 4 ? step : 0);
            if (extremes) {
                value = random.nextBoolean() ? least : most;
            } else if (peak) {
                value = k == peakAt ? mean : 0;
            }
            block[k / 8][k % 8] = ReferenceBlocks.clip(least, most, value);
        }
        return block;
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void cdefDirection(TestSubstrates.Choice choice) throws Exception {
        on(choice, (context, where) -> {
            for (int bitDepth = 8; bitDepth <= 10; bitDepth += 2) {
                try (TestPlane picture = plane(context, bitDepth);
                        KernelBuffer records = context.newBuffer((long) CAPACITY * CdefDirection.RECORD_BYTES);
                        KernelBuffer results = context.newBuffer((long) CAPACITY * CdefDirection.RESULT_BYTES);
                        PreparedCall call = context.prepare(new CdefDirection(
                                records, CAPACITY, picture.buffer, picture.strideBytes, bitDepth, results))) {
                    for (int batch : BATCHES) {
                        checkDirections(picture, records, results, call, batch, bitDepth, where);
                    }
                }
            }
        });
    }

    private void checkDirections(
            TestPlane picture,
            KernelBuffer records,
            KernelBuffer results,
            PreparedCall call,
            int batch,
            int bitDepth,
            String where) {
        shuffleCells();
        int[][] expected = new int[batch][];
        for (int i = 0; i < batch; i++) {
            int x = cellX(i) + 4 * random.nextInt(5);
            int y = cellY(i) + random.nextInt(17);
            picture.fill(x, y, 8, 8, TestPlane.content(random, bitDepth));
            CdefDirection.putRecord(records, i, picture.offset(x, y));
            int[] samples = new int[64];
            for (int k = 0; k < 64; k++) {
                samples[k] = picture.get(x + k % 8, y + k / 8);
            }
            expected[i] = ReferenceBlocks.cdefDirection(samples, bitDepth);
        }
        call.run(batch);
        for (int i = 0; i < batch; i++) {
            String block = where + ", " + bitDepth + " bit, batch " + batch + ", block " + i;
            assertEquals(expected[i][0], CdefDirection.direction(results, i), block + ", direction");
            assertEquals(expected[i][1], CdefDirection.variance(results, i), block + ", variance");
        }
        picture.check(where);
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.kernels.TestSubstrates#forBlocks")
    void cdefFilter(TestSubstrates.Choice choice) throws Exception {
        on(choice, (context, where) -> {
            for (int bitDepth = 8; bitDepth <= 10; bitDepth += 2) {
                for (int size = 4; size <= 8; size += 4) {
                    checkCdef(context, size, bitDepth, false, false, where);
                    checkCdef(context, size, bitDepth, true, size == 8, where);
                }
            }
        });
    }

    private void checkCdef(
            BlockContext context, int size, int bitDepth, boolean searched, boolean adjusted, String where) {
        try (TestPlane source = plane(context, bitDepth);
                TestPlane destination = plane(context, bitDepth);
                KernelBuffer records = context.newBuffer((long) CAPACITY * CdefFilter.RECORD_BYTES);
                KernelBuffer directions = context.newBuffer((long) CAPACITY * CdefDirection.RESULT_BYTES);
                PreparedCall call = context.prepare(new CdefFilter(
                        records,
                        CAPACITY,
                        source.buffer,
                        source.strideBytes,
                        destination.buffer,
                        destination.strideBytes,
                        size,
                        bitDepth,
                        searched ? Optional.of(directions) : Optional.empty(),
                        adjusted))) {
            // Where the direction comes from changes nothing else.
            for (int batch : searched ? SMALL_BATCHES : BATCHES) {
                shuffleCells();
                for (int i = 0; i < batch; i++) {
                    source.fill(cellX(i), cellY(i), CELL, CELL, TestPlane.content(random, bitDepth));
                    cdefBlock(source, destination, records, directions, i, (CdefFilter) call.call());
                }
                call.run(batch);
                source.check(where);
                destination.check(
                        where + ", " + call.call().kernelName() + ", searched " + searched + ", batch " + batch);
            }
        }
    }

    private void cdefBlock(
            TestPlane source,
            TestPlane destination,
            KernelBuffer records,
            KernelBuffer directions,
            int i,
            CdefFilter call) {
        int size = call.blockSize();
        int x = cellX(i) + 4 * (1 + random.nextInt(3));
        int y = cellY(i) + 2 + random.nextInt(13);
        int shift = call.bitDepth() - 8;
        int primary = random.nextInt(4) == 0 ? 0 : random.nextInt(16) << shift;
        int secondary = new int[] {0, 1, 2, 4}[random.nextInt(4)] << shift;
        int damping = (size == 8 ? 3 : 2) + random.nextInt(4) + shift;
        int edges = random.nextInt(2) == 0 ? 15 : random.nextInt(16);
        int direction = random.nextInt(8);
        CdefFilter.putRecord(
                records,
                i,
                source.offset(x, y),
                destination.offset(x, y),
                primary,
                secondary,
                edges,
                direction,
                damping);
        int variance = random.nextInt(4) == 0 ? 0 : random.nextInt(1 << random.nextInt(23));
        if (call.directions().isPresent()) {
            int found = random.nextInt(8);
            CdefDirection.putResult(directions, i, found, variance);
            direction = primary == 0 ? 0 : found;
        }
        if (call.adjustPrimary()) {
            primary = ReferenceBlocks.adjustedPrimary(primary, variance);
        }
        int[] area = new int[144];
        for (int k = 0; k < 144; k++) {
            int column = k % 12 - 2;
            int row = k / 12 - 2;
            boolean available = (column >= 0 || (edges & CdefFilter.LEFT) != 0)
                    && (column < size || (edges & CdefFilter.RIGHT) != 0)
                    && (row >= 0 || (edges & CdefFilter.TOP) != 0)
                    && (row < size || (edges & CdefFilter.BOTTOM) != 0);
            area[k] = available ? source.get(x + column, y + row) : -1;
        }
        int[] result = ReferenceBlocks.cdef(area, size, call.bitDepth(), primary, secondary, damping, direction);
        for (int k = 0; k < size * size; k++) {
            destination.set(x + k % size, y + k / size, result[k]);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.Optional;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.PreparedCall;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9InterpolationFilter;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.H264Tables;

/**
 * Runs one file of records through the block library, all records in one call. The samples between the blocks are
 * compared, too. Belongs to one verification.
 */
final class GoldenBlocks {
    /** Column of a block in its cell if the kernel also reads around the block. Byte offsets must be multiples of 4. */
    private static final int BLOCK_X = 4;

    private static final int BLOCK_Y = 4;

    /** The file of the tables that the CPU looks strengths up in, on every substrate. */
    private static final String TABLES = "h264_deblock_tables";

    private final BlockContext context;
    private final GoldenRecords file;
    private final int count;
    private final GoldenTally tally = new GoldenTally();

    GoldenBlocks(BlockContext context, GoldenRecords file) {
        this.context = context;
        this.file = file;
        this.count = file.records();
    }

    GoldenResult verify() throws GoldenUnsupportedException, GoldenFormatException {
        try {
            switch (file.kernel()) {
                case "vp9_idct8x8_add" -> vp9Idct();
                case "vp9_lpf" -> vp9LoopFilter();
                case "vp9_mc_8w" -> vp9MotionCompensation();
                case "av1_cdef_filter" -> cdefFilter();
                case "av1_cdef_dir" -> cdefDirection();
                case "av1_cdef_adjust_luma_pri" -> cdefAdjustment();
                case "shrinkage8x8" -> shrinkage();
                case "h264_deblock_luma_edge" -> h264Edge(false);
                case "h264_deblock_chroma_edge" -> h264Edge(true);
                case TABLES -> h264Tables();
                default -> throw new GoldenUnsupportedException(file.name(), file.kernel());
            }
        } catch (IllegalArgumentException e) {
            throw new GoldenFormatException(file.name(), e.getMessage(), e);
        }
        return tally.result(file.kernel(), count, !file.kernel().equals(TABLES));
    }

    private int integer(int record, String field) {
        long value = file.value(record, field);
        if (value > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "record " + record + " has " + field + " " + value + ", at most " + Integer.MAX_VALUE);
        }
        return (int) value;
    }

    private void checkCount(String field, int values) throws GoldenFormatException {
        if (file.count(field) != values) {
            throw new GoldenFormatException(
                    file.name(), "field '" + field + "' has " + file.count(field) + " values, not " + values);
        }
    }

    private static EdgeDirection direction(int code) {
        return switch (code) {
            case 0 -> EdgeDirection.VERTICAL;
            case 1 -> EdgeDirection.HORIZONTAL;
            default -> throw new IllegalArgumentException("a record has direction " + code);
        };
    }

    private void run(BlockCall call) {
        try (PreparedCall prepared = context.prepare(call)) {
            call.checkRecords(count);
            prepared.run(count);
        }
    }

    private void put(SampleGrid grid, int record, String field, int first, int columns, int rows, int x0, int y0) {
        for (int i = 0; i < columns * rows; i++) {
            grid.put(record, x0 + i % columns, y0 + i / columns, file.value(record, field, first + i));
        }
    }

    private void expect(SampleGrid grid, int record, String field, int columns, int rows, int x0, int y0) {
        for (int i = 0; i < columns * rows; i++) {
            grid.expect(record, x0 + i % columns, y0 + i / columns, file.value(record, field, i));
        }
    }

    private void vp9Idct() throws GoldenFormatException {
        checkCount("coef", 64);
        checkCount("pred", 64);
        checkCount("out", 64);
        try (SampleGrid picture = new SampleGrid(context, count, 1);
                KernelBuffer coefficients = context.newBuffer((long) count * Vp9IdctAdd.COEFFICIENT_BYTES);
                KernelBuffer records = context.newBuffer((long) count * Vp9IdctAdd.RECORD_BYTES)) {
            for (int i = 0; i < count; i++) {
                for (int k = 0; k < 64; k++) {
                    long address = coefficients.address() + (long) i * Vp9IdctAdd.COEFFICIENT_BYTES + 2L * k;
                    memPutShort(address, (short) file.value(i, "coef", k));
                }
                put(picture, i, "pred", 0, 8, 8, 0, 0);
                expect(picture, i, "out", 8, 8, 0, 0);
                Vp9IdctAdd.putRecord(records, i, picture.offset(i, 0, 0));
            }
            run(new Vp9IdctAdd(coefficients, records, count, picture.buffer(), picture.strideBytes()));
            picture.compare(tally);
        }
    }

    private void vp9LoopFilter() throws GoldenFormatException {
        checkCount("in", 128);
        checkCount("out", 128);
        try (SampleGrid picture = new SampleGrid(context, count, 1);
                KernelBuffer records = context.newBuffer((long) count * Vp9LoopFilter.RECORD_BYTES)) {
            for (int i = 0; i < count; i++) {
                EdgeDirection direction = direction(integer(i, "dir"));
                boolean vertical = direction == EdgeDirection.VERTICAL;
                int columns = vertical ? 16 : 8;
                put(picture, i, "in", 0, columns, 128 / columns, 0, 0);
                expect(picture, i, "out", columns, 128 / columns, 0, 0);
                Vp9LoopFilter.putRecord(
                        records,
                        i,
                        picture.offset(i, vertical ? 8 : 0, vertical ? 0 : 8),
                        direction,
                        integer(i, "wd"),
                        integer(i, "E"),
                        integer(i, "I"),
                        integer(i, "H"));
            }
            run(new Vp9LoopFilter(records, count, picture.buffer(), picture.strideBytes()));
            picture.compare(tally);
        }
    }

    private void vp9MotionCompensation() throws GoldenFormatException {
        checkCount("src", 256);
        checkCount("dst_in", 64);
        checkCount("out", 64);
        Vp9InterpolationFilter[] filters = new Vp9InterpolationFilter[4];
        for (Vp9InterpolationFilter filter : Vp9InterpolationFilter.values()) {
            filters[filter.code()] = filter;
        }
        try (SampleGrid source = new SampleGrid(context, count, 1);
                SampleGrid destination = new SampleGrid(context, count, 1);
                KernelBuffer records = context.newBuffer((long) count * Vp9MotionCompensation.RECORD_BYTES)) {
            for (int i = 0; i < count; i++) {
                put(source, i, "src", 0, 16, 16, 0, 0);
                put(destination, i, "dst_in", 0, 8, 8, 0, 0);
                expect(destination, i, "out", 8, 8, 0, 0);
                Vp9MotionCompensation.putRecord(
                        records,
                        i,
                        source.offset(i, 3, 3),
                        destination.offset(i, 0, 0),
                        filters[integer(i, "filter") & 3],
                        integer(i, "mx"),
                        integer(i, "my"),
                        integer(i, "avg") != 0);
            }
            run(new Vp9MotionCompensation(
                    records,
                    count,
                    source.buffer(),
                    source.strideBytes(),
                    destination.buffer(),
                    destination.strideBytes()));
            source.compare(tally);
            destination.compare(tally);
        }
    }

    /** Runs the records of CDEF. A file has blocks of two sizes; each size is one call. */
    private void cdefFilter() throws GoldenFormatException {
        checkCount("in", 144);
        checkCount("out", 64);
        int bitDepth = file.header().integer("bit_depth");
        int sampleBytes = bitDepth > 8 ? 2 : 1;
        try (SampleGrid source = new SampleGrid(context, count, sampleBytes);
                SampleGrid destination = new SampleGrid(context, count, sampleBytes);
                KernelBuffer records = context.newBuffer((long) count * CdefFilter.RECORD_BYTES)) {
            for (int size = 4; size <= 8; size += 4) {
                int blocks = 0;
                for (int i = 0; i < count; i++) {
                    if (integer(i, "w") == size) {
                        putCdefBlock(source, destination, i, size);
                        CdefFilter.putRecord(
                                records,
                                blocks++,
                                source.offset(i, BLOCK_X, BLOCK_Y),
                                destination.offset(i, BLOCK_X, BLOCK_Y),
                                integer(i, "pri"),
                                integer(i, "sec"),
                                integer(i, "edges"),
                                integer(i, "dir"),
                                integer(i, "damping"));
                    }
                }
                if (blocks > 0) {
                    CdefFilter call = cdefCall(records, count, source, destination, size, bitDepth, Optional.empty());
                    try (PreparedCall prepared = context.prepare(call)) {
                        call.checkRecords(blocks);
                        prepared.run(blocks);
                    }
                }
            }
            source.compare(tally);
            destination.compare(tally);
        }
    }

    private void putCdefBlock(SampleGrid source, SampleGrid destination, int record, int size) {
        int area = size + 4;
        for (int i = 0; i < area * area; i++) {
            int x = i % area;
            int y = i / area;
            source.put(record, BLOCK_X - 2 + x, BLOCK_Y - 2 + y, file.value(record, "in", y * 12 + x));
        }
        expect(destination, record, "out", size, size, BLOCK_X, BLOCK_Y);
    }

    private static CdefFilter cdefCall(
            KernelBuffer records,
            int capacity,
            SampleGrid source,
            SampleGrid destination,
            int size,
            int bitDepth,
            Optional<KernelBuffer> directions) {
        return new CdefFilter(
                records,
                capacity,
                source.buffer(),
                source.strideBytes(),
                destination.buffer(),
                destination.strideBytes(),
                size,
                bitDepth,
                directions,
                directions.isPresent());
    }

    private void cdefDirection() throws GoldenFormatException {
        checkCount("in", 64);
        int bitDepth = file.header().integer("bit_depth");
        try (SampleGrid picture = new SampleGrid(context, count, bitDepth > 8 ? 2 : 1);
                KernelBuffer records = context.newBuffer((long) count * CdefDirection.RECORD_BYTES);
                KernelBuffer results = context.newBuffer((long) count * CdefDirection.RESULT_BYTES)) {
            for (int i = 0; i < count; i++) {
                put(picture, i, "in", 0, 8, 8, 0, 0);
                CdefDirection.putRecord(records, i, picture.offset(i, 0, 0));
            }
            run(new CdefDirection(records, count, picture.buffer(), picture.strideBytes(), bitDepth, results));
            for (int i = 0; i < count; i++) {
                compare(i, "dir", CdefDirection.direction(results, i));
                compare(i, "var", CdefDirection.variance(results, i));
            }
            picture.compare(tally);
        }
    }

    private void compare(int record, String field, long found) {
        compare(record, field, 0, found);
    }

    private void compare(int record, String field, int index, long found) {
        if (!tally.add(file.value(record, field, index), found)) {
            tally.describe("record " + record + " " + field + (file.count(field) > 1 ? " " + index : ""));
        }
    }

    /**
     * Runs the records of the adjusted strength, which shows only in what the filter does with it. So each record
     * filters two blocks: one whose strength the kernel adjusts, and one with the adjusted strength of the file.
     */
    private void cdefAdjustment() {
        final int bitDepth = 10;
        final int direction = 3;
        final int damping = 8;
        final int edges = 0;
        try (SampleGrid source = new SampleGrid(context, count, 2);
                SampleGrid adjusted = new SampleGrid(context, count, 2);
                SampleGrid given = new SampleGrid(context, count, 2);
                KernelBuffer records = context.newBuffer((long) count * CdefFilter.RECORD_BYTES);
                KernelBuffer directions = context.newBuffer((long) count * CdefDirection.RESULT_BYTES)) {
            for (int i = 0; i < count; i++) {
                for (int k = 0; k < 64; k++) {
                    // The differences of samples reach from 0 to the full range.
                    source.put(i, k % 8, k / 8, 512 + (k % 2 == 0 ? -1 : 1) * k * k / 8);
                }
                CdefDirection.putResult(directions, i, direction, integer(i, "var"));
                int offset = source.offset(i, 0, 0);
                CdefFilter.putRecord(records, i, offset, offset, integer(i, "pri"), 0, edges, 0, damping);
            }
            run(cdefCall(records, count, source, adjusted, 8, bitDepth, Optional.of(directions)));
            for (int i = 0; i < count; i++) {
                int offset = source.offset(i, 0, 0);
                int dir = integer(i, "pri") == 0 ? 0 : direction;
                CdefFilter.putRecord(records, i, offset, offset, integer(i, "adjusted"), 0, edges, dir, damping);
            }
            run(cdefCall(records, count, source, given, 8, bitDepth, Optional.empty()));
            adjusted.expectSame(given);
            adjusted.compare(tally);
        }
    }

    private void shrinkage() throws GoldenFormatException {
        checkCount("in", 64);
        checkCount("out", 64);
        try (KernelBuffer blocks = context.newBuffer((long) count * Shrinkage.BLOCK_BYTES);
                KernelBuffer records = context.newBuffer((long) count * Shrinkage.RECORD_BYTES);
                KernelBuffer removed = context.newBuffer((long) count * Shrinkage.BLOCK_BYTES);
                KernelBuffer weights = context.newBuffer((long) count * Shrinkage.WEIGHT_BYTES)) {
            for (int i = 0; i < count; i++) {
                Shrinkage.putRecord(records, i, integer(i, "threshold"));
                for (int k = 0; k < 64; k++) {
                    long address = blocks.address() + (long) i * Shrinkage.BLOCK_BYTES + 2L * k;
                    memPutShort(address, (short) file.value(i, "in", k));
                }
            }
            run(new Shrinkage(blocks, records, count, removed, weights));
            for (int i = 0; i < count; i++) {
                for (int k = 0; k < 64; k++) {
                    long address = removed.address() + (long) i * Shrinkage.BLOCK_BYTES + 2L * k;
                    compare(i, "out", k, memGetShort(address));
                }
                compare(i, "weight", Shrinkage.weight(weights, i));
            }
        }
    }

    private void h264Edge(boolean chroma) throws GoldenFormatException {
        int length = chroma ? 8 : 16;
        checkCount("in", 8 * length);
        checkCount("out", 8 * length);
        checkCount("tc0", 4);
        try (SampleGrid picture = new SampleGrid(context, count, 1);
                KernelBuffer records = context.newBuffer((long) count * H264Edge.RECORD_BYTES)) {
            for (int i = 0; i < count; i++) {
                EdgeDirection direction = direction(integer(i, "dir"));
                boolean vertical = direction == EdgeDirection.VERTICAL;
                int columns = vertical ? 8 : length;
                put(picture, i, "in", 0, columns, 8 * length / columns, 0, 0);
                expect(picture, i, "out", columns, 8 * length / columns, 0, 0);
                putH264Record(records, i, picture.offset(i, vertical ? 4 : 0, vertical ? 0 : 4), direction);
            }
            run(new H264Edge(records, count, picture.buffer(), picture.strideBytes(), chroma));
            picture.compare(tally);
        }
    }

    private void putH264Record(KernelBuffer records, int i, int offset, EdgeDirection direction) {
        int alpha = integer(i, "alpha");
        int beta = integer(i, "beta");
        if (integer(i, "intra") != 0) {
            H264Edge.putStrongRecord(records, i, offset, direction, alpha, beta);
        } else {
            H264Edge.putRecord(
                    records,
                    i,
                    offset,
                    direction,
                    alpha,
                    beta,
                    (int) file.value(i, "tc0", 0),
                    (int) file.value(i, "tc0", 1),
                    (int) file.value(i, "tc0", 2),
                    (int) file.value(i, "tc0", 3));
        }
    }

    private void h264Tables() throws GoldenFormatException {
        checkCount("tc0_bS123", 3);
        for (int i = 0; i < count; i++) {
            int index = integer(i, "index");
            if (index < 0 || index > 51) {
                throw new GoldenFormatException(file.name(), "record " + i + " has index " + index + ", not 0..51");
            }
            compare(i, "alpha", H264Tables.alpha(index));
            compare(i, "beta", H264Tables.beta(index));
            for (int bS = 1; bS <= 3; bS++) {
                compare(i, "tc0_bS123", bS - 1, H264Tables.tc0(bS, index));
            }
            compare(i, "chroma_qp", H264Tables.chromaQp(index));
        }
    }
}

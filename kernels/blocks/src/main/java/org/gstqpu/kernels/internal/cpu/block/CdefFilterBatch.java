/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.Arrays;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.internal.stage.cdef.CdefBlockFilter;
import org.gstqpu.kernels.internal.stage.cdef.CdefConstraints;

/** Runs the records of a {@link CdefFilter} call. Belongs to its prepared call, whose workers run it. */
final class CdefFilterBatch implements BlockBatch {
    private static final int FIRST_DAMPING = 2;
    private static final int LAST_DAMPING = 6;
    private static final int BORDER = 2;
    private static final int STRIDE = 8 + 2 * BORDER;
    private static final int ORIGIN = BORDER * STRIDE + BORDER;

    private final CdefFilter call;
    private final int size;
    private final int sampleBytes;
    private final long lastSource;
    private final long lastDestination;
    private final int shift;
    private final int most;
    private final int lastPrimary;
    private final int lastSecondary;
    private final CdefBlockFilter filter;
    private final short[][] in;
    private final short[][] out;

    CdefFilterBatch(CdefFilter call, int workers) {
        this.call = call;
        this.size = call.blockSize();
        this.sampleBytes = call.bitDepth() > 8 ? 2 : 1;
        int rowBytes = size * sampleBytes;
        this.lastSource = call.source().sizeBytes() - (size - 1L) * call.sourceStrideBytes() - rowBytes;
        this.lastDestination = call.destination().sizeBytes() - (size - 1L) * call.destinationStrideBytes() - rowBytes;
        this.shift = call.bitDepth() - 8;
        this.most = (1 << call.bitDepth()) - 1;
        this.lastPrimary = (16 << shift) - 1;
        this.lastSecondary = 4 << shift;
        this.filter = new CdefBlockFilter(constraints(), call.bitDepth());
        this.in = new short[workers][STRIDE * STRIDE];
        this.out = new short[workers][64];
    }

    /** Tables for every strength and damping that a record may hold. */
    private CdefConstraints constraints() {
        CdefConstraints constraints = new CdefConstraints(call.bitDepth());
        for (int strength = 0; strength <= lastPrimary; strength++) {
            for (int damping = FIRST_DAMPING; damping <= LAST_DAMPING; damping++) {
                constraints.prepare(strength, damping + shift);
            }
        }
        return constraints;
    }

    @Override
    public void run(int first, int end, int worker) {
        long record = call.records().address() + (long) first * CdefFilter.RECORD_BYTES;
        for (int i = first; i < end; i++, record += CdefFilter.RECORD_BYTES) {
            int strengths = memGetInt(record + 8);
            int rest = memGetInt(record + 12);
            int primary = Math.min(strengths & 0xffff, lastPrimary);
            int direction = (rest >> 8) & 7;
            if (call.directions().isPresent()) {
                long result = call.directions().get().address()
                        + (long) i * org.gstqpu.kernels.block.CdefDirection.RESULT_BYTES;
                direction = primary == 0 ? 0 : memGetInt(result) & 7;
                if (call.adjustPrimary()) {
                    primary = CdefBlockFilter.adjustedPrimary(primary, memGetInt(result + 4));
                }
            }
            read(BlockBatch.wordOffset(memGetInt(record), lastSource), rest & 15, in[worker]);
            int damping = ((rest >> 16) & 255) - shift;
            filter.filter(
                    in[worker],
                    ORIGIN,
                    STRIDE,
                    out[worker],
                    0,
                    8,
                    size,
                    size,
                    1,
                    primary,
                    Math.min(strengths >>> 16, lastSecondary),
                    direction,
                    Math.max(FIRST_DAMPING, Math.min(LAST_DAMPING, damping)) + shift);
            write(BlockBatch.wordOffset(memGetInt(record + 4), lastDestination), out[worker]);
        }
    }

    private void read(long offset, int recordEdges, short[] into) {
        int edges = isInside(offset, recordEdges) ? recordEdges : 0;
        int left = (edges & CdefFilter.LEFT) != 0 ? -BORDER : 0;
        int right = (edges & CdefFilter.RIGHT) != 0 ? size + BORDER : size;
        int top = (edges & CdefFilter.TOP) != 0 ? -BORDER : 0;
        int bottom = (edges & CdefFilter.BOTTOM) != 0 ? size + BORDER : size;
        Arrays.fill(into, CdefConstraints.UNAVAILABLE);
        long row = call.source().address() + offset + (long) top * call.sourceStrideBytes();
        for (int y = top; y < bottom; y++, row += call.sourceStrideBytes()) {
            for (int x = left; x < right; x++) {
                long sample = row + (long) x * sampleBytes;
                into[ORIGIN + y * STRIDE + x] =
                        (short) ((sampleBytes == 2 ? memGetShort(sample) : memGetByte(sample)) & most);
            }
        }
    }

    /** True if every sample that the block's available edges let the filter read lies in the buffer. */
    private boolean isInside(long offset, int edges) {
        long stride = call.sourceStrideBytes();
        long before = ((edges & CdefFilter.TOP) != 0 ? BORDER * stride : 0)
                + ((edges & CdefFilter.LEFT) != 0 ? (long) BORDER * sampleBytes : 0);
        long after = ((edges & CdefFilter.BOTTOM) != 0 ? BORDER * stride : 0)
                + ((edges & CdefFilter.RIGHT) != 0 ? (long) BORDER * sampleBytes : 0);
        return offset >= before && offset + after <= lastSource;
    }

    private void write(long offset, short[] from) {
        long row = call.destination().address() + offset;
        for (int y = 0; y < size; y++, row += call.destinationStrideBytes()) {
            for (int x = 0; x < size; x++) {
                if (sampleBytes == 2) {
                    memPutShort(row + 2L * x, from[8 * y + x]);
                } else {
                    memPutByte(row + x, (byte) from[8 * y + x]);
                }
            }
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import org.gstqpu.kernels.internal.stage.cdef.CdefDirection;

/**
 * Runs the records of a {@link org.gstqpu.kernels.block.CdefDirection} call. Belongs to its prepared call, whose
 * workers run it.
 */
final class CdefDirectionBatch implements BlockBatch {
    private final org.gstqpu.kernels.block.CdefDirection call;
    private final int shift;
    private final int most;
    private final long lastOffset;
    private final CdefDirection[] workers;
    private final short[][] samples;

    CdefDirectionBatch(org.gstqpu.kernels.block.CdefDirection call, int workers) {
        this.call = call;
        this.shift = call.bitDepth() - 8;
        this.most = (1 << call.bitDepth()) - 1;
        this.lastOffset = call.picture().sizeBytes() - 7L * call.strideBytes() - (shift > 0 ? 16 : 8);
        this.workers = new CdefDirection[workers];
        this.samples = new short[workers][64];
        for (int i = 0; i < workers; i++) {
            this.workers[i] = new CdefDirection();
        }
    }

    @Override
    public void run(int first, int end, int worker) {
        long records = call.records().address();
        long results = call.results().address();
        for (int i = first; i < end; i++) {
            int offset = memGetInt(records + (long) i * org.gstqpu.kernels.block.CdefDirection.RECORD_BYTES);
            read(call.picture().address() + BlockBatch.wordOffset(offset, lastOffset), samples[worker]);
            long result = results + (long) i * org.gstqpu.kernels.block.CdefDirection.RESULT_BYTES;
            memPutInt(result, workers[worker].search(samples[worker], 0, 8, shift));
            memPutInt(result + 4, workers[worker].variance());
        }
    }

    private void read(long block, short[] into) {
        long address = block;
        for (int row = 0; row < 8; row++, address += call.strideBytes()) {
            for (int column = 0; column < 8; column++) {
                into[8 * row + column] = (short)
                        ((shift > 0 ? memGetShort(address + 2L * column) : memGetByte(address + column)) & most);
            }
        }
    }
}

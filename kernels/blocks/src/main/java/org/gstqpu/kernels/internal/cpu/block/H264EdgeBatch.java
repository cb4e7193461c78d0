/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.internal.stage.deblock.H264EdgeFilter;

/** Runs the records of H.264 edges over the planes of a picture. Belongs to its prepared call, whose workers run it. */
final class H264EdgeBatch implements BlockBatch {
    private final KernelBuffer records;
    private final KernelBuffer picture;
    private final boolean chroma;
    private final int[] strideBytes;

    /**
     * Makes a batch.
     *
     * @param chroma whether plane 0 is chroma; all other planes are
     * @param strideBytes bytes a row of each plane; byte 6 of a record is the number of its plane
     */
    H264EdgeBatch(KernelBuffer records, KernelBuffer picture, boolean chroma, int... strideBytes) {
        this.records = records;
        this.picture = picture;
        this.chroma = chroma;
        this.strideBytes = strideBytes;
    }

    @Override
    public void run(int first, int end, int worker) {
        long address = records.address() + (long) first * H264Edge.RECORD_BYTES;
        for (int i = first; i < end; i++, address += H264Edge.RECORD_BYTES) {
            filter(memGetInt(address), memGetInt(address + 4), memGetInt(address + 8));
        }
    }

    private void filter(int offset, int parameters, int tc) {
        int plane = Math.min((parameters >> 16) & 255, strideBytes.length - 1);
        boolean isChroma = chroma || plane > 0;
        boolean horizontal = parameters < 0;
        long stride = strideBytes[plane];
        long across = horizontal ? stride : 1;
        long along = horizontal ? 1 : stride;
        long reach = isChroma && horizontal ? 2 : 4;
        int length = isChroma ? 8 : 16;
        long last = picture.sizeBytes() - (reach - 1) * across - (length - 1) * along - 1;
        long address = picture.address() + BlockBatch.wordOffset(offset, reach * across, last);
        int alpha = parameters & 255;
        int beta = (parameters >> 8) & 255;
        if (((parameters >> 24) & 1) != 0) {
            H264EdgeFilter.OF_BYTES.strong(isChroma, address, across, along, length, alpha, beta);
            return;
        }
        int lines = length / 4;
        for (int quarter = 0; quarter < 4; quarter++, address += lines * along) {
            int tc0 = (byte) (tc >> (8 * quarter));
            if (tc0 >= 0) {
                H264EdgeFilter.OF_BYTES.normal(isChroma, address, across, along, lines, alpha, beta, tc0);
            }
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.block;

import static org.lwjgl.system.MemoryUtil.memGetInt;

import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.Vp9LoopFilter;

/** Runs the records of VP9 edges over the planes of a picture. Belongs to its prepared call, whose workers run it. */
final class Vp9LoopFilterBatch implements BlockBatch {
    private final KernelBuffer records;
    private final KernelBuffer picture;
    private final int[] strideBytes;

    /**
     * Makes a batch.
     *
     * @param strideBytes bytes a row of each plane; bits 0 and 1 of a record's last byte are the number of its plane
     */
    Vp9LoopFilterBatch(KernelBuffer records, KernelBuffer picture, int... strideBytes) {
        this.records = records;
        this.picture = picture;
        this.strideBytes = strideBytes;
    }

    @Override
    public void run(int first, int end, int worker) {
        long address = records.address() + (long) first * Vp9LoopFilter.RECORD_BYTES;
        for (int i = first; i < end; i++, address += Vp9LoopFilter.RECORD_BYTES) {
            filter(memGetInt(address), memGetInt(address + 4));
        }
    }

    private void filter(int offset, int parameters) {
        int mode = parameters >>> 24;
        long stride = strideBytes[Math.min(mode & 3, strideBytes.length - 1)];
        int wd = (mode & 16) != 0 ? 16 : (mode & 8) != 0 ? 8 : 4;
        long reach = wd == 16 ? 8 : 4;
        long across = mode >= 128 ? stride : 1;
        long along = mode >= 128 ? 1 : stride;
        long last = picture.sizeBytes() - (reach - 1) * across - 7 * along - 1;
        Vp9EdgeFilter.filter(
                picture.address() + BlockBatch.wordOffset(offset, reach * across, last),
                across,
                along,
                wd,
                parameters & 255,
                (parameters >> 8) & 255,
                (parameters >> 16) & 255);
    }
}

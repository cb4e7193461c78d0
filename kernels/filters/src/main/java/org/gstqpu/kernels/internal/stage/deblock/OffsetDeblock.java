/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import static org.lwjgl.system.MemoryUtil.nmemAlignedAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns a copy of a picture with a margin, and deblocks it there. Thanks to the margin, the macroblock grid may begin
 * left of and above the picture. Belongs to one {@link DeblockPicture}.
 */
final class OffsetDeblock implements AutoCloseable {
    private static final int ALIGNMENT_BYTES = 64;

    /** Width of the margin in luma samples: left and right margin together, and top and bottom margin together. */
    private static final int MARGIN = 8;

    private final AtomicLong scratchBytes;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureLayout wholeLayout;
    private final H264PictureDeblock deblock;
    private final long bytes;
    private final long memory;
    private final CpuPlace whole = new CpuPlace();
    private final CpuPlace result = new CpuPlace();
    private int offset;

    OffsetDeblock(PixelFormat format, int width, int height, int threads, VectorUse vectors, AtomicLong scratchBytes) {
        this.scratchBytes = scratchBytes;
        this.format = format;
        this.width = width;
        this.height = height;
        wholeLayout = PictureLayout.packed(format, width + MARGIN, height + MARGIN, ALIGNMENT_BYTES);
        deblock = new H264PictureDeblock(format, width + MARGIN, height + MARGIN, threads, vectors);
        // A whole number of alignments, as C's aligned_alloc asks.
        bytes = (wholeLayout.sizeBytes() + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        memory = nmemAlignedAllocChecked(ALIGNMENT_BYTES, bytes);
        scratchBytes.addAndGet(bytes);
        whole.set(memory, wholeLayout);
    }

    void configure(H264DeblockParameters parameters) {
        deblock.configure(parameters);
    }

    /**
     * Where the result of a picture lies.
     *
     * @param offset where the macroblock grid begins in the picture, column | row &lt;&lt; 3
     */
    CpuPlace place(int offset) {
        if (result.layout() == null || this.offset != offset) {
            this.offset = offset;
            result.set(memory, inside(margin(offset & 7), margin(offset >> 3)));
        }
        return result;
    }

    /** Deblocks a picture. The result lies at {@link #place}. */
    void run(CpuStage.Workers workers, CpuPlace source, int offset) {
        deblock.prepare(source, whole, margin(offset & 7), margin(offset >> 3));
        workers.run(deblock);
    }

    /** Samples before the picture that complete its first macroblock. */
    private static int margin(int first) {
        return -first & MARGIN - 1;
    }

    private PictureLayout inside(int left, int top) {
        long[] offsets = new long[3];
        int[] strides = new int[3];
        for (int plane = 0; plane < format.planes(); plane++) {
            strides[plane] = wholeLayout.strideBytes(plane);
            offsets[plane] = wholeLayout.offsetBytes(plane)
                    + (long) (format.planeRows(plane, top + 1) - 1) * strides[plane]
                    + (long) (format.planeRowSamples(plane, left + 1) - format.planeRowSamples(plane, 1))
                            * format.sampleBytes();
        }
        return new PictureLayout(
                format, width, height, offsets[0], strides[0], offsets[1], strides[1], offsets[2], strides[2]);
    }

    @Override
    public void close() {
        nmemAlignedFree(memory);
        scratchBytes.addAndGet(-bytes);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.nmemAlignedAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns a copy of a picture with a margin, and deblocks it there. Thanks to the margin, the macroblock grid may begin
 * left of and above the picture. Belongs to one {@link CpuPictureFilter}.
 */
final class OffsetDeblock implements AutoCloseable {
    private static final int ALIGNMENT_BYTES = 64;

    /** Width of the margin in luma samples: left and right margin together, and top and bottom margin together. */
    private static final int MARGIN = 8;

    private final WorkerPool pool;
    private final AtomicLong scratchBytes;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureLayout wholeLayout;
    private final H264PictureDeblock deblock;
    private final long bytes;
    private final long memory;
    private int offset;
    private PictureLayout layout;

    OffsetDeblock(
            WorkerPool pool, VectorUse vectors, AtomicLong scratchBytes, PixelFormat format, int width, int height) {
        this.pool = pool;
        this.scratchBytes = scratchBytes;
        this.format = format;
        this.width = width;
        this.height = height;
        wholeLayout = PictureLayout.packed(format, width + MARGIN, height + MARGIN, ALIGNMENT_BYTES);
        deblock = new H264PictureDeblock(format, width + MARGIN, height + MARGIN, pool.threads(), vectors);
        // A whole number of alignments, as C's aligned_alloc asks.
        bytes = (wholeLayout.sizeBytes() + ALIGNMENT_BYTES - 1) & -ALIGNMENT_BYTES;
        memory = nmemAlignedAllocChecked(ALIGNMENT_BYTES, bytes);
        scratchBytes.addAndGet(bytes);
    }

    void configure(H264DeblockParameters parameters) {
        deblock.configure(parameters);
    }

    /**
     * Deblocks a picture. The result lies at {@link #address} with {@link #layout}.
     *
     * @param offset where the macroblock grid begins in the picture, column | row &lt;&lt; 3
     */
    void run(long source, PictureLayout sourceLayout, int offset) {
        int left = margin(offset & 7);
        int top = margin(offset >> 3);
        if (layout == null || this.offset != offset) {
            this.offset = offset;
            layout = inside(left, top);
        }
        deblock.prepare(source, sourceLayout, memory, wholeLayout, left, top);
        pool.run(deblock);
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

    /** Start of the memory of the last result; {@link #layout} says where in it the picture lies. */
    long address() {
        return memory;
    }

    PictureLayout layout() {
        return layout;
    }

    @Override
    public void close() {
        nmemAlignedFree(memory);
        scratchBytes.addAndGet(-bytes);
    }
}

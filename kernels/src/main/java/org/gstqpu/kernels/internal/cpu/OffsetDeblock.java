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
 * Owns a picture with a margin, in which macroblocks may begin before the picture does, and deblocks there. Belongs to one {@link
 * CpuPictureFilter}.
 */
final class OffsetDeblock implements AutoCloseable {
    private static final int ALIGNMENT_BYTES = 64;

    /** Luma samples around the picture, left and right together, and above and below. */
    private static final int MARGIN = 8;

    private final WorkerPool pool;
    private final AtomicLong scratchBytes;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureLayout wholeLayout;
    private final H264PictureDeblock deblock;
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
        memory = nmemAlignedAllocChecked(ALIGNMENT_BYTES, wholeLayout.sizeBytes());
        scratchBytes.addAndGet(wholeLayout.sizeBytes());
    }

    void configure(H264DeblockParameters parameters) {
        deblock.configure(parameters);
    }

    /** Deblocks a picture whose macroblocks begin at an offset, column | row &lt;&lt; 3, into {@link #address}. */
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

    /** Samples before the picture that make its first macroblock whole. */
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

    /** Where the {@link #layout} of the last result counts from. */
    long address() {
        return memory;
    }

    PictureLayout layout() {
        return layout;
    }

    @Override
    public void close() {
        nmemAlignedFree(memory);
        scratchBytes.addAndGet(-wholeLayout.sizeBytes());
    }
}

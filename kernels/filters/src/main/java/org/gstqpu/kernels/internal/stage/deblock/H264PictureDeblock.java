/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import static org.lwjgl.system.MemoryUtil.memCopy;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.internal.cpu.CpuPictureFilter;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.SampleCopy;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Copies a picture and deblocks the copy in the order of ITU-T H.264, 8.7: macroblocks in raster order, in each the
 * vertical edges from left to right, then the horizontal edges from top to bottom. Belongs to one {@link
 * CpuPictureFilter}; {@link #work} runs on all workers at once.
 *
 * <p>Workers take rows of macroblocks from top to bottom and run them as a wavefront. Macroblock x of row y starts when
 * row y-1 has finished its macroblock x+1, or its last one. The result is that of raster order, for two reasons:
 *
 * <ul>
 *   <li>Macroblock (x, y) touches rows above its own only through its top edge, in columns 16x to 16x+15. Of the
 *       macroblocks before it in raster order, only two change those samples: (x, y-1), and (x+1, y-1), whose left edge
 *       changes columns 16x+13 to 16x+15. Both are finished. Within a row, macroblock x follows macroblock x-1.
 *   <li>What row y-1 still has to do begins at the left edge of macroblock x+2. That edge reads columns from 16x+28 on,
 *       none of which (x, y) has changed.
 * </ul>
 *
 * <p>Chroma of 4:2:0 and 4:2:2 video has macroblocks 8 samples wide, whose left edge changes one sample to its left
 * instead of three; both reasons hold there, too.
 *
 * <p>The wavefront always moves: a worker takes a row only after all rows above it were taken, and the topmost
 * unfinished row never waits.
 */
final class H264PictureDeblock implements PictureJob {
    /**
     * Entries of {@link #finished} lie a cache line of 64 bytes apart, so that two workers never write to one cache
     * line.
     */
    private static final int LINE_INTS = 16;

    private static final int SPINS_BEFORE_YIELD = 64;

    /** Macroblocks in a tile of 64x64 luma samples, the unit in which {@link VectorUse} counts work. */
    private static final int TILE_MACROBLOCKS = 16;

    private final PixelFormat format;

    /** Chroma rows of a macroblock. */
    private final int chromaRows;

    private final int macroblockColumns;
    private final int macroblockRows;
    private final AtomicInteger nextRow = new AtomicInteger();
    private final AtomicIntegerArray finished;
    private final VectorUse vectors;
    private final SampleCopy samples;

    /** The plain kernel of each worker. */
    private final DeblockKernel[] plain;

    /** The vector kernel of each worker. Empty if the JVM offers no vectors, or the format has no vector kernel. */
    private final DeblockKernel[] inVectors;

    /**
     * Strengths of each edge. Null if all macroblocks have the parameters of {@link #configure(H264DeblockParameters)}.
     */
    private H264EdgeMap edges;

    private CpuPlace source;
    private CpuPlace destination;

    /**
     * Luma columns from the destination's left border to the source's. The destination repeats the source's border
     * there.
     */
    private int left;

    private int top;

    H264PictureDeblock(PixelFormat format, int width, int height, int threads, VectorUse vectors) {
        this.format = format;
        this.chromaRows = 16 / format.subHeight();
        this.macroblockColumns = (width + 15) / 16;
        this.macroblockRows = (height + 15) / 16;
        this.finished = new AtomicIntegerArray(macroblockRows * LINE_INTS);
        this.vectors = vectors;
        this.samples = new SampleCopy(format);
        this.plain = new DeblockKernel[threads];
        this.inVectors = new DeblockKernel[isInVectors() ? threads : 0];
        Arrays.setAll(plain, worker -> new PlainDeblockKernel(format));
        String name = format.sampleBytes() == 1 ? "VectorDeblockKernel" : "VectorWideDeblockKernel";
        Arrays.setAll(inVectors, worker -> vectors.newKernel(DeblockKernel.class, name, format));
    }

    /** True if the JVM offers vectors and a vector kernel exists for this format. */
    private boolean isInVectors() {
        return vectors.offers(Deblock.FILTER, format);
    }

    /**
     * Makes the next run deblock with the strengths of this map, which must have the picture's size. The caller must
     * not change the map until that run has ended.
     */
    void configure(H264EdgeMap edges) {
        this.edges = edges;
    }

    /** Makes the next run deblock with {@code parameters}. */
    void configure(H264DeblockParameters parameters) {
        edges = null;
        for (DeblockKernel kernel : plain) {
            kernel.configure(parameters);
        }
        for (DeblockKernel kernel : inVectors) {
            kernel.configure(parameters);
        }
    }

    /**
     * Sets the two pictures of the next run. The destination has this filter's size and may be larger than the source.
     * The source goes to column {@code left} and row {@code top} of the destination, in luma samples, and the samples
     * at its border are repeated around it.
     */
    void prepare(CpuPlace from, CpuPlace to, int left, int top) {
        this.left = left;
        this.top = top;
        source = from;
        destination = to;
        for (int row = 0; row < macroblockRows; row++) {
            finished.set(row * LINE_INTS, 0);
        }
        nextRow.set(0);
        if (isInVectors()) {
            vectors.expect(Deblock.FILTER, format, Math.max(1, macroblockColumns * macroblockRows / TILE_MACROBLOCKS));
        }
    }

    @Override
    public void work(int worker) {
        DeblockKernel kernel =
                isInVectors() && vectors.inUse(Deblock.FILTER, format) ? inVectors[worker] : plain[worker];
        for (int row = nextRow.getAndIncrement(); row < macroblockRows; row = nextRow.getAndIncrement()) {
            try {
                filterRow(kernel, row);
            } finally {
                // A row that failed counts as finished, too. Otherwise the workers of the rows below would wait for
                // ever.
                finished.setRelease(row * LINE_INTS, macroblockColumns);
            }
        }
    }

    private void filterRow(DeblockKernel kernel, int row) {
        for (int plane = 0; plane < format.planes(); plane++) {
            int rows = plane == 0 ? 16 : chromaRows;
            copyRows(plane, row * rows, rows);
        }
        int known = row == 0 ? macroblockColumns : 0;
        for (int column = 0; column < macroblockColumns; column++) {
            int needed = Math.min(column + 2, macroblockColumns);
            if (known < needed) {
                known = awaitRow(row - 1, needed);
            }
            if (edges != null) {
                kernel.follow(edges, column, row);
            }
            filterLuma(kernel, 0, 0, column, row);
            switch (format.chroma()) {
                case NONE -> {}
                case HALF_BOTH, HALF_WIDTH -> filterChroma(kernel, column, row);
                case FULL -> {
                    filterLuma(kernel, 1, format.cbPlane(), column, row);
                    filterLuma(kernel, 2, format.crPlane(), column, row);
                }
            }
            finished.setRelease(row * LINE_INTS, column + 1);
        }
    }

    // Yielding only saves time: another thread works on the row above, and may need this processor.
    @SuppressWarnings("ThreadPriorityCheck")
    private int awaitRow(int row, int needed) {
        for (int spins = 0; ; spins++) {
            int columns = finished.getAcquire(row * LINE_INTS);
            if (columns >= needed) {
                return columns;
            }
            if (spins < SPINS_BEFORE_YIELD) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
        }
    }

    private void copyRows(int plane, int firstRow, int rows) {
        int end = Math.min(firstRow + rows, destination.layout().rows(plane));
        int rowsBefore = format.planeRows(plane, top + 1) - 1;
        int pixelBytes = format.planeRowSamples(plane, 1) * format.sampleBytes();
        long before = (long) format.planeRowSamples(plane, left + 1) * format.sampleBytes() - pixelBytes;
        long bytes = source.layout().rowBytes(plane);
        long after = destination.layout().rowBytes(plane) - before - bytes;
        for (int row = firstRow; row < end; row++) {
            int sourceRow =
                    Math.max(0, Math.min(row - rowsBefore, source.layout().rows(plane) - 1));
            long to = destination.row(plane, row) + before;
            samples.copy(source.row(plane, sourceRow), to, bytes);
            repeat(to, -before, pixelBytes);
            repeat(to + bytes - pixelBytes, after, pixelBytes);
        }
    }

    /** Repeats a pixel after itself, up to {@code bytes} bytes, or before itself if {@code bytes} is negative. */
    private static void repeat(long pixel, long bytes, int pixelBytes) {
        int step = bytes < 0 ? -pixelBytes : pixelBytes;
        for (long at = step; Math.abs(at) <= Math.abs(bytes); at += step) {
            memCopy(pixel, pixel + at, pixelBytes);
        }
    }

    private void filterLuma(DeblockKernel kernel, int component, int plane, int column, int row) {
        PictureLayout layout = destination.layout();
        kernel.luma(
                component,
                destination.row(plane, 16 * row) + 16L * column * format.sampleBytes(),
                layout.strideBytes(plane),
                Math.min(16, layout.width() - 16 * column),
                Math.min(16, layout.height() - 16 * row),
                column > 0,
                row > 0);
    }

    private void filterChroma(DeblockKernel kernel, int column, int row) {
        PictureLayout layout = destination.layout();
        kernel.chroma(
                chromaAddress(format.cbPlane(), format.cbFirstSample(), column, row),
                layout.strideBytes(format.cbPlane()),
                chromaAddress(format.crPlane(), format.crFirstSample(), column, row),
                layout.strideBytes(format.crPlane()),
                format.chromaPixelStep(),
                Math.min(8, format.chromaWidth(layout.width()) - 8 * column),
                Math.min(chromaRows, format.chromaHeight(layout.height()) - chromaRows * row),
                column > 0,
                row > 0);
    }

    private long chromaAddress(int plane, int firstSample, int column, int row) {
        return destination.row(plane, chromaRows * row)
                + (firstSample + 8L * column * format.chromaPixelStep()) * format.sampleBytes();
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.cdef;

import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.internal.cpu.CpuPictureFilter;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.SampleCopy;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Runs AV1 CDEF (AV1 specification, 7.15) from one picture into another. Belongs to one {@link CpuPictureFilter};
 * {@link #work} runs on all workers at once.
 *
 * <p>Each worker owns a {@link Worker} and takes 64x64 tiles in raster order. A tile reads only the unfiltered picture
 * and writes only its own samples, so the tiles may run in any order.
 */
public final class CdefPicture implements PictureJob, CpuStage {
    private static final int[] SAME_DIRECTIONS = {0, 1, 2, 3, 4, 5, 6, 7};

    /**
     * Maps a luma direction to a chroma direction in 4:2:2 video (AV1 specification, 7.15.1, Cdef_Uv_Dir): neighbouring
     * chroma samples lie twice as far apart in a row as in a column.
     */
    private static final int[] HALF_WIDTH_DIRECTIONS = {7, 0, 2, 4, 5, 6, 6, 6};

    /** Place of the strengths of luma among those of a block. */
    private static final int LUMA = 0;

    /** Place of the strengths of chroma. */
    private static final int CHROMA = 2;

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int subWidth;
    private final int subHeight;

    /** True for 4:4:4 video: a chroma block is as large as a luma block, so a tile holds one component. */
    private final boolean fullChroma;

    /**
     * Direction of a chroma block, indexed by the direction of its luma block (AV1 specification, 7.15.1, Cdef_Uv_Dir).
     */
    private final int[] chromaDirections;

    private final int coefficientShift;
    private final int tileColumns;
    private final int tiles;
    private final CdefConstraints constraints;
    private final SampleCopy samples;
    private final VectorUse vectors;
    private final Worker[] workers;
    private final AtomicInteger nextTile = new AtomicInteger();

    /** Decisions of a caller or a tier. */
    private final CdefDecisions given;

    /** {@link #given}, or those of a decoder. */
    private CdefDecisions decisions;

    private boolean changes;

    /** Strengths of each 8x8 block, from the current decisions. */
    private byte[] strengths;

    /** True if the filter may need the direction of a block. */
    private boolean searching;

    private CpuPlace source;
    private CpuPlace destination;

    public CdefPicture(PixelFormat format, int width, int height, int threads, VectorUse vectors) {
        this.format = format;
        this.width = width;
        this.height = height;
        this.subWidth = format.subWidth();
        this.subHeight = format.subHeight();
        this.fullChroma = format.chroma() == PixelFormat.Chroma.FULL;
        this.chromaDirections =
                format.chroma() == PixelFormat.Chroma.HALF_WIDTH ? HALF_WIDTH_DIRECTIONS : SAME_DIRECTIONS;
        this.coefficientShift = format.bitDepth() - 8;
        this.tileColumns = (width + 63) / 64;
        this.tiles = tileColumns * ((height + 63) / 64);
        this.constraints = new CdefConstraints(format.bitDepth());
        this.samples = new SampleCopy(format);
        this.vectors = vectors;
        this.given = new CdefDecisions(width, height);
        this.workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new Worker();
        }
    }

    @Override
    public void configure(FilterParameters wanted) {
        changes = false;
        if (wanted.cdef().isPresent()) {
            given.set(wanted.cdef().get());
            configure(given);
            changes = !wanted.cdef().get().changesNothing();
        }
    }

    @Override
    public void configure(PictureParameters own) {
        changes = own.runsCdef();
        if (changes) {
            configure(own.cdef());
        }
    }

    @Override
    public boolean changesPictures() {
        return changes;
    }

    private void configure(CdefDecisions decisions) {
        this.decisions = decisions;
        this.strengths = decisions.strengths();
        this.searching = false;
        int damping = decisions.damping() + coefficientShift;
        for (int index = 0; index < decisions.count(); index++) {
            searching |= yPrimary(index) != 0 || uvPrimary(index) != 0;
            for (int log = 0; log <= 12; log++) {
                constraints.prepare(CdefBlockFilter.adjustedPrimary(yPrimary(index), 64 << log), damping);
            }
            constraints.prepare(ySecondary(index), damping);
            constraints.prepare(uvPrimary(index), damping - 1);
            constraints.prepare(uvSecondary(index), damping - 1);
        }
    }

    /** Copies samples that no block of a tile changes. The parameters are in samples of the plane. */
    private void copy(int plane, int left, int top, int columns, int rows) {
        int pixelBytes = format.planeRowSamples(plane, 1) * format.sampleBytes();
        long before = (long) left * pixelBytes;
        for (int row = top; row < top + rows; row++) {
            samples.copy(
                    source.row(plane, row) + before, destination.row(plane, row) + before, (long) columns * pixelBytes);
        }
    }

    // The four methods below give strengths scaled to the bit depth.

    private int yPrimary(int index) {
        return strengths[index * CdefDecisions.STRENGTH_BYTES] << coefficientShift;
    }

    private int ySecondary(int index) {
        return strengths[index * CdefDecisions.STRENGTH_BYTES + 1] << coefficientShift;
    }

    private int uvPrimary(int index) {
        return strengths[index * CdefDecisions.STRENGTH_BYTES + 2] << coefficientShift;
    }

    private int uvSecondary(int index) {
        return strengths[index * CdefDecisions.STRENGTH_BYTES + 3] << coefficientShift;
    }

    @Override
    public void run(Workers threads, CpuPlace from, CpuPlace decoded, CpuPlace to, int offset) {
        source = from;
        destination = to;
        nextTile.set(0);
        vectors.expect(Cdef.FILTER, format, tiles);
        threads.run(this);
    }

    @Override
    public void work(int worker) {
        for (int tile = nextTile.getAndIncrement(); tile < tiles; tile = nextTile.getAndIncrement()) {
            workers[worker].filterTile(tile % tileColumns * 64, tile / tileColumns * 64);
        }
    }

    /**
     * True if a block of a tile may change.
     *
     * @param component {@link #LUMA} or {@link #CHROMA}
     */
    private boolean changes(int left, int top, int columns, int rows, int component) {
        if (!decisions.isMapped()) {
            return hasStrength(0, component);
        }
        for (int y8 = top >> 3; y8 < (top + rows + 7) >> 3; y8++) {
            for (int x8 = left >> 3; x8 < (left + columns + 7) >> 3; x8++) {
                int index = strengthIndex(x8, y8);
                if (index >= 0 && hasStrength(index, component)) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean hasStrength(int index, int component) {
        int at = index * CdefDecisions.STRENGTH_BYTES + component;
        return (strengths[at] | strengths[at + 1]) != 0;
    }

    private int strengthIndex(int x8, int y8) {
        return decisions.isMapped() ? decisions.map()[y8 * decisions.columns() + x8] - 1 : 0;
    }

    /** Owns the tile and the kernels of one worker, and what it found in the tile. */
    private final class Worker {
        private final CdefTile tile = new CdefTile(format, width, height);
        private final byte[] tileDirections = new byte[64];
        private final CdefKernel plain;

        /** Used only if the JVM offers vectors. */
        private final CdefKernel vector;

        private CdefKernel kernel;

        Worker() {
            plain = new PlainCdefKernel(constraints, format.bitDepth());
            vector = vectors.isOffered()
                    ? vectors.newKernel(CdefKernel.class, "VectorCdefKernel", format.bitDepth())
                    : plain;
            kernel = plain;
        }

        void filterTile(int left, int top) {
            kernel = vectors.inUse(Cdef.FILTER, format) ? vector : plain;
            int columns = Math.min(64, width - left);
            int rows = Math.min(64, height - top);
            boolean chroma = format.hasChroma() && changes(left, top, columns, rows, CHROMA);
            if (changes(left, top, columns, rows, LUMA) || (chroma && searching)) {
                filterLuma(left, top, columns, rows);
            } else {
                copy(0, left, top, columns, rows);
            }
            if (!chroma) {
                for (int plane = 1; plane < format.planes(); plane++) {
                    copy(
                            plane,
                            left / subWidth,
                            top / subHeight,
                            format.chromaWidth(columns),
                            format.chromaHeight(rows));
                }
            } else if (fullChroma) {
                filterFullChroma(1, left, top, columns, rows);
                filterFullChroma(2, left, top, columns, rows);
            } else {
                filterChroma(left / subWidth, top / subHeight, format.chromaWidth(columns), format.chromaHeight(rows));
            }
        }

        private void filterLuma(int left, int top, int columns, int rows) {
            tile.read(kernel, source, 0, left, top, columns, rows);
            if (searching) {
                kernel.begin(tile, columns, rows);
            }
            int damping = decisions.damping() + coefficientShift;
            for (int y = 0; y < rows; y += 8) {
                for (int x = 0; x < columns; x += 8) {
                    int block = CdefTile.ORIGIN + y * CdefTile.STRIDE + x;
                    int index = strengthIndex((left + x) >> 3, (top + y) >> 3);
                    if (index < 0) {
                        tile.keep(block, 8);
                        continue;
                    }
                    int configured = yPrimary(index);
                    int direction = 0;
                    if (configured != 0 || uvPrimary(index) != 0) {
                        direction = kernel.search(x, y);
                        tileDirections[y + (x >> 3)] = (byte) direction;
                    }
                    int primary = configured == 0 ? 0 : CdefBlockFilter.adjustedPrimary(configured, kernel.variance());
                    int secondary = ySecondary(index);
                    if (primary == 0 && secondary == 0) {
                        tile.keep(block, 8);
                        continue;
                    }
                    kernel.filter(tile, block, 8, 1, primary, secondary, configured == 0 ? 0 : direction, damping);
                }
            }
            tile.write(kernel, destination, 0, left, top, columns, rows);
        }

        /** Filters one plane of 4:4:4 chroma. */
        private void filterFullChroma(int plane, int left, int top, int columns, int rows) {
            tile.read(kernel, source, plane, left, top, columns, rows);
            for (int y = 0; y < rows; y += 8) {
                for (int x = 0; x < columns; x += 8) {
                    filterChromaBlock(x >> 3, y >> 3, (left + x) >> 3, (top + y) >> 3, x, 8, 1);
                }
            }
            tile.write(kernel, destination, plane, left, top, columns, rows);
        }

        /** Filters both chroma components of 4:2:0 or 4:2:2 video, whose samples the tile holds alternately. */
        private void filterChroma(int left, int top, int columns, int rows) {
            tile.read(kernel, source, 1, left, top, columns, rows);
            int blockRows = 8 / subHeight;
            for (int y = 0; y < rows; y += blockRows) {
                for (int x = 0; x < columns; x += 4) {
                    int y8 = y / blockRows;
                    filterChromaBlock(x >> 2, y8, (left + x) >> 2, top / blockRows + y8, 2 * x, blockRows, 2);
                }
            }
            tile.write(kernel, destination, 1, left, top, columns, rows);
        }

        /**
         * Filters the chroma block of one 8x8 luma block.
         *
         * @param tileX8 column of the luma block in the tile, in blocks
         * @param tileY8 row of the luma block in the tile, in blocks
         * @param x8 column of the luma block in the picture, in blocks
         * @param y8 row of the luma block in the picture, in blocks
         * @param column of the chroma block's first sample in the tile
         * @param blockRows rows of the chroma block
         * @param pixelStep as {@link CdefKernel#filter} takes it
         */
        private void filterChromaBlock(
                int tileX8, int tileY8, int x8, int y8, int column, int blockRows, int pixelStep) {
            int block = CdefTile.ORIGIN + tileY8 * blockRows * CdefTile.STRIDE + column;
            int index = strengthIndex(x8, y8);
            if (index < 0 || (uvPrimary(index) == 0 && uvSecondary(index) == 0)) {
                tile.keep(block, blockRows);
                return;
            }
            int primary = uvPrimary(index);
            kernel.filter(
                    tile,
                    block,
                    blockRows,
                    pixelStep,
                    primary,
                    uvSecondary(index),
                    primary == 0 ? 0 : chromaDirections[tileDirections[8 * tileY8 + tileX8]],
                    decisions.damping() - 1 + coefficientShift);
        }
    }
}

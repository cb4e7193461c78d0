/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.shrinkage;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.cpu.CpuPictureFilter;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.SampleCopy;
import org.gstqpu.kernels.internal.stage.ShrinkageLimits;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Runs shrinkage from one picture into another. Belongs to one {@link CpuPictureFilter}; {@link #work} runs on all
 * workers at once.
 *
 * <p>Each worker owns a {@link Worker} and takes tiles of a plane, which are strips of blocks of the codec's grid. A tile
 * reads only the unfiltered pictures and writes only its own samples, so the tiles may run in any order. At the upper border of a
 * tile, a row of blocks is transformed that the tile above transforms too, so tiles are as high as the number of threads allows.
 */
public final class ShrinkagePicture implements PictureJob, CpuStage {
    /** Tiles of a plane for each thread, so that all threads end at about the same time. */
    private static final int TILES_A_THREAD = 3;

    /** The least rows of blocks in a tile, unless the plane has less. */
    private static final int LEAST_BANDS = 4;

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int threads;
    private final VectorUse vectors;
    private final SampleCopy samples;
    private final Plane[] planes;

    /** Null before the first picture that is shrunk. */
    private Worker[] workers;

    private final AtomicInteger nextTile = new AtomicInteger();
    private final ShrinkageLimits lumaLimits;
    private final ShrinkageLimits chromaLimits;

    /** Null if pictures are not shrunk. */
    private ShrinkageParameters parameters;

    private CpuPlace source;
    private CpuPlace decoded;
    private CpuPlace destination;

    public ShrinkagePicture(PixelFormat format, int width, int height, int threads, VectorUse vectors) {
        this.format = format;
        this.width = width;
        this.height = height;
        this.threads = threads;
        this.vectors = vectors;
        samples = new SampleCopy(format);
        lumaLimits = new ShrinkageLimits(format.bitDepth());
        chromaLimits = new ShrinkageLimits(format.bitDepth());
        planes = new Plane[format.planes()];
        for (int plane = 0; plane < planes.length; plane++) {
            planes[plane] = new Plane(plane);
        }
    }

    @Override
    public void configure(FilterParameters wanted) {
        parameters = wanted.shrinkage().orElse(null);
        if (parameters != null) {
            lumaLimits.set(parameters.lumaThreshold(), parameters.bound());
            chromaLimits.set(parameters.chromaThreshold(), parameters.bound());
        }
    }

    /** No decoder gives parameters of shrinkage. */
    @Override
    public void configure(PictureParameters own) {
        parameters = null;
    }

    @Override
    public boolean changesPictures() {
        return parameters != null;
    }

    @Override
    public void run(Workers threads, CpuPlace from, CpuPlace decoded, CpuPlace to, int offset) {
        source = from;
        this.decoded = decoded;
        destination = to;
        if (workers == null) {
            workers = new Worker[this.threads];
            Arrays.setAll(workers, worker -> new Worker());
        }
        for (Plane plane : planes) {
            plane.divide(offset & 7, offset >> 3);
        }
        nextTile.set(0);
        vectors.expect(Shrink.FILTER, format, (width + 63) / 64 * ((height + 63) / 64));
        threads.run(this);
    }

    @Override
    public void work(int worker) {
        int firstTile = 0;
        int tile = nextTile.getAndIncrement();
        for (Plane plane : planes) {
            for (; tile - firstTile < plane.tiles(); tile = nextTile.getAndIncrement()) {
                workers[worker].filter(plane, tile - firstTile);
            }
            firstTile += plane.tiles();
        }
    }

    /** One plane and how it is divided into tiles. */
    private final class Plane {
        final int index;
        final ShrinkageLimits limits;

        /** Samples from one to the next of a component. */
        final int pixelStep;

        /** Samples of a component in a row. */
        final int columns;

        final int rows;
        final ShrinkageShifts shifts = new ShrinkageShifts();

        /** Column of the first block of the codec's grid, 0 or less. */
        int left;

        /** Row of the first block of the codec's grid, 0 or less. */
        int top;

        /** Blocks across the plane. */
        int blocks;

        /** Rows of blocks. */
        int bands;

        int tileBlocks;
        int tileBands;
        int tileColumns;

        Plane(int index) {
            this.index = index;
            limits = index == 0 ? lumaLimits : chromaLimits;
            pixelStep = index == 0 ? 1 : format.chromaPixelStep();
            columns = format.planeRowSamples(index, width) / pixelStep;
            rows = format.planeRows(index, height);
        }

        /** Divides the plane by a grid that begins in this column and row of luma. */
        void divide(int column, int row) {
            int gridColumn = index == 0 ? column : column / format.subWidth();
            int gridRow = index == 0 ? row : row / format.subHeight();
            shifts.set(parameters.shifts(), gridColumn, gridRow);
            left = -(-gridColumn & 7);
            top = -(-gridRow & 7);
            blocks = (columns - left + 7) / 8;
            bands = (rows - top + 7) / 8;
            tileColumns = (blocks + ShrinkageTile.MOST_BLOCKS - 1) / ShrinkageTile.MOST_BLOCKS;
            tileBlocks = (blocks + tileColumns - 1) / tileColumns;
            int tileRows = Math.max(1, Math.min(TILES_A_THREAD * threads / tileColumns, bands / LEAST_BANDS));
            tileBands = (bands + tileRows - 1) / tileRows;
        }

        int tiles() {
            return tileColumns * ((bands + tileBands - 1) / tileBands);
        }
    }

    /** Owns the tile and the kernels of one worker. */
    private final class Worker {
        private final ShrinkageTile tile = new ShrinkageTile(format);
        private final ShrinkageKernel plain = new PlainShrinkageKernel();

        /** Used only if the JVM offers vectors. */
        private final ShrinkageKernel vector =
                vectors.isOffered() ? vectors.newKernel(ShrinkageKernel.class, "VectorShrinkageKernel") : plain;

        void filter(Plane plane, int index) {
            int firstBlock = index % plane.tileColumns * plane.tileBlocks;
            int blocks = Math.min(plane.tileBlocks, plane.blocks - firstBlock);
            int firstBand = index / plane.tileColumns * plane.tileBands;
            int endBand = Math.min(firstBand + plane.tileBands, plane.bands);
            if (blocks <= 0) {
                return;
            }
            if (!plane.limits.isShrinking()) {
                copy(plane, firstBlock, blocks, firstBand, endBand);
                return;
            }
            ShrinkageKernel kernel = vectors.inUse(Shrink.FILTER, format) ? vector : plain;
            for (int component = 0; component < plane.pixelStep; component++) {
                tile.place(
                        plane.pixelStep,
                        component,
                        plane.columns,
                        plane.left + 8 * firstBlock,
                        plane.top,
                        blocks,
                        plane.index > 0);
                kernel.begin(tile, plane.limits, plane.shifts);
                read(plane, firstBand - 1);
                // The band above the tile is not written, but blocks begin in it.
                for (int band = firstBand - 1; band < endBand; band++) {
                    read(plane, band + 1);
                    kernel.shrink(band & 1);
                    if (band >= firstBand) {
                        finish(kernel, plane, band);
                    }
                }
            }
        }

        /** Reads a band of the source; the border rows of the plane are repeated above and below it. */
        private void read(Plane plane, int band) {
            for (int y = 0; y < 8; y++) {
                int row = Math.max(0, Math.min(plane.top + 8 * band + y, plane.rows - 1));
                tile.read(tile.samples, 8 * (band & 1) + y, source.row(plane.index, row));
            }
        }

        private void finish(ShrinkageKernel kernel, Plane plane, int band) {
            int first = plane.top + 8 * band;
            if (plane.limits.isBounding() && first >= 0 && first + 8 <= plane.rows) {
                for (int y = 0; y < 8; y++) {
                    tile.read(tile.decoded, y, decoded.row(plane.index, first + y));
                }
                kernel.bound(band & 1);
            }
            for (int row = Math.max(0, first); row < Math.min(first + 8, plane.rows); row++) {
                tile.write(8 * (band & 1) + row - first, destination.row(plane.index, row));
            }
        }

        /** Copies the samples of a tile. */
        private void copy(Plane plane, int firstBlock, int blocks, int firstBand, int endBand) {
            int pixelBytes = plane.pixelStep * format.sampleBytes();
            int column = Math.max(0, plane.left + 8 * firstBlock);
            int endColumn = Math.min(plane.left + 8 * (firstBlock + blocks), plane.columns);
            int endRow = Math.min(plane.top + 8 * endBand, plane.rows);
            for (int row = Math.max(0, plane.top + 8 * firstBand); row < endRow; row++) {
                samples.copy(
                        source.row(plane.index, row) + (long) column * pixelBytes,
                        destination.row(plane.index, row) + (long) column * pixelBytes,
                        (long) (endColumn - column) * pixelBytes);
            }
        }
    }
}

package org.gstqpu.kernels.cpu;

import java.util.concurrent.atomic.AtomicInteger;
import org.gstqpu.kernels.CdefBlockMap;
import org.gstqpu.kernels.CdefParameters;
import org.gstqpu.kernels.CdefStrength;
import org.gstqpu.kernels.PictureLayout;
import org.gstqpu.kernels.PixelFormat;

/**
 * Runs AV1 CDEF (AV1 specification, 7.15) from one picture into another. Belongs to one {@link CpuPictureFilter}; its
 * {@link #work} runs on all workers at once, each of which owns a {@link Worker} and takes 64x64 tiles in raster order:
 * every tile reads only the unfiltered picture and writes only its own samples, so their order is free.
 */
final class CdefPicture implements PictureJob {
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final int coefficientShift;
    private final int tileColumns;
    private final int tiles;
    private final CdefConstraints constraints;
    private final CdefBlockFilter blockFilter;
    private final Worker[] workers;
    private final AtomicInteger nextTile = new AtomicInteger();

    private CdefParameters parameters;
    private CdefStrength[] strengths;
    private CdefBlockMap blocks;
    private long source;
    private PictureLayout sourceLayout;
    private long destination;
    private PictureLayout destinationLayout;

    CdefPicture(PixelFormat format, int width, int height, int threads) {
        this.format = format;
        this.width = width;
        this.height = height;
        this.coefficientShift = format.bitDepth() - 8;
        this.tileColumns = (width + 63) / 64;
        this.tiles = tileColumns * ((height + 63) / 64);
        this.constraints = new CdefConstraints(format.bitDepth());
        this.blockFilter = new CdefBlockFilter(constraints, format.bitDepth());
        this.workers = new Worker[threads];
        for (int i = 0; i < threads; i++) {
            workers[i] = new Worker();
        }
    }

    /** Makes the next run filter with {@code parameters}. */
    void configure(CdefParameters parameters) {
        this.parameters = parameters;
        this.strengths = parameters.strengths().toArray(new CdefStrength[0]);
        this.blocks = parameters.blocks().orElse(null);
        int damping = parameters.damping() + coefficientShift;
        for (CdefStrength strength : strengths) {
            for (int log = 0; log <= 12; log++) {
                constraints.prepare(
                        CdefBlockFilter.adjustedPrimary(strength.yPrimary() << coefficientShift, 64 << log), damping);
            }
            constraints.prepare(strength.ySecondary() << coefficientShift, damping);
            constraints.prepare(strength.uvPrimary() << coefficientShift, damping - 1);
            constraints.prepare(strength.uvSecondary() << coefficientShift, damping - 1);
        }
    }

    /** Points the next run at its pictures. */
    void prepare(long source, PictureLayout sourceLayout, long destination, PictureLayout destinationLayout) {
        this.source = source;
        this.sourceLayout = sourceLayout;
        this.destination = destination;
        this.destinationLayout = destinationLayout;
        nextTile.set(0);
    }

    @Override
    public void work(int worker) {
        for (int tile = nextTile.getAndIncrement(); tile < tiles; tile = nextTile.getAndIncrement()) {
            workers[worker].filterTile(tile % tileColumns * 64, tile / tileColumns * 64);
        }
    }

    private int strengthIndex(int x8, int y8) {
        return blocks == null ? 0 : blocks.strengthIndex(x8, y8);
    }

    /** One worker's tile and what it found there. */
    private final class Worker {
        private final CdefTile tile = new CdefTile();
        private final CdefDirection direction = new CdefDirection();
        private final short[] cutBlock = new short[64];
        private final byte[] tileDirections = new byte[64];

        void filterTile(int left, int top) {
            int columns = Math.min(64, width - left);
            int rows = Math.min(64, height - top);
            filterLuma(left, top, columns, rows);
            if (format.hasChroma()) {
                filterChroma(format.cbPlane(), format.cbFirstSample(), left, top, columns, rows);
                filterChroma(format.crPlane(), format.crFirstSample(), left, top, columns, rows);
            }
        }

        private void filterLuma(int left, int top, int columns, int rows) {
            read(0, 0, 1, width, height, left, top, columns, rows);
            int damping = parameters.damping() + coefficientShift;
            for (int y = 0; y < rows; y += 8) {
                for (int x = 0; x < columns; x += 8) {
                    int block = CdefTile.ORIGIN + y * CdefTile.STRIDE + x;
                    int index = strengthIndex((left + x) >> 3, (top + y) >> 3);
                    if (index < 0) {
                        tile.keep(block, 8);
                        continue;
                    }
                    CdefStrength strength = strengths[index];
                    int found = 0;
                    if (strength.yPrimary() != 0 || strength.uvPrimary() != 0) {
                        found = search(block, columns - x, rows - y);
                        tileDirections[y + (x >> 3)] = (byte) found;
                    }
                    int primary = strength.yPrimary() == 0
                            ? 0
                            : CdefBlockFilter.adjustedPrimary(
                                    strength.yPrimary() << coefficientShift, direction.variance());
                    int secondary = strength.ySecondary() << coefficientShift;
                    if (primary == 0 && secondary == 0) {
                        tile.keep(block, 8);
                        continue;
                    }
                    blockFilter.filter(
                            tile.in,
                            block,
                            CdefTile.STRIDE,
                            tile.out,
                            block,
                            CdefTile.STRIDE,
                            8,
                            primary,
                            secondary,
                            strength.yPrimary() == 0 ? 0 : found,
                            damping);
                }
            }
            write(0, 0, 1, left, top, columns, rows);
        }

        private int search(int block, int columns, int rows) {
            if (columns >= 8 && rows >= 8) {
                return direction.search(tile.in, block, CdefTile.STRIDE, coefficientShift);
            }
            for (int y = 0; y < 8; y++) {
                for (int x = 0; x < 8; x++) {
                    int inside = Math.min(y, rows - 1) * CdefTile.STRIDE + Math.min(x, columns - 1);
                    cutBlock[8 * y + x] = tile.in[block + inside];
                }
            }
            return direction.search(cutBlock, 0, 8, coefficientShift);
        }

        private void filterChroma(
                int plane, int firstSample, int lumaLeft, int lumaTop, int lumaColumns, int lumaRows) {
            int left = lumaLeft / 2;
            int top = lumaTop / 2;
            int columns = (lumaColumns + 1) / 2;
            int rows = (lumaRows + 1) / 2;
            int step = format.chromaPixelStep();
            read(plane, firstSample, step, (width + 1) / 2, (height + 1) / 2, left, top, columns, rows);
            int damping = parameters.damping() - 1 + coefficientShift;
            for (int y = 0; y < rows; y += 4) {
                for (int x = 0; x < columns; x += 4) {
                    int block = CdefTile.ORIGIN + y * CdefTile.STRIDE + x;
                    int index = strengthIndex((left + x) >> 2, (top + y) >> 2);
                    if (index < 0 || (strengths[index].uvPrimary() == 0 && strengths[index].uvSecondary() == 0)) {
                        tile.keep(block, 4);
                        continue;
                    }
                    int primary = strengths[index].uvPrimary() << coefficientShift;
                    blockFilter.filter(
                            tile.in,
                            block,
                            CdefTile.STRIDE,
                            tile.out,
                            block,
                            CdefTile.STRIDE,
                            4,
                            primary,
                            strengths[index].uvSecondary() << coefficientShift,
                            primary == 0 ? 0 : tileDirections[2 * y + (x >> 2)],
                            damping);
                }
            }
            write(plane, firstSample, step, left, top, columns, rows);
        }

        private void read(
                int plane,
                int firstSample,
                int step,
                int planeWidth,
                int planeHeight,
                int left,
                int top,
                int columns,
                int rows) {
            tile.read(
                    source + sourceLayout.offsetBytes(plane) + (long) firstSample * format.sampleBytes(),
                    sourceLayout.strideBytes(plane),
                    step,
                    format.sampleBytes(),
                    format.sampleShift(),
                    planeWidth,
                    planeHeight,
                    left,
                    top,
                    columns,
                    rows);
        }

        private void write(int plane, int firstSample, int step, int left, int top, int columns, int rows) {
            tile.write(
                    destination + destinationLayout.offsetBytes(plane) + (long) firstSample * format.sampleBytes(),
                    destinationLayout.strideBytes(plane),
                    step,
                    format.sampleBytes(),
                    format.sampleShift(),
                    left,
                    top,
                    columns,
                    rows);
        }
    }
}

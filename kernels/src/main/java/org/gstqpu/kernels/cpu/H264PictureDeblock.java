package org.gstqpu.kernels.cpu;

import static org.lwjgl.system.MemoryUtil.memCopy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.gstqpu.kernels.H264DeblockParameters;
import org.gstqpu.kernels.H264Tables;
import org.gstqpu.kernels.PictureLayout;
import org.gstqpu.kernels.PixelFormat;

/**
 * Copies a picture and deblocks the copy in the order of ITU-T H.264, 8.7: macroblocks in raster order, in each the
 * vertical edges from left to right, then the horizontal edges from top to bottom. Belongs to one {@link
 * CpuPictureFilter}; its {@link #work} runs on all workers at once.
 *
 * <p>Workers take macroblock rows in order and run them as a wavefront: macroblock x of row y starts when row y-1 has
 * finished macroblock x+1 (or its last). That gives the result of raster order:
 *
 * <ul>
 *   <li>Macroblock (x, y) touches rows above its own only through its top edge, in columns 16x to 16x+15. What earlier
 *       macroblocks of raster order do to those samples is done by (x, y-1) and, through its left edge, which changes
 *       columns 16x+13 to 16x+15, by (x+1, y-1). Both are finished. Within a row, x follows x-1.
 *   <li>What row y-1 does later starts at the left edge of macroblock x+2, which reads columns from 16x+28: never a
 *       sample that (x, y) has changed.
 * </ul>
 *
 * For chroma the same holds with 8 for 16 and one changed sample for three. The lowest unfinished row never waits, and
 * a row is taken only after all rows above it were taken, so the wavefront always moves.
 */
final class H264PictureDeblock implements PictureJob {
    /** Rows of {@link #finished} lie a cache line apart, so that two workers do not write to the same one. */
    private static final int LINE_INTS = 16;

    private static final int SPINS_BEFORE_YIELD = 64;

    private final PixelFormat format;
    private final int macroblockColumns;
    private final int macroblockRows;
    private final AtomicInteger nextRow = new AtomicInteger();
    private final AtomicIntegerArray finished;

    private H264DeblockParameters parameters;
    private long source;
    private PictureLayout sourceLayout;
    private long destination;
    private PictureLayout destinationLayout;

    H264PictureDeblock(PixelFormat format, int width, int height) {
        this.format = format;
        this.macroblockColumns = (width + 15) / 16;
        this.macroblockRows = (height + 15) / 16;
        this.finished = new AtomicIntegerArray(macroblockRows * LINE_INTS);
    }

    /** Makes the next run deblock with {@code parameters}. */
    void configure(H264DeblockParameters parameters) {
        this.parameters = parameters;
    }

    /** Points the next run at its pictures. */
    void prepare(long source, PictureLayout sourceLayout, long destination, PictureLayout destinationLayout) {
        this.source = source;
        this.sourceLayout = sourceLayout;
        this.destination = destination;
        this.destinationLayout = destinationLayout;
        for (int row = 0; row < macroblockRows; row++) {
            finished.set(row * LINE_INTS, 0);
        }
        nextRow.set(0);
    }

    @Override
    public void work(int worker) {
        for (int row = nextRow.getAndIncrement(); row < macroblockRows; row = nextRow.getAndIncrement()) {
            try {
                filterRow(row);
            } finally {
                // Also when this row failed: the rows below must not wait for ever.
                finished.setRelease(row * LINE_INTS, macroblockColumns);
            }
        }
    }

    private void filterRow(int row) {
        for (int plane = 0; plane < format.planes(); plane++) {
            copyRows(plane, row * (plane == 0 ? 16 : 8), plane == 0 ? 16 : 8);
        }
        int known = row == 0 ? macroblockColumns : 0;
        for (int column = 0; column < macroblockColumns; column++) {
            int needed = Math.min(column + 2, macroblockColumns);
            if (known < needed) {
                known = awaitRow(row - 1, needed);
            }
            filterLuma(column, row);
            if (format.hasChroma()) {
                filterChroma(
                        column,
                        row,
                        format.cbPlane(),
                        format.cbFirstSample(),
                        parameters.cbIndexA(),
                        parameters.cbIndexB());
                filterChroma(
                        column,
                        row,
                        format.crPlane(),
                        format.crFirstSample(),
                        parameters.crIndexA(),
                        parameters.crIndexB());
            }
            finished.setRelease(row * LINE_INTS, column + 1);
        }
    }

    // Yielding is for speed alone: the row waited for is being worked on, perhaps by a thread that wants this
    // processor.
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
        int end = Math.min(firstRow + rows, sourceLayout.rows(plane));
        long bytes = sourceLayout.rowBytes(plane);
        for (int row = firstRow; row < end; row++) {
            memCopy(
                    source + sourceLayout.offsetBytes(plane) + (long) row * sourceLayout.strideBytes(plane),
                    destination
                            + destinationLayout.offsetBytes(plane)
                            + (long) row * destinationLayout.strideBytes(plane),
                    bytes);
        }
    }

    private void filterLuma(int column, int row) {
        long stride = destinationLayout.strideBytes(0);
        long address = destination + destinationLayout.offsetBytes(0) + 16L * row * stride + 16L * column;
        int columns = Math.min(16, destinationLayout.width() - 16 * column);
        int rows = Math.min(16, destinationLayout.height() - 16 * row);
        int alpha = H264Tables.alpha(parameters.lumaIndexA());
        int beta = H264Tables.beta(parameters.lumaIndexB());
        int step = parameters.transform8x8() ? 8 : 4;
        // An edge needs four samples of the picture on its far side; on its near side they are always there.
        for (int x = column == 0 ? step : 0; x + 4 <= columns; x += step) {
            luma(address + x, 1, stride, rows, bS(x), alpha, beta);
        }
        for (int y = row == 0 ? step : 0; y + 4 <= rows; y += step) {
            luma(address + y * stride, stride, 1, columns, bS(y), alpha, beta);
        }
    }

    private void luma(long address, long across, long along, int lines, int bS, int alpha, int beta) {
        if (bS == 4) {
            H264EdgeFilter.lumaStrong(address, across, along, lines, alpha, beta);
        } else if (bS > 0) {
            int tc0 = H264Tables.tc0(bS, parameters.lumaIndexA());
            H264EdgeFilter.lumaNormal(address, across, along, lines, alpha, beta, tc0);
        }
    }

    private void filterChroma(int column, int row, int plane, int firstSample, int indexA, int indexB) {
        long stride = destinationLayout.strideBytes(plane);
        int step = format.chromaPixelStep();
        long address = destination
                + destinationLayout.offsetBytes(plane)
                + firstSample
                + 8L * row * stride
                + 8L * column * step;
        int columns = Math.min(8, (destinationLayout.width() + 1) / 2 - 8 * column);
        int rows = Math.min(8, (destinationLayout.height() + 1) / 2 - 8 * row);
        int alpha = H264Tables.alpha(indexA);
        int beta = H264Tables.beta(indexB);
        for (int x = column == 0 ? 4 : 0; x + 2 <= columns; x += 4) {
            chroma(address + (long) x * step, step, stride, rows, bS(x), alpha, beta, indexA);
        }
        for (int y = row == 0 ? 4 : 0; y + 2 <= rows; y += 4) {
            chroma(address + y * stride, stride, step, columns, bS(y), alpha, beta, indexA);
        }
    }

    private void chroma(long address, long across, long along, int lines, int bS, int alpha, int beta, int indexA) {
        if (bS == 4) {
            H264EdgeFilter.chromaStrong(address, across, along, lines, alpha, beta);
        } else if (bS > 0) {
            H264EdgeFilter.chromaNormal(address, across, along, lines, alpha, beta, H264Tables.tc0(bS, indexA));
        }
    }

    private int bS(int edge) {
        return edge == 0 ? parameters.macroblockEdgeBs() : parameters.innerEdgeBs();
    }
}

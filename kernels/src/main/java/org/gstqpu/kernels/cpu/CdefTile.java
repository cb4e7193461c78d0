package org.gstqpu.kernels.cpu;

import static org.lwjgl.system.MemoryUtil.memGetByte;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memGetShort;
import static org.lwjgl.system.MemoryUtil.memPutByte;
import static org.lwjgl.system.MemoryUtil.memPutLong;
import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.Arrays;

/**
 * Owns the samples of one component in one 64x64 luma tile (32x32 for chroma), before and after CDEF, with the two
 * samples around it that CDEF reads; belongs to one worker. Memory is little-endian, as on every platform served here.
 */
final class CdefTile {
    /** Samples around the tile that taps may reach. */
    static final int BORDER = 2;

    /** Samples in a row of the tile: 64, both borders, and what keeps rows at multiples of 8. */
    static final int STRIDE = 80;

    /** Index of the tile's first sample. */
    static final int ORIGIN = BORDER * STRIDE + 8;

    /** The samples as read, borders included; {@link CdefConstraints#UNAVAILABLE} outside the picture. */
    final short[] in = new short[(64 + 2 * BORDER) * STRIDE];

    /** The result, same indexes. */
    final short[] out = new short[(64 + 2 * BORDER) * STRIDE];

    /**
     * Reads the tile and its borders from a picture.
     *
     * @param address of the component's first sample
     * @param strideBytes bytes a row
     * @param step samples from one to the next of the same component, 1 or 2
     * @param sampleBytes 1 or 2
     * @param sampleShift zero bits below a sample's significant ones
     * @param planeWidth samples of the component a row
     * @param planeHeight rows
     * @param left column of the tile's first sample
     * @param top row of the tile's first sample
     * @param columns columns of the tile that lie in the picture
     * @param rows rows of the tile that lie in the picture
     */
    void read(
            long address,
            long strideBytes,
            int step,
            int sampleBytes,
            int sampleShift,
            int planeWidth,
            int planeHeight,
            int left,
            int top,
            int columns,
            int rows) {
        int from = Math.max(-BORDER, -left);
        int to = Math.min(columns + BORDER, planeWidth - left);
        for (int y = -BORDER; y < rows + BORDER; y++) {
            int line = ORIGIN + y * STRIDE;
            if (top + y < 0 || top + y >= planeHeight) {
                Arrays.fill(in, line - BORDER, line + columns + BORDER, CdefConstraints.UNAVAILABLE);
                continue;
            }
            Arrays.fill(in, line - BORDER, line + from, CdefConstraints.UNAVAILABLE);
            Arrays.fill(in, line + to, line + columns + BORDER, CdefConstraints.UNAVAILABLE);
            long row = address + (top + y) * strideBytes + (long) (left + from) * step * sampleBytes;
            if (sampleBytes == 2) {
                readRow16(row, step, sampleShift, line + from, to - from);
            } else if (step == 2) {
                readRow8Interleaved(row, line + from, to - from);
            } else {
                readRow8(row, line + from, to - from);
            }
        }
    }

    private void readRow8(long row, int index, int samples) {
        int i = 0;
        for (; i <= samples - 8; i += 8) {
            long bytes = memGetLong(row + i);
            in[index + i] = (short) (bytes & 255);
            in[index + i + 1] = (short) (bytes >>> 8 & 255);
            in[index + i + 2] = (short) (bytes >>> 16 & 255);
            in[index + i + 3] = (short) (bytes >>> 24 & 255);
            in[index + i + 4] = (short) (bytes >>> 32 & 255);
            in[index + i + 5] = (short) (bytes >>> 40 & 255);
            in[index + i + 6] = (short) (bytes >>> 48 & 255);
            in[index + i + 7] = (short) (bytes >>> 56);
        }
        for (; i < samples; i++) {
            in[index + i] = (short) (memGetByte(row + i) & 255);
        }
    }

    private void readRow8Interleaved(long row, int index, int samples) {
        for (int i = 0; i < samples; i++) {
            in[index + i] = (short) (memGetByte(row + 2L * i) & 255);
        }
    }

    private void readRow16(long row, int step, int shift, int index, int samples) {
        for (int i = 0; i < samples; i++) {
            in[index + i] = (short) ((memGetShort(row + 2L * i * step) & 0xffff) >>> shift);
        }
    }

    /** Writes the tile's result into a picture; parameters as of {@link #read}. */
    void write(
            long address,
            long strideBytes,
            int step,
            int sampleBytes,
            int sampleShift,
            int left,
            int top,
            int columns,
            int rows) {
        for (int y = 0; y < rows; y++) {
            int line = ORIGIN + y * STRIDE;
            long row = address + (top + y) * strideBytes + (long) left * step * sampleBytes;
            if (sampleBytes == 2) {
                for (int x = 0; x < columns; x++) {
                    memPutShort(row + 2L * x * step, (short) (out[line + x] << sampleShift));
                }
            } else if (step == 2) {
                for (int x = 0; x < columns; x++) {
                    memPutByte(row + 2L * x, (byte) out[line + x]);
                }
            } else {
                writeRow8(row, line, columns);
            }
        }
    }

    private void writeRow8(long row, int index, int samples) {
        int i = 0;
        for (; i <= samples - 8; i += 8) {
            long bytes = out[index + i]
                    | out[index + i + 1] << 8
                    | out[index + i + 2] << 16
                    | (long) out[index + i + 3] << 24
                    | (long) out[index + i + 4] << 32
                    | (long) out[index + i + 5] << 40
                    | (long) out[index + i + 6] << 48
                    | (long) out[index + i + 7] << 56;
            memPutLong(row + i, bytes);
        }
        for (; i < samples; i++) {
            memPutByte(row + i, (byte) out[index + i]);
        }
    }

    /** Takes a block over as it is. */
    void keep(int index, int size) {
        for (int row = 0; row < size; row++) {
            System.arraycopy(in, index + row * STRIDE, out, index + row * STRIDE, size);
        }
    }
}

package org.gstqpu.kernels.cpu;

import static org.lwjgl.system.MemoryUtil.memPutInt;

/**
 * Brings the samples of a macroblock and of its neighbours' borders to taps, and back. A tap is a row of {@link #taps}, a line across
 * an edge a column: sixteen of luma, or eight each of both chroma components. For vertical edges a line is a row of the
 * picture, for horizontal ones a column.
 *
 * <p>A macroblock comes by three calls: {@code read}, after which its vertical edges can be filtered; {@code turn}, which
 * writes what lies left of it and after which its horizontal edges can be filtered; {@code write}. Addresses are those of a
 * component's first sample in the macroblock. Memory is little-endian, as on every platform served here. Belongs to one kernel.
 */
abstract class MacroblockTaps {
    static final int LINES = 16;

    /** Luma rows above a macroblock that are read, and columns left of it. */
    static final int LUMA_BEFORE = 4;

    /** Chroma rows above a macroblock that are read. */
    static final int CHROMA_ABOVE = 2;

    /** Pixels of interleaved chroma left of a macroblock that are read. */
    static final int PIXELS_LEFT = 2;

    /** Tap by tap: those before the macroblock, then its own. */
    final short[] taps = new short[(LUMA_BEFORE + 16) * LINES];

    /** Words of the samples next to each other in a row of the picture, column by column, a row a line. */
    final int[] words;

    /** The same row by row: the rows above the macroblock, then its own. */
    final int[] rows;

    /** The order of luma's lines across vertical edges. */
    final LineOrder lumaAcross = LineOrder.PAIRED;

    /** The order of luma's lines across horizontal edges. */
    final LineOrder lumaDown;

    /** The order of both chroma components' lines across vertical edges. */
    final LineOrder chromaAcross = LineOrder.ALTERNATING;

    /** Their order across horizontal edges, where they lie in planes of their own. */
    final LineOrder planarDown;

    /** Their order across horizontal edges, where they alternate. */
    final LineOrder interleavedDown;

    /** Columns of planar chroma left of a macroblock that are read. */
    final int planarLeft;

    /**
     * Memory for a macroblock.
     *
     * @param columns words of a row of luma, those left of the macroblock included
     * @param rowWords those without
     */
    MacroblockTaps(
            int columns,
            int rowWords,
            LineOrder lumaDown,
            LineOrder planarDown,
            LineOrder interleavedDown,
            int planarLeft) {
        words = new int[columns * LINES];
        rows = new int[(LUMA_BEFORE + 16) * rowWords];
        this.lumaDown = lumaDown;
        this.planarDown = planarDown;
        this.interleavedDown = interleavedDown;
        this.planarLeft = planarLeft;
    }

    /** Reads sixteen rows of luma and, if {@code left}, the columns left of them. */
    final void readLuma(long address, long strideBytes, boolean left) {
        readWords(address, strideBytes, 16, left);
        unpackLuma();
    }

    /** Writes the columns left, reads the rows above if {@code top}. */
    final void turnLuma(long address, long strideBytes, boolean left, boolean top) {
        packLuma();
        turnWhole(address, strideBytes, 16, LUMA_BEFORE, left, top);
    }

    /** Writes the macroblock and, if {@code top}, those rows above it that its edge can have changed. */
    final void writeLuma(long address, long strideBytes, boolean top) {
        writeWhole(address, strideBytes, 16, LUMA_BEFORE, top);
    }

    /** Reads eight rows of both chroma components, as {@link #readLuma}. */
    final void readPlanar(long cb, long cbStrideBytes, long cr, long crStrideBytes, boolean left) {
        readHalfWords(cb, cbStrideBytes, false, left);
        readHalfWords(cr, crStrideBytes, true, left);
        unpackPlanar();
    }

    /** Turns these, as {@link #turnLuma}. */
    final void turnPlanar(long cb, long cbStrideBytes, long cr, long crStrideBytes, boolean left, boolean top) {
        packPlanar();
        turnHalves();
        if (left) {
            writeLeftHalf(cb, cbStrideBytes, false);
            writeLeftHalf(cr, crStrideBytes, true);
        }
        if (top) {
            readHalfAbove(cb, cbStrideBytes, false);
            readHalfAbove(cr, crStrideBytes, true);
        }
        unpackRows(top ? 0 : CHROMA_ABOVE, CHROMA_ABOVE + 8);
    }

    /** Writes them, as {@link #writeLuma}. */
    final void writePlanar(long cb, long cbStrideBytes, long cr, long crStrideBytes, boolean top) {
        int first = top ? 1 : CHROMA_ABOVE;
        packRows(first, CHROMA_ABOVE + 8);
        writeHalfRows(cb, cbStrideBytes, first, false);
        writeHalfRows(cr, crStrideBytes, first, true);
    }

    /** Reads eight rows of chroma whose components alternate, as {@link #readLuma}. */
    final void readInterleaved(long address, long strideBytes, boolean left) {
        readWords(address, strideBytes, 8, left);
        unpackInterleaved();
    }

    /** Turns these, as {@link #turnLuma}. */
    final void turnInterleaved(long address, long strideBytes, boolean left, boolean top) {
        packInterleaved();
        turnWhole(address, strideBytes, 8, CHROMA_ABOVE, left, top);
    }

    /** Writes them, as {@link #writeLuma}. */
    final void writeInterleaved(long address, long strideBytes, boolean top) {
        writeWhole(address, strideBytes, 8, CHROMA_ABOVE, top);
    }

    private void turnWhole(long address, long strideBytes, int count, int above, boolean left, boolean top) {
        turn(count, above);
        if (left) {
            writeLeft(address, strideBytes, count);
        }
        if (top) {
            readAbove(address, strideBytes, above);
        }
        unpackRows(top ? 0 : above, above + count);
    }

    private void writeWhole(long address, long strideBytes, int count, int above, boolean top) {
        // The uppermost of the rows above is never changed, and may be somebody else's by now.
        int first = top ? 1 : above;
        packRows(first, above + count);
        writeRows(address, strideBytes, first, above, count);
    }

    /** Writes the column of words left of eight rows of one component. */
    private void writeLeftHalf(long address, long strideBytes, boolean isCr) {
        int firstLine = isCr ? LINES / 2 : 0;
        for (int row = 0; row < 8; row++) {
            memPutInt(address + row * strideBytes - 4, words[firstLine + row]);
        }
    }

    final void setTwoWords(int at, long samples) {
        rows[at] = (int) samples;
        rows[at + 1] = (int) (samples >>> 32);
    }

    final long twoWords(int at) {
        return rows[at] & 0xffffffffL | (long) rows[at + 1] << 32;
    }

    /** Reads so many rows of a macroblock as wide as luma's to words, columns of which lie one after the other. */
    abstract void readWords(long address, long strideBytes, int count, boolean left);

    /** Reads eight rows of one chroma component. */
    abstract void readHalfWords(long address, long strideBytes, boolean isCr, boolean left);

    /** Words to taps. */
    abstract void unpackLuma();

    /** Taps to words. */
    abstract void packLuma();

    abstract void unpackPlanar();

    abstract void packPlanar();

    abstract void unpackInterleaved();

    abstract void packInterleaved();

    abstract void writeLeft(long address, long strideBytes, int count);

    /** Moves so many rows of the macroblock's own words from columns to rows, after {@code above} others. */
    abstract void turn(int count, int above);

    /** The same for eight rows of both chroma components, which come side by side. */
    abstract void turnHalves();

    abstract void readAbove(long address, long strideBytes, int above);

    abstract void readHalfAbove(long address, long strideBytes, boolean isCr);

    /** Rows to taps. */
    abstract void unpackRows(int first, int end);

    /** Taps to rows. */
    abstract void packRows(int first, int end);

    /** Writes rows from {@code first} on, of which {@code above} lie above the macroblock and {@code count} in it. */
    abstract void writeRows(long address, long strideBytes, int first, int above, int count);

    abstract void writeHalfRows(long address, long strideBytes, int first, boolean isCr);
}

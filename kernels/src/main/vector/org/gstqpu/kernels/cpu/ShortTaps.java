package org.gstqpu.kernels.cpu;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Taps of samples of 10 bit in 16. Words of two samples are moved one by one from {@link #words} to {@link #rows}, which have the
 * order of the picture.
 */
final class ShortTaps extends MacroblockTaps {
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;

    /** Words a row: those of a macroblock. */
    private static final int ROW = 8;

    private static final int LUMA_WORDS_LEFT = 2;
    private static final int PLANAR_WORDS_LEFT = 1;

    /** Zero bits below a sample in memory. */
    private final int shift;

    /** The significant bits of four samples that were shifted down. */
    private final long mask;

    ShortTaps(int shift) {
        super(LUMA_WORDS_LEFT + ROW, ROW, LineOrder.IN_ROW, LineOrder.HALVES, LineOrder.ALTERNATING, 2);
        this.shift = shift;
        mask = (0xffff >>> shift) * 0x1000100010001L;
    }

    @Override
    void unpackLuma() {
        unpackPairs(LUMA_WORDS_LEFT + ROW);
    }

    @Override
    void packLuma() {
        packPairs(LUMA_WORDS_LEFT + ROW);
    }

    @Override
    void unpackPlanar() {
        unpackPairs(PLANAR_WORDS_LEFT + ROW / 2);
    }

    @Override
    void packPlanar() {
        packPairs(PLANAR_WORDS_LEFT + ROW / 2);
    }

    @Override
    void readWords(long address, long strideBytes, int count, boolean left) {
        for (int row = 0; row < count; row++) {
            long at = address + row * strideBytes;
            if (left) {
                putColumns(0, row, fourSamples(at - 8));
            }
            putColumns(2, row, fourSamples(at));
            putColumns(4, row, fourSamples(at + 8));
            putColumns(6, row, fourSamples(at + 16));
            putColumns(8, row, fourSamples(at + 24));
        }
    }

    @Override
    void readHalfWords(long address, long strideBytes, boolean isCr, boolean left) {
        int firstLine = isCr ? LINES / 2 : 0;
        for (int row = 0; row < 8; row++) {
            long at = address + row * strideBytes;
            if (left) {
                words[firstLine + row] = memGetInt(at - 4) >>> shift & (int) mask;
            }
            putColumns(1, firstLine + row, fourSamples(at));
            putColumns(3, firstLine + row, fourSamples(at + 8));
        }
    }

    /** Shifted here and not in vectors, for JDK 21 does not always compile shifts by a variable. */
    private long fourSamples(long address) {
        return memGetLong(address) >>> shift & mask;
    }

    private void putFourSamples(long address, long samples) {
        memPutLong(address, samples << shift);
    }

    private void putColumns(int column, int line, long samples) {
        words[column * LINES + line] = (int) samples;
        words[(column + 1) * LINES + line] = (int) (samples >>> 32);
    }

    @Override
    void writeLeft(long address, long strideBytes, int count) {
        for (int row = 0; row < count; row++) {
            putFourSamples(address + row * strideBytes - 8, words[row] & 0xffffffffL | (long) words[LINES + row] << 32);
        }
    }

    @Override
    void turn(int count, int above) {
        int[] from = words;
        int[] to = rows;
        for (int row = 0; row < count; row++) {
            int at = (above + row) * ROW;
            int line = LUMA_WORDS_LEFT * LINES + row;
            to[at] = from[line];
            to[at + 1] = from[line + LINES];
            to[at + 2] = from[line + 2 * LINES];
            to[at + 3] = from[line + 3 * LINES];
            to[at + 4] = from[line + 4 * LINES];
            to[at + 5] = from[line + 5 * LINES];
            to[at + 6] = from[line + 6 * LINES];
            to[at + 7] = from[line + 7 * LINES];
        }
    }

    @Override
    void turnHalves() {
        int[] from = words;
        int[] to = rows;
        for (int row = 0; row < 8; row++) {
            int at = (CHROMA_ABOVE + row) * ROW;
            int line = PLANAR_WORDS_LEFT * LINES + row;
            to[at] = from[line];
            to[at + 1] = from[line + LINES];
            to[at + 2] = from[line + 2 * LINES];
            to[at + 3] = from[line + 3 * LINES];
            to[at + 4] = from[line + 8];
            to[at + 5] = from[line + LINES + 8];
            to[at + 6] = from[line + 2 * LINES + 8];
            to[at + 7] = from[line + 3 * LINES + 8];
        }
    }

    @Override
    void readAbove(long address, long strideBytes, int above) {
        for (int row = 0; row < above; row++) {
            long at = address + (row - above) * strideBytes;
            setTwoWords(row * ROW, fourSamples(at));
            setTwoWords(row * ROW + 2, fourSamples(at + 8));
            setTwoWords(row * ROW + 4, fourSamples(at + 16));
            setTwoWords(row * ROW + 6, fourSamples(at + 24));
        }
    }

    @Override
    void readHalfAbove(long address, long strideBytes, boolean isCr) {
        int firstWord = isCr ? ROW / 2 : 0;
        for (int row = 0; row < CHROMA_ABOVE; row++) {
            long at = address + (row - CHROMA_ABOVE) * strideBytes;
            setTwoWords(row * ROW + firstWord, fourSamples(at));
            setTwoWords(row * ROW + firstWord + 2, fourSamples(at + 8));
        }
    }

    @Override
    void writeRows(long address, long strideBytes, int first, int above, int count) {
        for (int row = first; row < above + count; row++) {
            long at = address + (row - above) * strideBytes;
            putFourSamples(at, twoWords(row * ROW));
            putFourSamples(at + 8, twoWords(row * ROW + 2));
            putFourSamples(at + 16, twoWords(row * ROW + 4));
            putFourSamples(at + 24, twoWords(row * ROW + 6));
        }
    }

    @Override
    void writeHalfRows(long address, long strideBytes, int first, boolean isCr) {
        int firstWord = isCr ? ROW / 2 : 0;
        for (int row = first; row < CHROMA_ABOVE + 8; row++) {
            long at = address + (row - CHROMA_ABOVE) * strideBytes;
            putFourSamples(at, twoWords(row * ROW + firstWord));
            putFourSamples(at + 8, twoWords(row * ROW + firstWord + 2));
        }
    }

    /** Words of two samples to taps; lines i and i + 8 come next to each other. */
    private void unpackPairs(int groups) {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
                IntVector a = IntVector.fromArray(INTS, words, group * LINES + half);
                IntVector b = IntVector.fromArray(INTS, words, group * LINES + LINES / 2 + half);
                int to = 2 * group * LINES + 2 * half;
                a.and(0xffff)
                        .or(b.lanewise(VectorOperators.LSHL, 16))
                        .reinterpretAsShorts()
                        .intoArray(taps, to);
                a.lanewise(VectorOperators.LSHR, 16)
                        .or(b.and(0xffff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + LINES);
            }
        }
    }

    private void packPairs(int groups) {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
                int from = 2 * group * LINES + 2 * half;
                IntVector first = ShortVector.fromArray(SHORTS, taps, from)
                        .reinterpretAsInts();
                IntVector second = ShortVector.fromArray(SHORTS, taps, from + LINES)
                        .reinterpretAsInts();
                first.and(0xffff)
                        .or(second.lanewise(VectorOperators.LSHL, 16))
                        .intoArray(words, group * LINES + half);
                first.lanewise(VectorOperators.LSHR, 16)
                        .or(second.and(0xffff0000))
                        .intoArray(words, group * LINES + LINES / 2 + half);
            }
        }
    }

    /** Words of one pixel to taps, both components of a line by turns. */
    @Override
    void unpackInterleaved() {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int column = 0; column < PIXELS_LEFT + ROW; column++) {
                IntVector.fromArray(INTS, words, column * LINES + half)
                        .reinterpretAsShorts()
                        .intoArray(taps, column * LINES + 2 * half);
            }
        }
    }

    @Override
    void packInterleaved() {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int column = 0; column < PIXELS_LEFT + ROW; column++) {
                ShortVector.fromArray(SHORTS, taps, column * LINES + 2 * half)
                        .reinterpretAsInts()
                        .intoArray(words, column * LINES + half);
            }
        }
    }

    @Override
    void unpackRows(int first, int end) {
        for (int word = first * ROW; word < end * ROW; word += INTS.length()) {
            IntVector.fromArray(INTS, rows, word)
                    .reinterpretAsShorts()
                    .intoArray(taps, 2 * word);
        }
    }

    @Override
    void packRows(int first, int end) {
        for (int word = first * ROW; word < end * ROW; word += INTS.length()) {
            ShortVector.fromArray(SHORTS, taps, 2 * word)
                    .reinterpretAsInts()
                    .intoArray(rows, word);
        }
    }
}

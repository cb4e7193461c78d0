package org.gstqpu.kernels.cpu;

import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memPutLong;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Taps of samples in bytes. Words of four samples are moved one by one from {@link #words} to {@link #rows}; within words, shifts
 * separate and join samples, two words to a lane.
 */
final class ByteTaps extends MacroblockTaps {
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_128;

    /** Words a row: those of a macroblock. */
    private static final int ROW = 4;

    ByteTaps() {
        super(5, ROW, LineOrder.EVEN_THEN_ODD, LineOrder.QUARTERS, LineOrder.HALVES, 4);
    }

    @Override
    void unpackLuma() {
        unpackWords(5);
    }

    @Override
    void packLuma() {
        packWords(5);
    }

    @Override
    void unpackPlanar() {
        unpackWords(3);
    }

    @Override
    void packPlanar() {
        packWords(3);
    }

    @Override
    void unpackInterleaved() {
        unpackPairs(5);
    }

    @Override
    void packInterleaved() {
        packPairs(5);
    }

    @Override
    void readWords(long address, long strideBytes, int count, boolean left) {
        int[] to = words;
        for (int row = 0; row < count; row++) {
            long at = address + row * strideBytes;
            if (left) {
                to[row] = memGetInt(at - 4);
            }
            long low = memGetLong(at);
            long high = memGetLong(at + 8);
            to[LINES + row] = (int) low;
            to[2 * LINES + row] = (int) (low >>> 32);
            to[3 * LINES + row] = (int) high;
            to[4 * LINES + row] = (int) (high >>> 32);
        }
    }

    @Override
    void readHalfWords(long address, long strideBytes, boolean isCr, boolean left) {
        int firstLine = isCr ? LINES / 2 : 0;
        int[] to = words;
        for (int row = 0; row < 8; row++) {
            long at = address + row * strideBytes;
            if (left) {
                to[firstLine + row] = memGetInt(at - 4);
            }
            long samples = memGetLong(at);
            to[LINES + firstLine + row] = (int) samples;
            to[2 * LINES + firstLine + row] = (int) (samples >>> 32);
        }
    }

    @Override
    void writeLeft(long address, long strideBytes, int count) {
        for (int row = 0; row < count; row++) {
            memPutInt(address + row * strideBytes - 4, words[row]);
        }
    }

    @Override
    void turn(int count, int above) {
        int[] from = words;
        int[] to = rows;
        for (int row = 0; row < count; row++) {
            int at = (above + row) * ROW;
            to[at] = from[LINES + row];
            to[at + 1] = from[2 * LINES + row];
            to[at + 2] = from[3 * LINES + row];
            to[at + 3] = from[4 * LINES + row];
        }
    }

    @Override
    void turnHalves() {
        int[] from = words;
        int[] to = rows;
        for (int row = 0; row < 8; row++) {
            int at = (CHROMA_ABOVE + row) * ROW;
            to[at] = from[LINES + row];
            to[at + 1] = from[2 * LINES + row];
            to[at + 2] = from[LINES + 8 + row];
            to[at + 3] = from[2 * LINES + 8 + row];
        }
    }

    @Override
    void readAbove(long address, long strideBytes, int above) {
        for (int row = 0; row < above; row++) {
            long at = address + (row - above) * strideBytes;
            setTwoWords(row * ROW, memGetLong(at));
            setTwoWords(row * ROW + 2, memGetLong(at + 8));
        }
    }

    @Override
    void readHalfAbove(long address, long strideBytes, boolean isCr) {
        int firstWord = isCr ? ROW / 2 : 0;
        for (int row = 0; row < CHROMA_ABOVE; row++) {
            setTwoWords(row * ROW + firstWord, memGetLong(address + (row - CHROMA_ABOVE) * strideBytes));
        }
    }

    @Override
    void writeRows(long address, long strideBytes, int first, int above, int count) {
        for (int row = first; row < above + count; row++) {
            long at = address + (row - above) * strideBytes;
            memPutLong(at, twoWords(row * ROW));
            memPutLong(at + 8, twoWords(row * ROW + 2));
        }
    }

    @Override
    void writeHalfRows(long address, long strideBytes, int first, boolean isCr) {
        int firstWord = isCr ? ROW / 2 : 0;
        for (int row = first; row < CHROMA_ABOVE + 8; row++) {
            memPutLong(address + (row - CHROMA_ABOVE) * strideBytes, twoWords(row * ROW + firstWord));
        }
    }

    /** Words to taps, four a word; lines i and i + 8 come next to each other. */
    private void unpackWords(int groups) {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
                IntVector a = IntVector.fromArray(INTS, words, group * LINES + half);
                IntVector b = IntVector.fromArray(INTS, words, group * LINES + LINES / 2 + half);
                int to = 4 * group * LINES + 2 * half;
                a.and(0xff)
                        .or(b.and(0xff).lanewise(VectorOperators.LSHL, 16))
                        .reinterpretAsShorts()
                        .intoArray(taps, to);
                a.lanewise(VectorOperators.LSHR, 8)
                        .and(0xff)
                        .or(b.lanewise(VectorOperators.LSHL, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + LINES);
                a.lanewise(VectorOperators.LSHR, 16)
                        .and(0xff)
                        .or(b.and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + 2 * LINES);
                a.lanewise(VectorOperators.LSHR, 24)
                        .or(b.lanewise(VectorOperators.LSHR, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + 3 * LINES);
            }
        }
    }

    private void packWords(int groups) {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
                int from = 4 * group * LINES + 2 * half;
                IntVector low = ShortVector.fromArray(SHORTS, taps, from + LINES)
                        .lanewise(VectorOperators.LSHL, 8)
                        .or(ShortVector.fromArray(SHORTS, taps, from))
                        .reinterpretAsInts();
                IntVector high = ShortVector.fromArray(SHORTS, taps, from + 3 * LINES)
                        .lanewise(VectorOperators.LSHL, 8)
                        .or(ShortVector.fromArray(SHORTS, taps, from + 2 * LINES))
                        .reinterpretAsInts();
                low.and(0xffff).or(high.lanewise(VectorOperators.LSHL, 16)).intoArray(words, group * LINES + half);
                low.lanewise(VectorOperators.LSHR, 16)
                        .or(high.and(0xffff0000))
                        .intoArray(words, group * LINES + LINES / 2 + half);
            }
        }
    }

    /** Words of two pixels to taps, two a word, both components of a line by turns. */
    private void unpackPairs(int groups) {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
                IntVector pixels = IntVector.fromArray(INTS, words, group * LINES + half);
                int to = 2 * group * LINES + 2 * half;
                pixels.and(0xff)
                        .or(pixels.lanewise(VectorOperators.LSHL, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to);
                pixels.lanewise(VectorOperators.LSHR, 16)
                        .and(0xff)
                        .or(pixels.lanewise(VectorOperators.LSHR, 8).and(0xff0000))
                        .reinterpretAsShorts()
                        .intoArray(taps, to + LINES);
            }
        }
    }

    private void packPairs(int groups) {
        for (int half = 0; half < LINES / 2; half += INTS.length()) {
            for (int group = 0; group < groups; group++) {
                int from = 2 * group * LINES + 2 * half;
                IntVector first = ShortVector.fromArray(SHORTS, taps, from).reinterpretAsInts();
                IntVector second =
                        ShortVector.fromArray(SHORTS, taps, from + LINES).reinterpretAsInts();
                first = first.or(first.lanewise(VectorOperators.LSHR, 8)).and(0xffff);
                second = second.or(second.lanewise(VectorOperators.LSHR, 8)).lanewise(VectorOperators.LSHL, 16);
                first.or(second).intoArray(words, group * LINES + half);
            }
        }
    }

    @Override
    void unpackRows(int first, int end) {
        for (int word = first * ROW; word < end * ROW; word += INTS.length()) {
            IntVector samples = IntVector.fromArray(INTS, rows, word);
            samples.and(0xff00ff).reinterpretAsShorts().intoArray(taps, 4 * word);
            samples.lanewise(VectorOperators.LSHR, 8)
                    .and(0xff00ff)
                    .reinterpretAsShorts()
                    .intoArray(taps, 4 * word + LINES / 2);
        }
    }

    @Override
    void packRows(int first, int end) {
        for (int word = first * ROW; word < end * ROW; word += INTS.length()) {
            ShortVector even = ShortVector.fromArray(SHORTS, taps, 4 * word);
            ShortVector odd = ShortVector.fromArray(SHORTS, taps, 4 * word + LINES / 2);
            odd.lanewise(VectorOperators.LSHL, 8).or(even).reinterpretAsInts().intoArray(rows, word);
        }
    }
}

package org.gstqpu.kernels.cpu;

import java.util.function.IntUnaryOperator;

/**
 * In which order the sixteen lines across an edge come: of one component, in fours that have a bS each, or eight each of both
 * chroma components, in twos. Immutable.
 */
enum LineOrder {
    /** Lines i and i + 8 next to each other. */
    PAIRED(0, line -> ((line >> 1) + (line & 1) * 8) / 4),
    /** Those in even places, then those in odd ones. */
    EVEN_THEN_ODD(0, line -> (line & 7) >> 1),
    /** As they lie in the picture. */
    IN_ROW(0, line -> line >> 2),
    /** A line of each component by turns. */
    ALTERNATING(1, line -> line >> 2),
    /** Four of each component by turns; first those in even places, then those in odd ones. */
    QUARTERS(4, line -> 2 * (line >> 1 & 1) + (line & 1)),
    /** Eight of one component, then those of the other. */
    HALVES(8, line -> (line & 7) >> 1);

    /** A bit of a line's number that is set in those of the second component, 0 where there is none. */
    private final int turn;

    private final int[] parts = new int[MacroblockTaps.LINES];

    LineOrder(int turn, IntUnaryOperator part) {
        this.turn = turn;
        for (int line = 0; line < parts.length; line++) {
            parts[line] = part.applyAsInt(line);
        }
    }

    /** Which of the four parts of the edge a line is of. */
    int part(int line) {
        return parts[line];
    }

    /** Whether a line is of the second component. */
    boolean isSecond(int line) {
        return (line & turn) != 0;
    }
}

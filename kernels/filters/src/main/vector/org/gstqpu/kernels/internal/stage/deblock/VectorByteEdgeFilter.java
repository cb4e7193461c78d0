/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.H264Tables;

/**
 * Filters the edges of a macroblock of 8-bit samples in vectors of bytes, sixteen lines across an edge at once: sixteen of
 * luma, or eight of each chroma component. Belongs to one kernel, which puts the samples into {@link #taps} and takes the
 * result from there.
 *
 * <p>No sample is widened. In place of sums of nine and more bits there are averages of two bytes, which the JVM has no
 * operator for, but which need none: the sum of two numbers is twice their {@code and} plus their {@code xor}, so
 * {@code (a & b) + ((a ^ b) >> 1)} is their average rounded down, {@code (a | b) - ((a ^ b) >> 1)} rounded up, and
 * {@code ((a ^ b) >> 1) - (b & ~a)} is half of {@code a - b}, rounded down. Bit 0 of {@code a ^ b} is what rounding drops.
 * Bytes are shifted as lanes of 16 bits, and a mask drops the bit of the neighbour.
 *
 * <p>The JVM's bytes have signs. Where samples are compared, 128 is subtracted first, which keeps their order. A condition
 * is -1 in lanes where it holds, and 0 elsewhere. {@code d < t} is {@code min(max(d, t - 1), t) - t}, so thresholds have a row
 * for t and one for t - 1. A threshold of 0 holds nowhere, for 0 - 1 wraps around to the greatest number.
 *
 * <p>There are no vector masks, and no saturating operators, which only later JVMs have. Steps that are used several times
 * are written out each time: the JVM's compiler does not inline them any more in methods of this size, and a vector that
 * goes from one method to another lies on the heap. For the same reason, bS 4 is filtered in three steps, which pass
 * their vectors in {@link #kept}.
 */
final class VectorByteEdgeFilter {
    /** Lines across an edge that are filtered at once. */
    static final int LINES = 16;

    /** Number of luma rows above a macroblock that its upper edge reads, and of columns left of it. */
    static final int LUMA_BEFORE = 4;

    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_128;

    /** Reads and writes eight bytes of an array at once, the first as the lowest. */
    static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** All orders. Made once, because {@code values()} copies them, and side information may configure each picture anew. */
    private static final Order[] ORDERS = Order.values();

    private static final long[] NO_OTHERS = new long[LINES / Long.BYTES];

    /** Length of the part of {@link #taps} between two edges that lie four samples apart. */
    private static final int EDGE = 4 * LINES;

    private static final long EACH_BYTE = 0x0101010101010101L;
    private static final byte TOP_BIT = -128;
    private static final byte HALF_BITS = 0x7f;
    private static final byte QUARTER_BITS = 0x3f;

    // Rows of {@link #kept}: the conditions of an edge with bS 4, and the samples that its first side changes.
    private static final int FILTERED = 0;
    private static final int FLAT_P = LINES;
    private static final int FLAT_Q = 2 * LINES;
    private static final int P0 = 3 * LINES;
    private static final int P1 = 4 * LINES;
    private static final int Q0 = 5 * LINES;
    private static final int Q1 = 6 * LINES;

    /** A row is one tap (p3 to q3 of an edge, for all lines), a column is one line across the edge. */
    final byte[] taps = new byte[(LUMA_BEFORE + 16) * LINES];

    private final byte[] kept = new byte[7 * LINES];

    private int innerBs;
    private int macroblockBs;
    private boolean transform8x8;

    /** Thresholds of luma; in 4:4:4 video also of Cb and Cr, which are filtered like luma. */
    private final Levels[] luma = {new Levels(), new Levels(), new Levels()};

    /** Thresholds of chroma, for each order of the lines. Of interleaved chroma, the first sample is Cb. */
    private final Levels[] chroma = {new Levels(), new Levels(), new Levels()};

    /** Thresholds of interleaved chroma whose first sample is Cr. */
    private final Levels[] swappedChroma = {new Levels(), new Levels(), new Levels()};

    /** Strengths of each edge. Null if all edges have the configured strengths. */
    private H264EdgeMap map;

    private int mapAt;

    /** Thresholds of the current edge of {@link #map}. */
    private final Levels mapped = new Levels();

    /** The order in which the lines of two chroma components lie in a row of {@link #taps}. */
    enum Order {
        /** One line of each component in turn. */
        ALTERNATING(1),
        /** Two lines of each component in turn. */
        PAIRS(2),
        /** Eight lines of each component. */
        HALVES(8);

        /** The bit that is set in the numbers of the second component's lines. */
        final int turn;

        /** A byte of ones for each of these lines, eight an element. */
        final long[] others;

        Order(int turn) {
            this.turn = turn;
            others = linesWith(line -> (line & turn) != 0);
        }
    }

    /** The quarter of an edge to which each line belongs. */
    static final class Parts {
        private static final int COUNT = 4;

        /** For each quarter a byte of ones for each of its lines, eight an element. */
        private final long[][] lines = new long[COUNT][];

        /** @param ofLine the quarter of each line, 0..3 */
        Parts(IntUnaryOperator ofLine) {
            Arrays.setAll(lines, part -> linesWith(line -> ofLine.applyAsInt(line) == part));
        }

        /** A byte for each of eight lines from number {@code first} on: that of its quarter in {@code word}, the first in the lowest. */
        long ofLines(int word, int first) {
            int at = first / Long.BYTES;
            return (word & 255) * EACH_BYTE & lines[0][at]
                    | (word >>> 8 & 255) * EACH_BYTE & lines[1][at]
                    | (word >>> 16 & 255) * EACH_BYTE & lines[2][at]
                    | (word >>> 24) * EACH_BYTE & lines[3][at];
        }
    }

    /** A byte of ones for each line that is as asked, eight an element, the first in the lowest byte. */
    private static long[] linesWith(IntPredicate asked) {
        long[] lines = new long[LINES / Long.BYTES];
        for (int line = 0; line < LINES; line++) {
            if (asked.test(line)) {
                lines[line / Long.BYTES] |= 255L << Byte.SIZE * (line % Long.BYTES);
            }
        }
        return lines;
    }

    /** Filters the following macroblock with the strengths that the map holds for this column and row of macroblocks. */
    void follow(H264EdgeMap map, int column, int row) {
        this.map = map;
        mapAt = map.at(column, row);
    }

    /** Filters all following macroblocks with {@code parameters}. */
    void configure(H264DeblockParameters parameters) {
        map = null;
        macroblockBs = parameters.macroblockEdgeBs();
        innerBs = parameters.innerEdgeBs();
        transform8x8 = parameters.transform8x8();
        for (int line = 0; line < LINES; line++) {
            for (int component = 0; component < luma.length; component++) {
                luma[component].set(line, parameters, component);
            }
            for (Order order : ORDERS) {
                boolean first = (line & order.turn) == 0;
                chroma[order.ordinal()].set(line, parameters, first ? 1 : 2);
                swappedChroma[order.ordinal()].set(line, parameters, first ? 2 : 1);
            }
        }
    }

    /** True if an edge of this component may change: 0 is luma, 1 and 2 are Cb and Cr of 4:4:4 video. */
    boolean changesLuma(int component) {
        return map != null || luma[component].effective;
    }

    /** True if an edge of either chroma component may change. */
    boolean changesChroma() {
        return map != null || chroma[0].effective;
    }

    /**
     * Filters all edges of one direction.
     *
     * @param component 0 luma, 1 Cb, 2 Cr
     * @param outer whether the macroblock has a neighbour before its first edge
     * @param parts the quarter of the edge to which each line belongs
     */
    void luma(int component, EdgeDirection direction, boolean outer, Parts parts) {
        if (map != null) {
            for (int edge = outer ? 0 : 1; edge < 4; edge++) {
                mappedLuma(direction, edge, parts);
            }
            return;
        }
        Levels levels = luma[component];
        int first = outer ? 0 : 1;
        if (outer && macroblockBs != innerBs) {
            first = 1;
            if (macroblockBs == 4) {
                lumaStrong(LUMA_BEFORE * LINES, levels.outer);
            } else if (macroblockBs > 0) {
                lumaNormal(taps, 0, 1, levels.outer);
            }
        }
        if (innerBs == 0) {
            return;
        }
        if (transform8x8) {
            if (first == 0) {
                lumaNormal(taps, 0, 1, levels.inner);
            }
            lumaNormal(taps, 2, 3, levels.inner);
        } else {
            lumaNormal(taps, first, 4, levels.inner);
        }
    }

    private void mappedLuma(EdgeDirection direction, int edge, Parts parts) {
        int at = mapAt + map.edgeAt(0, direction, edge);
        mapped.read(map.words(), at, at, parts, NO_OTHERS);
        if (!mapped.effective) {
            return;
        }
        if ((map.words()[at] & H264EdgeMap.STRONG) != 0) {
            lumaStrong((LUMA_BEFORE + 4 * edge) * LINES, mapped.inner);
        } else {
            lumaNormal(taps, edge, edge + 1, mapped.inner);
        }
    }

    /**
     * Filters both edges of one direction in eight columns and rows of both chroma components.
     *
     * @param before number of rows of {@link #taps} before the first edge
     * @param parts the quarter of the edge to which each line belongs
     * @param cbFirst whether the first line is of Cb
     * @param outer whether there are samples before the first edge
     * @param inside whether the first edge lies inside the macroblock
     */
    void chroma(
            int before,
            Order order,
            EdgeDirection direction,
            Parts parts,
            boolean cbFirst,
            boolean outer,
            boolean inside) {
        if (outer) {
            chromaEdge(before, order, direction, parts, cbFirst, !inside);
        }
        chromaEdge(before + 4, order, direction, parts, cbFirst, false);
    }

    /**
     * Filters one edge of both chroma components.
     *
     * @param q0 row of {@link #taps} after the edge
     * @param macroblockEdge whether the edge lies between two macroblocks
     */
    private void chromaEdge(
            int q0, Order order, EdgeDirection direction, Parts parts, boolean cbFirst, boolean macroblockEdge) {
        if (map != null) {
            mappedChroma(q0 * LINES, direction, parts, order, cbFirst, macroblockEdge);
            return;
        }
        Levels levels = (cbFirst ? chroma : swappedChroma)[order.ordinal()];
        int bS = macroblockEdge ? macroblockBs : innerBs;
        if (bS == 4) {
            chromaStrong(taps, q0 * LINES, macroblockEdge ? levels.outer : levels.inner);
        } else if (bS > 0) {
            chromaNormal(taps, q0 * LINES, macroblockEdge ? levels.outer : levels.inner);
        }
    }

    private void mappedChroma(
            int q0, EdgeDirection direction, Parts parts, Order order, boolean cbFirst, boolean macroblockEdge) {
        int edge = macroblockEdge ? 0 : 1;
        int first = mapAt + map.edgeAt(cbFirst ? 1 : 2, direction, edge);
        int second = mapAt + map.edgeAt(cbFirst ? 2 : 1, direction, edge);
        mapped.read(map.words(), first, second, parts, order.others);
        if (!mapped.effective) {
            return;
        }
        if ((map.words()[first] & H264EdgeMap.STRONG) != 0) {
            chromaStrong(taps, q0, mapped.inner);
        } else {
            chromaNormal(taps, q0, mapped.inner);
        }
    }

    /**
     * Filters edges with bS less than 4, from number {@code first} to before number {@code end}, in a macroblock whose
     * edges lie four samples apart.
     */
    private static void lumaNormal(byte[] taps, int first, int end, byte[] levels) {
        ByteVector zero = ByteVector.broadcast(BYTES, (byte) 0);
        ByteVector all = ByteVector.broadcast(BYTES, (byte) -1);
        ByteVector top = ByteVector.broadcast(BYTES, TOP_BIT);
        ByteVector peak = ByteVector.broadcast(BYTES, (byte) 127);
        ByteVector halfBits = ByteVector.broadcast(BYTES, HALF_BITS);
        ByteVector quarterBits = ByteVector.broadcast(BYTES, QUARTER_BITS);
        ByteVector two = ByteVector.broadcast(BYTES, (byte) 2);
        ByteVector rounding = ByteVector.broadcast(BYTES, (byte) 130);
        ByteVector least = ByteVector.broadcast(BYTES, (byte) -64);
        ByteVector greatest = ByteVector.broadcast(BYTES, (byte) 64);
        ByteVector offset = ByteVector.broadcast(BYTES, (byte) 32);
        ByteVector alpha = ByteVector.fromArray(BYTES, levels, Levels.ALPHA);
        ByteVector alphaLess1 = ByteVector.fromArray(BYTES, levels, Levels.ALPHA + LINES);
        ByteVector beta = ByteVector.fromArray(BYTES, levels, Levels.BETA);
        ByteVector betaLess1 = ByteVector.fromArray(BYTES, levels, Levels.BETA + LINES);
        ByteVector tc0 = ByteVector.fromArray(BYTES, levels, Levels.TC0);
        for (int edge = first; edge < end; edge++) {
            int at = edge * EDGE;
            ByteVector p2 = ByteVector.fromArray(BYTES, taps, at + LINES);
            ByteVector p1 = ByteVector.fromArray(BYTES, taps, at + 2 * LINES);
            ByteVector p0 = ByteVector.fromArray(BYTES, taps, at + 3 * LINES);
            ByteVector q0 = ByteVector.fromArray(BYTES, taps, at + 4 * LINES);
            ByteVector q1 = ByteVector.fromArray(BYTES, taps, at + 5 * LINES);
            ByteVector q2 = ByteVector.fromArray(BYTES, taps, at + 6 * LINES);
            ByteVector signedP = p0.lanewise(VectorOperators.XOR, top);
            ByteVector signedQ = q0.lanewise(VectorOperators.XOR, top);
            ByteVector outer = p1.lanewise(VectorOperators.XOR, top);
            ByteVector stepP = outer.max(signedP).sub(outer.min(signedP)).lanewise(VectorOperators.XOR, top);
            outer = q1.lanewise(VectorOperators.XOR, top);
            ByteVector stepQ = outer.max(signedQ).sub(outer.min(signedQ)).lanewise(VectorOperators.XOR, top);
            ByteVector step = signedP.max(signedQ).sub(signedP.min(signedQ)).lanewise(VectorOperators.XOR, top);
            ByteVector filtered = step.max(alphaLess1)
                    .min(alpha)
                    .sub(alpha)
                    .and(stepP.max(stepQ).max(betaLess1).min(beta).sub(beta));
            outer = p2.lanewise(VectorOperators.XOR, top);
            ByteVector flatP = outer.max(signedP)
                    .sub(outer.min(signedP))
                    .lanewise(VectorOperators.XOR, top)
                    .max(betaLess1)
                    .min(beta)
                    .sub(beta)
                    .and(filtered);
            outer = q2.lanewise(VectorOperators.XOR, top);
            ByteVector flatQ = outer.max(signedQ)
                    .sub(outer.min(signedQ))
                    .lanewise(VectorOperators.XOR, top)
                    .max(betaLess1)
                    .min(beta)
                    .sub(beta)
                    .and(filtered);

            ByteVector differing = p0.lanewise(VectorOperators.XOR, q0);
            ByteVector half = differing
                    .reinterpretAsShorts()
                    .lanewise(VectorOperators.LSHR, 1)
                    .reinterpretAsBytes()
                    .and(halfBits);
            ByteVector middle = p0.or(q0).sub(half);
            // In lanes that are flat the new p1 is less than 128 from the old one, because p0 is near both p1 and p2,
            // and middle is at most 128 from p0. In all other lanes the limits are 0.
            ByteVector most = tc0.and(flatP);
            p2.and(middle)
                    .add(p2.lanewise(VectorOperators.XOR, middle)
                            .reinterpretAsShorts()
                            .lanewise(VectorOperators.LSHR, 1)
                            .reinterpretAsBytes()
                            .and(halfBits))
                    .sub(p1)
                    .min(most)
                    .max(zero.sub(most))
                    .add(p1)
                    .intoArray(taps, at + 2 * LINES);
            most = tc0.and(flatQ);
            q2.and(middle)
                    .add(q2.lanewise(VectorOperators.XOR, middle)
                            .reinterpretAsShorts()
                            .lanewise(VectorOperators.LSHR, 1)
                            .reinterpretAsBytes()
                            .and(halfBits))
                    .sub(q1)
                    .min(most)
                    .max(zero.sub(most))
                    .add(q1)
                    .intoArray(taps, at + 5 * LINES);

            // Each flat side raises tC by 1. A condition that holds is -1, so it is subtracted.
            most = tc0.and(filtered).sub(flatP).sub(flatQ);
            // With a and b, half of q0 - p0 and of p1 - q1, and r, what the first half drops, delta is a + ((b + 2 r +
            // 2) >> 2). To shift without a sign, 128 is added to b, and a quarter of that subtracted from a. The second
            // term is between -32 and 32, and tC at most 27. So a that is limited to 64 gives the same result, and a
            // sum within a byte. The sum of b is too great for a byte only if p1 is at least 252 above q1. In a line
            // that is filtered p0 is then far above q0, and a alone takes delta to its limit.
            ByteVector delta = half.sub(p0.and(q0.lanewise(VectorOperators.XOR, all)))
                    .max(least)
                    .min(greatest)
                    .sub(offset)
                    .add(p1.lanewise(VectorOperators.XOR, q1)
                            .reinterpretAsShorts()
                            .lanewise(VectorOperators.LSHR, 1)
                            .reinterpretAsBytes()
                            .and(halfBits)
                            .sub(q1.and(p1.lanewise(VectorOperators.XOR, all)))
                            .add(differing.add(differing).and(two))
                            .add(rounding)
                            .reinterpretAsShorts()
                            .lanewise(VectorOperators.LSHR, 2)
                            .reinterpretAsBytes()
                            .and(quarterBits))
                    .min(most)
                    .max(zero.sub(most));
            // Before delta is added, a sample is kept as far from the end of its range as delta reaches.
            ByteVector up = delta.max(zero);
            ByteVector down = delta.min(zero);
            signedP.min(peak.sub(up))
                    .max(top.sub(down))
                    .add(delta)
                    .lanewise(VectorOperators.XOR, top)
                    .intoArray(taps, at + 3 * LINES);
            signedQ.min(peak.add(down))
                    .max(top.add(up))
                    .sub(delta)
                    .lanewise(VectorOperators.XOR, top)
                    .intoArray(taps, at + 4 * LINES);
        }
    }

    /** Filters an edge with bS 4. {@code q} is the index of the first line's q0. */
    private void lumaStrong(int q, byte[] levels) {
        lumaConditions(taps, q, levels, kept);
        lumaSide(taps, q - LINES, -LINES, kept, FLAT_P, Q0);
        lumaSide(taps, q, LINES, kept, FLAT_Q, P0);
    }

    /** Finds which lines of an edge with bS 4 change, and keeps the samples next to the edge. */
    private static void lumaConditions(byte[] taps, int q, byte[] levels, byte[] kept) {
        ByteVector top = ByteVector.broadcast(BYTES, TOP_BIT);
        ByteVector alpha = ByteVector.fromArray(BYTES, levels, Levels.ALPHA);
        ByteVector beta = ByteVector.fromArray(BYTES, levels, Levels.BETA);
        ByteVector betaLess1 = ByteVector.fromArray(BYTES, levels, Levels.BETA + LINES);
        ByteVector small = ByteVector.fromArray(BYTES, levels, Levels.SMALL);
        ByteVector p1 = ByteVector.fromArray(BYTES, taps, q - 2 * LINES);
        ByteVector p0 = ByteVector.fromArray(BYTES, taps, q - LINES);
        ByteVector q0 = ByteVector.fromArray(BYTES, taps, q);
        ByteVector q1 = ByteVector.fromArray(BYTES, taps, q + LINES);
        p1.intoArray(kept, P1);
        p0.intoArray(kept, P0);
        q0.intoArray(kept, Q0);
        q1.intoArray(kept, Q1);
        p0 = p0.lanewise(VectorOperators.XOR, top);
        q0 = q0.lanewise(VectorOperators.XOR, top);
        ByteVector outer = p1.lanewise(VectorOperators.XOR, top);
        ByteVector stepP = outer.max(p0).sub(outer.min(p0)).lanewise(VectorOperators.XOR, top);
        outer = q1.lanewise(VectorOperators.XOR, top);
        ByteVector stepQ = outer.max(q0).sub(outer.min(q0)).lanewise(VectorOperators.XOR, top);
        ByteVector step = p0.max(q0).sub(p0.min(q0)).lanewise(VectorOperators.XOR, top);
        ByteVector filtered = step.max(ByteVector.fromArray(BYTES, levels, Levels.ALPHA + LINES))
                .min(alpha)
                .sub(alpha)
                .and(stepP.max(stepQ).max(betaLess1).min(beta).sub(beta));
        filtered.intoArray(kept, FILTERED);
        filtered = step.max(ByteVector.fromArray(BYTES, levels, Levels.SMALL + LINES))
                .min(small)
                .sub(small)
                .and(filtered);
        outer = ByteVector.fromArray(BYTES, taps, q - 3 * LINES).lanewise(VectorOperators.XOR, top);
        outer.max(p0)
                .sub(outer.min(p0))
                .lanewise(VectorOperators.XOR, top)
                .max(betaLess1)
                .min(beta)
                .sub(beta)
                .and(filtered)
                .intoArray(kept, FLAT_P);
        outer = ByteVector.fromArray(BYTES, taps, q + 2 * LINES).lanewise(VectorOperators.XOR, top);
        outer.max(q0)
                .sub(outer.min(q0))
                .lanewise(VectorOperators.XOR, top)
                .max(betaLess1)
                .min(beta)
                .sub(beta)
                .and(filtered)
                .intoArray(kept, FLAT_Q);
    }

    /**
     * Filters one side of an edge with bS 4. Its samples are x0, next to the edge, to x3; y0 and y1 are those of the other side.
     *
     * <p>A sum of four that is divided by 4 and rounded is the average of two averages, with a carry: if both averages have
     * dropped a half, or if their own average does, 1 is added.
     *
     * @param at index of the first line's x0
     * @param step from x0 to x1
     * @param flat row of {@code kept} that says which lines are flat on this side
     * @param other row of {@code kept} with y0; y1 is in the next one
     */
    private static void lumaSide(byte[] taps, int at, int step, byte[] kept, int flat, int other) {
        ByteVector one = ByteVector.broadcast(BYTES, (byte) 1);
        ByteVector halfBits = ByteVector.broadcast(BYTES, HALF_BITS);
        ByteVector x0 = ByteVector.fromArray(BYTES, taps, at);
        ByteVector x1 = ByteVector.fromArray(BYTES, taps, at + step);
        ByteVector x2 = ByteVector.fromArray(BYTES, taps, at + 2 * step);
        ByteVector x3 = ByteVector.fromArray(BYTES, taps, at + 3 * step);
        ByteVector y0 = ByteVector.fromArray(BYTES, kept, other);
        ByteVector y1 = ByteVector.fromArray(BYTES, kept, other + LINES);
        ByteVector flats = ByteVector.fromArray(BYTES, kept, flat);

        // Averages of x0 and y0, and of x1 and x2.
        ByteVector inXor = x0.lanewise(VectorOperators.XOR, y0);
        ByteVector in = x0.and(y0)
                .add(inXor.reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        ByteVector outXor = x1.lanewise(VectorOperators.XOR, x2);
        ByteVector out = x1.and(x2)
                .add(outXor.reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        // (x2 + x1 + x0 + y0 + 2) >> 2
        ByteVector fourXor = in.lanewise(VectorOperators.XOR, out);
        ByteVector four = in.and(out)
                .add(fourXor.reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        ByteVector carry = inXor.and(outXor);
        four.add(fourXor.or(carry).and(one))
                .lanewise(VectorOperators.XOR, x1)
                .and(flats)
                .lanewise(VectorOperators.XOR, x1)
                .intoArray(taps, at + step);
        // (2 x3 + 3 x2 + x1 + x0 + y0 + 4) >> 3: the average of the four before is one of two averages, and its carry
        // is a third half. Two of three halves make 1.
        ByteVector farXor = x2.lanewise(VectorOperators.XOR, x3);
        ByteVector far = x2.and(x3)
                .add(farXor.reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        carry = farXor.and(fourXor).or(farXor.or(fourXor).and(carry));
        ByteVector bothXor = far.lanewise(VectorOperators.XOR, four);
        far.and(four)
                .add(bothXor.reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits))
                .add(bothXor.or(carry).and(one))
                .lanewise(VectorOperators.XOR, x2)
                .and(flats)
                .lanewise(VectorOperators.XOR, x2)
                .intoArray(taps, at + 2 * step);
        // (x2 + 2 x1 + 2 x0 + 2 y0 + y1 + 4) >> 3: x1, x0, y0 and the average of x2 and y1 are the four.
        far = x2.and(y1)
                .add(x2.lanewise(VectorOperators.XOR, y1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        farXor = far.lanewise(VectorOperators.XOR, x1);
        far = far.and(x1)
                .add(farXor.reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        bothXor = far.lanewise(VectorOperators.XOR, in);
        ByteVector strong = far.and(in)
                .add(bothXor.reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits))
                .add(farXor.and(inXor).or(bothXor).and(one));
        // (2 x1 + x0 + y1 + 2) >> 2
        ByteVector sides = x0.and(y1)
                .add(x0.lanewise(VectorOperators.XOR, y1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        ByteVector weak = sides.or(x1)
                .sub(sides.lanewise(VectorOperators.XOR, x1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        weak.lanewise(VectorOperators.XOR, strong)
                .and(flats)
                .lanewise(VectorOperators.XOR, weak)
                .lanewise(VectorOperators.XOR, x0)
                .and(ByteVector.fromArray(BYTES, kept, FILTERED))
                .lanewise(VectorOperators.XOR, x0)
                .intoArray(taps, at);
    }

    /** Filters a chroma edge with bS less than 4. {@code q} is the index of the first line's q0. */
    private static void chromaNormal(byte[] taps, int q, byte[] levels) {
        ByteVector zero = ByteVector.broadcast(BYTES, (byte) 0);
        ByteVector all = ByteVector.broadcast(BYTES, (byte) -1);
        ByteVector top = ByteVector.broadcast(BYTES, TOP_BIT);
        ByteVector peak = ByteVector.broadcast(BYTES, (byte) 127);
        ByteVector halfBits = ByteVector.broadcast(BYTES, HALF_BITS);
        ByteVector alpha = ByteVector.fromArray(BYTES, levels, Levels.ALPHA);
        ByteVector beta = ByteVector.fromArray(BYTES, levels, Levels.BETA);
        ByteVector p1 = ByteVector.fromArray(BYTES, taps, q - 2 * LINES);
        ByteVector p0 = ByteVector.fromArray(BYTES, taps, q - LINES);
        ByteVector q0 = ByteVector.fromArray(BYTES, taps, q);
        ByteVector q1 = ByteVector.fromArray(BYTES, taps, q + LINES);
        ByteVector signedP = p0.lanewise(VectorOperators.XOR, top);
        ByteVector signedQ = q0.lanewise(VectorOperators.XOR, top);
        ByteVector outer = p1.lanewise(VectorOperators.XOR, top);
        ByteVector stepP = outer.max(signedP).sub(outer.min(signedP)).lanewise(VectorOperators.XOR, top);
        outer = q1.lanewise(VectorOperators.XOR, top);
        ByteVector stepQ = outer.max(signedQ).sub(outer.min(signedQ)).lanewise(VectorOperators.XOR, top);
        ByteVector step = signedP.max(signedQ).sub(signedP.min(signedQ)).lanewise(VectorOperators.XOR, top);
        ByteVector filtered = step.max(ByteVector.fromArray(BYTES, levels, Levels.ALPHA + LINES))
                .min(alpha)
                .sub(alpha)
                .and(stepP.max(stepQ)
                        .max(ByteVector.fromArray(BYTES, levels, Levels.BETA + LINES))
                        .min(beta)
                        .sub(beta));
        ByteVector most =
                ByteVector.fromArray(BYTES, levels, Levels.TC0).sub(all).and(filtered);
        // As in luma.
        ByteVector differing = p0.lanewise(VectorOperators.XOR, q0);
        ByteVector delta = differing
                .reinterpretAsShorts()
                .lanewise(VectorOperators.LSHR, 1)
                .reinterpretAsBytes()
                .and(halfBits)
                .sub(p0.and(q0.lanewise(VectorOperators.XOR, all)))
                .max(ByteVector.broadcast(BYTES, (byte) -64))
                .min(ByteVector.broadcast(BYTES, (byte) 64))
                .sub(ByteVector.broadcast(BYTES, (byte) 32))
                .add(p1.lanewise(VectorOperators.XOR, q1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits)
                        .sub(q1.and(p1.lanewise(VectorOperators.XOR, all)))
                        .add(differing.add(differing).and(ByteVector.broadcast(BYTES, (byte) 2)))
                        .add(ByteVector.broadcast(BYTES, (byte) 130))
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 2)
                        .reinterpretAsBytes()
                        .and(ByteVector.broadcast(BYTES, QUARTER_BITS)))
                .min(most)
                .max(zero.sub(most));
        ByteVector up = delta.max(zero);
        ByteVector down = delta.min(zero);
        signedP.min(peak.sub(up))
                .max(top.sub(down))
                .add(delta)
                .lanewise(VectorOperators.XOR, top)
                .intoArray(taps, q - LINES);
        signedQ.min(peak.add(down))
                .max(top.add(up))
                .sub(delta)
                .lanewise(VectorOperators.XOR, top)
                .intoArray(taps, q);
    }

    /** Filters a chroma edge with bS 4. {@code q} is the index of the first line's q0. */
    private static void chromaStrong(byte[] taps, int q, byte[] levels) {
        ByteVector top = ByteVector.broadcast(BYTES, TOP_BIT);
        ByteVector halfBits = ByteVector.broadcast(BYTES, HALF_BITS);
        ByteVector alpha = ByteVector.fromArray(BYTES, levels, Levels.ALPHA);
        ByteVector beta = ByteVector.fromArray(BYTES, levels, Levels.BETA);
        ByteVector p1 = ByteVector.fromArray(BYTES, taps, q - 2 * LINES);
        ByteVector p0 = ByteVector.fromArray(BYTES, taps, q - LINES);
        ByteVector q0 = ByteVector.fromArray(BYTES, taps, q);
        ByteVector q1 = ByteVector.fromArray(BYTES, taps, q + LINES);
        ByteVector signedP = p0.lanewise(VectorOperators.XOR, top);
        ByteVector signedQ = q0.lanewise(VectorOperators.XOR, top);
        ByteVector outer = p1.lanewise(VectorOperators.XOR, top);
        ByteVector stepP = outer.max(signedP).sub(outer.min(signedP)).lanewise(VectorOperators.XOR, top);
        outer = q1.lanewise(VectorOperators.XOR, top);
        ByteVector stepQ = outer.max(signedQ).sub(outer.min(signedQ)).lanewise(VectorOperators.XOR, top);
        ByteVector step = signedP.max(signedQ).sub(signedP.min(signedQ)).lanewise(VectorOperators.XOR, top);
        ByteVector filtered = step.max(ByteVector.fromArray(BYTES, levels, Levels.ALPHA + LINES))
                .min(alpha)
                .sub(alpha)
                .and(stepP.max(stepQ)
                        .max(ByteVector.fromArray(BYTES, levels, Levels.BETA + LINES))
                        .min(beta)
                        .sub(beta));
        // (2 p1 + p0 + q1 + 2) >> 2
        ByteVector sides = p0.and(q1)
                .add(p0.lanewise(VectorOperators.XOR, q1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        sides.or(p1)
                .sub(sides.lanewise(VectorOperators.XOR, p1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits))
                .lanewise(VectorOperators.XOR, p0)
                .and(filtered)
                .lanewise(VectorOperators.XOR, p0)
                .intoArray(taps, q - LINES);
        sides = q0.and(p1)
                .add(q0.lanewise(VectorOperators.XOR, p1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits));
        sides.or(q1)
                .sub(sides.lanewise(VectorOperators.XOR, q1)
                        .reinterpretAsShorts()
                        .lanewise(VectorOperators.LSHR, 1)
                        .reinterpretAsBytes()
                        .and(halfBits))
                .lanewise(VectorOperators.XOR, q0)
                .and(filtered)
                .lanewise(VectorOperators.XOR, q0)
                .intoArray(taps, q);
    }

    /**
     * Thresholds of each line, one row of {@link #LINES} after the other. Those that differences are compared with lie 128 lower,
     * and the row after each is 1 lower than it.
     */
    private static final class Levels {
        static final int ALPHA = 0;
        static final int BETA = 2 * LINES;

        /** What the step across an edge with bS 4 must be less than for the stronger filter. */
        static final int SMALL = 4 * LINES;

        static final int TC0 = 6 * LINES;

        private static final long TOP_BITS = 0x80 * EACH_BYTE;
        private static final int LENGTH = 7 * LINES;

        /** For edges between macroblocks. TC0 is 0 if bS is 4, which has no tC0. */
        final byte[] outer = new byte[LENGTH];

        /** For edges inside a macroblock, and for the edge that was read from a map. */
        final byte[] inner = new byte[LENGTH];

        /** True if these thresholds let the filter change a sample of any line. */
        boolean effective;

        void set(int line, H264DeblockParameters parameters, int component) {
            int indexA = parameters.indexA(component);
            int alpha = H264Tables.alpha(indexA);
            int beta = H264Tables.beta(parameters.indexB(component));
            put(outer, line, alpha, beta, tc0(parameters.macroblockEdgeBs(), indexA));
            put(inner, line, alpha, beta, tc0(parameters.innerEdgeBs(), indexA));
            effective = (line > 0 && effective) || (alpha != 0 && beta != 0);
        }

        private static void put(byte[] levels, int line, int alpha, int beta, int tc0) {
            putThreshold(levels, ALPHA + line, alpha);
            putThreshold(levels, BETA + line, beta);
            putThreshold(levels, SMALL + line, (alpha >> 2) + 2);
            levels[TC0 + line] = (byte) tc0;
        }

        private static void putThreshold(byte[] levels, int at, int threshold) {
            levels[at] = (byte) (threshold - 128);
            levels[at + LINES] = (byte) (threshold - 129);
        }

        /**
         * Reads the thresholds of an edge from a map into {@link #inner}.
         *
         * @param words of the map
         * @param first index in {@code words} of the first component's edge
         * @param second index in {@code words} of the second component's edge
         * @param parts part of the edge to which each line belongs
         * @param others a byte of ones for each line of the second component, eight an element
         */
        void read(int[] words, int first, int second, Parts parts, long[] others) {
            effective = isEffective(words, first) || isEffective(words, second);
            if (!effective) {
                return;
            }
            for (int half = 0; half < LINES; half += Long.BYTES) {
                long other = others[half / Long.BYTES];
                long tc0And1 = parts.ofLines(words[first + 1], half);
                if (other != 0) {
                    tc0And1 = tc0And1 & ~other | parts.ofLines(words[second + 1], half) & other;
                }
                // Each line has a byte. No byte is greater than 26, so none is carried into the next.
                long some = (tc0And1 + 0x7f * EACH_BYTE) >>> 7 & EACH_BYTE;
                put(TC0 + half, tc0And1 - some);
                int alpha = words[first] & 255;
                int otherAlpha = words[second] & 255;
                // A difference is never less than an alpha of 0, so alpha 0 leaves the line as it is.
                long none = ~(255 * some);
                put(ALPHA + half, select(other, alpha, otherAlpha) & ~none ^ TOP_BITS);
                put(ALPHA + LINES + half, (select(other, alpha - 1, otherAlpha - 1) | none) ^ TOP_BITS);
                int beta = words[first] >> 8 & 255;
                int otherBeta = words[second] >> 8 & 255;
                put(BETA + half, select(other, beta, otherBeta) ^ TOP_BITS);
                put(BETA + LINES + half, select(other, beta - 1, otherBeta - 1) ^ TOP_BITS);
                put(SMALL + half, select(other, (alpha >> 2) + 2, (otherAlpha >> 2) + 2) ^ TOP_BITS);
                put(SMALL + LINES + half, select(other, (alpha >> 2) + 1, (otherAlpha >> 2) + 1) ^ TOP_BITS);
            }
        }

        private void put(int at, long bytes) {
            EIGHT.set(inner, at, bytes);
        }

        /** Eight times the low byte of {@code one}, or of {@code two} where {@code other} has a byte of ones. */
        private static long select(long other, int one, int two) {
            return (one & 255) * EACH_BYTE & ~other | (two & 255) * EACH_BYTE & other;
        }

        private static boolean isEffective(int[] words, int at) {
            return (words[at] & 255) != 0 && words[at + 1] != 0;
        }

        private static int tc0(int bS, int indexA) {
            return bS == 0 || bS == 4 ? 0 : H264Tables.tc0(bS, indexA);
        }
    }
}

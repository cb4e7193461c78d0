/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264Tables;
import org.gstqpu.kernels.internal.stage.cdef.VectorCdefKernel;

/**
 * Filters the edges of a macroblock in vectors of shorts, sixteen lines across an edge at once: sixteen of luma, or eight
 * of each chroma component. Samples are numbers of 9 or 10 bits; for those of 8 bit see {@link VectorByteEdgeFilter}. Belongs
 * to one kernel, which puts the samples into {@link #taps} and takes the result from there.
 *
 * <p>It calls no method of that kernel, and takes no vector from it, so the JVM's compiler sees the same vectors here
 * whichever kernel it compiles for.
 *
 * <p>No vector masks are used, because the compiler of JDK 17 makes slow code of them. Instead, a condition is a number
 * that is negative where the condition holds. {@code and} joins conditions. The sign, spread over its lane by a shift,
 * selects. The rules of {@link VectorCdefKernel} for loops and for the size of vectors hold here, too.
 */
public final class VectorEdgeFilter {
    /** Lines across an edge that are filtered at once. */
    static final int LINES = 16;

    /** Number of luma rows above a macroblock that its upper edge reads, and of columns left of it. */
    static final int LUMA_BEFORE = 4;

    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;

    /** All orders. Made once, because {@code values()} copies them, and side information may configure each picture anew. */
    private static final Order[] ORDERS = Order.values();

    /** Length of the part of {@link #taps} between two edges that lie four samples apart. */
    private static final int EDGE = 4 * LINES;

    /**
     * Samples of 16 bits. A row is one tap (p3 to q3 of an edge, for all lines), a column is one line across the edge.
     */
    final short[] taps = new short[(LUMA_BEFORE + 16) * LINES];

    /** Factor from the 8-bit values of the standard's tables to this bit depth. */
    private final int scale;

    private final short peak;

    private int innerBs;
    private int macroblockBs;
    private boolean transform8x8;

    /** Thresholds of luma; in 4:4:4 video also of Cb and Cr, which are filtered like luma. */
    private final Levels[] luma;

    /** Thresholds of chroma, for each order of the lines. Of interleaved chroma, the first sample is Cb. */
    private final Levels[] chroma;

    /** Thresholds of interleaved chroma whose first sample is Cr. */
    private final Levels[] swappedChroma;

    /** The order in which the lines of two chroma components lie in a row of {@link #taps}. */
    enum Order {
        /** One line of each component in turn. */
        ALTERNATING(1),
        /** Eight lines of each component. */
        HALVES(8);

        /** The bit that is set in the numbers of the second component's lines. */
        final int turn;

        Order(int turn) {
            this.turn = turn;
        }
    }

    /** Makes a filter for samples of {@code bitDepth} bits. */
    VectorEdgeFilter(int bitDepth) {
        scale = 1 << (bitDepth - 8);
        peak = (short) ((1 << bitDepth) - 1);
        luma = new Levels[] {new Levels(scale), new Levels(scale), new Levels(scale)};
        chroma = new Levels[] {new Levels(scale), new Levels(scale)};
        swappedChroma = new Levels[] {new Levels(scale), new Levels(scale)};
    }

    /** Filters all following macroblocks with {@code parameters}. */
    void configure(H264DeblockParameters parameters) {
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
        return luma[component].effective;
    }

    /** True if an edge of either chroma component may change. */
    boolean changesChroma() {
        return chroma[0].effective;
    }

    /**
     * Filters all edges of one direction.
     *
     * @param component 0 luma, 1 Cb, 2 Cr
     * @param outer whether the macroblock has a neighbour before its first edge
     */
    void luma(int component, boolean outer) {
        Levels levels = luma[component];
        int first = outer ? 0 : 1;
        if (outer && macroblockBs != innerBs) {
            first = 1;
            if (macroblockBs == 4) {
                lumaStrong(taps, LUMA_BEFORE * LINES, levels.outer);
            } else if (macroblockBs > 0) {
                lumaNormal(taps, 0, 1, levels.outer, peak);
            }
        }
        if (innerBs == 0) {
            return;
        }
        if (transform8x8) {
            if (first == 0) {
                lumaNormal(taps, 0, 1, levels.inner, peak);
            }
            lumaNormal(taps, 2, 3, levels.inner, peak);
        } else {
            lumaNormal(taps, first, 4, levels.inner, peak);
        }
    }

    /**
     * Filters both edges of one direction in eight columns and rows of both chroma components.
     *
     * @param before number of rows of {@link #taps} before the first edge
     * @param cbFirst whether the first line is of Cb
     * @param outer whether there are samples before the first edge
     * @param inside whether the first edge lies inside the macroblock
     */
    void chroma(int before, Order order, boolean cbFirst, boolean outer, boolean inside) {
        if (outer) {
            chromaEdge(before, order, cbFirst, !inside);
        }
        chromaEdge(before + 4, order, cbFirst, false);
    }

    /**
     * Filters one edge of both chroma components.
     *
     * @param q0 row of {@link #taps} after the edge
     * @param macroblockEdge whether the edge lies between two macroblocks
     */
    private void chromaEdge(int q0, Order order, boolean cbFirst, boolean macroblockEdge) {
        Levels levels = (cbFirst ? chroma : swappedChroma)[order.ordinal()];
        int bS = macroblockEdge ? macroblockBs : innerBs;
        if (bS == 4) {
            chromaStrong(taps, q0 * LINES, macroblockEdge ? levels.outer : levels.inner);
        } else if (bS > 0) {
            chromaNormal(taps, q0 * LINES, macroblockEdge ? levels.outer : levels.inner, peak);
        }
    }

    /**
     * Filters edges with bS less than 4, from number {@code first} to before number {@code end}, in a macroblock whose
     * edges lie four samples apart.
     */
    private static void lumaNormal(short[] taps, int first, int end, short[] levels, short peak) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            ShortVector alpha = ShortVector.fromArray(SHORTS, levels, line);
            ShortVector beta = ShortVector.fromArray(SHORTS, levels, LINES + line);
            ShortVector tc0 = ShortVector.fromArray(SHORTS, levels, 2 * LINES + line);
            for (int edge = first; edge < end; edge++) {
                int at = edge * EDGE + line;
                ShortVector p2 = ShortVector.fromArray(SHORTS, taps, at + LINES);
                ShortVector p1 = ShortVector.fromArray(SHORTS, taps, at + 2 * LINES);
                ShortVector p0 = ShortVector.fromArray(SHORTS, taps, at + 3 * LINES);
                ShortVector q0 = ShortVector.fromArray(SHORTS, taps, at + 4 * LINES);
                ShortVector q1 = ShortVector.fromArray(SHORTS, taps, at + 5 * LINES);
                ShortVector q2 = ShortVector.fromArray(SHORTS, taps, at + 6 * LINES);
                ShortVector step = q0.sub(p0);
                ShortVector filtered = step.abs()
                        .sub(alpha)
                        .and(p1.sub(p0).abs().sub(beta))
                        .and(q1.sub(q0).abs().sub(beta))
                        .lanewise(VectorOperators.ASHR, 15);
                ShortVector flatP = p2.sub(p0)
                        .abs()
                        .sub(beta)
                        .lanewise(VectorOperators.ASHR, 15)
                        .and(filtered);
                ShortVector flatQ = q2.sub(q0)
                        .abs()
                        .sub(beta)
                        .lanewise(VectorOperators.ASHR, 15)
                        .and(filtered);
                ShortVector middle = p0.add(q0).add((short) 1).lanewise(VectorOperators.ASHR, 1);
                ShortVector mostP = tc0.and(flatP);
                p2.add(middle)
                        .lanewise(VectorOperators.ASHR, 1)
                        .sub(p1)
                        .min(mostP)
                        .max(mostP.neg())
                        .add(p1)
                        .intoArray(taps, at + 2 * LINES);
                ShortVector mostQ = tc0.and(flatQ);
                q2.add(middle)
                        .lanewise(VectorOperators.ASHR, 1)
                        .sub(q1)
                        .min(mostQ)
                        .max(mostQ.neg())
                        .add(q1)
                        .intoArray(taps, at + 5 * LINES);
                // Each flat side raises tC by 1. A condition that holds is -1, so it is subtracted.
                ShortVector most = tc0.and(filtered).sub(flatP).sub(flatQ);
                ShortVector delta = step.lanewise(VectorOperators.LSHL, 2)
                        .add(p1)
                        .sub(q1)
                        .add((short) 4)
                        .lanewise(VectorOperators.ASHR, 3)
                        .min(most)
                        .max(most.neg());
                p0.add(delta).max((short) 0).min(peak).intoArray(taps, at + 3 * LINES);
                q0.sub(delta).max((short) 0).min(peak).intoArray(taps, at + 4 * LINES);
            }
        }
    }

    /** Filters an edge with bS 4. {@code q} is the index of the first line's q0. */
    private static void lumaStrong(short[] taps, int q, short[] levels) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            int at = q + line;
            ShortVector p2 = ShortVector.fromArray(SHORTS, taps, at - 3 * LINES);
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, at - 2 * LINES);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, at - LINES);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, at);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, at + LINES);
            ShortVector q2 = ShortVector.fromArray(SHORTS, taps, at + 2 * LINES);
            ShortVector alpha = ShortVector.fromArray(SHORTS, levels, line);
            ShortVector beta = ShortVector.fromArray(SHORTS, levels, LINES + line);
            ShortVector step = p0.sub(q0).abs();
            ShortVector filtered = step.sub(alpha)
                    .and(p1.sub(p0).abs().sub(beta))
                    .and(q1.sub(q0).abs().sub(beta))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector small = step.sub(alpha.lanewise(VectorOperators.ASHR, 2).add((short) 2))
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(filtered);
            ShortVector flatP = p2.sub(p0)
                    .abs()
                    .sub(beta)
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(small);
            ShortVector flatQ = q2.sub(q0)
                    .abs()
                    .sub(beta)
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(small);
            ShortVector both = p0.add(q0).add((short) 2);

            ShortVector four = both.add(p1).add(p2);
            ShortVector weak = p1.add(p1).add(p0).add(q1).add((short) 2).lanewise(VectorOperators.ASHR, 2);
            ShortVector strong = four.add(both).add(p1).add(q1).lanewise(VectorOperators.ASHR, 3);
            weak.lanewise(VectorOperators.XOR, strong)
                    .and(flatP)
                    .lanewise(VectorOperators.XOR, weak)
                    .lanewise(VectorOperators.XOR, p0)
                    .and(filtered)
                    .lanewise(VectorOperators.XOR, p0)
                    .intoArray(taps, at - LINES);
            four.lanewise(VectorOperators.ASHR, 2).sub(p1).and(flatP).add(p1).intoArray(taps, at - 2 * LINES);
            ShortVector p3 = ShortVector.fromArray(SHORTS, taps, at - 4 * LINES);
            p3.add(p2)
                    .lanewise(VectorOperators.LSHL, 1)
                    .add(four)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 3)
                    .sub(p2)
                    .and(flatP)
                    .add(p2)
                    .intoArray(taps, at - 3 * LINES);

            four = both.add(q1).add(q2);
            weak = q1.add(q1).add(q0).add(p1).add((short) 2).lanewise(VectorOperators.ASHR, 2);
            strong = four.add(both).add(q1).add(p1).lanewise(VectorOperators.ASHR, 3);
            weak.lanewise(VectorOperators.XOR, strong)
                    .and(flatQ)
                    .lanewise(VectorOperators.XOR, weak)
                    .lanewise(VectorOperators.XOR, q0)
                    .and(filtered)
                    .lanewise(VectorOperators.XOR, q0)
                    .intoArray(taps, at);
            four.lanewise(VectorOperators.ASHR, 2).sub(q1).and(flatQ).add(q1).intoArray(taps, at + LINES);
            ShortVector q3 = ShortVector.fromArray(SHORTS, taps, at + 3 * LINES);
            q3.add(q2)
                    .lanewise(VectorOperators.LSHL, 1)
                    .add(four)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 3)
                    .sub(q2)
                    .and(flatQ)
                    .add(q2)
                    .intoArray(taps, at + 2 * LINES);
        }
    }

    /** Filters a chroma edge with bS less than 4. {@code q} is the index of the first line's q0. */
    private static void chromaNormal(short[] taps, int q, short[] levels, short peak) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            int at = q + line;
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, at - 2 * LINES);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, at - LINES);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, at);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, at + LINES);
            ShortVector beta = ShortVector.fromArray(SHORTS, levels, LINES + line);
            ShortVector step = q0.sub(p0);
            ShortVector filtered = step.abs()
                    .sub(ShortVector.fromArray(SHORTS, levels, line))
                    .and(p1.sub(p0).abs().sub(beta))
                    .and(q1.sub(q0).abs().sub(beta))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector most = ShortVector.fromArray(SHORTS, levels, 2 * LINES + line)
                    .add((short) 1)
                    .and(filtered);
            ShortVector delta = step.lanewise(VectorOperators.LSHL, 2)
                    .add(p1)
                    .sub(q1)
                    .add((short) 4)
                    .lanewise(VectorOperators.ASHR, 3)
                    .min(most)
                    .max(most.neg());
            p0.add(delta).max((short) 0).min(peak).intoArray(taps, at - LINES);
            q0.sub(delta).max((short) 0).min(peak).intoArray(taps, at);
        }
    }

    /** Filters a chroma edge with bS 4. {@code q} is the index of the first line's q0. */
    private static void chromaStrong(short[] taps, int q, short[] levels) {
        for (int line = 0; line < LINES; line += SHORTS.length()) {
            int at = q + line;
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, at - 2 * LINES);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, at - LINES);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, at);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, at + LINES);
            ShortVector beta = ShortVector.fromArray(SHORTS, levels, LINES + line);
            ShortVector filtered = p0.sub(q0)
                    .abs()
                    .sub(ShortVector.fromArray(SHORTS, levels, line))
                    .and(p1.sub(p0).abs().sub(beta))
                    .and(q1.sub(q0).abs().sub(beta))
                    .lanewise(VectorOperators.ASHR, 15);
            p1.add(p1)
                    .add(p0)
                    .add(q1)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 2)
                    .sub(p0)
                    .and(filtered)
                    .add(p0)
                    .intoArray(taps, at - LINES);
            q1.add(q1)
                    .add(q0)
                    .add(p1)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 2)
                    .sub(q0)
                    .and(filtered)
                    .add(q0)
                    .intoArray(taps, at);
        }
    }

    /** Thresholds of each line: {@link #LINES} of alpha, of beta and of tC0, one after the other. */
    private static final class Levels {
        private final int scale;

        /** For edges between macroblocks. TC0 is 0 if bS is 4, which has no tC0. */
        final short[] outer = new short[3 * LINES];

        /** For edges inside a macroblock. */
        final short[] inner = new short[3 * LINES];

        /** True if these thresholds let the filter change a sample of any line. */
        boolean effective;

        Levels(int scale) {
            this.scale = scale;
        }

        void set(int line, H264DeblockParameters parameters, int component) {
            int indexA = parameters.indexA(component);
            int alpha = scale * H264Tables.alpha(indexA);
            int beta = scale * H264Tables.beta(parameters.indexB(component));
            put(outer, line, alpha, beta, tc0(parameters.macroblockEdgeBs(), indexA));
            put(inner, line, alpha, beta, tc0(parameters.innerEdgeBs(), indexA));
            effective = (line > 0 && effective) || (alpha != 0 && beta != 0);
        }

        private static void put(short[] levels, int line, int alpha, int beta, int tc0) {
            levels[line] = (short) alpha;
            levels[LINES + line] = (short) beta;
            levels[2 * LINES + line] = (short) tc0;
        }

        private int tc0(int bS, int indexA) {
            return bS == 0 || bS == 4 ? 0 : scale * H264Tables.tc0(bS, indexA);
        }
    }
}

package org.gstqpu.kernels.cpu;

import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * H.264's filters across an edge (ITU-T H.264, 8.7.2.3 and 8.7.2.4) in vectors, for the sixteen lines of {@link MacroblockTaps}.
 *
 * <p>No mask is ever made, for the compiler of JDK 17 is slow with these: a condition is a number that is negative where it
 * holds, conditions are joined by {@code and}, and the sign, spread over the lane, selects. Loops and the vectors' size are
 * as of {@link VectorCdefKernel}.
 */
final class EdgeVectors {
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;

    private EdgeVectors() {}

    /**
     * A luma edge with bS less than 4.
     *
     * @param q where the taps q0 of its lines begin
     * @param alpha of each line; of one that stays as it is 0
     * @param beta of each line
     * @param tc0 of each line, tC0
     * @param peak the greatest sample
     */
    static void lumaNormal(short[] taps, int q, short[] alpha, short[] beta, short[] tc0, short peak) {
        for (int line = 0; line < MacroblockTaps.LINES; line += SHORTS.length()) {
            ShortVector p2 = ShortVector.fromArray(SHORTS, taps, q - 3 * MacroblockTaps.LINES + line);
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * MacroblockTaps.LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - MacroblockTaps.LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + MacroblockTaps.LINES + line);
            ShortVector q2 = ShortVector.fromArray(SHORTS, taps, q + 2 * MacroblockTaps.LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector step = q0.sub(p0);
            ShortVector filtered = step.abs()
                    .sub(ShortVector.fromArray(SHORTS, alpha, line))
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector flatP = p2.sub(p0).abs().sub(limit).lanewise(VectorOperators.ASHR, 15).and(filtered);
            ShortVector flatQ = q2.sub(q0).abs().sub(limit).lanewise(VectorOperators.ASHR, 15).and(filtered);
            ShortVector most = ShortVector.fromArray(SHORTS, tc0, line);
            ShortVector middle = p0.add(q0).add((short) 1).lanewise(VectorOperators.ASHR, 1);
            ShortVector mostP = most.and(flatP);
            p2.add(middle)
                    .sub(p1)
                    .sub(p1)
                    .lanewise(VectorOperators.ASHR, 1)
                    .min(mostP)
                    .max(mostP.neg())
                    .add(p1)
                    .intoArray(taps, q - 2 * MacroblockTaps.LINES + line);
            ShortVector mostQ = most.and(flatQ);
            q2.add(middle)
                    .sub(q1)
                    .sub(q1)
                    .lanewise(VectorOperators.ASHR, 1)
                    .min(mostQ)
                    .max(mostQ.neg())
                    .add(q1)
                    .intoArray(taps, q + MacroblockTaps.LINES + line);
            // Each side that is flat raises tC by 1: by subtracting -1.
            most = most.and(filtered).sub(flatP).sub(flatQ);
            ShortVector delta = step.lanewise(VectorOperators.LSHL, 2)
                    .add(p1)
                    .sub(q1)
                    .add((short) 4)
                    .lanewise(VectorOperators.ASHR, 3)
                    .min(most)
                    .max(most.neg());
            p0.add(delta).max((short) 0).min(peak).intoArray(taps, q - MacroblockTaps.LINES + line);
            q0.sub(delta).max((short) 0).min(peak).intoArray(taps, q + line);
        }
    }

    /** A luma edge with bS 4; parameters as of {@link #lumaNormal}. */
    static void lumaStrong(short[] taps, int q, short[] alpha, short[] beta) {
        for (int line = 0; line < MacroblockTaps.LINES; line += SHORTS.length()) {
            ShortVector p2 = ShortVector.fromArray(SHORTS, taps, q - 3 * MacroblockTaps.LINES + line);
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * MacroblockTaps.LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - MacroblockTaps.LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + MacroblockTaps.LINES + line);
            ShortVector q2 = ShortVector.fromArray(SHORTS, taps, q + 2 * MacroblockTaps.LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector largest = ShortVector.fromArray(SHORTS, alpha, line);
            ShortVector step = p0.sub(q0).abs();
            ShortVector filtered = step.sub(largest)
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector small = step.sub(largest.lanewise(VectorOperators.ASHR, 2)
                    .add((short) 2))
                    .lanewise(VectorOperators.ASHR, 15)
                    .and(filtered);
            ShortVector flatP = p2.sub(p0).abs().sub(limit).lanewise(VectorOperators.ASHR, 15).and(small);
            ShortVector flatQ = q2.sub(q0).abs().sub(limit).lanewise(VectorOperators.ASHR, 15).and(small);
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
                    .intoArray(taps, q - MacroblockTaps.LINES + line);
            four.lanewise(VectorOperators.ASHR, 2)
                    .sub(p1)
                    .and(flatP)
                    .add(p1)
                    .intoArray(taps, q - 2 * MacroblockTaps.LINES + line);
            ShortVector p3 = ShortVector.fromArray(SHORTS, taps, q - 4 * MacroblockTaps.LINES + line);
            p3.add(p2)
                    .lanewise(VectorOperators.LSHL, 1)
                    .add(four)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 3)
                    .sub(p2)
                    .and(flatP)
                    .add(p2)
                    .intoArray(taps, q - 3 * MacroblockTaps.LINES + line);

            four = both.add(q1).add(q2);
            weak = q1.add(q1).add(q0).add(p1).add((short) 2).lanewise(VectorOperators.ASHR, 2);
            strong = four.add(both).add(q1).add(p1).lanewise(VectorOperators.ASHR, 3);
            weak.lanewise(VectorOperators.XOR, strong)
                    .and(flatQ)
                    .lanewise(VectorOperators.XOR, weak)
                    .lanewise(VectorOperators.XOR, q0)
                    .and(filtered)
                    .lanewise(VectorOperators.XOR, q0)
                    .intoArray(taps, q + line);
            four.lanewise(VectorOperators.ASHR, 2)
                    .sub(q1)
                    .and(flatQ)
                    .add(q1)
                    .intoArray(taps, q + MacroblockTaps.LINES + line);
            ShortVector q3 = ShortVector.fromArray(SHORTS, taps, q + 3 * MacroblockTaps.LINES + line);
            q3.add(q2)
                    .lanewise(VectorOperators.LSHL, 1)
                    .add(four)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 3)
                    .sub(q2)
                    .and(flatQ)
                    .add(q2)
                    .intoArray(taps, q + 2 * MacroblockTaps.LINES + line);
        }
    }

    /** A chroma edge with bS less than 4; parameters as of {@link #lumaNormal}. */
    static void chromaNormal(short[] taps, int q, short[] alpha, short[] beta, short[] tc0, short peak) {
        for (int line = 0; line < MacroblockTaps.LINES; line += SHORTS.length()) {
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * MacroblockTaps.LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - MacroblockTaps.LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + MacroblockTaps.LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector step = q0.sub(p0);
            ShortVector filtered = step.abs()
                    .sub(ShortVector.fromArray(SHORTS, alpha, line))
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            ShortVector most = ShortVector.fromArray(SHORTS, tc0, line).add((short) 1).and(filtered);
            ShortVector delta = step.lanewise(VectorOperators.LSHL, 2)
                    .add(p1)
                    .sub(q1)
                    .add((short) 4)
                    .lanewise(VectorOperators.ASHR, 3)
                    .min(most)
                    .max(most.neg());
            p0.add(delta).max((short) 0).min(peak).intoArray(taps, q - MacroblockTaps.LINES + line);
            q0.sub(delta).max((short) 0).min(peak).intoArray(taps, q + line);
        }
    }

    /** A chroma edge with bS 4; parameters as of {@link #lumaNormal}. */
    static void chromaStrong(short[] taps, int q, short[] alpha, short[] beta) {
        for (int line = 0; line < MacroblockTaps.LINES; line += SHORTS.length()) {
            ShortVector p1 = ShortVector.fromArray(SHORTS, taps, q - 2 * MacroblockTaps.LINES + line);
            ShortVector p0 = ShortVector.fromArray(SHORTS, taps, q - MacroblockTaps.LINES + line);
            ShortVector q0 = ShortVector.fromArray(SHORTS, taps, q + line);
            ShortVector q1 = ShortVector.fromArray(SHORTS, taps, q + MacroblockTaps.LINES + line);
            ShortVector limit = ShortVector.fromArray(SHORTS, beta, line);
            ShortVector filtered = p0.sub(q0)
                    .abs()
                    .sub(ShortVector.fromArray(SHORTS, alpha, line))
                    .and(p1.sub(p0).abs().sub(limit))
                    .and(q1.sub(q0).abs().sub(limit))
                    .lanewise(VectorOperators.ASHR, 15);
            p1.add(p1)
                    .add(p0)
                    .add(q1)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 2)
                    .sub(p0)
                    .and(filtered)
                    .add(p0)
                    .intoArray(taps, q - MacroblockTaps.LINES + line);
            q1.add(q1)
                    .add(q0)
                    .add(p1)
                    .add((short) 2)
                    .lanewise(VectorOperators.ASHR, 2)
                    .sub(q0)
                    .and(filtered)
                    .add(q0)
                    .intoArray(taps, q + line);
        }
    }
}

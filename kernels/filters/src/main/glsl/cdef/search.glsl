// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Direction and variance of an 8x8 luma block (AV1 specification, 7.15.2). Expects loadRow(block, row), which returns the
// eight samples of a row, reduced to 8 bit, as pairs of 16-bit halves: (0, 2), (1, 3), (4, 6), (5, 7).
//
// The rows are read twice, for a few directions each, so that everything fits into the registers of small GPUs. The barrier
// between the two reads stops compilers from merging them. For the same reason the buffer must not be readonly.
//
// The search works on sums of samples, not of samples less 128 as the specification does: that adds the same constant to
// the cost of each direction, so neither their order nor the difference that makes the variance changes. A cost stays below
// 840 * 64 * 255^2, which fits 32 bits unsigned.

uint square(uint sum) {
    return sum * sum;
}

uint low(uint pair) {
    return pair & 0xffffu;
}

uint high(uint pair) {
    return pair >> 16;
}

uint both(uint pair) {
    return low(pair) + high(pair);
}

// Sums of lines come in pairs, one in each half of a word. These are written for one half and the other, since a direction
// is its mirror image's with the halves exchanged.

// Cost of a direction with 15 lines of 1, 2, … 8, … 2, 1 samples, from p0…p12: the sums of the lines at their index in the
// first half and of two on in the second.
#define COST_OF_15(NAME, FIRST, SECOND) \
    uint NAME(uint p0, uint p1, uint p2, uint p3, uint p4, uint p5, uint p6, uint p7, uint p8, uint p9, uint p10, uint p11, \
            uint p12) { \
        return (square(FIRST(p0)) + square(SECOND(p12))) * 840 + (square(FIRST(p1)) + square(SECOND(p11))) * 420 \
            + (square(FIRST(p2) + SECOND(p0)) + square(FIRST(p12) + SECOND(p10))) * 280 \
            + (square(FIRST(p3) + SECOND(p1)) + square(FIRST(p11) + SECOND(p9))) * 210 \
            + (square(FIRST(p4) + SECOND(p2)) + square(FIRST(p10) + SECOND(p8))) * 168 \
            + (square(FIRST(p5) + SECOND(p3)) + square(FIRST(p9) + SECOND(p7))) * 140 \
            + (square(FIRST(p6) + SECOND(p4)) + square(FIRST(p8) + SECOND(p6))) * 120 \
            + square(FIRST(p7) + SECOND(p5)) * 105; \
    }
COST_OF_15(cost15, low, high)
COST_OF_15(cost15Mirrored, high, low)

// Cost of a direction with 11 lines of 2, 4, 6, 8, 8, 8, 8, 8, 6, 4, 2 samples, from p0…p9: the sums of the lines at their
// index in the first half and of the next in the second.
#define COST_OF_11(NAME, FIRST, SECOND) \
    uint NAME(uint p0, uint p1, uint p2, uint p3, uint p4, uint p5, uint p6, uint p7, uint p8, uint p9) { \
        return (square(FIRST(p0)) + square(SECOND(p9))) * 420 \
            + (square(FIRST(p1) + SECOND(p0)) + square(FIRST(p9) + SECOND(p8))) * 210 \
            + (square(FIRST(p2) + SECOND(p1)) + square(FIRST(p8) + SECOND(p7))) * 140 \
            + (square(FIRST(p3) + SECOND(p2)) + square(FIRST(p4) + SECOND(p3)) + square(FIRST(p5) + SECOND(p4)) \
                + square(FIRST(p6) + SECOND(p5)) + square(FIRST(p7) + SECOND(p6))) * 105; \
    }
COST_OF_11(cost11, low, high)
COST_OF_11(cost11Mirrored, high, low)

// The cost of such a direction from four rows of column sums. The lines of a row lie one further than those of the row before.
uint costOfColumns(uvec4 t0, uvec4 t1, uvec4 t2, uvec4 t3) {
    uint p1 = t1.x + t0.y;
    uint p2 = t2.x + t1.y;
    uint p3 = t3.x + t2.y;
    uint p4 = t3.y + t0.z;
    uint p5 = t1.z + t0.w;
    uint p6 = t2.z + t1.w;
    uint p7 = t3.z + t2.w;
    return (square(low(t0.x)) + square(high(t3.w))) * 420 + (square(low(p1)) + square(high(p7))) * 210
        + (square(low(p2) + high(t0.x)) + square(low(t3.w) + high(p6))) * 140
        + (square(low(p3) + high(p1)) + square(low(p4) + high(p2)) + square(low(p5) + high(p3)) + square(low(p6) + high(p4))
            + square(low(p7) + high(p5))) * 105;
}

void better(uint cost, uint direction, inout uint bestCost, inout uint bestDirection) {
    if (cost > bestCost) {
        bestCost = cost;
        bestDirection = direction;
    }
}

// The direction and the variance.
uvec2 findDirection(uvec2 block) {
    uvec4 r0 = loadRow(block, 0);
    uvec4 r1 = loadRow(block, 1);
    uvec4 r2 = loadRow(block, 2);
    uvec4 r3 = loadRow(block, 3);
    uvec4 r4 = loadRow(block, 4);
    uvec4 r5 = loadRow(block, 5);
    uvec4 r6 = loadRow(block, 6);
    uvec4 r7 = loadRow(block, 7);
    uint cost0 = cost15(r0.x, r1.x + r0.y, r2.x + r1.y, r3.x + r2.y, r4.x + r3.y + r0.z, r5.x + r4.y + r1.z + r0.w,
        r6.x + r5.y + r2.z + r1.w, r7.x + r6.y + r3.z + r2.w, r7.y + r4.z + r3.w, r5.z + r4.w, r6.z + r5.w, r7.z + r6.w, r7.w);
    uint cost4 = cost15Mirrored(r0.w, r1.w + r0.z, r2.w + r1.z, r3.w + r2.z, r4.w + r3.z + r0.y, r5.w + r4.z + r1.y + r0.x,
        r6.w + r5.z + r2.y + r1.x, r7.w + r6.z + r3.y + r2.x, r7.z + r4.y + r3.x, r5.y + r4.x, r6.y + r5.x, r7.y + r6.x, r7.x);

    memoryBarrier();
    r0 = loadRow(block, 0);
    r1 = loadRow(block, 1);
    r2 = loadRow(block, 2);
    r3 = loadRow(block, 3);
    r4 = loadRow(block, 4);
    r5 = loadRow(block, 5);
    r6 = loadRow(block, 6);
    r7 = loadRow(block, 7);
    // Sums of neighbours in a row: samples (0 + 1, 2 + 3), (4 + 5, 6 + 7).
    uvec2 s0 = r0.xz + r0.yw;
    uvec2 s1 = r1.xz + r1.yw;
    uvec2 s2 = r2.xz + r2.yw;
    uvec2 s3 = r3.xz + r3.yw;
    uvec2 s4 = r4.xz + r4.yw;
    uvec2 s5 = r5.xz + r5.yw;
    uvec2 s6 = r6.xz + r6.yw;
    uvec2 s7 = r7.xz + r7.yw;
    uint cost1 =
        cost11(s0.x, s1.x, s2.x + s0.y, s3.x + s1.y, s4.x + s2.y, s5.x + s3.y, s6.x + s4.y, s7.x + s5.y, s6.y, s7.y);
    uint cost3 =
        cost11Mirrored(s0.y, s1.y, s2.y + s0.x, s3.y + s1.x, s4.y + s2.x, s5.y + s3.x, s6.y + s4.x, s7.y + s5.x, s6.x, s7.x);
    uint cost2 = (square(both(s0.x + s0.y)) + square(both(s1.x + s1.y)) + square(both(s2.x + s2.y))
        + square(both(s3.x + s3.y)) + square(both(s4.x + s4.y)) + square(both(s5.x + s5.y)) + square(both(s6.x + s6.y))
        + square(both(s7.x + s7.y))) * 105;
    // Sums of two rows.
    uvec4 t0 = r0 + r1;
    uvec4 t1 = r2 + r3;
    uvec4 t2 = r4 + r5;
    uvec4 t3 = r6 + r7;
    uint cost5 = costOfColumns(t3, t2, t1, t0);
    uint cost7 = costOfColumns(t0, t1, t2, t3);
    uvec4 c = (t0 + t1) + (t2 + t3);
    uint cost6 = (square(low(c.x)) + square(low(c.y)) + square(low(c.z)) + square(low(c.w)) + square(high(c.x))
        + square(high(c.y)) + square(high(c.z)) + square(high(c.w))) * 105;

    uint bestCost = cost0;
    uint direction = 0;
    better(cost1, 1, bestCost, direction);
    better(cost2, 2, bestCost, direction);
    better(cost3, 3, bestCost, direction);
    better(cost4, 4, bestCost, direction);
    better(cost5, 5, bestCost, direction);
    better(cost6, 6, bestCost, direction);
    better(cost7, 7, bestCost, direction);
    uint even = (direction & 2) != 0 ? (direction & 4) != 0 ? cost2 : cost6 : (direction & 4) != 0 ? cost0 : cost4;
    uint odd = (direction & 2) != 0 ? (direction & 4) != 0 ? cost3 : cost7 : (direction & 4) != 0 ? cost1 : cost5;
    uint variance = (bestCost - ((direction & 1) != 0 ? odd : even)) >> 10;
    return uvec2(direction, variance);
}

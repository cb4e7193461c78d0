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
    uvec4 r[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        r[i] = loadRow(block, i);
    }
    uint cost0 = cost15(r[0].x, r[1].x + r[0].y, r[2].x + r[1].y, r[3].x + r[2].y, r[4].x + r[3].y + r[0].z, r[5].x + r[4].y + r[1].z + r[0].w,
        r[6].x + r[5].y + r[2].z + r[1].w, r[7].x + r[6].y + r[3].z + r[2].w, r[7].y + r[4].z + r[3].w, r[5].z + r[4].w, r[6].z + r[5].w, r[7].z + r[6].w, r[7].w);
    uint cost4 = cost15Mirrored(r[0].w, r[1].w + r[0].z, r[2].w + r[1].z, r[3].w + r[2].z, r[4].w + r[3].z + r[0].y, r[5].w + r[4].z + r[1].y + r[0].x,
        r[6].w + r[5].z + r[2].y + r[1].x, r[7].w + r[6].z + r[3].y + r[2].x, r[7].z + r[4].y + r[3].x, r[5].y + r[4].x, r[6].y + r[5].x, r[7].y + r[6].x, r[7].x);

    memoryBarrier();
    [[unroll]] for (uint i = 0; i < 8; i++) {
        r[i] = loadRow(block, i);
    }
    // Sums of neighbours in a row: samples (0 + 1, 2 + 3), (4 + 5, 6 + 7).
    uvec2 s[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        s[i] = r[i].xz + r[i].yw;
    }
    uint cost1 =
        cost11(s[0].x, s[1].x, s[2].x + s[0].y, s[3].x + s[1].y, s[4].x + s[2].y, s[5].x + s[3].y, s[6].x + s[4].y, s[7].x + s[5].y, s[6].y, s[7].y);
    uint cost3 =
        cost11Mirrored(s[0].y, s[1].y, s[2].y + s[0].x, s[3].y + s[1].x, s[4].y + s[2].x, s[5].y + s[3].x, s[6].y + s[4].x, s[7].y + s[5].x, s[6].x, s[7].x);
    uint cost2 = (square(both(s[0].x + s[0].y)) + square(both(s[1].x + s[1].y)) + square(both(s[2].x + s[2].y))
        + square(both(s[3].x + s[3].y)) + square(both(s[4].x + s[4].y)) + square(both(s[5].x + s[5].y)) + square(both(s[6].x + s[6].y))
        + square(both(s[7].x + s[7].y))) * 105;
    // Sums of two rows.
    uvec4 t0 = r[0] + r[1];
    uvec4 t1 = r[2] + r[3];
    uvec4 t2 = r[4] + r[5];
    uvec4 t3 = r[6] + r[7];
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

#version 450
#extension GL_EXT_control_flow_attributes : require

// AV1 CDEF: direction search and variance of 8x8 luma blocks (AV1 specification, 7.15.2), one block an invocation, and the
// strengths of the block that follow from them, packed for the filter pass.
//
// The rows are read twice, for a few directions each, so that all fits the registers of small GPUs; the barrier between the
// two stops compilers from reading once after all.
//
// The search works on sums of samples, not of samples less 128 as the specification does: that adds the same constant to
// the cost of each direction, so neither their order nor the difference that makes the variance changes. A cost stays below
// 840 * 64 * 255^2, which fits 32 bits unsigned.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Zero bits below a 16-bit sample's significant ones.
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
// Whether the last block of a row is cut by the right border.
layout(constant_id = 3) const bool PARTIAL = false;
const uint EVEN_BYTES = 0x00ff00ffu;
const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;

// Not readonly, though nothing writes it here: see above about reading twice.
layout(std430, set = 0, binding = 0) buffer Source {
    uint source[];
};
// Per block: luma, chroma; each pri | sec << 8 | priShift << 16 | secShift << 20 | direction << 24 | filtered << 31.
layout(std430, set = 0, binding = 3) writeonly restrict buffer Blocks {
    uvec2 blocks[];
};
// Strength index + 1 of each 8x8 block, 0 where it is left alone.
layout(std430, set = 0, binding = 4) readonly restrict buffer BlockMap {
    uint blockMap[];
};

// Rows of luma blocks as bytes: the left half of a row of all blocks of a block row, then the right half, then the next row.
layout(std430, set = 0, binding = 5) restrict buffer Staged {
    uint staged[];
};

layout(std140, set = 0, binding = 2) uniform Parameters {
    // Unscaled: luma primary, luma secondary, chroma primary, chroma secondary.
    uvec4 strengths[8];
    uint damping;
    uint useMap;
} parameters;

layout(push_constant) uniform Geometry {
    uint sourceOffset, sourceStride;
    uint width, height, words;
    uint blockColumns;
} g;

// Where making a row bytes takes more than loading it, all rows of a block are made bytes first, in a loop, and kept in
// Staged: unrolled eight times, that code would not fit the registers.
const bool STAGED = PARTIAL || SAMPLE_BYTES == 2;

uint rowAt(uint y) {
    return g.sourceOffset + min(y, g.height - 1) * g.sourceStride;
}

// Four samples from sample x on as bytes; those beyond the end of the row are whatever there is.
uint loadBytes(uint row, uint x) {
    uint last = g.words - 1;
    if (SAMPLE_BYTES == 1) {
        return source[row + min(x >> 2, last)];
    }
    uint column = x >> 1;
    const uint shift = SAMPLE_SHIFT + COEFFICIENT_SHIFT;
    uint left = (source[row + min(column, last)] >> shift) & EVEN_BYTES;
    uint right = (source[row + min(column + 1, last)] >> shift) & EVEN_BYTES;
    left |= left >> 8;
    right |= right >> 8;
    return (left & 0xffffu) | (right << 16);
}

// Where the left half of this block's row is kept.
uint stagedAt(uint row) {
    return (gl_WorkGroupID.y * 16 + row * 2) * g.blockColumns + gl_GlobalInvocationID.x;
}

// Keeps the rows as bytes, the border sample repeated to the right.
void stage(uint x, uint y) {
    uint inside = g.width - x;
    [[dont_unroll]] for (uint row = 0; row < 8; row++) {
        uint from = rowAt(y + row);
        uint a = loadBytes(from, x);
        uint b = loadBytes(from, x + 4);
        if (PARTIAL && inside < 8) {
            uint border = (((inside <= 4 ? a : b) >> (((inside - 1) & 3) * 8)) & 0xffu) * 0x01010101u;
            uint insideA = inside >= 4 ? 0xffffffffu : (1u << (inside * 8)) - 1;
            uint insideB = inside <= 4 ? 0u : (1u << ((inside - 4) * 8)) - 1;
            a = (a & insideA) | (border & ~insideA);
            b = (b & insideB) | (border & ~insideB);
        }
        uint to = stagedAt(row);
        staged[to] = a;
        staged[to + g.blockColumns] = b;
    }
}

// Eight samples of a row, reduced to 8 bit, as pairs of 16-bit halves: (0, 2), (1, 3), (4, 6), (5, 7).
uvec4 loadRow(uint x, uint y, uint row) {
    uint a;
    uint b;
    if (STAGED) {
        uint from = stagedAt(row);
        a = staged[from];
        b = staged[from + g.blockColumns];
    } else {
        uint from = rowAt(y + row) + (x >> 2);
        a = source[from];
        b = source[from + 1];
    }
    return uvec4(a, a >> 8, b, b >> 8) & EVEN_BYTES;
}

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

// The same from four rows of column sums, each row's lines one further than those of the row before.
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

uint pack(uint pri, uint sec, uint damping, uint direction) {
    uint priShift = pri == 0 ? 0 : uint(max(int(damping) - findMSB(pri), 0));
    uint secShift = sec == 0 ? 0 : uint(max(int(damping) - findMSB(sec), 0));
    return pri | (sec << 8) | (priShift << 16) | (secShift << 20) | (direction << 24) | 0x80000000u;
}

void main() {
    uint blockX = gl_GlobalInvocationID.x;
    uint blockY = gl_WorkGroupID.y;
    if (blockX >= g.blockColumns) {
        return;
    }
    uint at = blockY * g.blockColumns + blockX;
    uint x = blockX * 8;
    uint y = blockY * 8;
    if (STAGED) {
        stage(x, y);
    }

    uvec4 r0 = loadRow(x, y, 0);
    uvec4 r1 = loadRow(x, y, 1);
    uvec4 r2 = loadRow(x, y, 2);
    uvec4 r3 = loadRow(x, y, 3);
    uvec4 r4 = loadRow(x, y, 4);
    uvec4 r5 = loadRow(x, y, 5);
    uvec4 r6 = loadRow(x, y, 6);
    uvec4 r7 = loadRow(x, y, 7);
    uint cost0 = cost15(r0.x, r1.x + r0.y, r2.x + r1.y, r3.x + r2.y, r4.x + r3.y + r0.z, r5.x + r4.y + r1.z + r0.w,
        r6.x + r5.y + r2.z + r1.w, r7.x + r6.y + r3.z + r2.w, r7.y + r4.z + r3.w, r5.z + r4.w, r6.z + r5.w, r7.z + r6.w, r7.w);
    uint cost4 = cost15Mirrored(r0.w, r1.w + r0.z, r2.w + r1.z, r3.w + r2.z, r4.w + r3.z + r0.y, r5.w + r4.z + r1.y + r0.x,
        r6.w + r5.z + r2.y + r1.x, r7.w + r6.z + r3.y + r2.x, r7.z + r4.y + r3.x, r5.y + r4.x, r6.y + r5.x, r7.y + r6.x, r7.x);

    memoryBarrierBuffer();
    r0 = loadRow(x, y, 0);
    r1 = loadRow(x, y, 1);
    r2 = loadRow(x, y, 2);
    r3 = loadRow(x, y, 3);
    r4 = loadRow(x, y, 4);
    r5 = loadRow(x, y, 5);
    r6 = loadRow(x, y, 6);
    r7 = loadRow(x, y, 7);
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

    uint strength = parameters.useMap != 0 ? blockMap[at] : 1;
    if (strength == 0) {
        blocks[at] = uvec2(0);
        return;
    }
    uvec4 strengths = parameters.strengths[strength - 1] << COEFFICIENT_SHIFT;
    uint varianceStrength = variance >> 6 == 0 ? 0 : uint(min(findMSB(variance >> 6), 12));
    uint luma = variance == 0 ? 0 : (strengths.x * (4 + varianceStrength) + 8) >> 4;
    uint damping = parameters.damping + COEFFICIENT_SHIFT;
    blocks[at] = uvec2(
        pack(luma, strengths.y, damping, strengths.x == 0 ? 0 : direction),
        pack(strengths.z, strengths.w, damping - 1, strengths.z == 0 ? 0 : direction));
}

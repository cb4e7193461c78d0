#version 450

// AV1 CDEF: direction search and variance of 8x8 luma blocks (AV1 specification, 7.15.2), one block an invocation, and the
// strengths of the block that follow from them, packed for the filter pass.
//
// The search works on sums of samples, not of samples less 128 as the specification does: that adds the same constant to
// the cost of each direction, so neither their order nor the difference that makes the variance changes. A cost stays below
// 840 * 64 * 255^2, which fits 32 bits unsigned.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Zero bits below a 16-bit sample's significant ones.
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
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

layout(std140, set = 0, binding = 2) uniform Parameters {
    // Unscaled: luma primary, luma secondary, chroma primary, chroma secondary.
    uvec4 strengths[8];
    uint damping;
    uint useMap;
} parameters;

layout(push_constant) uniform Geometry {
    uint sourceOffset, sourceStride;
    uint width, height, words;
    uint blockColumns, blockRows;
} g;

// Eight samples of a row, reduced to 8 bit, as pairs of 16-bit halves: (0, 2), (1, 3), (4, 6), (5, 7).
uvec4 loadRow(uint x, uint y) {
    uint row = g.sourceOffset + min(y, g.height - 1) * g.sourceStride;
    uint last = g.words - 1;
    uint inside = g.width - x;
    if (SAMPLE_BYTES == 1) {
        uint column = x >> 2;
        uint a = source[row + column];
        uint b = source[row + min(column + 1, last)];
        if (inside < 8) {
            // The border sample repeats to the right.
            uint lastByte = inside - 1;
            uint border = ((lastByte < 4 ? a : b) >> ((lastByte & 3) * 8)) & 0xffu;
            border *= 0x01010101u;
            uint maskB = inside > 4 ? 0xffffffffu >> ((8 - inside) * 8) : 0u;
            uint maskA = inside >= 4 ? 0xffffffffu : 0xffffffffu >> ((4 - inside) * 8);
            a = (a & maskA) | (border & ~maskA);
            b = (b & maskB) | (border & ~maskB);
        }
        return uvec4(a, a >> 8, b, b >> 8) & 0x00ff00ffu;
    } else {
        uint column = x >> 1;
        uvec4 w = uvec4(
            source[row + column],
            source[row + min(column + 1, last)],
            source[row + min(column + 2, last)],
            source[row + min(column + 3, last)]);
        w = (w >> (SAMPLE_SHIFT + COEFFICIENT_SHIFT)) & 0x00ff00ffu;
        if (inside < 8) {
            uint lastSample = inside - 1;
            uint holder = lastSample < 4 ? (lastSample < 2 ? w.x : w.y) : (lastSample < 6 ? w.z : w.w);
            uint border = (holder >> ((lastSample & 1) * 16)) & 0xffffu;
            border |= border << 16;
            uvec4 first = uvec4(0, 2, 4, 6);
            uvec4 mask = mix(uvec4(0), uvec4(0xffffu), lessThan(first, uvec4(inside)))
                | mix(uvec4(0), uvec4(0xffff0000u), lessThan(first + 1, uvec4(inside)));
            w = (w & mask) | (border & ~mask);
        }
        uvec2 low = w.xz & 0xffffu;
        uvec2 lowNext = w.yw & 0xffffu;
        uvec2 high = w.xz >> 16;
        uvec2 highNext = w.yw >> 16;
        uvec2 evenPairs = low | (lowNext << 16);
        uvec2 oddPairs = high | (highNext << 16);
        return uvec4(evenPairs.x, oddPairs.x, evenPairs.y, oddPairs.y);
    }
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

// Cost of a direction with 15 lines of 1, 2, … 8, … 2, 1 samples. p0…p12 are the sums of the lines at their index in the low
// half and two on in the high half.
uint costOf15(uint p0, uint p1, uint p2, uint p3, uint p4, uint p5, uint p6, uint p7, uint p8, uint p9, uint p10, uint p11,
        uint p12) {
    uint cost = (square(low(p0)) + square(high(p12))) * 840;
    cost += (square(low(p1)) + square(high(p11))) * 420;
    cost += (square(low(p2) + high(p0)) + square(low(p12) + high(p10))) * 280;
    cost += (square(low(p3) + high(p1)) + square(low(p11) + high(p9))) * 210;
    cost += (square(low(p4) + high(p2)) + square(low(p10) + high(p8))) * 168;
    cost += (square(low(p5) + high(p3)) + square(low(p9) + high(p7))) * 140;
    cost += (square(low(p6) + high(p4)) + square(low(p8) + high(p6))) * 120;
    cost += square(low(p7) + high(p5)) * 105;
    return cost;
}

// Cost of a direction with 11 lines of 2, 4, 6, 8, 8, 8, 8, 8, 6, 4, 2 samples, given as the sums.
uint costOf11(uint s0, uint s1, uint s2, uint s3, uint s4, uint s5, uint s6, uint s7, uint s8, uint s9, uint s10) {
    return (square(s0) + square(s10)) * 420 + (square(s1) + square(s9)) * 210 + (square(s2) + square(s8)) * 140
        + (square(s3) + square(s4) + square(s5) + square(s6) + square(s7)) * 105;
}

// The same from sums that hold their line in the low half and the next in the high half.
uint costOfNeighbours(uint p0, uint p1, uint p2, uint p3, uint p4, uint p5, uint p6, uint p7, uint p8, uint p9) {
    return costOf11(low(p0), low(p1) + high(p0), low(p2) + high(p1), low(p3) + high(p2), low(p4) + high(p3),
        low(p5) + high(p4), low(p6) + high(p5), low(p7) + high(p6), low(p8) + high(p7), low(p9) + high(p8), high(p9));
}

// The same from four rows of column sums, each row's lines one further than those of the row before.
uint costOfColumns(uvec4 t0, uvec4 t1, uvec4 t2, uvec4 t3) {
    uint p0 = t0.x;
    uint p1 = t1.x + t0.y;
    uint p2 = t2.x + t1.y;
    uint p3 = t3.x + t2.y;
    uint p4 = t3.y + t0.z;
    uint p5 = t1.z + t0.w;
    uint p6 = t2.z + t1.w;
    uint p7 = t3.z + t2.w;
    uint p8 = t3.w;
    return costOf11(low(p0), low(p1), low(p2) + high(p0), low(p3) + high(p1), low(p4) + high(p2), low(p5) + high(p3),
        low(p6) + high(p4), low(p7) + high(p5), low(p8) + high(p6), high(p7), high(p8));
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
    uvec4 r0 = loadRow(x, y);
    uvec4 r1 = loadRow(x, y + 1);
    uvec4 r2 = loadRow(x, y + 2);
    uvec4 r3 = loadRow(x, y + 3);
    uvec4 r4 = loadRow(x, y + 4);
    uvec4 r5 = loadRow(x, y + 5);
    uvec4 r6 = loadRow(x, y + 6);
    uvec4 r7 = loadRow(x, y + 7);

    uint cost0 = costOf15(r0.x, r1.x + r0.y, r2.x + r1.y, r3.x + r2.y, r4.x + r3.y + r0.z, r5.x + r4.y + r1.z + r0.w,
        r6.x + r5.y + r2.z + r1.w, r7.x + r6.y + r3.z + r2.w, r7.y + r4.z + r3.w, r5.z + r4.w, r6.z + r5.w, r7.z + r6.w, r7.w);
    // Mirrored: from right to left, with the halves exchanged.
#define TURN(pair) (((pair) >> 16) | ((pair) << 16))
    uint cost4 = costOf15(TURN(r0.w), TURN(r1.w + r0.z), TURN(r2.w + r1.z), TURN(r3.w + r2.z), TURN(r4.w + r3.z + r0.y),
        TURN(r5.w + r4.z + r1.y + r0.x), TURN(r6.w + r5.z + r2.y + r1.x), TURN(r7.w + r6.z + r3.y + r2.x),
        TURN(r7.z + r4.y + r3.x), TURN(r5.y + r4.x), TURN(r6.y + r5.x), TURN(r7.y + r6.x), TURN(r7.x));

    // Sums of neighbours in a row: samples (0 + 1, 2 + 3), (4 + 5, 6 + 7).
    uvec2 s0 = r0.xz + r0.yw;
    uvec2 s1 = r1.xz + r1.yw;
    uvec2 s2 = r2.xz + r2.yw;
    uvec2 s3 = r3.xz + r3.yw;
    uvec2 s4 = r4.xz + r4.yw;
    uvec2 s5 = r5.xz + r5.yw;
    uvec2 s6 = r6.xz + r6.yw;
    uvec2 s7 = r7.xz + r7.yw;
    uint cost1 = costOfNeighbours(s0.x, s1.x, s2.x + s0.y, s3.x + s1.y, s4.x + s2.y, s5.x + s3.y, s6.x + s4.y, s7.x + s5.y,
        s6.y, s7.y);
    uint cost3 = costOfNeighbours(TURN(s0.y), TURN(s1.y), TURN(s2.y + s0.x), TURN(s3.y + s1.x), TURN(s4.y + s2.x),
        TURN(s5.y + s3.x), TURN(s6.y + s4.x), TURN(s7.y + s5.x), TURN(s6.x), TURN(s7.x));
#define ROW_SUM(s) (low((s).x + (s).y) + high((s).x + (s).y))
    uint cost2 = (square(ROW_SUM(s0)) + square(ROW_SUM(s1)) + square(ROW_SUM(s2)) + square(ROW_SUM(s3)) + square(ROW_SUM(s4))
        + square(ROW_SUM(s5)) + square(ROW_SUM(s6)) + square(ROW_SUM(s7))) * 105;

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

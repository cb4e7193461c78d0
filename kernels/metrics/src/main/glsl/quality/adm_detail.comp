// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// What of a scale's detail the eye sees: the additive detail metric. A workgroup takes ROWS whole rows, COLUMNS coefficients at a time;
// each invocation stays in its row and adds up cubes there. Sums of 64 bits are two words, the low one first.

layout(local_size_x_id = 0) in;
// The first scale has constants of its own.
layout(constant_id = 1) const bool FIRST = true;
layout(constant_id = 2) const uint THRESHOLD_SHIFT = 10;
layout(constant_id = 3) const uint DIAGONAL_THRESHOLD_SHIFT = 12;
layout(constant_id = 4) const uint SQUARE_SHIFT = 29;
layout(constant_id = 5) const uint DIAGONAL_SQUARE_SHIFT = 30;
layout(constant_id = 6) const uint CUBE_SHIFT = 6;
layout(constant_id = 7) const uint DIAGONAL_CUBE_SHIFT = 7;
layout(constant_id = 8) const uint REFERENCE_SQUARE_SHIFT = 0;
layout(constant_id = 9) const uint REFERENCE_CUBE_SHIFT = 0;
// The second sum is of what was added, masked by what the reference has; both with a gain limit of 1. Else it is of what the reference has
// with that limit, and the first sum is without.
layout(constant_id = 10) const bool IMPAIRMENTS = false;

#include "quality/pair.glsl"
layout(std430, set = 0, binding = 4) readonly restrict buffer Bands {
    int bands[];
};

layout(push_constant) uniform AdmDetailGeometry {
    uint width, height;
    uint left, right, top, bottom;
    uint resultsAt;
    uint weight, diagonalWeight;
    // A thirtieth and a fifteenth.
    uint thirtieth, fifteenth;
    // The square of the cosine of 1 degree, with 24 bits behind the point.
    uint cosineSquared;
    uint gainLimit;
} g;

const uint COLUMNS = 64;
const uint ROWS = 4;
const uint INVOCATIONS = COLUMNS * ROWS;
const uint WIDE = COLUMNS + 2;
const uint HIGH = ROWS + 2;
const int ONE = 32768;
const uint SUMS = 9;

// A thirtieth of what masks, for the first and the second sum.
shared int thirtieths[2 * WIDE * HIGH];
shared uint partLow[3 * INVOCATIONS];
shared uint partHigh[3 * INVOCATIONS];

// A coefficient of the picture, split: what may be seen of it, weighted, for both sums, and shares of what masks that.
struct Split {
    ivec3 seen;
    ivec3 seenSecond;
    ivec2 thirtieth;
    ivec2 fifteenth;
};

uvec2 add(uvec2 a, uvec2 b) {
    uint carry;
    uint low = uaddCarry(a.x, b.x, carry);
    return uvec2(low, a.y + b.y + carry);
}

uvec2 multiply(uint a, uint b) {
    uvec2 product;
    umulExtended(a, b, product.y, product.x);
    return product;
}

uvec2 shiftDown(uvec2 value, uint shift) {
    return uvec2(value.x >> shift | value.y << (32 - shift), value.y >> shift);
}

uvec2 shiftDownRounded(uvec2 value, uint shift) {
    return shiftDown(add(value, uvec2(1u << (shift - 1), 0)), shift);
}

// Rounded to 24 bits, to even; y is the exponent.
uvec2 single(uvec2 value) {
    int top = value.y != 0 ? 32 + findMSB(value.y) : findMSB(value.x);
    if (top < 24) {
        return uvec2(value.x, 0);
    }
    uint shift = uint(top - 23);
    uvec2 cut = shift < 32 ? shiftDown(value, shift) : uvec2(value.y >> (shift - 32), 0);
    uvec2 rest = shift < 32 ? uvec2(value.x & ((1u << shift) - 1), 0)
                            : uvec2(value.x, shift == 32 ? 0 : value.y & ((1u << (shift - 32)) - 1));
    uvec2 middle = shift <= 32 ? uvec2(1u << (shift - 1), 0) : uvec2(0, 1u << (shift - 33));
    bool above = rest.y > middle.y || (rest.y == middle.y && rest.x > middle.x);
    bool tie = rest == middle;
    return uvec2(cut.x + (above || (tie && (cut.x & 1) == 1) ? 1 : 0), shift);
}

float approximate(uvec2 value) {
    return float(value.y) * 4294967296.0 + float(value.x);
}

// True if the angle between two vectors is below 1 degree. Lengths and product are rounded to 24 bits, then compared exactly.
bool isSameAngle(ivec2 o, ivec2 t) {
    uvec2 a = uvec2(abs(o));
    uvec2 b = uvec2(abs(t));
    uvec2 first = multiply(a.x, b.x);
    uvec2 second = multiply(a.y, b.y);
    bool minusFirst = (o.x ^ t.x) < 0;
    bool minusSecond = (o.y ^ t.y) < 0;
    uvec2 product;
    if (minusFirst == minusSecond) {
        product = add(first, second);
        if (minusFirst && product != uvec2(0)) {
            return false;
        }
    } else {
        uvec2 plus = minusFirst ? second : first;
        uvec2 minus = minusFirst ? first : second;
        if (plus.y < minus.y || (plus.y == minus.y && plus.x < minus.x)) {
            return false;
        }
        uint borrow;
        product.x = usubBorrow(plus.x, minus.x, borrow);
        product.y = plus.y - minus.y - borrow;
    }
    uvec2 ofReference = add(multiply(a.x, a.x), multiply(a.y, a.y));
    uvec2 ofPicture = add(multiply(b.x, b.x), multiply(b.y, b.y));
    float near = approximate(product);
    if (near * near < 0.99 * approximate(ofReference) * approximate(ofPicture)) {
        return false;
    }
    uvec2 p = single(product);
    uvec2 r = single(ofReference);
    uvec2 q = single(ofPicture);
    if (r.x == 0 || q.x == 0) {
        return true;
    }
    // p.x^2 2^(2 p.y + 24) against cosineSquared r.x q.x 2^(r.y + q.y). The first power is the greater one.
    uint shift = 2 * p.y + 24 - r.y - q.y;
    uvec2 squared = multiply(p.x, p.x);
    uvec3 mine = uvec3(squared.x << shift, shiftDown(squared, 32 - shift));
    uvec2 lengths = multiply(r.x, q.x);
    uvec2 lower = multiply(lengths.x, g.cosineSquared);
    uvec2 upper = add(multiply(lengths.y, g.cosineSquared), uvec2(lower.y, 0));
    if (mine.z != upper.y) {
        return mine.z > upper.y;
    }
    return mine.y != upper.x ? mine.y > upper.x : mine.x >= lower.x;
}

// The share of the reference's coefficient that the picture has, 0 to 1, with 15 bits behind the point.
int share(int reference, int picture) {
    if (reference == 0) {
        return ONE;
    }
    if ((reference ^ picture) < 0) {
        return 0;
    }
    uint size = uint(abs(reference));
    uint shift = 0;
    if (size >= 32768) {
        shift = uint(findMSB(size) - 14);
        size = (size + (1u << (shift - 1))) >> shift;
    }
    uvec2 share = shiftDownRounded(multiply(1073741824u / size, uint(abs(picture))), 15 + shift);
    return share.y != 0 ? ONE : int(min(share.x, uint(ONE)));
}

int restored(int share, int reference) {
    return share * (reference >> 15) + ((share * (reference & 32767) + ONE / 2) >> 15);
}

// Detail that goes beyond the reference in its own direction counts as the reference's, up to the gain limit.
int enhance(int reference, int restored, int picture, uint gain) {
    uint own = uint(abs(restored));
    uint wanted = uint(abs(picture));
    uint least = own > wanted / gain ? wanted : own * gain;
    return reference > 0 ? int(least) : -int(least);
}

int weighted(uint weight, int value) {
    int high;
    int low;
    imulExtended(int(weight), value, high, low);
    uint carry;
    uint rounded = uaddCarry(uint(low), 1u << 27, carry);
    return int((uint(high) + carry) << 4 | rounded >> 28);
}

int shareOf(uint factor, int size) {
    uvec2 product = multiply(factor, uint(size));
    return int(product.y) - (product.x < 0x80000000u ? 1 : 0);
}

ivec2 shares(ivec3 added) {
    if (FIRST) {
        // libvmaf adds more for the diagonal than would round.
        ivec3 sums = ivec3(
            (int(g.weight) * added.x + 16384) >> 15,
            (int(g.weight) * added.y + 16384) >> 15,
            (int(g.diagonalWeight) * added.z + 65535) >> 17);
        ivec3 size = abs((sums << 16) >> 16);
        ivec3 a = (((int(g.thirtieth) * size + 2048) >> 12) << 16) >> 16;
        ivec3 b = (((int(g.fifteenth) * size + 2048) >> 12) << 16) >> 16;
        return ivec2(a.x + a.y + a.z, b.x + b.y + b.z);
    }
    ivec3 size = abs(ivec3(weighted(g.weight, added.x), weighted(g.weight, added.y), weighted(g.diagonalWeight, added.z)));
    return ivec2(
        shareOf(g.thirtieth, size.x) + shareOf(g.thirtieth, size.y) + shareOf(g.thirtieth, size.z),
        shareOf(g.fifteenth, size.x) + shareOf(g.fifteenth, size.y) + shareOf(g.fifteenth, size.z));
}

ivec3 weigh(ivec3 detail) {
    if (FIRST) {
        return detail * ivec3(g.weight, g.weight, g.diagonalWeight);
    }
    return ivec3(weighted(g.weight, detail.x), weighted(g.weight, detail.y), weighted(g.diagonalWeight, detail.z));
}

Split split(uint x, uint y) {
    uint count = g.width * g.height;
    uint at = y * g.width + x;
    ivec3 o = ivec3(bands[at], bands[at + count], bands[at + 2 * count]);
    ivec3 t = ivec3(bands[at + 3 * count], bands[at + 4 * count], bands[at + 5 * count]);
    bool enhanced = isSameAngle(o.xy, t.xy);
    ivec3 own;
    ivec3 limited;
    for (int i = 0; i < 3; i++) {
        int part = share(o[i], t[i]);
        own[i] = restored(part, o[i]);
        limited[i] = own[i];
        if (enhanced && part > 0 && o[i] != 0) {
            limited[i] = enhance(o[i], own[i], t[i], 1);
            own[i] = enhance(o[i], own[i], t[i], g.gainLimit);
        }
    }
    ivec3 first = IMPAIRMENTS ? limited : own;
    ivec3 second = IMPAIRMENTS ? t - limited : limited;
    ivec2 masksFirst = shares(t - first);
    ivec2 masksSecond = shares(t - second);
    return Split(weigh(first), weigh(second), ivec2(masksFirst.x, masksSecond.x), ivec2(masksFirst.y, masksSecond.y));
}

uvec2 cube(int detail, int threshold, uint squareShift, uint cubeShift) {
    uint visible = uint(max(abs(detail) - threshold, 0));
    uint square = shiftDownRounded(multiply(visible, visible), squareShift).x;
    return shiftDownRounded(multiply(square, visible), cubeShift);
}

uvec2 referenceCube(int detail) {
    uint size = uint(abs(detail));
    if (FIRST) {
        return multiply(size * size, size);
    }
    uint carry;
    uvec2 square = multiply(size, size);
    square = add(square, REFERENCE_SQUARE_SHIFT == 31 ? uvec2(0x80000000u, 0) : uvec2(0x40000000u, 0));
    return shiftDownRounded(multiply(shiftDown(square, REFERENCE_SQUARE_SHIFT).x, size), REFERENCE_CUBE_SHIFT);
}

// The row or column that stands for one beyond the ends.
uint neighbour(int at, uint size) {
    return at < 0 ? uint(-at) : min(uint(at), size - 1);
}

void put(uint which, uvec2 sum) {
    partLow[which * INVOCATIONS + gl_LocalInvocationID.x] = sum.x;
    partHigh[which * INVOCATIONS + gl_LocalInvocationID.x] = sum.y;
}

// Adds three sums up over the invocations of each row.
void addUp(uint firstSum, uvec2 a, uvec2 b, uvec2 c) {
    uint id = gl_LocalInvocationID.x;
    barrier();
    put(0, a);
    put(1, b);
    put(2, c);
    for (uint step = COLUMNS / 2; step > 0; step /= 2) {
        barrier();
        if (id % COLUMNS < step) {
            for (uint i = 0; i < 3; i++) {
                uint at = i * INVOCATIONS + id;
                uvec2 sum = add(uvec2(partLow[at], partHigh[at]), uvec2(partLow[at + step], partHigh[at + step]));
                partLow[at] = sum.x;
                partHigh[at] = sum.y;
            }
        }
    }
    barrier();
    uint row = gl_WorkGroupID.x * ROWS + id / COLUMNS;
    if (id % COLUMNS < 3 && g.top + row < g.bottom) {
        uint from = (id % COLUMNS) * INVOCATIONS + id / COLUMNS * COLUMNS;
        uint to = g.resultsAt + 2 * (row * SUMS + firstSum + id % COLUMNS);
        results[to] = partLow[from];
        results[to + 1] = partHigh[from];
    }
}

void main() {
    uint id = gl_LocalInvocationID.x;
    uint ownColumn = id % COLUMNS;
    uint ownRow = id / COLUMNS;
    int top = int(g.top + gl_WorkGroupID.x * ROWS);
    uint y = uint(top) + ownRow;
    uvec2 sums[SUMS];
    for (uint i = 0; i < SUMS; i++) {
        sums[i] = uvec2(0);
    }
    for (uint left = g.left; left < g.right; left += COLUMNS) {
        uint x = left + ownColumn;
        bool inside = x < g.right && y < g.bottom;
        Split own = split(min(x, g.width - 1), min(y, g.height - 1));
        barrier();
        uint at = (ownRow + 1) * WIDE + ownColumn + 1;
        thirtieths[at] = own.thirtieth.x;
        thirtieths[WIDE * HIGH + at] = own.thirtieth.y;
        // The frame around: the rows above and below, then the columns beside.
        uint frame = 2 * WIDE + 2 * ROWS;
        if (id < frame) {
            uint frameX = id < 2 * WIDE ? id % WIDE : (id & 1) * (WIDE - 1);
            uint frameY = id < 2 * WIDE ? id / WIDE * (HIGH - 1) : 1 + (id - 2 * WIDE) / 2;
            Split beside = split(
                neighbour(int(left + frameX) - 1, g.width), neighbour(top + int(frameY) - 1, g.height));
            uint to = frameY * WIDE + frameX;
            thirtieths[to] = beside.thirtieth.x;
            thirtieths[WIDE * HIGH + to] = beside.thirtieth.y;
        }
        barrier();
        if (inside) {
            // The last row and column stand for those beyond.
            uint beforeX = x == 0 ? at + 1 : at - 1;
            uint before = beforeX - at;
            uint after = x == g.width - 1 ? 0 : 1;
            uint above = y == 0 ? WIDE : -WIDE;
            uint below = y == g.height - 1 ? 0 : WIDE;
            ivec2 threshold = own.fifteenth;
            for (uint i = 0; i < 2; i++) {
                uint centre = i * WIDE * HIGH + at;
                threshold[i] += thirtieths[centre + above + before] + thirtieths[centre + above]
                    + thirtieths[centre + above + after] + thirtieths[centre + before] + thirtieths[centre + after]
                    + thirtieths[centre + below + before] + thirtieths[centre + below]
                    + thirtieths[centre + below + after];
            }
            ivec2 plain = threshold << THRESHOLD_SHIFT;
            ivec2 diagonal = threshold << DIAGONAL_THRESHOLD_SHIFT;
            sums[0] = add(sums[0], cube(own.seen.x, plain.x, SQUARE_SHIFT, CUBE_SHIFT));
            sums[1] = add(sums[1], cube(own.seen.y, plain.x, SQUARE_SHIFT, CUBE_SHIFT));
            sums[2] = add(sums[2], cube(own.seen.z, diagonal.x, DIAGONAL_SQUARE_SHIFT, DIAGONAL_CUBE_SHIFT));
            sums[3] = add(sums[3], cube(own.seenSecond.x, plain.y, SQUARE_SHIFT, CUBE_SHIFT));
            sums[4] = add(sums[4], cube(own.seenSecond.y, plain.y, SQUARE_SHIFT, CUBE_SHIFT));
            sums[5] = add(sums[5], cube(own.seenSecond.z, diagonal.y, DIAGONAL_SQUARE_SHIFT, DIAGONAL_CUBE_SHIFT));
            uint count = g.width * g.height;
            uint from = y * g.width + x;
            sums[6] = add(sums[6], referenceCube(bands[from]));
            sums[7] = add(sums[7], referenceCube(bands[from + count]));
            sums[8] = add(sums[8], referenceCube(bands[from + 2 * count]));
        }
    }
    addUp(0, sums[0], sums[1], sums[2]);
    addUp(3, sums[3], sums[4], sums[5]);
    addUp(6, sums[6], sums[7], sums[8]);
}

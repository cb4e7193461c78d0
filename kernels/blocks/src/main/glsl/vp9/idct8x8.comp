// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM idct8x8_plain: PLAIN_EXCHANGE

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_basic : require

// VP9 inverse DCT of 8x8 blocks, added to the picture, 8 bit (VP9 specification, 8.7.1.2 and 8.7.2). Four invocations share a block.
// Each transforms two rows and, after an exchange, two columns.
//
// The first pass leaves pairs of neighbouring columns in words: each half holds a value plus 32768. The bias keeps one half from
// borrowing from the other, so a pair is added by one addition; all other constants take the bias into account. Intermediate values
// must fit 16 bits, as they do in conforming streams.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 0) readonly restrict buffer Coefficients {
    uvec4 coefficients[];
};
layout(std430, set = 0, binding = 1) restrict buffer Picture {
#ifdef PLAIN_EXCHANGE
    uint picture[];
#else
    uint16_t picture[];
#endif
};
layout(std140, set = 0, binding = 2) readonly restrict buffer RunCount {
    uint count;
} run;
struct Vp9IdctRecord {
    uint offset;
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    Vp9IdctRecord records[];
};

layout(push_constant) uniform Vp9IdctCall {
    // In the units of picture[]; the last offset at which a block lies in the picture, in bytes.
    uint stride;
    uint lastOffset;
} call;

#include "common/exchange.glsl"
#include "common/transpose.glsl"

const int HALF = 8192;
const int BIAS = 32768;
// cos(k pi / 64), scaled by 2 to the power of 14.
const int C4 = 16069;
const int C8 = 15137;
const int C12 = 13623;
const int C16 = 11585;
const int C20 = 9102;
const int C24 = 6270;
const int C28 = 3196;

uint swapHalves(uint pair) {
    return (pair << 16) | (pair >> 16);
}

// A row. Its columns are pairs (0, 1), (2, 3), (4, 5), (6, 7), with the even one in the low half. A rotation
// (x a - y b, x b + y a) costs three products: (x + y) a - y (a + b) and (x + y) a + x (b - a).
uvec4 transformRow(uvec4 row) {
    ivec4 even = ivec4(row << 16) >> 16;
    ivec4 odd = ivec4(row) >> 16;
    int u = even.x * C16 + (HALF + (BIAS << 14));
    int v = even.z * C16;
    int a0 = (u + v) >> 14;
    int a1 = (u - v) >> 14;
    int m = (even.y + even.w) * C24 + HALF;
    int a2 = (m - even.w * (C8 + C24)) >> 14;
    int a3 = (m + even.y * (C8 - C24)) >> 14;
    m = (odd.x + odd.w) * C28 + HALF;
    int b4 = (m - odd.w * (C4 + C28)) >> 14;
    int b7 = (m + odd.x * (C4 - C28)) >> 14;
    m = (odd.z + odd.y) * C12 + HALF;
    int b5 = (m - odd.y * (C12 + C20)) >> 14;
    int b6 = (m + odd.z * (C20 - C12)) >> 14;
    int c5 = b4 - b5;
    int c6 = b7 - b6;
    u = c6 * C16 + HALF;
    v = c5 * C16;
    int o5 = (u - v) >> 14;
    int o6 = (u + v) >> 14;
    int a = a0 + (a1 << 16);
    int b = a3 + (a2 << 16);
    int outer = (b7 + b6) + (o6 << 16);
    int inner = (b4 + b5) + (o5 << 16);
    int e01 = a + b;
    int e32 = a - b;
    return uvec4(e01 + outer, swapHalves(uint(e32 + inner)), e32 - inner, swapHalves(uint(e01 - outer)));
}

// Transforms a column of biased values, of even rows and of odd ones, and rounds the result to samples.
int[8] transformColumn(ivec4 even, ivec4 odd) {
    // Includes the 16 of the final rounding.
    int u = even.x * C16 + (HALF + (16 << 14) - BIAS * C16);
    int v = even.z * C16 - BIAS * C16;
    int a0 = (u + v) >> 14;
    int a1 = (u - v) >> 14;
    int m = (even.y + even.w) * C24;
    int a2 = (m - even.w * (C8 + C24) + (HALF + BIAS * (C8 - C24))) >> 14;
    int a3 = (m + even.y * (C8 - C24) + (HALF - BIAS * (C8 + C24))) >> 14;
    m = (odd.x + odd.w) * C28;
    int b4 = (m - odd.w * (C4 + C28) + (HALF + BIAS * (C4 - C28))) >> 14;
    int b7 = (m + odd.x * (C4 - C28) + (HALF - BIAS * (C4 + C28))) >> 14;
    m = (odd.z + odd.y) * C12;
    int b5 = (m - odd.y * (C12 + C20) + (HALF + BIAS * (C20 - C12))) >> 14;
    int b6 = (m + odd.z * (C20 - C12) + (HALF - BIAS * (C12 + C20))) >> 14;
    int c5 = b4 - b5;
    int c6 = b7 - b6;
    u = c6 * C16 + HALF;
    v = c5 * C16;
    int o5 = (u - v) >> 14;
    int o6 = (u + v) >> 14;
    int o4 = b4 + b5;
    int o7 = b7 + b6;
    int e0 = a0 + a3;
    int e1 = a1 + a2;
    int e2 = a1 - a2;
    int e3 = a0 - a3;
    return int[8](
        (e0 + o7) >> 5, (e1 + o6) >> 5, (e2 + o5) >> 5, (e3 + o4) >> 5,
        (e3 - o4) >> 5, (e2 - o5) >> 5, (e1 - o6) >> 5, (e0 - o7) >> 5);
}

ivec4 low(uvec4 pairs) {
    return ivec4(pairs & 0xffffu);
}

ivec4 high(uvec4 pairs) {
    return ivec4(pairs >> 16);
}

// Adds to two neighbouring samples.
uint added(uint samples, int left, int right) {
    int a = clamp(int(samples & 0xffu) + left, 0, 255);
    int b = clamp(int(samples >> 8) + right, 0, 255);
    return uint(a | (b << 8));
}

#ifdef PLAIN_EXCHANGE
uint pairOf(int left, int right) {
    return uint((left & 0xffff) | (right << 16));
}

// Adds to four neighbouring samples.
void addWord(uint at, uint leftPair, uint rightPair) {
    uint samples = picture[at];
    uint left = added(samples & 0xffffu, int(leftPair << 16) >> 16, int(leftPair) >> 16);
    uint right = added(samples >> 16, int(rightPair << 16) >> 16, int(rightPair) >> 16);
    picture[at] = left | (right << 16);
}

// Two invocations exchange half of their rows, because they share words of the picture.
void addColumns(uint at, bool inRange, bool upper, int even[8], int odd[8]) {
    uint pairs[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        pairs[i] = pairOf(even[i], odd[i]);
    }
    [[unroll]] for (uint i = 0; i < 4; i++) {
        exchange(pairs[i], pairs[i + 4], upper, 1);
    }
    if (inRange) {
        at += upper ? 4 * call.stride : 0;
        [[unroll]] for (uint i = 0; i < 4; i++) {
            addWord(at + i * call.stride, pairs[i], pairs[i + 4]);
        }
    }
}
#endif

void main() {
    uint id = gl_GlobalInvocationID.x;
    uint block = id >> 2;
#ifdef PLAIN_EXCHANGE
    bool inRange = block < run.count;
    block = min(block, run.count - 1);
    uint row = block * 8 + (id & 3) * 2;
#else
    if (block >= run.count) {
        return;
    }
    uint row = id * 2;
#endif
    uvec4 a = transformRow(coefficients[row]);
    uvec4 b = transformRow(coefficients[row + 1]);
    bool upper2 = (id & 2) != 0;
    bool upper1 = (id & 1) != 0;
    exchangeAll(a, upper2, upper1);
    exchangeAll(b, upper2, upper1);
    int even[8] = transformColumn(low(a), low(b));
    int odd[8] = transformColumn(high(a), high(b));
#ifdef PLAIN_EXCHANGE
    addColumns((min(records[block].offset, call.lastOffset) >> 2) + ((id >> 1) & 1), inRange, upper1, even, odd);
#else
    uint at[8];
    at[0] = (min(records[block].offset, call.lastOffset) >> 2) * 2 + (id & 3);
    [[unroll]] for (uint i = 1; i < 8; i++) {
        at[i] = at[i - 1] + call.stride;
    }
    // Four loads at a time. More of them would halve the number of threads on V3D.
    [[unroll]] for (uint first = 0; first < 8; first += 4) {
        uint samples[4];
        [[unroll]] for (uint i = 0; i < 4; i++) {
            samples[i] = uint(picture[at[first + i]]);
        }
        [[unroll]] for (uint i = 0; i < 4; i++) {
            picture[at[first + i]] = uint16_t(added(samples[i], even[first + i], odd[first + i]));
        }
    }
#endif
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM block_plain: PLAIN_EXCHANGE

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_basic : require

// Shrinkage of blocks of 8x8 numbers (the call Shrinkage of the block library): what it takes away of each block, and the block's weight.
// Four invocations share a block. Each transforms two columns and, after an exchange, two rows; and back. Between invocations, and in
// buffers, two neighbours of a row share a word. Numbers of up to 1023, their columns transformed, and what is taken away fit 16 bits.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 0) readonly restrict buffer Blocks {
    uint blocks[];
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer Removed {
    uint removed[];
};
layout(std140, set = 0, binding = 2) readonly restrict buffer RunCount {
    uint count;
} run;
struct ShrinkageRecord {
    uint threshold;
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    ShrinkageRecord records[];
};
layout(std430, set = 0, binding = 4) writeonly restrict buffer Weights {
    uint weights[];
};

#include "common/exchange.glsl"
#include "common/transpose.glsl"
#include "shrinkage/transform.glsl"

const uint BLOCK_WORDS = 32;
const uint ROW_WORDS = 4;
const uint LARGEST_THRESHOLD = 3072;

int low(uint pair) {
    return int(pair << 16) >> 16;
}

int high(uint pair) {
    return int(pair) >> 16;
}

uint pairOf(int left, int right) {
    return uint((left & 0xffff) | (right << 16));
}

// The threshold of a class of coefficients, whose basis has a length of norm / 256.
int thresholdOf(uint threshold, uint norm) {
    return int((threshold * norm + 2048) >> 12);
}

// What is taken away of a coefficient, scaled for the inverse transform.
int taken(int coefficient, int threshold, int scale, inout int large) {
    int left = threshold - abs(coefficient);
    large -= left >> 31;
    int limit = max(left, 0);
    return (clamp(coefficient, -limit, limit) * scale + 32) >> 6;
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    uint block = id >> 2;
    uint column = id & 3;
#ifdef PLAIN_EXCHANGE
    bool inRange = block < run.count;
    block = min(block, run.count - 1);
#else
    if (block >= run.count) {
        return;
    }
#endif
    uint first = block * BLOCK_WORDS + column;
    uint w0 = blocks[first + 0 * ROW_WORDS];
    uint w1 = blocks[first + 1 * ROW_WORDS];
    uint w2 = blocks[first + 2 * ROW_WORDS];
    uint w3 = blocks[first + 3 * ROW_WORDS];
    uint w4 = blocks[first + 4 * ROW_WORDS];
    uint w5 = blocks[first + 5 * ROW_WORDS];
    uint w6 = blocks[first + 6 * ROW_WORDS];
    uint w7 = blocks[first + 7 * ROW_WORDS];
    int a0 = low(w0);
    int a1 = low(w1);
    int a2 = low(w2);
    int a3 = low(w3);
    int a4 = low(w4);
    int a5 = low(w5);
    int a6 = low(w6);
    int a7 = low(w7);
    int b0 = high(w0);
    int b1 = high(w1);
    int b2 = high(w2);
    int b3 = high(w3);
    int b4 = high(w4);
    int b5 = high(w5);
    int b6 = high(w6);
    int b7 = high(w7);
    forward8(a0, a1, a2, a3, a4, a5, a6, a7);
    forward8(b0, b1, b2, b3, b4, b5, b6, b7);
    bool upper2 = (id & 2) != 0;
    bool upper1 = (id & 1) != 0;
    uvec4 even = uvec4(pairOf(a0, b0), pairOf(a2, b2), pairOf(a4, b4), pairOf(a6, b6));
    uvec4 odd = uvec4(pairOf(a1, b1), pairOf(a3, b3), pairOf(a5, b5), pairOf(a7, b7));
    exchangeAll(even, upper2, upper1);
    exchangeAll(odd, upper2, upper1);

    // Rows of coefficients: of an even number, 2 and 6 in invocations 1 and 3, and the odd one after it.
    a0 = low(even.x);
    a1 = high(even.x);
    a2 = low(even.y);
    a3 = high(even.y);
    a4 = low(even.z);
    a5 = high(even.z);
    a6 = low(even.w);
    a7 = high(even.w);
    b0 = low(odd.x);
    b1 = high(odd.x);
    b2 = low(odd.y);
    b3 = high(odd.y);
    b4 = low(odd.z);
    b5 = high(odd.z);
    b6 = low(odd.w);
    b7 = high(odd.w);
    forward8(a0, a1, a2, a3, a4, a5, a6, a7);
    forward8(b0, b1, b2, b3, b4, b5, b6, b7);
    uint threshold = min(records[block].threshold, LARGEST_THRESHOLD);
    int t0 = thresholdOf(threshold, upper1 ? 1619 : 2048);
    int t1 = thresholdOf(threshold, upper1 ? 1720 : 2176);
    int t2 = thresholdOf(threshold, upper1 ? 1280 : 1619);
    int s0 = upper1 ? 51 : 32;
    int s1 = upper1 ? 45 : 28;
    int s2 = upper1 ? 82 : 51;
    int large = 0;
    // Nothing is taken away of the mean.
    a0 = taken(a0, t0, column == 0 ? 0 : s0, large);
    a1 = taken(a1, t1, s1, large);
    a2 = taken(a2, t2, s2, large);
    a3 = taken(a3, t1, s1, large);
    a4 = taken(a4, t0, s0, large);
    a5 = taken(a5, t1, s1, large);
    a6 = taken(a6, t2, s2, large);
    a7 = taken(a7, t1, s1, large);
    t0 = thresholdOf(threshold, 2176);
    t1 = thresholdOf(threshold, 2312);
    t2 = thresholdOf(threshold, 1720);
    b0 = taken(b0, t0, 28, large);
    b1 = taken(b1, t1, 25, large);
    b2 = taken(b2, t2, 45, large);
    b3 = taken(b3, t1, 25, large);
    b4 = taken(b4, t0, 28, large);
    b5 = taken(b5, t1, 25, large);
    b6 = taken(b6, t2, 45, large);
    b7 = taken(b7, t1, 25, large);
    large += int(valueAcross(uint(large), 1));
    large += int(valueAcross(uint(large), 2));
    inverse8(a0, a1, a2, a3, a4, a5, a6, a7);
    inverse8(b0, b1, b2, b3, b4, b5, b6, b7);
    even = uvec4(pairOf(a0, a1), pairOf(a2, a3), pairOf(a4, a5), pairOf(a6, a7));
    odd = uvec4(pairOf(b0, b1), pairOf(b2, b3), pairOf(b4, b5), pairOf(b6, b7));
    exchangeAll(even, upper2, upper1);
    exchangeAll(odd, upper2, upper1);

    a0 = low(even.x);
    a1 = low(odd.x);
    a2 = low(even.y);
    a3 = low(odd.y);
    a4 = low(even.z);
    a5 = low(odd.z);
    a6 = low(even.w);
    a7 = low(odd.w);
    b0 = high(even.x);
    b1 = high(odd.x);
    b2 = high(even.y);
    b3 = high(odd.y);
    b4 = high(even.z);
    b5 = high(odd.z);
    b6 = high(even.w);
    b7 = high(odd.w);
    inverse8(a0, a1, a2, a3, a4, a5, a6, a7);
    inverse8(b0, b1, b2, b3, b4, b5, b6, b7);
#ifdef PLAIN_EXCHANGE
    if (!inRange) {
        return;
    }
#endif
    removed[first + 0 * ROW_WORDS] = pairOf(a0, b0);
    removed[first + 1 * ROW_WORDS] = pairOf(a1, b1);
    removed[first + 2 * ROW_WORDS] = pairOf(a2, b2);
    removed[first + 3 * ROW_WORDS] = pairOf(a3, b3);
    removed[first + 4 * ROW_WORDS] = pairOf(a4, b4);
    removed[first + 5 * ROW_WORDS] = pairOf(a5, b5);
    removed[first + 6 * ROW_WORDS] = pairOf(a6, b6);
    removed[first + 7 * ROW_WORDS] = pairOf(a7, b7);
    // One more than the large coefficients besides one, which is the mean in nearly all blocks.
    uint parts = uint(max(large, 1));
    if (column == 0) {
        weights[block] = (64 + parts / 2) / parts;
    }
}

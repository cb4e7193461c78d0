// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM block_plain: PLAIN_EXCHANGE

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
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
    int a[8];
    int b[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        uint word = blocks[first + i * ROW_WORDS];
        a[i] = low(word);
        b[i] = high(word);
    }
    forward8(a);
    forward8(b);
    bool upper2 = (id & 2) != 0;
    bool upper1 = (id & 1) != 0;
    uvec4 even = uvec4(pairOf(a[0], b[0]), pairOf(a[2], b[2]), pairOf(a[4], b[4]), pairOf(a[6], b[6]));
    uvec4 odd = uvec4(pairOf(a[1], b[1]), pairOf(a[3], b[3]), pairOf(a[5], b[5]), pairOf(a[7], b[7]));
    exchangeAll(even, upper2, upper1);
    exchangeAll(odd, upper2, upper1);

    // Rows of coefficients: of an even number, 2 and 6 in invocations 1 and 3, and the odd one after it.
    [[unroll]] for (uint i = 0; i < 4; i++) {
        a[2 * i] = low(even[i]);
        a[2 * i + 1] = high(even[i]);
        b[2 * i] = low(odd[i]);
        b[2 * i + 1] = high(odd[i]);
    }
    forward8(a);
    forward8(b);
    uint threshold = min(records[block].threshold, LARGEST_THRESHOLD);
    int t0 = thresholdOf(threshold, upper1 ? 1619 : 2048);
    int t1 = thresholdOf(threshold, upper1 ? 1720 : 2176);
    int t2 = thresholdOf(threshold, upper1 ? 1280 : 1619);
    int s0 = upper1 ? 51 : 32;
    int s1 = upper1 ? 45 : 28;
    int s2 = upper1 ? 82 : 51;
    int large = 0;
    // Nothing is taken away of the mean.
    a[0] = taken(a[0], t0, column == 0 ? 0 : s0, large);
    a[1] = taken(a[1], t1, s1, large);
    a[2] = taken(a[2], t2, s2, large);
    a[3] = taken(a[3], t1, s1, large);
    a[4] = taken(a[4], t0, s0, large);
    a[5] = taken(a[5], t1, s1, large);
    a[6] = taken(a[6], t2, s2, large);
    a[7] = taken(a[7], t1, s1, large);
    t0 = thresholdOf(threshold, 2176);
    t1 = thresholdOf(threshold, 2312);
    t2 = thresholdOf(threshold, 1720);
    b[0] = taken(b[0], t0, 28, large);
    b[1] = taken(b[1], t1, 25, large);
    b[2] = taken(b[2], t2, 45, large);
    b[3] = taken(b[3], t1, 25, large);
    b[4] = taken(b[4], t0, 28, large);
    b[5] = taken(b[5], t1, 25, large);
    b[6] = taken(b[6], t2, 45, large);
    b[7] = taken(b[7], t1, 25, large);
    large += int(valueAcross(uint(large), 1));
    large += int(valueAcross(uint(large), 2));
    inverse8(a);
    inverse8(b);
    even = uvec4(pairOf(a[0], a[1]), pairOf(a[2], a[3]), pairOf(a[4], a[5]), pairOf(a[6], a[7]));
    odd = uvec4(pairOf(b[0], b[1]), pairOf(b[2], b[3]), pairOf(b[4], b[5]), pairOf(b[6], b[7]));
    exchangeAll(even, upper2, upper1);
    exchangeAll(odd, upper2, upper1);

    [[unroll]] for (uint i = 0; i < 4; i++) {
        a[2 * i] = low(even[i]);
        a[2 * i + 1] = low(odd[i]);
        b[2 * i] = high(even[i]);
        b[2 * i + 1] = high(odd[i]);
    }
    inverse8(a);
    inverse8(b);
#ifdef PLAIN_EXCHANGE
    if (!inRange) {
        return;
    }
#endif
    [[unroll]] for (uint i = 0; i < 8; i++) {
        removed[first + i * ROW_WORDS] = pairOf(a[i], b[i]);
    }
    // One more than the large coefficients besides one, which is the mean in nearly all blocks.
    uint parts = uint(max(large, 1));
    if (column == 0) {
        weights[block] = (64 + parts / 2) / parts;
    }
}

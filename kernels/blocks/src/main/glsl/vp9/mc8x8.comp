// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM mc8x8_plain: PLAIN_EXCHANGE

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_basic : require
#include "common/words.glsl"

// VP9 motion compensation of 8x8 blocks, 8 bit (VP9 specification, 8.5.2.3), by eight invocations for a block. Each filters two of the
// fifteen rows that the block reads and, after an exchange, the columns of the eight samples of its own row. The filter of phase 0
// changes nothing, so blocks with and without a pass run the same code.
//
// Floats hold every value exactly: samples with the bias of common/words.glsl, and weights as fractions whose sum is 1, which keeps the
// bias as it is.

layout(local_size_x_id = 0) in;

// Whether each invocation filters all rows that its own row needs: for devices on which 8 neighbours cannot exchange values.
layout(constant_id = 2) const bool ROWS_ALONE = false;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
    uint source[];
};
layout(std430, set = 0, binding = 1) restrict buffer Destination {
    uint destination[];
};
layout(std140, set = 0, binding = 2) readonly restrict buffer RunCount {
    uint count;
} run;
struct Vp9MotionRecord {
    uint sourceOffset, destinationOffset, parameters;
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    Vp9MotionRecord records[];
};
// Eight weights for each filter and phase, as f16; 128 is 1.0.
layout(std430, set = 0, binding = 4) readonly restrict buffer Weights {
    uint weights[];
};

layout(push_constant) uniform Vp9MotionCall {
    uint sourceStrideBytes;
    uint firstSourceOffset;
    uint lastSourceOffset;
    uint lastSourceWord;
    // The stride is in words, the offset in bytes.
    uint destinationStride;
    uint lastDestinationOffset;
} call;

#include "common/exchange.glsl"

const uint PHASES = 16;
const uint TAPS = 8;
const uint ROWS_BEFORE = 3;

struct Taps {
    vec2 w01, w23, w45, w67;
};

Taps tapsOf(uint filterCode, uint phase) {
    uint at = (filterCode * PHASES + phase) * TAPS / 2;
    return Taps(
        unpackHalf2x16(weights[at]), unpackHalf2x16(weights[at + 1]), unpackHalf2x16(weights[at + 2]),
        unpackHalf2x16(weights[at + 3]));
}

// Rounds and clips to a biased sample. The sum includes the half for rounding.
float sampleOf(float sum) {
    return clamp(floor(sum), BIAS, BIAS + 255.0);
}

float along(Taps t, float s0, float s1, float s2, float s3, float s4, float s5, float s6, float s7) {
    return sampleOf(0.5 + t.w01.x * s0 + t.w01.y * s1 + t.w23.x * s2 + t.w23.y * s3 + t.w45.x * s4 + t.w45.y * s5 + t.w67.x * s6
        + t.w67.y * s7);
}

uint joined(uint word, uint next, uint shift) {
    return (word >> shift) | ((next << 1) << (31 - shift));
}

// The eight filtered samples of a row whose first tap lies at byte "at".
uvec2 filteredRow(uint at, bool worthFiltering, Taps t) {
    uint shift = (at & 3) * 8;
    uint from = at >> 2;
    uint w0 = source[from];
    uint w1 = source[from + 1];
    uint w2 = source[from + 2];
    uint w3 = source[from + 3];
    uint w4 = source[min(from + 4, call.lastSourceWord)];
    w0 = joined(w0, w1, shift);
    w1 = joined(w1, w2, shift);
    w2 = joined(w2, w3, shift);
    w3 = joined(w3, w4, shift);
    if (!worthFiltering) {
        return uvec2(joined(w0, w1, 24), joined(w1, w2, 24));
    }
    vec2 e0 = evenBytes(w0);
    vec2 o0 = oddBytes(w0);
    vec2 e1 = evenBytes(w1);
    vec2 o1 = oddBytes(w1);
    vec2 e2 = evenBytes(w2);
    vec2 o2 = oddBytes(w2);
    vec2 e3 = evenBytes(w3);
    vec2 o3 = oddBytes(w3);
    uint left = packBytes(
        vec2(along(t, e0.x, o0.x, e0.y, o0.y, e1.x, o1.x, e1.y, o1.y), along(t, e0.y, o0.y, e1.x, o1.x, e1.y, o1.y, e2.x, o2.x)),
        vec2(along(t, o0.x, e0.y, o0.y, e1.x, o1.x, e1.y, o1.y, e2.x), along(t, o0.y, e1.x, o1.x, e1.y, o1.y, e2.x, o2.x, e2.y)));
    uint right = packBytes(
        vec2(along(t, e1.x, o1.x, e1.y, o1.y, e2.x, o2.x, e2.y, o2.y), along(t, e1.y, o1.y, e2.x, o2.x, e2.y, o2.y, e3.x, o3.x)),
        vec2(along(t, o1.x, e1.y, o1.y, e2.x, o2.x, e2.y, o2.y, e3.x), along(t, o1.y, e2.x, o2.x, e2.y, o2.y, e3.x, o3.x, e3.y)));
    return uvec2(left, right);
}

struct Sums {
    vec2 even0, odd0, even1, odd1;
};

// Adds a row to the sums of the columns.
void addRow(uvec2 row, float weight, inout Sums s) {
    s.even0 += weight * evenBytes(row.x);
    s.odd0 += weight * oddBytes(row.x);
    s.even1 += weight * evenBytes(row.y);
    s.odd1 += weight * oddBytes(row.y);
}

// The row "tap" rows below the first row of this invocation. Each invocation of the block holds two rows.
uvec2 rowBelow(uint lane, uint tap, uvec2 first, uvec2 second) {
    uvec2 given = lane >= tap ? first : second;
    uint from = (lane + tap) & 7;
    return uvec2(valueOfLane(given.x, from), valueOfLane(given.y, from));
}

vec2 samplesOf(vec2 sums) {
    return vec2(sampleOf(sums.x), sampleOf(sums.y));
}

uint mean(uint a, uint b) {
    return (a | b) - (((a ^ b) & 0xfefefefeu) >> 1);
}

void main() {
    uint id = gl_GlobalInvocationID.x;
    uint lane = id & 7;
    bool inRange = (id >> 3) < run.count;
    Vp9MotionRecord record = records[min(id >> 3, run.count - 1)];
    uint sourceOffset = clamp(record.sourceOffset, call.firstSourceOffset, call.lastSourceOffset);
    uint destinationOffset = min(record.destinationOffset, call.lastDestinationOffset);
    uint parameters = record.parameters;
    uint filterCode = parameters & 3;
    uint mx = (parameters >> 8) & 15;
    uint my = (parameters >> 16) & 15;
    bool average = (parameters >> 24) != 0;
    bool worthRows = isWorth(mx != 0);
    bool worthColumns = isWorth(my != 0);

    Taps taps = tapsOf(filterCode, mx);
    uint row = sourceOffset - 3 + lane * call.sourceStrideBytes;
    uvec2 result = uvec2(0);
    uvec2 first = uvec2(0);
    uint rows = 1;
    if (worthColumns) {
        rows = ROWS_ALONE ? 0 : 2;
        row -= ROWS_BEFORE * call.sourceStrideBytes;
    }
    [[dont_unroll]] for (uint i = 0; i < rows; i++) {
        first = result;
        result = filteredRow(row, worthRows, taps);
        // The last invocation has no second row: there are 15 rows.
        row += (lane == 7 ? 7 : 8) * call.sourceStrideBytes;
    }
    if (worthColumns) {
        Sums s = Sums(vec2(0.5), vec2(0.5), vec2(0.5), vec2(0.5));
        [[dont_unroll]] for (uint tap = 0; tap < TAPS; tap += 2) {
            vec2 pair = unpackHalf2x16(weights[((filterCode * PHASES + my) * TAPS + tap) >> 1]);
            if (ROWS_ALONE) {
                addRow(filteredRow(row, worthRows, taps), pair.x, s);
                addRow(filteredRow(row + call.sourceStrideBytes, worthRows, taps), pair.y, s);
                row += 2 * call.sourceStrideBytes;
            } else {
                addRow(rowBelow(lane, tap, first, result), pair.x, s);
                addRow(rowBelow(lane, tap + 1, first, result), pair.y, s);
            }
        }
        result = uvec2(
            packBytes(samplesOf(s.even0), samplesOf(s.odd0)), packBytes(samplesOf(s.even1), samplesOf(s.odd1)));
    }
    if (inRange) {
        uint to = (destinationOffset >> 2) + lane * call.destinationStride;
        if (average) {
            result = uvec2(mean(destination[to], result.x), mean(destination[to + 1], result.y));
        }
        destination[to] = result.x;
        destination[to + 1] = result.y;
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM block_filter_plain: NO_VOTES

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#include "common/words.glsl"

// AV1 CDEF: the filter (AV1 specification, 7.15.3) of square blocks anywhere in a plane, one word of samples of each of ROWS
// rows an invocation: four 8-bit or two 10-bit samples.
//
// Arithmetic is in floats whose values are whole numbers, which is exact; see common/words.glsl for the bias that they carry.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
layout(constant_id = 2) const uint BLOCK_SAMPLES = 8;
// Whether direction and variance come from a search, and whether the variance adjusts the primary strength.
layout(constant_id = 3) const bool SEARCHED = false;
layout(constant_id = 4) const bool ADJUSTED = false;
// Divides the rows of a block.
layout(constant_id = 5) const uint ROWS = 1;

const bool TWO_WORDS = false;
const uint WORDS_EACH = 1;
const uint SAMPLE_SHIFT = 0;
#define PIXEL_BYTES SAMPLE_BYTES
const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;
const uint BLOCK_WORDS = BLOCK_SAMPLES * SAMPLE_BYTES / 4;
const uint BLOCK_INVOCATIONS = BLOCK_WORDS * BLOCK_SAMPLES / ROWS;
const uint LEFT = 1;
const uint RIGHT = 2;
const uint TOP = 4;
const uint BOTTOM = 8;
const uint ALL_EDGES = 15;
const uint MOST_PRIMARY = (16u << COEFFICIENT_SHIFT) - 1;
const uint MOST_SECONDARY = 4u << COEFFICIENT_SHIFT;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
    uint source[];
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer Destination {
    uint destination[];
};
layout(std140, set = 0, binding = 2) readonly restrict buffer RunCount {
    uint count;
} run;
struct CdefFilterRecord {
    uint sourceOffset, destinationOffset;
    // primary | secondary << 16
    uint strengths;
    // edges | direction << 8 | damping << 16
    uint parameters;
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    CdefFilterRecord records[];
};
struct CdefDirectionResult {
    uint direction, variance;
};
layout(std430, set = 0, binding = 4) readonly restrict buffer Directions {
    CdefDirectionResult directions[];
};

layout(push_constant) uniform CdefBlockFilterCall {
    // Strides and the last word in words, offsets in bytes.
    uint sourceStride;
    uint lastSourceOffset;
    uint lastSourceWord;
    uint destinationStride;
    uint lastDestinationOffset;
} call;

uint unknownZero() {
    return ROWS > 1 ? call.sourceStride >> 31 : 0;
}

#include "cdef/taps.glsl"
#include "cdef/rows.glsl"

// A word of samples; "at" may lie before the buffer where the word is not available.
uint load(int at) {
    return source[min(uint(at), call.lastSourceWord)];
}

// The samples "columns" to the right of word "at".
uint loadShifted(int at, int columns) {
    int bytes = columns * int(SAMPLE_BYTES);
    at += bytes >> 2;
    uint shift = uint(bytes & 3) * 8;
    return (load(at) >> shift) | ((load(at + 1) << 1) << (31 - shift));
}

// Which bits of the word that lies (columns, rows) from this one are samples that may be read.
uint availableBits(uint edges, uint column, uint row, int columns, int rows) {
    int y = int(row) + rows;
    bool missing = (y < 0 && (edges & TOP) == 0) || (y >= int(BLOCK_SAMPLES) && (edges & BOTTOM) == 0);
    uint bits = missing ? 0u : 0xffffffffu;
    // Two shifts, since one by 32 is not defined.
    if (columns < 0 && column == 0 && (edges & LEFT) == 0) {
        bits &= (0xffffffffu << (uint(-columns) * SAMPLE_BYTES * 8 - 1)) << 1;
    }
    if (columns > 0 && column == BLOCK_WORDS - 1 && (edges & RIGHT) == 0) {
        bits &= (0xffffffffu >> (uint(columns) * SAMPLE_BYTES * 8 - 1)) >> 1;
    }
    return bits;
}

// 2 to the power of -max(0, damping - floor(log2(strength))).
float scaleOf(uint strength, uint damping) {
    int shift = strength == 0 ? 0 : max(int(damping) - findMSB(strength), 0);
    return uintBitsToFloat(uint(127 - shift) << 23);
}

// A filtered word whose taps may not all be read.
uint filteredAnywhere(int at, uint column, uint row, uint edges, uint direction, Strengths by) {
    int stride = int(call.sourceStride);
    uint centre = source[at];
    Pixels x = unpack(centre);
    Sums s = noTaps(x);
    [[dont_unroll]] for (uint tap = 0; tap < 6; tap++) {
        Tap t = tapOf(tap, direction, by);
        uint ahead = loadShifted(at + t.rows * stride, t.columns);
        uint behind = loadShifted(at - t.rows * stride, -t.columns);
        ahead = ((ahead ^ centre) & availableBits(edges, column, row, t.columns, t.rows)) ^ centre;
        behind = ((behind ^ centre) & availableBits(edges, column, row, -t.columns, -t.rows)) ^ centre;
        addTaps(ahead, behind, x, t.strength, t.scale, t.weight, s);
    }
    return finish(x, s);
}

// Whether all taps may be read unchecked: the same answer for all invocations that run in step.
bool areReadable(bool readable) {
#ifdef NO_VOTES
    return readable;
#else
    return subgroupAll(readable);
#endif
}

void main() {
    uint index = gl_GlobalInvocationID.x / BLOCK_INVOCATIONS;
    uint inBlock = gl_GlobalInvocationID.x % BLOCK_INVOCATIONS;
    bool inRange = index < run.count;
    index = inRange ? index : 0;
    uint column = inBlock % BLOCK_WORDS;
    uint row = inBlock / BLOCK_WORDS * ROWS;
    CdefFilterRecord record = records[index];
    uint primary = min(record.strengths & 0xffffu, MOST_PRIMARY);
    uint secondary = min(record.strengths >> 16, MOST_SECONDARY);
    uint edges = record.parameters & ALL_EDGES;
    uint direction = (record.parameters >> 8) & 7;
    uint damping = (record.parameters >> 16) & 15;
    if (SEARCHED) {
        CdefDirectionResult found = directions[index];
        direction = primary == 0 ? 0 : found.direction & 7;
        if (ADJUSTED) {
            uint variance = found.variance;
            uint logVariance = variance >> 6 == 0 ? 0 : uint(min(findMSB(variance >> 6), 12));
            primary = variance == 0 ? 0 : (primary * (4 + logVariance) + 8) >> 4;
        }
    }
    Strengths by = strengthsOf(primary, secondary, scaleOf(primary, damping), scaleOf(secondary, damping));
    uint stride = call.sourceStride;
    uint at = (min(record.sourceOffset, call.lastSourceOffset) >> 2) + row * stride + column;
    uint to = (min(record.destinationOffset, call.lastDestinationOffset) >> 2) + row * call.destinationStride + column;
    // Two rows above and below, and a word to the left and two to the right.
    bool readable =
        inRange && edges == ALL_EDGES && at > 2 * stride && at + (ROWS + 1) * stride + 2 <= call.lastSourceWord;
    // V3D's compiler keeps the registers of the second part alive during the first part. So the second part is the fast one.
    if (!areReadable(readable)) {
        [[dont_unroll]] for (uint i = 0; i < ROWS; i++) {
            uint word = filteredAnywhere(int(at), column, row + i, edges, direction, by);
            if (inRange) {
                destination[to] = word;
            }
            at += stride;
            to += call.destinationStride;
        }
    } else {
        filterRows(at * 4, stride * 4, to, call.destinationStride, direction, by, true);
    }
}

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "words.glsl"

// AV1 CDEF: the filter (AV1 specification, 7.15.3) of square blocks anywhere in a plane, one word of samples an invocation:
// four 8-bit or two 10-bit samples.
//
// Arithmetic is in floats whose values are whole numbers, which is exact; see words.glsl for the bias that they carry.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
layout(constant_id = 2) const uint BLOCK_SAMPLES = 8;
// Whether direction and variance come from a search, and whether the variance adjusts the primary strength.
layout(constant_id = 3) const bool SEARCHED = false;
layout(constant_id = 4) const bool ADJUSTED = false;

const uint SAMPLE_SHIFT = 0;
const uint PIXEL_BYTES = SAMPLE_BYTES;
const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;
const uint BLOCK_WORDS = BLOCK_SAMPLES * SAMPLE_BYTES / 4;
const uint BLOCK_INVOCATIONS = BLOCK_WORDS * BLOCK_SAMPLES;
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
layout(std140, set = 0, binding = 2) readonly restrict buffer Run {
    uint count;
} run;
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    uvec4 records[];
};
layout(std430, set = 0, binding = 4) readonly restrict buffer Directions {
    uvec2 directions[];
};

layout(push_constant) uniform Call {
    // Strides and the last word in words, offsets in bytes.
    uint sourceStride;
    uint lastSourceOffset;
    uint lastSourceWord;
    uint destinationStride;
    uint lastDestinationOffset;
} call;

#include "cdef_taps.glsl"

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

void main() {
    uint index = gl_GlobalInvocationID.x / BLOCK_INVOCATIONS;
    uint inBlock = gl_GlobalInvocationID.x % BLOCK_INVOCATIONS;
    if (index >= run.count) {
        return;
    }
    uint column = inBlock % BLOCK_WORDS;
    uint row = inBlock / BLOCK_WORDS;
    uvec4 record = records[index];
    uint primary = min(record.z & 0xffffu, MOST_PRIMARY);
    uint secondary = min(record.z >> 16, MOST_SECONDARY);
    uint edges = record.w & ALL_EDGES;
    uint direction = (record.w >> 8) & 7;
    uint damping = (record.w >> 16) & 15;
    if (SEARCHED) {
        uvec2 found = directions[index];
        direction = primary == 0 ? 0 : found.x & 7;
        if (ADJUSTED) {
            uint variance = found.y;
            uint logVariance = variance >> 6 == 0 ? 0 : uint(min(findMSB(variance >> 6), 12));
            primary = variance == 0 ? 0 : (primary * (4 + logVariance) + 8) >> 4;
        }
    }
    Strengths by = strengthsOf(primary, secondary, scaleOf(primary, damping), scaleOf(secondary, damping));

    int stride = int(call.sourceStride);
    int at = int((min(record.x, call.lastSourceOffset) >> 2) + row * call.sourceStride + column);
    uint centre = source[at];
    Pixels x = unpack(centre);
    Sums s = noTaps(x);
    [[dont_unroll]] for (uint far = 0; far < 2; far++) {
        uint rowTable = far == 0 ? NEAR_ROWS : FAR_ROWS;
        uint columnTable = far == 0 ? NEAR_COLUMNS : FAR_COLUMNS;
        float primaryWeight = far == 0 ? by.nearWeight : by.farWeight;
        float secondaryWeight = far == 0 ? 2.0 : 1.0;
        [[dont_unroll]] for (uint tap = 0; tap < 3; tap++) {
            // The block's direction, then the two across it.
            uint along = tap == 0 ? direction : (direction + (tap == 1 ? 2u : 6u)) & 7u;
            int rows = tapOffset(rowTable, along);
            int columns = tapOffset(columnTable, along);
            float strength = tap == 0 ? by.primary : by.secondary;
            float scale = tap == 0 ? by.primaryScale : by.secondaryScale;
            float weight = tap == 0 ? primaryWeight : secondaryWeight;
            uint ahead = loadShifted(at + rows * stride, columns);
            uint behind = loadShifted(at - rows * stride, -columns);
            if (edges != ALL_EDGES) {
                ahead = ((ahead ^ centre) & availableBits(edges, column, row, columns, rows)) ^ centre;
                behind = ((behind ^ centre) & availableBits(edges, column, row, -columns, -rows)) ^ centre;
            }
            addTaps(ahead, behind, x, strength, scale, weight, s);
        }
    }
    destination[(min(record.y, call.lastDestinationOffset) >> 2) + row * call.destinationStride + column] = finish(x, s);
}

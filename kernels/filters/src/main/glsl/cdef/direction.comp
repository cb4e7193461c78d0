// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// AV1 CDEF: direction and variance of 8x8 luma blocks (AV1 specification, 7.15.2), and the strengths that follow from them, packed
// for the filter pass. Each invocation takes one block: of all blocks, or of those that cdef/list.comp has listed.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Zero bits below the significant bits of a 16-bit sample.
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
// Whether the last block of a row is cut by the right border.
layout(constant_id = 3) const bool PARTIAL = false;
// Whether only the listed blocks are searched.
layout(constant_id = 4) const bool LISTED = false;
// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 5) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 6) const bool HALF_WIDTH_CHROMA = false;

const uint EVEN_BYTES = 0x00ff00ffu;
const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;

// Nothing writes this buffer, but it must not be readonly: cdef/search.glsl tells why.
layout(std430, set = 0, binding = 0) buffer Source {
    uint source[];
};
// Rows of luma blocks, converted to bytes. For each row of a row of blocks: the left halves of all blocks, then the right halves.
layout(std430, set = 0, binding = 5) restrict buffer Staged {
    uint staged[];
};

layout(push_constant) uniform CdefDirectionGeometry {
    uint sourceOffset, sourceStride;
    uint width, height, words;
    uint blockColumns;
    uint sourceSkip;
} g;

#include "common/columns.glsl"

// Whether the rows of a block are first converted to bytes, in a loop, and kept in Staged. The search loads its rows unrolled; if the
// conversion were unrolled with it, the code would take more registers than there are.
const bool STAGED = PARTIAL || SAMPLE_BYTES == 2;

uint rowAt(uint y) {
    return g.sourceOffset + min(y, g.height - 1) * g.sourceStride;
}

// Index of a word in its row.
uint inRow(uint column) {
    return SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip) : column;
}

// Four samples from sample x on, as bytes. Samples beyond the end of the row are arbitrary.
uint loadBytes(uint row, uint x) {
    uint last = g.words - 1;
    if (SAMPLE_BYTES == 1) {
        return source[row + inRow(min(x >> 2, last))];
    }
    uint column = x >> 1;
    const uint shift = SAMPLE_SHIFT + COEFFICIENT_SHIFT;
    uint left = (source[row + min(column, last)] >> shift) & EVEN_BYTES;
    uint right = (source[row + min(column + 1, last)] >> shift) & EVEN_BYTES;
    left |= left >> 8;
    right |= right >> 8;
    return (left & 0xffffu) | (right << 16);
}

// Index in Staged of the left half of a row of a block.
uint stagedAt(uvec2 block, uint row) {
    return ((block.y >> 3) * 16 + row * 2) * g.blockColumns + (block.x >> 3);
}

// Converts the rows of a block to bytes. Beyond the right border the last sample is repeated.
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
        uint to = stagedAt(uvec2(x, y), row);
        staged[to] = a;
        staged[to + g.blockColumns] = b;
    }
}

// Eight samples of a row, reduced to 8 bit, as pairs of 16-bit halves: (0, 2), (1, 3), (4, 6), (5, 7).
uvec4 loadRow(uvec2 block, uint row) {
    uint a;
    uint b;
    if (STAGED) {
        uint from = stagedAt(block, row);
        a = staged[from];
        b = staged[from + g.blockColumns];
    } else {
        // A block never lies in two columns.
        uint from = rowAt(block.y + row) + inRow(block.x >> 2);
        a = source[from];
        b = source[from + 1];
    }
    return uvec4(a, a >> 8, b, b >> 8) & EVEN_BYTES;
}

#include "cdef/search.glsl"
#include "cdef/strengths.glsl"
#include "cdef/list.glsl"

// Whether a direction is needed, which only primary taps have. The same for the whole dispatch. With a map there is a list, of blocks
// that need it.
bool isSearched() {
    return LISTED || parameters.mapAt != 0 || (parameters.strengths[0].yPrimary | parameters.strengths[0].uvPrimary) != 0;
}

void main() {
    uint blockX = gl_GlobalInvocationID.x;
    uint blockY = gl_WorkGroupID.y;
    if (LISTED) {
        if (blockX >= list.count) {
            return;
        }
        uint listed = list.blocks[blockX];
        blockX = listed & 0xffffu;
        blockY = listed >> 16;
    } else if (blockX >= g.blockColumns) {
        return;
    }
    uint at = blockY * g.blockColumns + blockX;
    uint x = blockX * 8;
    uint y = blockY * 8;
    uvec2 found = uvec2(0);
    if (isSearched()) {
        if (STAGED) {
            stage(x, y);
        }
        found = findDirection(uvec2(x, y));
    }
    uint strength = strengthIndex(at);
    blocks[at] = strength == 0 ? uvec2(0) : packStrengths(strengthsOf(strength), found.x, found.y);
}

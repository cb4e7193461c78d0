// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM filter_plain: NO_VOTES

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#include "common/words.glsl"

// AV1 CDEF: the filter (AV1 specification, 7.15.3) of the luma plane or of the chroma planes. Each invocation filters one word of
// samples, four of 8 bit or two of 10 bit, or two words of 10 bit, in each of ROWS rows. Interleaved Cb and Cr are filtered together;
// the neighbours of a sample then lie twice as far apart. Blocks that are not filtered are copied.
//
// Arithmetic is exact: floats hold whole numbers. common/words.glsl explains the bias that they carry.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
// Distance of the samples of one component.
layout(constant_id = 3) const uint PIXEL_STEP = 1;
// Whether to take the strengths and the direction of chroma.
layout(constant_id = 4) const bool CHROMA = false;
// Whether this pass empties the list of blocks for the next picture.
layout(constant_id = 5) const bool EMPTIES_LIST = false;
// Whether every block is filtered. All invocations then take the same branches, which is a fifth faster on small GPUs.
layout(constant_id = 6) const bool EVERY_BLOCK = false;
// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 7) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 8) const bool DESTINATION_IN_COLUMNS = false;
// Rows of an invocation. Divides the rows of a block.
layout(constant_id = 9) const uint ROWS = 1;
// Samples of a row of a block, and its rows: 8, or 4 where chroma has half as many.
layout(constant_id = 10) const uint BLOCK_SAMPLES = 8;
layout(constant_id = 11) const uint BLOCK_ROWS = 8;

const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;
const uint PIXEL_BYTES = PIXEL_STEP * SAMPLE_BYTES;
const uint BLOCK_WORDS = BLOCK_SAMPLES * PIXEL_BYTES / 4;
// Whether an invocation that goes down several rows filters two words side by side, so that it has four samples of 10 bit, too.
const bool TWO_WORDS = SAMPLE_BYTES == 2 && ROWS > 1;
const uint WORDS_EACH = TWO_WORDS ? 2 : 1;
const uint ROW_INVOCATIONS = BLOCK_WORDS / WORDS_EACH;
const uint BLOCK_INVOCATIONS = ROW_INVOCATIONS * BLOCK_ROWS / ROWS;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
    uint source[];
};
layout(std430, set = 0, binding = 1) restrict buffer Destination {
    uint destination[];
};
// Packed as in cdef/strengths.glsl.
layout(std430, set = 0, binding = 3) readonly restrict buffer Blocks {
    uvec2 blocks[];
};

layout(push_constant) uniform CdefFilterGeometry {
    // Of luma in element 0; or of planes 1 and 2.
    uint sourceOffset[2];
    uint sourceStride[2];
    uint destinationOffset[2];
    uint destinationStride[2];
    // Pixels of a row, rows, words of a row, and the bits of the last word of a row that are samples.
    uint width, height, words, tail;
    uint blockColumns;
    // The same for all planes of the dispatch (common/columns.glsl).
    uint sourceSkip, destinationSkip;
    // Blocks of a row, from the second one on, whose taps all lie inside the picture; and rows of blocks, likewise.
    uint insideColumns, insideRows;
} g;

uint unknownZero() {
    return ROWS > 1 ? g.blockColumns >> 31 : 0;
}

uint filteringOf(uint block) {
    uvec2 packed = blocks[block];
    return CHROMA ? packed.y : packed.x;
}

#include "cdef/taps.glsl"
#include "cdef/rows.glsl"
#include "cdef/list.glsl"
#include "common/columns.glsl"

// Where a row of a plane begins.
uint sourceRow(uint plane, uint row) {
    return g.sourceOffset[plane] + row * g.sourceStride[plane];
}

// A word of the source row that begins at "row".
uint sourceWord(uint row, uint column) {
    return source[row + (SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip) : column)];
}

uint destinationWord(uint plane, uint row, uint column) {
    return g.destinationOffset[plane] + row * g.destinationStride[plane]
        + (DESTINATION_IN_COLUMNS ? inColumns(column, g.destinationSkip) : column);
}

// Filters words whose taps all lie inside the picture, in a source that is not in columns. "along" and "across" are constants: whether
// there are primary and secondary taps.
void filterInside(uint plane, uint column, uint row, uint direction, Strengths by, bool along, bool across) {
    uint at = (sourceRow(plane, row) + column) * 4;
    uint stride = g.sourceStride[plane] * 4;
    uint to = destinationWord(plane, row, column);
    if (along || across) {
        filterRows(at, stride, to, g.destinationStride[plane], direction, by, across);
    } else {
        copyRows(at, stride, to, g.destinationStride[plane]);
    }
}

// The bits of word "column" of a row that are samples of the picture.
uint insideBits(int column) {
    uint last = g.words - 1;
    return uint(column) < last ? 0xffffffffu : uint(column) == last ? g.tail : 0u;
}

// The word of samples at a distance of (columns, rows) from a word. Samples outside the picture are replaced by those of "centre".
uint loadInside(uint plane, uint column, uint row, int rows, int columns, uint centre) {
    int bytes = columns * int(PIXEL_BYTES);
    int from = int(column) + (bytes >> 2);
    uint shift = uint(bytes & 3) * 8;
    int y = int(row) + rows;
    uint found = centre;
    if (uint(y) < g.height) {
        uint base = sourceRow(plane, uint(y));
        int last = int(g.words) - 1;
        uint word = sourceWord(base, uint(clamp(from, 0, last))) >> shift;
        uint inside = insideBits(from) >> shift;
        if (PIXEL_BYTES != 4) {
            word |= (sourceWord(base, uint(clamp(from + 1, 0, last))) << 1) << (31 - shift);
            inside |= (insideBits(from + 1) << 1) << (31 - shift);
        }
        found = ((word ^ centre) & inside) ^ centre;
    }
    return found;
}

// The same for a place where all samples lie inside the picture.
uint loadShifted(uint plane, uint column, uint row, int rows, int columns) {
    int bytes = columns * int(PIXEL_BYTES);
    uint base = sourceRow(plane, row + uint(rows));
    uint from = column + uint(bytes >> 2);
    uint word = sourceWord(base, from);
    if (PIXEL_BYTES != 4) {
        uint shift = uint(bytes & 3) * 8;
        word = (word >> shift) | ((sourceWord(base, from + 1) << 1) << (31 - shift));
    }
    return word;
}

// A filtered word at any place of the picture. "across": whether there are secondary taps.
uint filteredAnywhere(uint plane, uint column, uint row, bool inside, uint centre, uint direction, Strengths by, bool across) {
    Pixels x = unpack(centre);
    Sums s = noTaps(x);
    // Taps 0 and 3 are the primary ones.
    [[dont_unroll]] for (uint tap = 0; tap < 6; tap += across ? 1 : 3) {
        Tap t = tapOf(tap, direction, by);
        uint ahead;
        uint behind;
        if (SOURCE_IN_COLUMNS && inside) {
            ahead = loadShifted(plane, column, row, t.rows, t.columns);
            behind = loadShifted(plane, column, row, -t.rows, -t.columns);
        } else {
            ahead = loadInside(plane, column, row, t.rows, t.columns, centre);
            behind = loadInside(plane, column, row, -t.rows, -t.columns, centre);
        }
        addTaps(ahead, behind, x, t.strength, t.scale, t.weight, s);
    }
    return finish(x, s);
}

// Filters or copies words at any place. Outside the picture it computes together with the others and stores nothing.
void filterAnywhere(
    uint plane, uint column, uint row, bool inside, bool filtered, uint direction, Strengths by, bool across) {
    [[dont_unroll]] for (uint i = 0; i < ROWS * WORDS_EACH; i++) {
        uint atColumn = column + i % WORDS_EACH;
        uint atRow = row + i / WORDS_EACH;
        uint x = min(atColumn, g.words - 1);
        uint y = min(atRow, g.height - 1);
        uint result = sourceWord(sourceRow(plane, y), x) & BITS_OF_SAMPLES;
        if (filtered) {
            result = filteredAnywhere(plane, x, y, inside, result, direction, by, across);
        }
        uint to = destinationWord(plane, y, x);
        bool inPicture = atColumn < g.words && atRow < g.height;
        if (inPicture && atColumn + 1 == g.words && g.tail != 0xffffffffu) {
            destination[to] = (result & g.tail) | (destination[to] & ~g.tail);
        } else if (inPicture) {
            destination[to] = result;
        }
    }
}

// Whether to filter with all taps inside the picture, which leaves a block without strengths as it is. The same for all invocations that
// would wait for each other.
bool areInside(bool inside, bool filtered) {
#ifdef NO_VOTES
    return inside && filtered;
#else
    return subgroupAll(inside) && subgroupAny(filtered);
#endif
}

// Whether one of the invocations that would wait for each other has such a strength.
bool any(float strength) {
#ifdef NO_VOTES
    return true;
#else
    return subgroupAny(strength != 0.0);
#endif
}

void main() {
    if (EMPTIES_LIST && gl_GlobalInvocationID.x + gl_WorkGroupID.y == 0) {
        list.groups[0] = 0;
        list.count = 0;
    }
    uint plane = gl_WorkGroupID.z;
    uint blockX = gl_GlobalInvocationID.x / BLOCK_INVOCATIONS;
    uint inBlock = gl_GlobalInvocationID.x % BLOCK_INVOCATIONS;
    uint blockY = gl_WorkGroupID.y;
    uint column = blockX * BLOCK_WORDS + inBlock % ROW_INVOCATIONS * WORDS_EACH;
    uint row = blockY * BLOCK_ROWS + inBlock / ROW_INVOCATIONS * ROWS;
    uint filtering = filteringOf(blockY * g.blockColumns + min(blockX, g.blockColumns - 1));
    // 2 to the power of -15, times 2 to the power of what the block has packed.
    const uint SCALE_BITS = 15u << 23;
    const uint SMALLEST_SCALE = (127u - 15u) << 23;
    Strengths by = strengthsOf(
        filtering & 0xffu, (filtering >> 8) & 0xffu, uintBitsToFloat((filtering & SCALE_BITS) + SMALLEST_SCALE),
        uintBitsToFloat(((filtering >> 4) & SCALE_BITS) + SMALLEST_SCALE));
    uint direction = (filtering >> 16) & 7u;
    bool filtered = EVERY_BLOCK || filtering != 0;
    bool inside = blockX - 1 < g.insideColumns && blockY - 1 < g.insideRows;
    bool changes = any(by.primary + by.secondary);
    bool across = any(by.secondary);
    // V3D's compiler keeps values that a later branch needs alive in those before it. So the last branch is the one with the most work.
    inside = areInside(inside, filtered);
    if (SOURCE_IN_COLUMNS || !inside) {
        filterAnywhere(plane, column, row, inside, filtered && changes, direction, by, across);
    } else if (!changes) {
        filterInside(plane, column, row, direction, by, false, false);
    } else if (!across) {
        filterInside(plane, column, row, direction, by, true, false);
    } else {
        filterInside(plane, column, row, direction, by, true, true);
    }
}

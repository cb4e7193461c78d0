#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "words.glsl"

// AV1 CDEF: the filter (AV1 specification, 7.15.3) of the luma plane, or of the chroma planes, one word of samples an
// invocation: four 8-bit or two 10-bit samples. Interleaved Cb and Cr are filtered together, a sample's neighbours lying
// twice as far apart. Blocks that are left alone are copied.
//
// Arithmetic is in floats whose values are whole numbers, which is exact; see words.glsl for the bias that they carry.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
// Samples from one of a component to the next.
layout(constant_id = 3) const uint PIXEL_STEP = 1;
layout(constant_id = 4) const bool CHROMA = false;
// Whether this is the pass that empties the list of blocks for the next picture.
layout(constant_id = 5) const bool EMPTIES_LIST = false;
// Whether every block is filtered. Then all invocations take the same way through the loops, which small GPUs do at a fifth less.
layout(constant_id = 6) const bool EVERY_BLOCK = false;
// Whether rows are cut into columns.
layout(constant_id = 7) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 8) const bool DESTINATION_IN_COLUMNS = false;

const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;
const uint PIXEL_BYTES = PIXEL_STEP * SAMPLE_BYTES;
const uint BLOCK_SAMPLES = CHROMA ? 4 : 8;
const uint BLOCK_WORDS = BLOCK_SAMPLES * PIXEL_BYTES / 4;
const uint BLOCK_INVOCATIONS = BLOCK_WORDS * BLOCK_SAMPLES;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
    uint source[];
};
layout(std430, set = 0, binding = 1) restrict buffer Destination {
    uint destination[];
};
// As the direction pass packs them.
layout(std430, set = 0, binding = 3) readonly restrict buffer Blocks {
    uvec2 blocks[];
};

layout(push_constant) uniform Geometry {
    // Of Y; or of plane 1 and plane 2.
    uint sourceOffset[2];
    uint sourceStride[2];
    uint destinationOffset[2];
    uint destinationStride[2];
    // Pixels and rows, words that hold a row, and which bits of its last word are samples.
    uint width, height, words, tail;
    uint blockColumns;
    // Of all planes that are filtered.
    uint sourceSkip, destinationSkip;
} g;

#include "cdef_taps.glsl"
#include "cdef_list.glsl"
#include "columns.glsl"

// The word of a row of the source.
uint sourceWord(uint row, uint column) {
    return source[row + (SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip) : column)];
}

// The word of samples that begins PIXEL_BYTES * columns after the word at index "at".
uint loadShifted(int at, int columns) {
    int bytes = columns * int(PIXEL_BYTES);
    at += bytes >> 2;
    uint word = source[at];
    if (PIXEL_BYTES != 4) {
        uint shift = uint(bytes & 3) * 8;
        word = (word >> shift) | ((source[at + 1] << 1) << (31 - shift));
    }
    return word;
}

// The same where rows are cut into columns: from the row that begins at "row", for the word at "column".
uint loadShiftedInColumns(uint row, uint column, int columns) {
    int bytes = columns * int(PIXEL_BYTES);
    uint from = column + uint(bytes >> 2);
    uint word = sourceWord(row, from);
    if (PIXEL_BYTES != 4) {
        uint shift = uint(bytes & 3) * 8;
        word = (word >> shift) | ((sourceWord(row, from + 1) << 1) << (31 - shift));
    }
    return word;
}

// Which bits of word "column" of a row are samples of the picture.
uint insideBits(int column) {
    uint last = g.words - 1;
    return uint(column) < last ? 0xffffffffu : uint(column) == last ? g.tail : 0u;
}

// The same as loadShifted near the picture's border, with the samples of "centre" where the picture has none.
uint loadInside(uint plane, uint column, uint row, int rows, int columns, uint centre) {
    int bytes = columns * int(PIXEL_BYTES);
    int from = int(column) + (bytes >> 2);
    uint shift = uint(bytes & 3) * 8;
    int y = int(row) + rows;
    uint found = centre;
    if (uint(y) < g.height) {
        uint base = g.sourceOffset[plane] + uint(y) * g.sourceStride[plane];
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

// Filters a word of a block; outside the picture it goes through the motions with another's.
void filterWord(uint plane, uint blockX, uint blockY, uint column, uint row, bool inPicture) {
    column = min(column, g.words - 1);
    row = min(row, g.height - 1);
    uvec2 block = blocks[blockY * g.blockColumns + min(blockX, g.blockColumns - 1)];
    uint filtering = CHROMA ? block.y : block.x;
    int stride = int(g.sourceStride[plane]);
    int at = int(g.sourceOffset[plane] + row * g.sourceStride[plane] + column);
    uint rowAt = g.sourceOffset[plane] + row * g.sourceStride[plane];
    uint centre = SOURCE_IN_COLUMNS ? sourceWord(rowAt, column) : source[at];
    uint result = centre;
    if (EVERY_BLOCK || filtering != 0) {
        float primary = float(filtering & 0xffu);
        float secondary = float((filtering >> 8) & 0xffu);
        float primaryScale = uintBitsToFloat((127u - ((filtering >> 16) & 15u)) << 23);
        float secondaryScale = uintBitsToFloat((127u - ((filtering >> 20) & 15u)) << 23);
        uint direction = (filtering >> 24) & 7u;
        bool oddPrimary = ((filtering >> COEFFICIENT_SHIFT) & 1u) != 0;
        float nearWeight = oddPrimary ? 3.0 : 4.0;
        float farWeight = oddPrimary ? 3.0 : 2.0;
        Pixels x = unpack(centre);
        Sums s = Sums(Pixels(vec2(0.0), vec2(0.0)), x, x);
        bool interior = blockX > 0 && blockY > 0 && (blockX + 1) * BLOCK_SAMPLES + 2 <= g.width
            && (blockY + 1) * BLOCK_SAMPLES + 2 <= g.height;
        [[dont_unroll]] for (uint far = 0; far < 2; far++) {
            uint rowTable = far == 0 ? NEAR_ROWS : FAR_ROWS;
            uint columnTable = far == 0 ? NEAR_COLUMNS : FAR_COLUMNS;
            float primaryWeight = far == 0 ? nearWeight : farWeight;
            float secondaryWeight = far == 0 ? 2.0 : 1.0;
            [[dont_unroll]] for (uint tap = 0; tap < 3; tap++) {
                // The block's direction, then the two across it.
                uint along = tap == 0 ? direction : (direction + (tap == 1 ? 2u : 6u)) & 7u;
                int rows = tapOffset(rowTable, along);
                int columns = tapOffset(columnTable, along);
                float strength = tap == 0 ? primary : secondary;
                float scale = tap == 0 ? primaryScale : secondaryScale;
                float weight = tap == 0 ? primaryWeight : secondaryWeight;
                uint ahead;
                uint behind;
                if (interior && SOURCE_IN_COLUMNS) {
                    uint step = uint(rows * stride);
                    ahead = loadShiftedInColumns(rowAt + step, column, columns);
                    behind = loadShiftedInColumns(rowAt - step, column, -columns);
                } else if (interior) {
                    int step = rows * stride;
                    ahead = loadShifted(at + step, columns);
                    behind = loadShifted(at - step, -columns);
                } else {
                    ahead = loadInside(plane, column, row, rows, columns, centre);
                    behind = loadInside(plane, column, row, -rows, -columns, centre);
                }
                addTap(ahead, x, strength, scale, weight, s);
                addTap(behind, x, strength, scale, weight, s);
            }
        }
        x.even = finish(x.even, s.sum.even, s.least.even, s.most.even);
        if (SAMPLE_BYTES == 1) {
            x.odd = finish(x.odd, s.sum.odd, s.least.odd, s.most.odd);
        }
        result = repack(x);
    }
    uint to = g.destinationOffset[plane] + row * g.destinationStride[plane]
        + (DESTINATION_IN_COLUMNS ? inColumns(column, g.destinationSkip) : column);
    if (inPicture && column + 1 == g.words && g.tail != 0xffffffffu) {
        destination[to] = (result & g.tail) | (destination[to] & ~g.tail);
    } else if (inPicture) {
        destination[to] = result;
    }
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
    uint column = blockX * BLOCK_WORDS + inBlock % BLOCK_WORDS;
    uint row = blockY * BLOCK_SAMPLES + inBlock / BLOCK_WORDS;
    bool inPicture = column < g.words && row < g.height;
    if (EVERY_BLOCK || inPicture) {
        filterWord(plane, blockX, blockY, column, row, inPicture);
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The strengths of 8x8 blocks: as the CPU writes them, and packed as the filter pass reads them. The including file defines
// COEFFICIENT_SHIFT and HALF_WIDTH_CHROMA, which is true for 4:2:2.

// Packed strengths of each block, for luma and for chroma: 0 if the block is not filtered, else primary strength | secondary strength
// << 8 | direction << 16 | (15 - shift of primary differences) << 23 | (15 - shift of secondary differences) << 27 | 1 << 31.
layout(std430, set = 0, binding = 3) writeonly restrict buffer Blocks {
    uvec2 blocks[];
};
// 1 + the strength index of each 8x8 block; 0 if the block is not filtered.
layout(std430, set = 0, binding = 4) readonly restrict buffer BlockMap {
    uint blockMap[];
};
// Not scaled to the bit depth.
struct BlockStrengths {
    uint yPrimary, ySecondary, uvPrimary, uvSecondary;
};
layout(std430, set = 0, binding = 2) readonly restrict buffer CdefStrengthTable {
    BlockStrengths strengths[8];
    uint damping;
    // 0 without a block map, else 1 + the index of the map's first block.
    uint mapAt;
} parameters;

// 1 + the strength index of block "at"; 0 if the block is not filtered.
uint strengthIndex(uint at) {
    return parameters.mapAt != 0 ? blockMap[parameters.mapAt - 1 + at] : 1;
}

// The strengths scaled to the bit depth. "index" is 1 + a strength index.
uvec4 strengthsOf(uint index) {
    BlockStrengths unscaled = parameters.strengths[index - 1];
    return uvec4(unscaled.yPrimary, unscaled.ySecondary, unscaled.uvPrimary, unscaled.uvSecondary) << COEFFICIENT_SHIFT;
}

uint packPlane(uint pri, uint sec, uint damping, uint direction) {
    uint priShift = pri == 0 ? 0 : uint(max(int(damping) - findMSB(pri), 0));
    uint secShift = sec == 0 ? 0 : uint(max(int(damping) - findMSB(sec), 0));
    return pri | (sec << 8) | (direction << 16) | ((15 - priShift) << 23) | ((15 - secShift) << 27) | 0x80000000u;
}

// The direction of a 4:2:2 chroma block for each direction of its luma block (Cdef_Uv_Dir, 7.15.1), 4 bits each.
const uint HALF_WIDTH_DIRECTIONS = 0x66654207u;

uint chromaDirection(uint direction) {
    return HALF_WIDTH_CHROMA ? (HALF_WIDTH_DIRECTIONS >> (direction * 4)) & 7u : direction;
}

// Packs the strengths of luma and chroma. The variance adjusts the primary strength of luma (AV1 specification, 7.15.1).
uvec2 packStrengths(uvec4 strengths, uint direction, uint variance) {
    uint varianceStrength = variance >> 6 == 0 ? 0 : uint(min(findMSB(variance >> 6), 12));
    uint luma = variance == 0 ? 0 : (strengths.x * (4 + varianceStrength) + 8) >> 4;
    uint damping = parameters.damping + COEFFICIENT_SHIFT;
    return uvec2(
        packPlane(luma, strengths.y, damping, strengths.x == 0 ? 0 : direction),
        packPlane(strengths.z, strengths.w, damping - 1, strengths.z == 0 ? 0 : chromaDirection(direction)));
}

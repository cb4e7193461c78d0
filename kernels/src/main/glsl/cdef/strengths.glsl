// The strengths of 8x8 blocks, as the CPU gives them and as the filter pass takes them. Expects COEFFICIENT_SHIFT and
// HALF_WIDTH_CHROMA, whether chroma has half of the samples a row and all rows (4:2:2).

// Per block: luma, chroma; each 0 where it is left alone, else primary strength | secondary << 8 | direction << 16 | (15 less
// the shift of primary taps' differences) << 23 | the same of secondary ones << 27 | 1 << 31.
layout(std430, set = 0, binding = 3) writeonly restrict buffer Blocks {
    uvec2 blocks[];
};
// Strength index + 1 of each 8x8 block, 0 where it is left alone.
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

// Strength index + 1 of the block at this place, 0 where it is left alone.
uint strengthIndex(uint at) {
    return parameters.mapAt != 0 ? blockMap[parameters.mapAt - 1 + at] : 1;
}

// The strengths of an index + 1, scaled to the bit depth.
uvec4 strengthsOf(uint index) {
    BlockStrengths unscaled = parameters.strengths[index - 1];
    return uvec4(unscaled.yPrimary, unscaled.ySecondary, unscaled.uvPrimary, unscaled.uvSecondary) << COEFFICIENT_SHIFT;
}

uint packPlane(uint pri, uint sec, uint damping, uint direction) {
    uint priShift = pri == 0 ? 0 : uint(max(int(damping) - findMSB(pri), 0));
    uint secShift = sec == 0 ? 0 : uint(max(int(damping) - findMSB(sec), 0));
    return pri | (sec << 8) | (direction << 16) | ((15 - priShift) << 23) | ((15 - secShift) << 27) | 0x80000000u;
}

// Direction of a chroma block by that of the luma block (Cdef_Uv_Dir, 7.15.1), 4 bits each.
const uint HALF_WIDTH_DIRECTIONS = 0x66654207u;

uint chromaDirection(uint direction) {
    return HALF_WIDTH_CHROMA ? (HALF_WIDTH_DIRECTIONS >> (direction * 4)) & 7u : direction;
}

// Luma and chroma, the luma primary strength adjusted by the variance (AV1 specification, 7.15.1).
uvec2 packStrengths(uvec4 strengths, uint direction, uint variance) {
    uint varianceStrength = variance >> 6 == 0 ? 0 : uint(min(findMSB(variance >> 6), 12));
    uint luma = variance == 0 ? 0 : (strengths.x * (4 + varianceStrength) + 8) >> 4;
    uint damping = parameters.damping + COEFFICIENT_SHIFT;
    return uvec2(
        packPlane(luma, strengths.y, damping, strengths.x == 0 ? 0 : direction),
        packPlane(strengths.z, strengths.w, damping - 1, strengths.z == 0 ? 0 : chromaDirection(direction)));
}

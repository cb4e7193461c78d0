// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Vectors of 8x8 blocks, a word for each; those of the whole picture have a second word: by how much the block matches worse than its guard allows.

uint vectorAt(uint reference, uint level, uint block) {
    return reference * g.referenceWords + (level == 0 ? 2 * block : g.smallerVectorsAt[level - 1] + block);
}

// Of a block of a prediction: that it may be used, and that nothing of its mean may.
const uint KEPT = 1;
const uint DRIFTS = 2;

uint guardAt(uint reference, uint component, uvec2 block) {
    uvec2 blocks = blocksOf(0);
    return reference * g.referenceWords + g.guardsAt + (component * blocks.y + block.y) * blocks.x + block.x;
}

// Where a corner of blocks has by how much a prediction differs around it.
uint cornerAt(uint reference, uint component, uvec2 corner) {
    uvec2 corners = blocksOf(0) + 1;
    return reference * g.referenceWords + g.cornersAt + (component * corners.y + corner.y) * corners.x + corner.x;
}

// One of luma's blocks in a block of chroma; beyond the border the nearest one.
uvec2 blockOfLuma(ivec2 block, uint number) {
    return min(uvec2(block) * uvec2(SUB_WIDTH, SUB_HEIGHT) + uvec2(number % SUB_WIDTH, number / SUB_WIDTH), blocksOf(0) - 1);
}

ivec2 vectorOf(uint reference, uint level, uvec2 block) {
    int word = int(work.vectors[vectorAt(reference, level, block.y * blocksOf(level).x + block.x)]);
    return ivec2(bitfieldExtract(word, 0, 16), word >> 16);
}

uint wordOfVector(ivec2 vector) {
    return uint(vector.x & 0xffff) | uint(vector.y) << 16;
}

// Candidates before those around the best one: of the block of the smaller picture, left, right, above and below of it, then none.
const uint FIRST_CANDIDATES = 6;

ivec2 firstCandidate(uint reference, uint level, uvec2 block, uint number, int scale) {
    ivec2 vector = ivec2(0);
    if (number + 1 < FIRST_CANDIDATES) {
        ivec2 step = number == 1 ? ivec2(-1, 0) : number == 2 ? ivec2(1, 0) : number == 3 ? ivec2(0, -1) : number == 4 ? ivec2(0, 1) : ivec2(0);
        ivec2 coarse = clamp(ivec2(block / 2) + step, ivec2(0), ivec2(blocksOf(level + 1)) - 1);
        vector = scale * vectorOf(reference, level + 1, uvec2(coarse));
    }
    return vector;
}

// The steps around a vector, row by row: 9, of which number 4 is the vector itself.
ivec2 stepAround(uint number) {
    return ivec2(int(number % 3), int(number / 3)) - 1;
}

const uint STEPS_AROUND = 9;
const uint NO_STEP = 4;

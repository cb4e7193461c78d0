// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Fuses luma or chroma with its predictions in shrinkage's transform, bounds that by the decoded picture, and keeps the result. A workgroup takes a tile of
// the codec's blocks, and eight invocations a block: each has a column of it, or a row. Where blocks do not begin with a word, tiles overlap by a
// column of blocks, and each leaves out words that it has not as a whole.

layout(local_size_x_id = 0) in;

layout(constant_id = 9) const bool PICTURE_IN_COLUMNS = false;
layout(constant_id = 10) const bool CHROMA = false;

#include "common/barriers.glsl"
#include "shrinkage/transform.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"
#include "time/decoded.glsl"

layout(std430, set = 0, binding = 5) restrict buffer Picture {
    uint fused[];
};
const uint TILE_COLUMNS = 64;
const uint TILE_ROWS = 32;

uint stepOfTiles() {
    return (g.firstColumn & int(WORD_SAMPLES - 1)) == 0 ? TILE_COLUMNS : TILE_COLUMNS - 8;
}

// Of the tile's samples: 32 times what all shifts add to them, then the samples.
shared int samples[TILE_ROWS * TILE_COLUMNS];
// Sums over the picture: those of references, and how much was changed before.
const uint TOTALS = REFERENCES * SUMS + 1;
shared int totals[2 * TOTALS];

// The component at hand.
uint component;

// Which references no guard of the whole picture drops; bit by bit.
uint usable;
// 16 times the threshold over that of shrinkage, and the bound over it.
int factor;
int boundFactor;

// Where columns of blocks become rows, and rows columns: two places that take turns, so that none is written while it is read.
const uint TURNED_STEP = 9;
shared int turned[2 * TURNED_STEP * gl_WorkGroupSize.x];
uint turns = 0;

// Of each of the workgroup's blocks: how many of its coefficients are large.
shared int large[gl_WorkGroupSize.x / 8];

// Which of the workgroup's blocks, and which column or row of it, an invocation has.
uint slot;
uint lane;

// The column of samples or the row of coefficients that it has at hand.
int c[8];

// Makes rows of columns, and columns of rows. All invocations meet in it.
void turn() {
    uint begin = (turns * gl_WorkGroupSize.x + 8 * slot) * TURNED_STEP;
    turns ^= 1;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        turned[begin + i * TURNED_STEP + lane] = c[i];
    }
    meetOverShared();
    [[unroll]] for (uint i = 0; i < 8; i++) {
        c[i] = turned[begin + lane * TURNED_STEP + i];
    }
}

void forward() {
    forward8(c);
    turn();
    forward8(c);
}

void inverse() {
    inverse8(c);
    turn();
    inverse8(c);
}

ivec2 sizeOfPlane() {
    return sizeOfComponent(CHROMA ? 1 : 0);
}

// Where a row of the component begins in an entry.
uint rowOfComponent(int y) {
    ivec2 size = sizeOfPlane();
    return (CHROMA ? componentAt(component) : 0) + uint(clamp(y, 0, size.y - 1)) * strideFor(size.x);
}

int ownSample(ivec2 at) {
    return sampleAt(picture.entry * g.pyramidWords + rowOfComponent(at.y), at.x, sizeOfPlane().x - 1);
}

int predictedSample(uint reference, ivec2 at) {
    uint x = uint(clamp(at.x, 0, sizeOfPlane().x - 1));
    uint row = reference * g.referenceWords + g.predictionsAt + rowOfComponent(at.y);
    return sampleIn(work.vectors[row + x / WORD_SAMPLES], x % WORD_SAMPLES);
}

// The threshold of the component, scaled to the bit depth.
int scaledThreshold() {
    return thresholdOf(CHROMA ? 1 : 0) << DEPTH_SHIFT;
}

// A coefficient of which nothing counts.
const int TOO_LARGE = 1 << 20;

// The class of a row or column of coefficients: 0 and 4, odd ones, 2 and 6.
uint classOf(uint at) {
    return (at & 1) != 0 ? 1 : (at & 3) == 0 ? 0 : 2;
}

const ivec3 NORMS_WITH_0 = ivec3(2048, 2176, 1619);
const ivec3 NORMS = ivec3(2312, 1720, 1280);
const ivec3 SCALES_WITH_0 = ivec3(32, 28, 51);
const ivec3 SCALES = ivec3(25, 45, 82);

// Of each row of coefficients: these numbers by the class of the column, the norms and then the scales. In shared memory, since V3D has few
// registers.
shared int ofRows[8 * 6];

void putOfRow(uint at, ivec3 with0, ivec3 others) {
    uint row = classOf(lane);
    ivec3 numbers = row == 0 ? with0 : row == 1 ? ivec3(with0.y, others.x, others.y) : ivec3(with0.z, others.y, others.z);
    [[unroll]] for (uint i = 0; i < 3; i++) {
        ofRows[6 * lane + at + i] = numbers[i];
    }
}

ivec3 norms() {
    return ivec3(ofRows[6 * lane], ofRows[6 * lane + 1], ofRows[6 * lane + 2]);
}

ivec3 scales() {
    return ivec3(ofRows[6 * lane + 3], ofRows[6 * lane + 4], ofRows[6 * lane + 5]);
}

// Thresholds of coefficients of these norms, for one of samples.
ivec3 scaledBy(int threshold, ivec3 norms) {
    return (threshold * norms + 2048) >> 12;
}

// Halves, thirds and so on, in 1/32, by the number of references.
int shareOf(int count) {
    return count == 0 ? 0 : count == 1 ? 16 : count == 2 ? 11 : count == 3 ? 8 : 6;
}

// Adds to the tile what a block of a shift changes, which begins at a sample of the picture. "exists": whether there is such a block. All
// invocations meet in it.
void fuseBlock(bool exists, ivec2 at, ivec2 tile) {
    // The references of which something counts, and, from the bit REFERENCES on, of which nothing of the mean does.
    uint keeps = 0;
    int own[8];
    int added[8];
    if (exists) {
        uvec2 guarded = uvec2(clamp((at + 4) >> 3, ivec2(0), ivec2(blocksIn(sizeOfPlane())) - 1));
        [[unroll]] for (uint reference = 0; reference < REFERENCES; reference++) {
            if ((usable >> reference & 1) != 0) {
                uint guard = work.vectors[guardAt(reference, component, guarded)];
                if ((guard & KEPT) != 0) {
                    keeps |= (1u | (guard & DRIFTS) / DRIFTS << REFERENCES) << reference;
                }
            }
        }
    }
    if (lane == 0) {
        large[slot] = 0;
    }
    [[unroll]] for (uint y = 0; y < 8; y++) {
        own[y] = keeps == 0 ? 0 : ownSample(at + ivec2(lane, y));
        c[y] = own[y];
    }
    forward();
    int scaled = scaledThreshold();
    ivec3 thresholds = scaledBy(scaled, norms());
    int many = 0;
    [[unroll]] for (uint x = 0; x < 8; x++) {
        many += abs(c[x]) > thresholds[classOf(x)] ? 1 : 0;
        // 8 times what references add, plus the number of these.
        added[x] = 0;
    }
    atomicAdd(large[slot], many);
    meetOverShared();
    // Less the mean, which is large in nearly all blocks.
    many = large[slot] - 1;
    int level = many <= 0 ? 0 : many <= 2 ? 1 : many <= 5 ? 2 : many <= 9 ? 3 : 4;
    ivec3 limits = scaledBy(((scaled * factor + 4 >> 3) * (4 + level) + 4) >> 3, norms());
    [[dont_unroll]] for (uint reference = 0; reference < REFERENCES; reference++) {
        if ((usable >> reference & 1) != 0) {
            bool kept = (keeps >> reference & 1) != 0;
            [[unroll]] for (uint y = 0; y < 8; y++) {
                c[y] = kept ? predictedSample(reference, at + ivec2(lane, y)) - own[y] : 0;
            }
            forward();
            if (lane == 0 && (keeps >> (REFERENCES + reference) & 1) != 0) {
                c[0] = TOO_LARGE;
            }
            [[unroll]] for (uint x = 0; x < 8; x++) {
                int most = kept ? max(limits[classOf(x)] - abs(c[x]), 0) : 0;
                added[x] += 8 * clamp(c[x], -most, most) + min(most, 1);
            }
        }
    }
    ivec3 scale = scales();
    [[unroll]] for (uint x = 0; x < 8; x++) {
        int mean = ((added[x] >> 3) * shareOf(added[x] & 7) + 16) >> 5;
        c[x] = (mean * scale[classOf(x)] + 32) >> 6;
    }
    inverse();
    ivec2 inTile = at - tile + ivec2(lane, 0);
    if (keeps != 0 && inTile.x >= 0 && inTile.x < int(TILE_COLUMNS)) {
        [[unroll]] for (int y = 0; y < 8; y++) {
            int row = inTile.y + y;
            if (row >= 0 && row < int(TILE_ROWS)) {
                samples[row * TILE_COLUMNS + inTile.x] += c[y];
            }
        }
    }
}

// Turns the sums of one of the codec's blocks into samples, bounded if the block lies in the picture as a whole. All invocations meet in
// it.
void finishBlock(ivec2 at, uint from) {
    bool whole = all(greaterThanEqual(at, ivec2(0))) && all(lessThanEqual(at + 8, sizeOfPlane()));
    [[unroll]] for (uint y = 0; y < 8; y++) {
        uint place = from + y * TILE_COLUMNS + lane;
        int value = clamp(ownSample(at + ivec2(lane, y)) + ((samples[place] + 64) >> 7), 0, MOST_SAMPLE);
        samples[place] = value;
        c[y] = whole ? value - decodedSample(CHROMA ? component : 0, at + ivec2(lane, y)) : 0;
    }
    forward();
    int bound = (scaledThreshold() * boundFactor + 8) >> 4;
    const int MOST_EXCESS = 390 << DEPTH_SHIFT;
    ivec3 norm = norms();
    ivec3 scale = scales();
    [[unroll]] for (uint x = 0; x < 8; x++) {
        int limit = (bound * int(16 + lane + x) / 16 * norm[classOf(x)] + 2048) >> 12;
        int excess = c[x] - clamp(c[x], -limit, limit);
        c[x] = (clamp(excess, -MOST_EXCESS, MOST_EXCESS) * scale[classOf(x)] + 32) >> 6;
    }
    inverse();
    [[unroll]] for (uint y = 0; y < 8; y++) {
        uint place = from + y * TILE_COLUMNS + lane;
        samples[place] = clamp(samples[place] - ((c[y] + 16) >> 5), 0, MOST_SAMPLE);
    }
}

// True if what was done before changed chroma by a 64th of its threshold on average. Where it changed less, there is no noise of a coder that could be fused.
bool isCoded() {
    ivec2 size = sizeOfPlane();
    int least = scaledThreshold() * ((size.x * size.y + 1023) >> 10);
    int upper = totals[2 * TOTALS - 1] + (totals[2 * TOTALS - 2] >> 16);
    bool isLess = upper < least >> 16 || (upper == least >> 16 && (totals[2 * TOTALS - 2] & 0xffff) < (least & 0xffff));
    return scaledThreshold() > 0 && !isLess;
}

// Finds the references that the guards of the whole picture leave. All invocations meet in it.
void judge() {
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 2 * TOTALS; i += gl_WorkGroupSize.x) {
        totals[i] = 0;
    }
    meetOverShared();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < TOTALS * SUM_PLACES; i += gl_WorkGroupSize.x) {
        uint total = i / SUM_PLACES;
        uint from = 2 * ((total + 1 == TOTALS && CHROMA ? changeOf(component) : total) * SUM_PLACES + i % SUM_PLACES);
        uint lower = work.sums[from];
        atomicAdd(totals[2 * total], int(lower & 0xffffu));
        atomicAdd(totals[2 * total + 1], int(work.sums[from + 1]) + int(lower >> 16));
    }
    meetOverShared();
    usable = 0;
    uint combs = work.combs[picture.entry];
    uint comb = combs >> 1;
    bool combed = comb != 0;
    [[unroll]] for (uint reference = 0; reference < REFERENCES; reference++) {
        if (hasReference(reference) && (!CHROMA || isCoded())) {
            uint at = reference * SUMS * 2;
            int excess = totals[at + 1] + (totals[at] >> 16);
            bool matches = excess < 0 || (excess == 0 && (totals[at] & 0xffff) == 0);
            int upper = totals[at + 3] + (totals[at + 2] >> 16);
            // 65536 times these are more than a picture's samples.
            const int MOST_UPPER = 0x4000;
            int change = clamp(upper, -MOST_UPPER, MOST_UPPER) * 0x10000 + (totals[at + 2] & 0xffff);
            bool sameMean = abs(change) <= int(g.width * g.height) << DEPTH_SHIFT;
            uint combOf = work.combs[entryOf(reference)] >> 1;
            bool coarse = comb != 0 && 3 * combOf > 5 * comb;
            usable |= matches && sameMean && !coarse ? 1u << reference : 0;
            combed = combed && combOf != 0;
        }
    }
    factor = combed ? clamp(12 + threshold() / 20, 16, 20) : combs != 0 ? 16 : 12;
    boundFactor = combed ? 10 : 6;
}

// Puts a word of samples of the component into the picture. Words of alternating samples have those of the other component, too, which another
// workgroup changes: what is and what is to be differ by some bits, which are turned over.
void putWord(int y, uint column, uint word) {
    int width = sizeOfPlane().x;
    uint begin = ofPlane(CHROMA ? component : 0, g.pictureOffset[0], g.pictureOffset[1], g.pictureOffset[2])
        + uint(y) * ofPlane(CHROMA ? component : 0, g.pictureStride[0], g.pictureStride[1], g.pictureStride[2]);
    if (CHROMA && CHROMA_STEP == 2) {
        uint old = samplesAt(picture.entry * g.pyramidWords + rowOfComponent(y), int(column * WORD_SAMPLES), width - 1);
        [[unroll]] for (uint i = 0; i < 2; i++) {
            uint change = 0;
            [[unroll]] for (uint j = i * WORD_SAMPLES / 2; j < (i + 1) * WORD_SAMPLES / 2; j++) {
                uint bits = (2 * j + component - 1) % WORD_SAMPLES * STORED_BITS;
                if (int(column * WORD_SAMPLES + j) < width) {
                    change |= uint(sampleIn(old ^ word, j)) << bits;
                }
            }
            if (change != 0) {
                atomicXor(fused[begin + placeInRow(2 * column + i, PICTURE_IN_COLUMNS, g.pictureSkip[1])], change << SAMPLE_SHIFT);
            }
        }
    } else {
        uint at = begin + placeInRow(column, PICTURE_IN_COLUMNS, g.pictureSkip[CHROMA ? 1 : 0]);
        uint bytes = min(uint(width) * SAMPLE_BYTES - 4 * column, 4);
        uint mask = (1u << (8 * bytes & 31u)) - 1;
        fused[at] = bytes == 4 ? word << SAMPLE_SHIFT : (word << SAMPLE_SHIFT & mask) | (fused[at] & ~mask);
    }
}

void main() {
    slot = gl_LocalInvocationIndex / 8;
    lane = gl_LocalInvocationIndex % 8;
    ivec2 tile = ivec2(g.firstColumn + int(gl_WorkGroupID.x * stepOfTiles()), g.firstRow + int(gl_WorkGroupID.y * TILE_ROWS));
    if (slot == 0) {
        putOfRow(0, NORMS_WITH_0, NORMS);
        putOfRow(3, SCALES_WITH_0, SCALES);
    }
    component = CHROMA ? g.plane + gl_WorkGroupID.z : 0;
    judge();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < TILE_ROWS * TILE_COLUMNS; i += gl_WorkGroupSize.x) {
        samples[i] = 0;
    }
    meetOverShared();
    if (usable != 0) {
        const uint ACROSS = TILE_COLUMNS / 8 + 1;
        const uint DOWN = TILE_ROWS / 8 + 1;
        const uint SLOTS = gl_WorkGroupSize.x / 8;
        [[dont_unroll]] for (int shift = 0; shift < 8; shift += 2) {
            ivec2 first = tile - (tile - shift & 7);
            [[dont_unroll]] for (uint begin = 0; begin < ACROSS * DOWN; begin += SLOTS) {
                uint i = begin + slot;
                fuseBlock(i < ACROSS * DOWN, first + 8 * ivec2(i % ACROSS, i / ACROSS), tile);
            }
            meetOverShared();
        }
        [[dont_unroll]] for (uint i = slot; i < TILE_COLUMNS * TILE_ROWS / 64; i += SLOTS) {
            uvec2 block = 8 * uvec2(i % (TILE_COLUMNS / 8), i / (TILE_COLUMNS / 8));
            finishBlock(tile + ivec2(block), block.y * TILE_COLUMNS + block.x);
        }
        meetOverShared();
    }
    int firstWord = (tile.x + 8 * int(WORD_SAMPLES) - 1) / int(WORD_SAMPLES) - 7;
    uint words = stepOfTiles() / WORD_SAMPLES;
    ivec2 size = sizeOfPlane();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < TILE_ROWS * words; i += gl_WorkGroupSize.x) {
        uint row = i / words;
        int column = firstWord + int(i % words);
        int y = tile.y + int(row);
        if (column >= 0 && column < int(strideFor(size.x)) && y >= 0 && y < size.y) {
            int x = column * int(WORD_SAMPLES);
            uint word = 0;
            if (usable != 0) {
                uint from = row * TILE_COLUMNS + uint(x - tile.x);
                [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
                    word |= uint(samples[from + j]) << (j * STORED_BITS);
                }
                putWord(y, uint(column), word);
            } else {
                word = samplesAt(picture.entry * g.pyramidWords + rowOfComponent(y), x, size.x - 1);
            }
            results[picture.entry * g.planesWords + rowOfComponent(y) + uint(column)] = word;
        }
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Fuses the picture with its predictions in shrinkage's transform, bounds that by the decoded picture, and keeps the result. A workgroup takes a tile of
// the codec's blocks, and an invocation whole blocks. Where these do not begin with a word, tiles overlap by a column of blocks, and
// each leaves out words that it has not as a whole.

layout(local_size_x_id = 0) in;

// Of the picture; the history has samples in the lower bits.
layout(constant_id = 3) const uint SAMPLE_SHIFT = 0;
layout(constant_id = 4) const bool PICTURE_IN_COLUMNS = false;
layout(constant_id = 5) const bool DECODED_IN_COLUMNS = false;

#include "common/barriers.glsl"
#include "common/columns.glsl"
#include "shrinkage/transform.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"

layout(std430, set = 0, binding = 5) restrict buffer Picture {
    uint fused[];
};
layout(std430, set = 0, binding = 6) readonly restrict buffer Decoded {
    uint decoded[];
};

const uint TILE_COLUMNS = 64;
const uint TILE_ROWS = 32;

// Of the tile's samples: 32 times what all shifts add to them, then the samples.
shared int samples[TILE_ROWS * TILE_COLUMNS];
shared int totals[REFERENCES * SUMS * 2];

// Which references no guard of the whole picture drops; bit by bit.
uint usable;
// 16 times the threshold over that of shrinkage, and the bound over it.
int factor;
int boundFactor;

// The block that an invocation has at hand: its rows of samples or coefficients.
int c[64];

// Of each coefficient: 8 times what references add, plus the number of these.
int added[64];

void loadOwn(ivec2 at) {
    int last = int(g.width[0]) - 1;
    [[unroll]] for (uint y = 0; y < 8; y++) {
        uint row = rowOf(picture.entry, 0, at.y + int(y));
        [[unroll]] for (uint x = 0; x < 8; x += WORD_SAMPLES) {
            uint word = samplesAt(row, at.x + int(x), last);
            [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
                c[8 * y + x + j] = sampleIn(word, j);
            }
        }
    }
}

// The prediction less the picture.
void loadDifference(uint reference, ivec2 at) {
    int last = int(g.width[0]) - 1;
    uint begin = g.predictionsAt + reference * g.planeWords;
    [[unroll]] for (uint y = 0; y < 8; y++) {
        uint row = begin + uint(clamp(at.y + int(y), 0, int(g.height[0]) - 1)) * strideOf(0);
        [[unroll]] for (uint x = 0; x < 8; x++) {
            uint column = uint(clamp(at.x + int(x), 0, last));
            c[8 * y + x] = sampleIn(work.vectors[row + column / WORD_SAMPLES], column % WORD_SAMPLES);
        }
    }
    [[unroll]] for (uint y = 0; y < 8; y++) {
        uint row = rowOf(picture.entry, 0, at.y + int(y));
        [[unroll]] for (uint x = 0; x < 8; x += WORD_SAMPLES) {
            uint word = samplesAt(row, at.x + int(x), last);
            [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
                c[8 * y + x + j] -= sampleIn(word, j);
            }
        }
    }
}

void forward() {
    [[unroll]] for (uint x = 0; x < 8; x++) {
        forward8(c[x], c[8 + x], c[16 + x], c[24 + x], c[32 + x], c[40 + x], c[48 + x], c[56 + x]);
    }
    [[unroll]] for (uint y = 0; y < 64; y += 8) {
        forward8(c[y], c[y + 1], c[y + 2], c[y + 3], c[y + 4], c[y + 5], c[y + 6], c[y + 7]);
    }
}

void inverse() {
    [[unroll]] for (uint y = 0; y < 64; y += 8) {
        inverse8(c[y], c[y + 1], c[y + 2], c[y + 3], c[y + 4], c[y + 5], c[y + 6], c[y + 7]);
    }
    [[unroll]] for (uint x = 0; x < 8; x++) {
        inverse8(c[x], c[8 + x], c[16 + x], c[24 + x], c[32 + x], c[40 + x], c[48 + x], c[56 + x]);
    }
}

// The class of a row or column of coefficients: 0 and 4, odd ones, 2 and 6.
uint classOf(uint at) {
    return (at & 1) != 0 ? 1 : (at & 3) == 0 ? 0 : 2;
}

// A number of a coefficient, of the numbers for classes 0 0, 0 1, 0 2, 1 1, 1 2 and 2 2.
int byClass(uint at, ivec3 with0, ivec3 others) {
    uint row = classOf(at / 8);
    uint column = classOf(at % 8);
    uint low = min(row, column);
    uint high = max(row, column);
    return low == 0 ? with0[high] : low == 1 ? (high == 1 ? others.x : others.y) : others.z;
}

const ivec3 NORMS_WITH_0 = ivec3(2048, 2176, 1619);
const ivec3 NORMS = ivec3(2312, 1720, 1280);
const ivec3 SCALES_WITH_0 = ivec3(32, 28, 51);
const ivec3 SCALES = ivec3(25, 45, 82);

// Thresholds of coefficients of these norms, for one of samples.
ivec3 scaledBy(int threshold, ivec3 norms) {
    return (threshold * norms + 2048) >> 12;
}

// Halves, thirds and so on, in 1/32, by the number of references.
int shareOf(int count) {
    return count == 0 ? 0 : count == 1 ? 16 : count == 2 ? 11 : count == 3 ? 8 : 6;
}

// Adds to the tile what a block of a shift changes, which begins at a sample of the picture.
void fuseBlock(ivec2 at, ivec2 tile) {
    ivec2 guarded = clamp((at + 4) >> 3, ivec2(0), ivec2(blocksOf(0)) - 1);
    uint keeps = 0;
    [[unroll]] for (uint reference = 0; reference < REFERENCES; reference++) {
        uint vector = vectorAt(reference, 0, uint(guarded.y) * blocksOf(0).x + uint(guarded.x));
        if ((usable >> reference & 1) != 0 && int(work.vectors[vector + 1]) <= 0) {
            keeps |= 1u << reference;
        }
    }
    if (keeps == 0) {
        return;
    }
    int scaled = threshold() << DEPTH_SHIFT;
    loadOwn(at);
    forward();
    ivec3 own0 = scaledBy(scaled, NORMS_WITH_0);
    ivec3 own = scaledBy(scaled, NORMS);
    // Less the mean, which is large in nearly all blocks.
    int large = -1;
    [[unroll]] for (uint i = 0; i < 64; i++) {
        large += abs(c[i]) > byClass(i, own0, own) ? 1 : 0;
        added[i] = 0;
    }
    int level = large <= 0 ? 0 : large <= 2 ? 1 : large <= 5 ? 2 : large <= 9 ? 3 : 4;
    int strength = ((scaled * factor + 4 >> 3) * (4 + level) + 4) >> 3;
    ivec3 limits0 = scaledBy(strength, NORMS_WITH_0);
    ivec3 limits = scaledBy(strength, NORMS);
    [[dont_unroll]] for (uint reference = 0; reference < REFERENCES; reference++) {
        if ((keeps >> reference & 1) != 0) {
            loadDifference(reference, at);
            forward();
            [[unroll]] for (uint i = 0; i < 64; i++) {
                int most = max(byClass(i, limits0, limits) - abs(c[i]), 0);
                added[i] += 8 * clamp(c[i], -most, most) + min(most, 1);
            }
        }
    }
    [[unroll]] for (uint i = 0; i < 64; i++) {
        int mean = ((added[i] >> 3) * shareOf(added[i] & 7) + 16) >> 5;
        c[i] = (mean * byClass(i, SCALES_WITH_0, SCALES) + 32) >> 6;
    }
    inverse();
    ivec2 inTile = at - tile;
    [[unroll]] for (uint y = 0; y < 8; y++) {
        int row = inTile.y + int(y);
        if (row >= 0 && row < int(TILE_ROWS)) {
            [[unroll]] for (uint x = 0; x < 8; x++) {
                int column = inTile.x + int(x);
                if (column >= 0 && column < int(TILE_COLUMNS)) {
                    samples[row * TILE_COLUMNS + column] += c[8 * y + x];
                }
            }
        }
    }
}

int decodedSample(int x, uint begin) {
    uint column = uint(x) / WORD_SAMPLES;
    return sampleIn(decoded[begin + (DECODED_IN_COLUMNS ? inColumns(column, g.decodedSkip) : column)] >> SAMPLE_SHIFT, uint(x) % WORD_SAMPLES);
}

// Turns the sums of one of the codec's blocks into samples, bounded if the block lies in the picture as a whole.
void finishBlock(ivec2 at, uint from) {
    loadOwn(at);
    bool whole = all(greaterThanEqual(at, ivec2(0))) && at.x + 8 <= int(g.width[0]) && at.y + 8 <= int(g.height[0]);
    [[unroll]] for (uint y = 0; y < 8; y++) {
        uint row = g.decodedOffset + uint(max(at.y, 0) + y) * g.decodedStride;
        [[unroll]] for (uint x = 0; x < 8; x++) {
            uint place = from + y * TILE_COLUMNS + x;
            int value = clamp(c[8 * y + x] + ((samples[place] + 64) >> 7), 0, MOST_SAMPLE);
            samples[place] = value;
            c[8 * y + x] = whole ? value - decodedSample(at.x + int(x), row) : 0;
        }
    }
    forward();
    int bound = ((threshold() << DEPTH_SHIFT) * boundFactor + 8) >> 4;
    const int MOST_EXCESS = 390 << DEPTH_SHIFT;
    bool any = false;
    [[unroll]] for (uint i = 0; i < 64; i++) {
        int limit = (bound * int(16 + i / 8 + i % 8) / 16 * byClass(i, NORMS_WITH_0, NORMS) + 2048) >> 12;
        int excess = c[i] - clamp(c[i], -limit, limit);
        any = any || excess != 0;
        c[i] = (clamp(excess, -MOST_EXCESS, MOST_EXCESS) * byClass(i, SCALES_WITH_0, SCALES) + 32) >> 6;
    }
    if (any) {
        inverse();
        [[unroll]] for (uint i = 0; i < 64; i++) {
            uint place = from + i / 8 * TILE_COLUMNS + i % 8;
            samples[place] = clamp(samples[place] - ((c[i] + 16) >> 5), 0, MOST_SAMPLE);
        }
    }
}

// Finds the references that the guards of the whole picture leave. All invocations meet in it.
void judge() {
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < REFERENCES * SUMS * 2; i += gl_WorkGroupSize.x) {
        totals[i] = 0;
    }
    meetOverShared();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < REFERENCES * SUMS * SUM_PLACES; i += gl_WorkGroupSize.x) {
        uint lower = work.sums[2 * i];
        uint at = i / SUM_PLACES * 2;
        atomicAdd(totals[at], int(lower & 0xffffu));
        atomicAdd(totals[at + 1], int(work.sums[2 * i + 1]) + int(lower >> 16));
    }
    meetOverShared();
    usable = 0;
    uint combs = work.combs[picture.entry];
    bool combed = (combs & 1) != 0;
    [[unroll]] for (uint reference = 0; reference < REFERENCES; reference++) {
        if (hasReference(reference)) {
            uint at = reference * SUMS * 2;
            int excess = totals[at + 1] + (totals[at] >> 16);
            bool matches = excess < 0 || (excess == 0 && (totals[at] & 0xffff) == 0);
            int upper = totals[at + 3] + (totals[at + 2] >> 16);
            // 65536 times these are more than a picture's samples.
            const int MOST_UPPER = 0x4000;
            int change = clamp(upper, -MOST_UPPER, MOST_UPPER) * 0x10000 + (totals[at + 2] & 0xffff);
            bool sameMean = abs(change) <= int(g.width[0] * g.height[0]) << DEPTH_SHIFT;
            usable |= matches && sameMean ? 1u << reference : 0;
            combed = combed && (work.combs[entryOf(reference)] & 1) != 0;
        }
    }
    factor = combed ? clamp(12 + threshold() / 20, 16, 20) : combs != 0 ? 16 : 12;
    boundFactor = combed ? 10 : 6;
}

void main() {
    ivec2 tile = ivec2(g.firstColumn + int(gl_WorkGroupID.x * g.columnStep), g.firstRow + int(gl_WorkGroupID.y * TILE_ROWS));
    judge();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < TILE_ROWS * TILE_COLUMNS; i += gl_WorkGroupSize.x) {
        samples[i] = 0;
    }
    meetOverShared();
    if (usable != 0) {
        const uint ACROSS = TILE_COLUMNS / 8 + 1;
        const uint DOWN = TILE_ROWS / 8 + 1;
        [[dont_unroll]] for (int shift = 0; shift < 8; shift += 2) {
            ivec2 first = tile - (tile - shift & 7);
            [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < ACROSS * DOWN; i += gl_WorkGroupSize.x) {
                fuseBlock(first + 8 * ivec2(i % ACROSS, i / ACROSS), tile);
            }
            meetOverShared();
        }
        [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < TILE_COLUMNS * TILE_ROWS / 64; i += gl_WorkGroupSize.x) {
            uvec2 block = 8 * uvec2(i % (TILE_COLUMNS / 8), i / (TILE_COLUMNS / 8));
            finishBlock(tile + ivec2(block), block.y * TILE_COLUMNS + block.x);
        }
        meetOverShared();
    }
    int firstWord = (tile.x + 8 * int(WORD_SAMPLES) - 1) / int(WORD_SAMPLES) - 7;
    uint words = g.columnStep / WORD_SAMPLES;
    uint stride = strideOf(0);
    int last = int(g.width[0]) - 1;
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < TILE_ROWS * words; i += gl_WorkGroupSize.x) {
        uint row = i / words;
        int column = firstWord + int(i % words);
        int y = tile.y + int(row);
        if (column >= 0 && column < int(stride) && y >= 0 && y < int(g.height[0])) {
            int x = column * int(WORD_SAMPLES);
            uint word = 0;
            if (usable != 0) {
                uint from = row * TILE_COLUMNS + uint(x - tile.x);
                [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
                    word |= uint(samples[from + j]) << (j * STORED_BITS);
                }
                uint at = g.pictureOffset + uint(y) * g.pictureStride
                    + (PICTURE_IN_COLUMNS ? inColumns(uint(column), g.pictureSkip) : uint(column));
                uint mask = column + 1 == int(stride) ? g.tail : 0xffffffffu;
                fused[at] = mask == 0xffffffffu ? word << SAMPLE_SHIFT : (word << SAMPLE_SHIFT & mask) | (fused[at] & ~mask);
            } else {
                word = samplesAt(rowOf(picture.entry, 0, y), x, last);
            }
            results[picture.entry * g.planeWords + uint(y) * stride + uint(column)] = word;
        }
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Predicts the picture from a reference, by overlapped blocks: from its result, if it has one. A workgroup takes 8x8 samples that four blocks predict, which lie around
// them: its first sample is the middle of the first of these blocks.

layout(local_size_x_id = 0) in;

#include "common/barriers.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"
#include "time/taps.glsl"

const uint ROWS = 8 + 7;

// By block: rows of samples, filtered along the rows.
shared int between[4 * ROWS * 8];
shared int predicted[64];
shared int change;

// Of the four blocks.
shared ivec2 vectors[4];

// The vector of a block: that of luma, or the mean of luma's in it.
ivec2 vectorOfBlock(uint reference, uint component, ivec2 block) {
    if (component == 0) {
        return vectorOf(reference, 0, uvec2(block));
    }
    ivec2 sum = ivec2(0);
    [[unroll]] for (uint i = 0; i < SUB_WIDTH * SUB_HEIGHT; i++) {
        sum += vectorOf(reference, 0, blockOfLuma(block, i));
    }
    // By how many there are, and by how many samples of luma one of chroma has: of 1 or 2 the logarithm is one less.
    ivec2 shift = ivec2(SUB_WIDTH + SUB_HEIGHT - 2) + ivec2(SUB_WIDTH, SUB_HEIGHT) - 1;
    return sum + (ivec2(1) << shift >> 1) >> shift;
}

int resultSample(uint row, int x, int last) {
    uint column = uint(clamp(x, 0, last));
    return sampleIn(results[row + column / WORD_SAMPLES], column % WORD_SAMPLES);
}

// How much a block counts at a sample, the first block or the second one across or down.
int weightOf(uint second, uint at) {
    return int(second != 0 ? 2 * at + 1 : 15 - 2 * at);
}

void main() {
    uint reference = gl_WorkGroupID.z / COMPONENTS;
    uint component = gl_WorkGroupID.z % COMPONENTS;
    ivec2 size = sizeOfComponent(component);
    uvec2 blocks = blocksIn(size);
    if (!hasReference(reference) || any(greaterThan(gl_WorkGroupID.xy, blocks)) || thresholdOf(component) == 0) {
        return;
    }
    ivec2 begin = 8 * ivec2(gl_WorkGroupID.xy) - 4;
    if (gl_LocalInvocationIndex == 0) {
        change = 0;
    }
    if (gl_LocalInvocationIndex < 4) {
        ivec2 block = ivec2(gl_WorkGroupID.xy) - 1 + ivec2(gl_LocalInvocationIndex & 1, gl_LocalInvocationIndex >> 1);
        vectors[gl_LocalInvocationIndex] = vectorOfBlock(reference, component, clamp(block, ivec2(0), ivec2(blocks) - 1));
    }
    meetOverShared();
    uint entry = entryOf(reference);
    uint stride = strideFor(size.x);
    uint componentBegin = componentAt(component);
    bool after = (picture.references[reference] & AFTER) != 0;
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 4 * ROWS; i += gl_WorkGroupSize.x) {
        ivec2 vector = vectors[i / ROWS];
        int y = begin.y + (vector.y >> 2) - 3 + int(i % ROWS);
        int x = begin.x + (vector.x >> 2) - 3;
        ivec4 first = firstTaps(vector.x & 3);
        ivec4 last = lastTaps(vector.x & 3);
        int s[ROWS];
        uint row = componentBegin + uint(clamp(y, 0, size.y - 1)) * stride;
        // Two loops: with both kinds in one, V3D has too few registers.
        if (after) {
            row += entry * g.pyramidWords;
            [[unroll]] for (uint j = 0; j < ROWS; j++) {
                s[j] = sampleAt(row, x + int(j), size.x - 1);
            }
        } else {
            row += entry * g.planesWords;
            [[unroll]] for (uint j = 0; j < ROWS; j++) {
                s[j] = resultSample(row, x + int(j), size.x - 1);
            }
        }
        [[unroll]] for (uint j = 0; j < 8; j++) {
            between[8 * i + j] = filtered(first, last, s[j], s[j + 1], s[j + 2], s[j + 3], s[j + 4], s[j + 5], s[j + 6], s[j + 7]);
        }
    }
    meetOverShared();
    int own = 0;
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 64; i += gl_WorkGroupSize.x) {
        uint x = i % 8;
        uint y = i / 8;
        int sum = 128;
        [[dont_unroll]] for (uint number = 0; number < 4; number++) {
            int quarter = vectors[number].y & 3;
            uint at = (number * ROWS + y) * 8 + x;
            int value = filtered(firstTaps(quarter), lastTaps(quarter), between[at], between[at + 8], between[at + 16], between[at + 24],
                between[at + 32], between[at + 40], between[at + 48], between[at + 56]);
            sum += weightOf(number & 1, x) * weightOf(number >> 1, y) * value;
        }
        int value = sum >> 8;
        predicted[i] = value;
        ivec2 at = begin + ivec2(x, y);
        if (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size))) {
            own += value - sampleAt(picture.entry * g.pyramidWords + componentBegin + uint(at.y) * stride, at.x, size.x - 1);
        }
    }
    atomicAdd(change, own);
    meetOverShared();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 64 / WORD_SAMPLES; i += gl_WorkGroupSize.x) {
        uint from = i * WORD_SAMPLES;
        ivec2 at = begin + ivec2(from % 8, from / 8);
        if (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size))) {
            uint word = 0;
            [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
                word |= uint(predicted[from + j]) << (j * STORED_BITS);
            }
            work.vectors[reference * g.referenceWords + g.predictionsAt + componentBegin + uint(at.y) * stride + uint(at.x) / WORD_SAMPLES] = word;
        }
    }
    if (gl_LocalInvocationIndex == 0) {
        work.vectors[cornerAt(reference, component, gl_WorkGroupID.xy)] = uint(change);
    }
    if (gl_LocalInvocationIndex == 0 && component == 0) {
        addToSum(sumOf(reference, MEAN_SUM), gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, change);
    }
}

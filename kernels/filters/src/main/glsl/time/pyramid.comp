// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Keeps the picture, its half, its quarter and its table in the history. An invocation makes a word of the quarter,
// so it takes 4 words of 4 rows of the picture, and as many of a component of chroma.

layout(local_size_x_id = 0) in;

// Of the picture; the history has samples in the lower bits.
layout(constant_id = 6) const uint SAMPLE_SHIFT = 0;
layout(constant_id = 7) const bool SOURCE_IN_COLUMNS = false;
// Components of a plane of chroma, whose samples alternate.
layout(constant_id = 8) const uint CHROMA_STEP = 1;

#include "common/columns.glsl"
#include "time/history.glsl"

layout(std430, set = 0, binding = 5) readonly buffer Source {
    uint source[];
};

uint row[16];

// Word "column" of a row of the source; outside the row, its last sample.
uint sourceWord(uint y, uint column) {
    uint begin = g.pictureOffset[0] + y * g.pictureStride[0];
    uint last = g.width - 1;
    uint inside = min(column, last / WORD_SAMPLES);
    uint word = source[begin + (SOURCE_IN_COLUMNS ? inColumns(inside, g.pictureSkip[0]) : inside)] >> SAMPLE_SHIFT;
    uint samples = 0;
    [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
        uint x = min(column * WORD_SAMPLES + j, last);
        samples |= uint(sampleIn(word, x % WORD_SAMPLES)) << (j * STORED_BITS);
    }
    return samples;
}

int sampleOfRow(uint y, uint x) {
    return sampleIn(row[4 * y + x / WORD_SAMPLES], x % WORD_SAMPLES);
}

int halfSample(uint y, uint x) {
    return (sampleOfRow(2 * y, 2 * x) + sampleOfRow(2 * y, 2 * x + 1) + sampleOfRow(2 * y + 1, 2 * x) + sampleOfRow(2 * y + 1, 2 * x + 1) + 2)
        >> 2;
}

void store(uint level, uint y, uint column, uint word) {
    if (int(y) < sizeOf(level).y && column < strideOf(level)) {
        pyramids[rowOf(picture.entry, level, int(y)) + column] = word;
    }
}

void keepChroma(uint plane, uint column, uint y) {
    ivec2 size = sizeOfComponent(1);
    uint stride = strideFor(size.x);
    uint begin = plane == 1 ? g.pictureOffset[1] : g.pictureOffset[2];
    uint sourceStride = plane == 1 ? g.pictureStride[1] : g.pictureStride[2];
    [[dont_unroll]] for (uint i = 0; i < 16 * CHROMA_STEP; i++) {
        uint component = i / 16;
        uvec2 at = uvec2(4 * column + i % 4, 4 * y + i / 4 % 4);
        if (at.x < stride && int(at.y) < size.y) {
            uint word = 0;
            [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
                uint x = min(WORD_SAMPLES * at.x + j, uint(size.x) - 1) * CHROMA_STEP + component;
                uint inside = x / WORD_SAMPLES;
                uint samples = source[begin + at.y * sourceStride + (SOURCE_IN_COLUMNS ? inColumns(inside, g.pictureSkip[1]) : inside)];
                word |= uint(sampleIn(samples >> SAMPLE_SHIFT, x % WORD_SAMPLES)) << (j * STORED_BITS);
            }
            pyramids[picture.entry * g.pyramidWords + componentAt(plane + component) + at.y * stride + at.x] = word;
        }
    }
}

void keepLuma(uint column, uint y) {
    if (y == 0 && column == 0) {
        work.thresholds[picture.entry] = parameters.threshold;
        work.chromaThresholds[picture.entry] = parameters.chromaThreshold;
        work.combs[picture.entry] = parameters.combs;
    }
    if (column >= strideOf(2)) {
        return;
    }
    [[unroll]] for (uint down = 0; down < 4; down++) {
        [[unroll]] for (uint across = 0; across < 4; across++) {
            uint word = sourceWord(min(4 * y + down, g.height - 1), 4 * column + across);
            row[4 * down + across] = word;
            store(0, 4 * y + down, 4 * column + across, word);
        }
    }
    // Beyond the half's own border its last samples repeat, which is not the same as repeating those of the whole picture.
    ivec2 sizeOfHalf = sizeOf(1);
    bool oneBelow = int(2 * y) + 1 < sizeOfHalf.y;
    uint quarter = 0;
    uvec2 first = uvec2(0);
    uvec2 second = uvec2(0);
    [[unroll]] for (uint x = 0; x < WORD_SAMPLES; x++) {
        bool oneRight = int(2 * (column * WORD_SAMPLES + x)) + 1 < sizeOfHalf.x;
        int a = halfSample(0, 2 * x);
        int b = halfSample(0, 2 * x + 1);
        int c = halfSample(1, 2 * x);
        int d = halfSample(1, 2 * x + 1);
        uint bits = 2 * x % WORD_SAMPLES * STORED_BITS;
        uint upper = uint(a) << bits | uint(b) << (bits + STORED_BITS);
        uint lower = uint(c) << bits | uint(d) << (bits + STORED_BITS);
        if (2 * x < WORD_SAMPLES) {
            first.x |= upper;
            second.x |= lower;
        } else {
            first.y |= upper;
            second.y |= lower;
        }
        b = oneRight ? b : a;
        d = oneRight ? d : c;
        c = oneBelow ? c : a;
        d = oneBelow ? d : b;
        quarter |= uint((a + b + c + d + 2) >> 2) << (x * STORED_BITS);
    }
    store(1, 2 * y, 2 * column, first.x);
    store(1, 2 * y, 2 * column + 1, first.y);
    store(1, 2 * y + 1, 2 * column, second.x);
    store(1, 2 * y + 1, 2 * column + 1, second.y);
    store(2, y, column, quarter);
}

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    uint plane = g.plane + gl_WorkGroupID.z;
    if (plane == 0) {
        keepLuma(column, y);
    } else {
        keepChroma(plane, column, y);
    }
}

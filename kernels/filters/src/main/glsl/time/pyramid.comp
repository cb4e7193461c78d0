// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Keeps the picture, its half, its quarter and its table in the history. An invocation makes a word of the quarter,
// so it takes 4 words of 4 rows of the picture.

layout(local_size_x_id = 0) in;

// Of the picture; the history has samples in the lower bits.
layout(constant_id = 3) const uint SAMPLE_SHIFT = 0;
layout(constant_id = 4) const bool SOURCE_IN_COLUMNS = false;

#include "common/columns.glsl"
#include "time/history.glsl"

layout(std430, set = 0, binding = 5) readonly buffer Source {
    uint source[];
};

uint row[16];

// Word "column" of a row of the source; outside the row, its last sample.
uint sourceWord(uint y, uint column) {
    uint begin = g.pictureOffset + y * g.pictureStride;
    uint last = g.width[0] - 1;
    uint inside = min(column, last / WORD_SAMPLES);
    uint word = source[begin + (SOURCE_IN_COLUMNS ? inColumns(inside, g.pictureSkip) : inside)] >> SAMPLE_SHIFT;
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
    if (y < g.height[level] && column < strideOf(level)) {
        pyramids[rowOf(picture.entry, level, int(y)) + column] = word;
    }
}

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (y == 0 && column == 0) {
        work.thresholds[picture.entry] = parameters.threshold;
        work.combs[picture.entry] = parameters.combs;
    }
    if (column >= strideOf(2)) {
        return;
    }
    [[unroll]] for (uint down = 0; down < 4; down++) {
        [[unroll]] for (uint across = 0; across < 4; across++) {
            uint word = sourceWord(min(4 * y + down, g.height[0] - 1), 4 * column + across);
            row[4 * down + across] = word;
            store(0, 4 * y + down, 4 * column + across, word);
        }
    }
    // Beyond the half's own border its last samples repeat, which is not the same as repeating those of the whole picture.
    bool oneBelow = 2 * y + 1 < g.height[1];
    uint quarter = 0;
    uvec2 first = uvec2(0);
    uvec2 second = uvec2(0);
    [[unroll]] for (uint x = 0; x < WORD_SAMPLES; x++) {
        bool oneRight = 2 * (column * WORD_SAMPLES + x) + 1 < g.width[1];
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

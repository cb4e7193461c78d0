// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Puts the samples of a picture of 10 bit, which have the upper 10 of 16 bits, into words of three samples. Each invocation goes down
// some rows, and makes two words of three in each, as picture/unpack.comp makes three of two. So no two write to the same word.

layout(local_size_x_id = 0) in;

// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;
// Rows that an invocation goes down, an even number. It does the lowest row of the picture again in place of rows below.
layout(constant_id = 3) const uint ROWS = 8;

// By kind, luma and chroma: samples of a row, and rows.
#define GEOMETRY PackGeometry
#define MORE_GEOMETRY uint samples[2], rows[2];
#include "picture/planes.glsl"
#include "picture/six_samples.glsl"

// The first and the last three of the six samples of three words.
uint lowerWord(uint first, uint second) {
    return (first >> 6 & 0x3ffu) | (first >> 12 & 0xffc00u) | (second << 14 & 0x3ff00000u);
}

uint upperWord(uint second, uint third) {
    return second >> 22 | (third << 4 & 0xffc00u) | (third >> 2 & 0x3ff00000u);
}

void packWhole(uint plane, uint six, uint top) {
    uint from = sourceStart(plane, top);
    uint to = destinationStart(plane, top) + destinationColumn(plane, 2 * six);
    uint lowestFrom = sourceStart(plane, g.rows[plane] - 1);
    uint lowestTo = destinationStart(plane, g.rows[plane] - 1) + destinationColumn(plane, 2 * six);
    [[dont_unroll]] for (uint row = 0; row < ROWS; row += 2) {
        [[unroll]] for (uint next = 0; next < 2; next++) {
            uint first = sourceAt(plane, from + sourceColumn(plane, 3 * six));
            uint second = sourceAt(plane, from + sourceColumn(plane, 3 * six + 1));
            uint third = sourceAt(plane, from + sourceColumn(plane, 3 * six + 2));
            storeAt(plane, to, lowerWord(first, second));
            storeAt(plane, to + 1, upperWord(second, third));
            from = min(from + g.planes.sourceStride[plane], lowestFrom);
            to = min(to + g.planes.destinationStride[plane], lowestTo);
        }
    }
}

// The same at the end of a row that lacks some of the six samples.
void packTail(uint plane, uint six, uint top) {
    uint samples = g.samples[plane] - 6 * six;
    uint bottom = min(top + ROWS, g.rows[plane]);
    [[dont_unroll]] for (uint row = top; row < bottom; row++) {
        uint first = sourceWord(plane, row, 3 * six);
        uint second = samples > 2 ? sourceWord(plane, row, 3 * six + 1) : 0;
        storeSamples(plane, row, 2 * six, samples, lowerWord(first, second));
        if (samples > 3) {
            uint third = samples > 4 ? sourceWord(plane, row, 3 * six + 2) : 0;
            storeSamples(plane, row, 2 * six + 1, samples - 3, upperWord(second, third));
        }
    }
}

void packRows(uint plane) {
    uint six = gl_GlobalInvocationID.x;
    uint top = gl_WorkGroupID.y * ROWS;
    uint samples = g.samples[plane];
    if (top < g.rows[plane] && 6 * six < samples) {
        if (6 * six + 6 <= samples) {
            packWhole(plane, six, top);
        } else {
            packTail(plane, six, top);
        }
    }
}

void main() {
    // As in picture/unpack.comp.
    if (gl_WorkGroupID.z == 0) {
        packRows(0);
    } else {
        packRows(1);
    }
}

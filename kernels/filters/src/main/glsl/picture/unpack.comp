// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Takes a picture of 10 bit with three samples in each word apart: samples get 16 bits, of which the upper 10 are used. Each
// invocation goes down some rows, and makes three words of two in each: so places are computed once, and which bits go where is the
// same in all invocations.

layout(local_size_x_id = 0) in;

// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;
// Rows that an invocation goes down, an even number. It does the lowest row of the picture again in place of rows below.
layout(constant_id = 3) const uint ROWS = 8;

// By kind, luma and chroma: samples of a row, and rows.
#define GEOMETRY UnpackGeometry
#define MORE_GEOMETRY uint samples[2], rows[2];
#include "picture/planes.glsl"
#include "picture/six_samples.glsl"

// Samples 0 and 1, 2 and 3, 4 and 5 of the six samples of two words.
uint firstPair(uint lower) {
    return (lower << 6 & 0xffc0u) | (lower << 12 & 0xffc00000u);
}

uint secondPair(uint lower, uint upper) {
    return (lower >> 14 & 0xffc0u) | upper << 22;
}

uint thirdPair(uint upper) {
    return (upper >> 4 & 0xffc0u) | (upper << 2 & 0xffc00000u);
}

void unpackWhole(uint plane, uint six, uint top) {
    uint from = sourceStart(plane, top) + sourceColumn(plane, 2 * six);
    uint to = destinationStart(plane, top);
    uint lowestFrom = sourceStart(plane, g.rows[plane] - 1) + sourceColumn(plane, 2 * six);
    uint lowestTo = destinationStart(plane, g.rows[plane] - 1);
    [[dont_unroll]] for (uint row = 0; row < ROWS; row += 2) {
        [[unroll]] for (uint next = 0; next < 2; next++) {
            uint lower = sourceAt(plane, from);
            uint upper = sourceAt(plane, from + 1);
            storeAt(plane, to + destinationColumn(plane, 3 * six), firstPair(lower));
            storeAt(plane, to + destinationColumn(plane, 3 * six + 1), secondPair(lower, upper));
            storeAt(plane, to + destinationColumn(plane, 3 * six + 2), thirdPair(upper));
            from = min(from + g.planes.sourceStride[plane], lowestFrom);
            to = min(to + g.planes.destinationStride[plane], lowestTo);
        }
    }
}

// The same at the end of a row that lacks some of the six samples.
void unpackTail(uint plane, uint six, uint top) {
    uint samples = g.samples[plane] - 6 * six;
    uint bottom = min(top + ROWS, g.rows[plane]);
    [[dont_unroll]] for (uint row = top; row < bottom; row++) {
        uint lower = sourceWord(plane, row, 2 * six);
        uint upper = samples > 3 ? sourceWord(plane, row, 2 * six + 1) : 0;
        storeBytes(plane, row, 3 * six, 2 * samples, firstPair(lower));
        if (samples > 2) {
            storeBytes(plane, row, 3 * six + 1, 2 * (samples - 2), secondPair(lower, upper));
        }
        if (samples > 4) {
            storeBytes(plane, row, 3 * six + 2, 2 * (samples - 4), thirdPair(upper));
        }
    }
}

void unpackRows(uint plane) {
    uint six = gl_GlobalInvocationID.x;
    uint top = gl_WorkGroupID.y * ROWS;
    uint samples = g.samples[plane];
    if (top < g.rows[plane] && 6 * six < samples) {
        if (6 * six + 6 <= samples) {
            unpackWhole(plane, six, top);
        } else {
            unpackTail(plane, six, top);
        }
    }
}

void main() {
    // The format has two planes. With a plane that the compiler knows, no word is selected from two buffers.
    if (gl_WorkGroupID.z == 0) {
        unpackRows(0);
    } else {
        unpackRows(1);
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Puts the samples of a picture of 10 bit, which have the upper 10 of 16 bits, into words of three samples. Each invocation writes one
// word of a row, so that no two write to the same word.

layout(local_size_x_id = 0) in;

// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;

// By kind, luma and chroma: samples of a row, and rows.
#define GEOMETRY PackGeometry
#define MORE_GEOMETRY uint samples[2], rows[2];
#include "picture/planes.glsl"

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    uint plane = gl_WorkGroupID.z;
    uint kind = min(plane, 1);
    uint first = 3 * column;
    if (first >= g.samples[kind] || row >= g.rows[kind]) {
        return;
    }
    // The three samples lie in two words, from the lower or from the upper half of the first one on.
    uint at = first >> 1;
    uint lower = sourceWord(plane, row, at);
    uint upper = sourceWord(plane, row, min(at + 1, (g.samples[kind] - 1) >> 1));
    bool odd = (first & 1) != 0;
    uint pair = odd ? lower >> 16 | upper << 16 : lower;
    uint third = odd ? upper >> 16 : upper;
    uint word = (pair >> 6 & 0x3ffu) | (pair >> 22) << 10 | (third >> 6 & 0x3ffu) << 20;
    storeSamples(plane, row, column, g.samples[kind] - first, word);
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Takes a picture of 10 bit with three samples in each word apart: samples get 16 bits, of which the upper 10 are used. Each
// invocation writes one word of a row, which holds two samples.

layout(local_size_x_id = 0) in;

// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;

// By kind, luma and chroma: samples of a row, and rows.
#define GEOMETRY UnpackGeometry
#define MORE_GEOMETRY uint samples[2], rows[2];
#include "picture/planes.glsl"

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    uint plane = gl_WorkGroupID.z;
    uint kind = min(plane, 1);
    uint first = 2 * column;
    if (first >= g.samples[kind] || row >= g.rows[kind]) {
        return;
    }
    // Both samples lie in one word, or the first is the last of its word.
    uint at = first / 3;
    uint place = first - 3 * at;
    uint word = sourceWord(plane, row, at) >> (10 * place);
    uint next = word >> 10;
    if (place == 2 && first + 1 < g.samples[kind]) {
        next = sourceWord(plane, row, at + 1);
    }
    uint pair = (word & 0x3ffu) << 6 | (next & 0x3ffu) << 22;
    storeBytes(plane, row, column, 2 * (g.samples[kind] - first), pair);
}

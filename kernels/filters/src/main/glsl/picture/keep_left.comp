// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Copies the left part of the source over the filtered picture. Each invocation copies one word of a row.

layout(local_size_x_id = 0) in;

// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;

#define GEOMETRY KeepLeftGeometry
#define MORE_GEOMETRY uint chromaRows;
#include "picture/planes.glsl"

layout(std430, set = 0, binding = 6) readonly restrict buffer KeptColumns {
    // Bytes to copy of each row, by plane.
    uint keptBytes[3];
} parameters;

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    uint plane = gl_WorkGroupID.z;
    uint keptBytes = parameters.keptBytes[plane];
    if (column * 4 < keptBytes && (plane == 0 || row < g.chromaRows)) {
        storeBytes(plane, row, column, keptBytes - column * 4, sourceWord(plane, row, column));
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Copies a picture into a larger or smaller one, shifted by any number of pixels. Outside the source, its border pixels are repeated.
// Each invocation writes one word of a row of the destination.

layout(local_size_x_id = 0) in;

// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;

// By kind, luma and chroma: bytes of a row and rows of both pictures; how many bytes and rows further on a pixel of the destination
// lies in the source; bytes of a pixel, a power of two.
#define GEOMETRY ShiftGeometry
#define MORE_GEOMETRY int sourceBytes[2], sourceRows[2]; uint destinationBytes[2], destinationRows[2]; \
    int aheadBytes[2], aheadRows[2]; int pixelBytes[2];
#include "picture/planes.glsl"

// Byte "at" of a row. Before and behind the row the first and the last pixel are repeated.
uint sourceByte(uint plane, uint row, int at, int rowBytes, int pixelBytes) {
    int inPixel = at & (pixelBytes - 1);
    uint byte = uint(at < 0 ? inPixel : at < rowBytes ? at : rowBytes - pixelBytes + inPixel);
    return (sourceWord(plane, row, byte >> 2) >> ((byte & 3) * 8)) & 0xffu;
}

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint destinationRow = gl_WorkGroupID.y;
    uint plane = gl_WorkGroupID.z;
    uint kind = min(plane, 1);
    if (column * 4 >= g.destinationBytes[kind] || destinationRow >= g.destinationRows[kind]) {
        return;
    }
    uint row = uint(clamp(int(destinationRow) + g.aheadRows[kind], 0, g.sourceRows[kind] - 1));
    int at = int(column * 4) + g.aheadBytes[kind];
    int rowBytes = g.sourceBytes[kind];
    uint word = 0;
    if (at >= 0 && at + 4 <= rowBytes) {
        uint first = uint(at) >> 2;
        uint shift = (uint(at) & 3) * 8;
        word = sourceWord(plane, row, first) >> shift;
        if (shift != 0) {
            word |= sourceWord(plane, row, first + 1) << (32 - shift);
        }
    } else {
        for (int i = 3; i >= 0; i--) {
            word = word << 8 | sourceByte(plane, row, at + i, rowBytes, g.pixelBytes[kind]);
        }
    }
    storeBytes(plane, destinationRow, column, g.destinationBytes[kind] - column * 4, word);
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Motion: the difference of a reference from the one before (z = 0) or from the one before that (z = 1), blurred down the columns and
// along the rows, and the sum of its sizes. A workgroup takes COLUMNS x ROWS samples.

layout(local_size_x_id = 0) in;
#include "quality/luma.glsl"
layout(constant_id = 3) const uint BIT_DEPTH = 8;
layout(constant_id = 4) const uint INVOCATIONS = 64;

layout(std430, set = 0, binding = 3) restrict buffer Previous {
    uint previous[];
};

layout(push_constant) uniform MotionGeometry {
    uint referenceOffset, referenceStride;
    uint width, height;
    uint rowWords;
    uint resultsAt;
    int tap0, tap1, tap2;
} g;

const uint COLUMNS = 64;
const uint ROWS = 8;
const uint RADIUS = 2;
const uint WIDE = COLUMNS + 2 * RADIUS;
const uint HIGH = ROWS + 2 * RADIUS;

shared int difference[WIDE * HIGH];
shared int column[WIDE * ROWS];
shared uint sum;

void main() {
    uint id = gl_LocalInvocationID.x;
    if (id == 0) {
        sum = 0;
    }
    int left = int(gl_WorkGroupID.x * COLUMNS) - int(RADIUS);
    int top = int(gl_WorkGroupID.y * ROWS) - int(RADIUS);
    for (uint i = id; i < WIDE * HIGH; i += INVOCATIONS) {
        uint x = mirrored(left + int(i % WIDE), g.width, RADIUS);
        uint y = mirrored(top + int(i / WIDE), g.height, RADIUS);
        uint word = sampleWord(x);
        int before = int(sampleIn(previous[(gl_WorkGroupID.z * g.height + y) * g.rowWords + word], x));
        difference[i] = before - int(sampleIn(reference[g.referenceOffset + y * g.referenceStride + word], x));
    }
    barrier();
    for (uint i = id; i < WIDE * ROWS; i += INVOCATIONS) {
        int blurred = g.tap2 * (difference[i] + difference[i + 4 * WIDE])
            + g.tap1 * (difference[i + WIDE] + difference[i + 3 * WIDE]) + g.tap0 * difference[i + 2 * WIDE];
        column[i] = (blurred + (1 << (BIT_DEPTH - 1))) >> BIT_DEPTH;
    }
    barrier();
    uint own = 0;
    for (uint i = id; i < COLUMNS * ROWS; i += INVOCATIONS) {
        uint x = i % COLUMNS;
        uint y = i / COLUMNS;
        if (gl_WorkGroupID.x * COLUMNS + x < g.width && gl_WorkGroupID.y * ROWS + y < g.height) {
            uint at = y * WIDE + x;
            // In two parts of 8 and 9 bits: the sum has 33 bits.
            int a = column[at];
            int b = column[at + 1];
            int c = column[at + 2];
            int d = column[at + 3];
            int e = column[at + 4];
            int high = g.tap2 * ((a >> 8) + (e >> 8)) + g.tap1 * ((b >> 8) + (d >> 8)) + g.tap0 * (c >> 8);
            int low = g.tap2 * ((a & 255) + (e & 255)) + g.tap1 * ((b & 255) + (d & 255)) + g.tap0 * (c & 255);
            own += uint(abs((high + ((low + 32768) >> 8)) >> 8));
        }
    }
    atomicAdd(sum, own);
    barrier();
    if (id == 0) {
        uint row = gl_WorkGroupID.z * gl_NumWorkGroups.y + gl_WorkGroupID.y;
        results[g.resultsAt + row * gl_NumWorkGroups.x + gl_WorkGroupID.x] = sum;
    }
}

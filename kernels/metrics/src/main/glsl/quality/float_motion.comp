// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Blurs a plane, and adds up how much it differs from the blurred plane before, whose place it takes. A workgroup takes 64 samples of
// a row.

// Always 64.
layout(local_size_x_id = 0) in;

#include "quality/pair.glsl"
layout(std430, set = 0, binding = 3) restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform FloatMotionGeometry {
    uint lumaAt, blurredAt;
    uint width, height;
    uint resultsAt;
    // From the centre on.
    float taps[3];
} g;

#include "quality/float_sum.glsl"

shared float columns[64 + 4];

uint within(int i, uint count) {
    int mirrored = abs(i);
    return uint(clamp(mirrored < int(count) ? mirrored : 2 * int(count) - 2 - mirrored, 0, int(count) - 1));
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint firstColumn = gl_WorkGroupID.x * 64;
    uint row = gl_WorkGroupID.y;
    for (uint column = lane; column < 64 + 4; column += 64) {
        uint x = within(int(firstColumn + column) - 2, g.width);
        float sum = 0.0;
        for (int tap = -2; tap <= 2; tap++) {
            sum += g.taps[abs(tap)] * planes[g.lumaAt + within(int(row) + tap, g.height) * g.width + x];
        }
        columns[column] = sum;
    }
    barrier();
    float difference = 0.0;
    uint x = firstColumn + lane;
    if (x < g.width) {
        float sum = 0.0;
        for (int tap = -2; tap <= 2; tap++) {
            sum += g.taps[abs(tap)] * columns[int(lane) + 2 + tap];
        }
        uint at = g.blurredAt + row * g.width + x;
        difference = abs(sum - planes[at]);
        planes[at] = sum;
    }
    difference = sumOfGroup(vec3(difference, 0.0, 0.0)).x;
    if (lane == 0) {
        results[g.resultsAt + row * gl_NumWorkGroups.x + gl_WorkGroupID.x] = floatBitsToUint(difference);
    }
}

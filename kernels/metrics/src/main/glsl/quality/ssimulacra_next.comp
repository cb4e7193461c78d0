// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Linear RGB of the next scale of two pictures. An invocation takes the mean of four samples.

// Always 64.
layout(local_size_x_id = 0) in;
#define LINEAR_ACCESS restrict
#include "quality/ssimulacra_rgb.glsl"

void main() {
    uint x = gl_GlobalInvocationID.x * 2;
    uint y = gl_WorkGroupID.y * 2;
    if (x >= g.width) {
        return;
    }
    vec3 rgb[4];
    for (uint i = 0; i < 4; i++) {
        uint column = min(x + i % 2, g.width - 1);
        uint row = min(y + i / 2, g.height - 1);
        rgb[i] = rgbOf(column, row);
    }
    precise vec3 sum = rgb[0] + rgb[1];
    sum = sum + rgb[2];
    sum = sum + rgb[3];
    sum = sum * 0.25;
    uint plane = g.nextWidth * g.nextHeight;
    uint at = g.nextAt + gl_WorkGroupID.z * 3 * plane + y / 2 * g.nextWidth + x / 2;
    linear[at] = sum.r;
    linear[at + plane] = sum.g;
    linear[at + 2 * plane] = sum.b;
}

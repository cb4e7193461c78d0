// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Takes its surroundings from each sample that SpEED keeps, and so leaves the contrast. An invocation makes one; z is the number of the plane.

layout(local_size_x_id = 0) in;
// Samples of the blur, each way.
layout(constant_id = 1) const uint TAPS = 3;

layout(std430, set = 0, binding = 4) restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform SpeedContrastGeometry {
    uint planesAt, contrastsAt;
    uint width, height;
    // Of the blur, from the first on: TAPS of them.
    float weights[9];
} g;

// Samples before the first one and after the last are mirrored.
uint mirrored(int i, uint count) {
    int last = int(count) - 1;
    return uint(clamp(i < 0 ? -i : i > last ? 2 * last - i : i, 0, last));
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (x >= g.width) {
        return;
    }
    uint first = gl_WorkGroupID.z * g.height;
    int reach = int(TAPS) / 2;
    precise float around = 0.0;
    for (int i = 0; i < int(TAPS); i++) {
        uint column = mirrored(int(x) - reach + i, g.width);
        precise float blurred = 0.0;
        for (int j = 0; j < int(TAPS); j++) {
            uint row = mirrored(int(y) - reach + j, g.height);
            blurred = blurred + g.weights[j] * planes[g.planesAt + (first + row) * g.width + column];
        }
        around = around + g.weights[i] * blurred;
    }
    uint at = (first + y) * g.width + x;
    precise float contrast = planes[g.planesAt + at] - around;
    planes[g.contrastsAt + at] = contrast;
}

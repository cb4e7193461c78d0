// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Takes its surroundings from each sample that SpEED keeps, and so leaves the contrast. An invocation makes one; z is the number of the plane.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 4) restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform SpeedContrastGeometry {
    uint planesAt, contrastsAt;
    uint width, height;
    // Of the blur, from the first on.
    float weights[3];
} g;

// The sample before the first one, and the one after the last, are mirrored.
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
    uint above = g.planesAt + (first + mirrored(int(y) - 1, g.height)) * g.width;
    uint at = g.planesAt + (first + y) * g.width;
    uint below = g.planesAt + (first + mirrored(int(y) + 1, g.height)) * g.width;
    precise float around = 0.0;
    for (int i = 0; i < 3; i++) {
        uint column = mirrored(int(x) - 1 + i, g.width);
        precise float blurred =
            g.weights[0] * planes[above + column] + g.weights[1] * planes[at + column] + g.weights[2] * planes[below + column];
        around = around + g.weights[i] * blurred;
    }
    precise float contrast = planes[at + x] - around;
    planes[g.contrastsAt + (first + y) * g.width + x] = contrast;
}

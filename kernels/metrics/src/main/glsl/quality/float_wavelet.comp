// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// One scale of the wavelet of ADM, of two pictures: the next scale, then bands of horizontal, vertical and diagonal details, as four
// planes. An invocation makes one sample of each.

// Always 64.
layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 3) restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform FloatWaveletGeometry {
    uint referenceAt, pictureAt;
    uint width, height;
    uint toReferenceAt, toPictureAt;
    uint toWidth, toHeight;
    vec4 low, high;
} g;

// A plane is mirrored at the centre of its first sample; after its last one it repeats that, mirrored.
uint within(int i, uint count) {
    return uint(i < 0 ? -i : i < int(count) ? i : 2 * int(count) - 1 - i);
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (x >= g.toWidth) {
        return;
    }
    uint from = gl_WorkGroupID.z == 0 ? g.referenceAt : g.pictureAt;
    vec4 low;
    vec4 high;
    for (int column = 0; column < 4; column++) {
        uint at = from + within(int(2 * x) - 1 + column, g.width);
        vec4 samples;
        for (int row = 0; row < 4; row++) {
            samples[row] = planes[at + within(int(2 * y) - 1 + row, g.height) * g.width];
        }
        low[column] = dot(g.low, samples);
        high[column] = dot(g.high, samples);
    }
    uint to = (gl_WorkGroupID.z == 0 ? g.toReferenceAt : g.toPictureAt) + y * g.toWidth + x;
    uint plane = g.toWidth * g.toHeight;
    planes[to] = dot(g.low, low);
    planes[to + plane] = dot(g.low, high);
    planes[to + 2 * plane] = dot(g.high, low);
    planes[to + 3 * plane] = dot(g.high, high);
}

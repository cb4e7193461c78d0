// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// A plane of half the width and height: every second sample of every second row of the plane filtered, of two pictures.
// The filter is a product of two equal symmetric ones. A workgroup makes samples of one row.

// Always 64.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint RADIUS = 4;
// Whether the plane, mirrored beyond its edges, repeats its outermost samples there.
layout(constant_id = 2) const bool REPEATS = true;

layout(std430, set = 0, binding = 3) restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform FloatHalveGeometry {
    uint referenceAt, pictureAt;
    uint toReferenceAt, toPictureAt;
    uint width, height;
    uint toWidth;
    // From the centre on.
    float taps[5];
} g;

shared float columns[2 * 64 + 2 * RADIUS];

uint within(int i, uint count) {
    int shift = REPEATS ? 1 : 0;
    int mirrored = i < 0 ? -i - shift : i < int(count) ? i : 2 * int(count) - 2 + shift - i;
    // Columns that no sample needs lie further away.
    return uint(clamp(mirrored, 0, int(count) - 1));
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    uint firstSample = gl_WorkGroupID.x * 64;
    uint from = gl_WorkGroupID.z == 0 ? g.referenceAt : g.pictureAt;
    for (uint column = lane; column < 2 * 64 + 2 * RADIUS; column += 64) {
        uint x = within(int(2 * firstSample + column) - int(RADIUS), g.width);
        float sum = 0.0;
        for (int tap = -int(RADIUS); tap <= int(RADIUS); tap++) {
            sum += g.taps[abs(tap)] * planes[from + within(int(2 * row) + tap, g.height) * g.width + x];
        }
        columns[column] = sum;
    }
    barrier();
    uint x = firstSample + lane;
    if (x < g.toWidth) {
        float sum = 0.0;
        for (int tap = -int(RADIUS); tap <= int(RADIUS); tap++) {
            sum += g.taps[abs(tap)] * columns[int(2 * lane + RADIUS) + tap];
        }
        planes[(gl_WorkGroupID.z == 0 ? g.toReferenceAt : g.toPictureAt) + row * g.toWidth + x] = sum;
    }
}

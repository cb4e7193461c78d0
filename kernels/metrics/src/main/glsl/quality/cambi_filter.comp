// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// The mode of three samples along the rows, then down the columns, but for the outermost ones, for a scale of the banding index. An
// invocation makes one sample.

layout(local_size_x_id = 0) in;
// 1 to read every sample, 2 for every other one each way.
layout(constant_id = 1) const uint READ = 1;

layout(std430, set = 0, binding = 3) restrict buffer Planes {
    uint planes[];
};

layout(push_constant) uniform CambiFilterGeometry {
    uint sourceAt, sourceWidth;
    uint at, width, height;
} g;

const uint COUNTS = 0x8000u;

uint word(uint x, uint y) {
    return planes[g.sourceAt + READ * (y * g.sourceWidth + x)];
}

// The one that is there twice; else the least.
uint mode(uint a, uint b, uint c) {
    if (a == b || a == c) {
        return a;
    }
    return b == c ? b : min(min(a, b), c);
}

uint across(uint x, uint y) {
    uint own = word(x, y) & ~COUNTS;
    return x == 0 || x == g.width - 1 ? own : mode(word(x - 1, y) & ~COUNTS, own, word(x + 1, y) & ~COUNTS);
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (x >= g.width) {
        return;
    }
    uint counts = word(x, y) & COUNTS;
    // The first and the last row stay as they are.
    uint filtered = y == 0 || y == g.height - 1
        ? word(x, y) & ~COUNTS
        : mode(across(x, y - 1), across(x, y), across(x, y + 1));
    planes[g.at + y * g.width + x] = filtered | counts;
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// XPSNR: detail and motion of the reference's luma. A workgroup takes a slice of a block, some of its rows; gl_WorkGroupID is the block's
// column, and the slice counted down the picture. Five results: the sum of the sizes after a spatial high-pass; of the samples; of
// their differences from the last reference; of the change of the difference, with nothing before the last reference, and with the one
// before it. With GROUPED, all that of sums of 2x2 samples.

layout(local_size_x_id = 0) in;
#include "quality/luma.glsl"
layout(constant_id = 3) const bool GROUPED = false;
layout(constant_id = 4) const uint INVOCATIONS = 64;

// The last reference, then the one before it.
layout(std430, set = 0, binding = 3) readonly restrict buffer Previous {
    uint previous[];
};

layout(push_constant) uniform XpsnrDetailGeometry {
    uint referenceOffset, referenceStride;
    uint width, height;
    uint rowWords;
    // Samples at the picture's borders, in which no detail is looked for.
    uint margin;
    uint block;
    // Slices of a block, and rows of a slice, an even number, of which a block's last one may have fewer.
    uint slices, sliceRows;
    uint resultsAt;
} g;

const uint RESULTS = 5;
const uint STEP = GROUPED ? 2 : 1;

shared uint sums[RESULTS];

int now(uint x, uint y) {
    return int(sampleIn(reference[g.referenceOffset + y * g.referenceStride + sampleWord(x)], x));
}

// Beyond the picture's end lies its last sample.
int before(uint which, uint x, uint y) {
    uint column = min(x, g.width - 1);
    uint row = which * g.height + min(y, g.height - 1);
    return int(sampleIn(previous[row * g.rowWords + sampleWord(column)], column));
}

int beforeOf(uint which, uint x, uint y) {
    return GROUPED
        ? before(which, x, y) + before(which, x + 1, y) + before(which, x, y + 1) + before(which, x + 1, y + 1)
        : before(which, x, y);
}

// The samples so far left and right of the group at (x, y), and so far above and below it.
int four(uint x, uint y, uint across, uint down) {
    uint right = min(x + 1 + across, g.width - 1);
    uint below = min(y + 1 + down, g.height - 1);
    return now(x - across, y - down) + now(right, y - down) + now(x - across, below) + now(right, below);
}

int grouped(uint x, uint y) {
    int near = four(x, y, 0, 1) + four(x, y, 1, 0);
    int far = four(x, y, 1, 2) + four(x, y, 0, 2) + four(x, y, 2, 1) + four(x, y, 2, 0);
    return 12 * four(x, y, 0, 0) - 3 * near - 2 * four(x, y, 1, 1) - far;
}

int single(uint x, uint y) {
    int beside = now(x - 1, y) + now(x + 1, y) + now(x, y - 1) + now(x, y + 1);
    int corners = now(x - 1, y - 1) + now(x + 1, y - 1) + now(x - 1, y + 1) + now(x + 1, y + 1);
    return 12 * now(x, y) - 2 * beside - corners;
}

void main() {
    uint id = gl_LocalInvocationID.x;
    if (id < RESULTS) {
        sums[id] = 0;
    }
    barrier();
    uint left = gl_WorkGroupID.x * g.block;
    uint columns = (min(g.block, g.width - left) + STEP - 1) / STEP;
    uint blockTop = gl_WorkGroupID.y / g.slices * g.block;
    uint top = blockTop + gl_WorkGroupID.y % g.slices * g.sliceRows;
    uint bottom = min(min(top + g.sliceRows, blockTop + g.block), g.height);
    uint count = top < bottom ? (bottom - top + STEP - 1) / STEP * columns : 0;
    uint detail = 0;
    uint alone = 0;
    uint motion = 0;
    uint changeFromLast = 0;
    uint change = 0;
    for (uint i = id; i < count; i += INVOCATIONS) {
        uint x = left + i % columns * STEP;
        uint y = top + i / columns * STEP;
        if (min(x, y) >= g.margin && x < g.width - g.margin && y < g.height - g.margin) {
            detail += uint(abs(GROUPED ? grouped(x, y) : single(x, y)));
        }
        int own = GROUPED ? four(x, y, 0, 0) : now(x, y);
        int last = beforeOf(0, x, y);
        alone += uint(own);
        motion += uint(abs(own - last));
        changeFromLast += uint(abs(own - 2 * last));
        change += uint(abs(own - 2 * last + beforeOf(1, x, y)));
    }
    atomicAdd(sums[0], detail);
    atomicAdd(sums[1], alone);
    atomicAdd(sums[2], motion);
    atomicAdd(sums[3], changeFromLast);
    atomicAdd(sums[4], change);
    barrier();
    if (id < RESULTS) {
        results[g.resultsAt + RESULTS * (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) + id] = sums[id];
    }
}

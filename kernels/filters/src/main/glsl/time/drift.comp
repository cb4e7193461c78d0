// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Finds the squares that are brighter or darker in a prediction as a whole: by more than an eighth of an 8-bit sample, which more than half of
// what corners of blocks differ by adds up to. Motion that is found wrongly differs both ways. A workgroup takes a square, and marks its blocks.

layout(local_size_x_id = 0) in;

#include "common/barriers.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"

// Corners of blocks across and down a square.
const uint SIDE = 8;

shared int change;
shared int sizes;

void main() {
    uint reference = gl_WorkGroupID.z;
    if (!hasReference(reference)) {
        return;
    }
    uvec2 first = SIDE * gl_WorkGroupID.xy;
    uvec2 blocks = blocksOf(0);
    if (gl_LocalInvocationIndex == 0) {
        change = 0;
        sizes = 0;
    }
    meetOverShared();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < SIDE * SIDE; i += gl_WorkGroupSize.x) {
        uvec2 corner = first + uvec2(i % SIDE, i / SIDE);
        if (all(lessThanEqual(corner, blocks))) {
            int own = int(work.vectors[cornerAt(reference, corner)]);
            atomicAdd(change, own);
            atomicAdd(sizes, abs(own));
        }
    }
    meetOverShared();
    ivec2 begin = max(8 * ivec2(first) - 4, ivec2(0));
    ivec2 size = min(8 * ivec2(first + SIDE) - 4, ivec2(g.width[0], g.height[0])) - begin;
    if (8 * abs(change) <= size.x * size.y << DEPTH_SHIFT || 2 * abs(change) <= sizes) {
        return;
    }
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < SIDE * SIDE; i += gl_WorkGroupSize.x) {
        uvec2 block = first + uvec2(i % SIDE, i / SIDE);
        if (all(lessThan(block, blocks))) {
            uint at = vectorAt(reference, 0, block.y * blocks.x + block.x) + 1;
            if (int(work.vectors[at]) <= 0) {
                work.vectors[at] = uint(DRIFTS);
            }
        }
    }
}

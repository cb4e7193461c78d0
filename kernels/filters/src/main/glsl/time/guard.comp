// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Finds the blocks of which a prediction may be used, and the squares that are brighter or darker in it as a whole: by more than an eighth of an 8-bit
// sample, which more than half of what corners of blocks differ by adds up to. Motion that is found wrongly differs both ways. A workgroup takes
// a square of a component, and marks its blocks. It also adds up by how much the filters before this one changed chroma.

layout(local_size_x_id = 0) in;

// How many components it takes.
layout(constant_id = 9) const uint TAKEN = 3;

#include "common/barriers.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"
#include "time/decoded.glsl"

// Corners of blocks across and down a square.
const uint SIDE = 8;

shared int change;
shared int sizes;
shared int changed;

// A block of chroma is kept where three quarters of luma's blocks in it are.
bool isKept(uint reference, uint component, uvec2 block) {
    uint all = component == 0 ? 1 : SUB_WIDTH * SUB_HEIGHT;
    uint count = 0;
    [[dont_unroll]] for (uint i = 0; i < all; i++) {
        uvec2 luma = component == 0 ? block : blockOfLuma(ivec2(block), i);
        count += int(work.vectors[vectorAt(reference, 0, luma.y * blocksOf(0).x + luma.x) + 1]) <= 0 ? 1 : 0;
    }
    return 4 * count >= 3 * all;
}

void main() {
    uint reference = gl_WorkGroupID.z / TAKEN;
    uint component = g.plane + gl_WorkGroupID.z % TAKEN;
    ivec2 size = sizeOfComponent(component);
    uvec2 first = SIDE * gl_WorkGroupID.xy;
    uvec2 blocks = blocksIn(size);
    if (!hasReference(reference) || any(greaterThan(first, blocks)) || thresholdOf(component) == 0) {
        return;
    }
    if (gl_LocalInvocationIndex == 0) {
        change = 0;
        sizes = 0;
        changed = 0;
    }
    meetOverShared();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < SIDE * SIDE; i += gl_WorkGroupSize.x) {
        uvec2 corner = first + uvec2(i % SIDE, i / SIDE);
        if (all(lessThanEqual(corner, blocks))) {
            int own = int(work.vectors[cornerAt(reference, component, corner)]);
            atomicAdd(change, own);
            atomicAdd(sizes, abs(own));
        }
    }
    meetOverShared();
    ivec2 begin = max(8 * ivec2(first) - 4, ivec2(0));
    ivec2 square = min(8 * ivec2(first + SIDE) - 4, size) - begin;
    if (component > 0 && reference == 0) {
        uint row = picture.entry * g.pyramidWords + componentAt(component);
        int own = 0;
        [[dont_unroll]] for (int i = int(gl_LocalInvocationIndex); i < square.x * square.y; i += int(gl_WorkGroupSize.x)) {
            ivec2 at = begin + ivec2(i % square.x, i / square.x);
            own += abs(sampleAt(row + uint(at.y) * strideFor(size.x), at.x, size.x - 1) - decodedSample(component, at));
        }
        atomicAdd(changed, own);
        meetOverShared();
        if (gl_LocalInvocationIndex == 0) {
            addToSum(changeOf(component), gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, changed);
        }
    }
    bool drifts = 8 * abs(change) > square.x * square.y << DEPTH_SHIFT && 2 * abs(change) > sizes;
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < SIDE * SIDE; i += gl_WorkGroupSize.x) {
        uvec2 block = first + uvec2(i % SIDE, i / SIDE);
        if (all(lessThan(block, blocks))) {
            work.vectors[guardAt(reference, component, block)] = (isKept(reference, component, block) ? KEPT : 0) | (drifts ? DRIFTS : 0);
        }
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// AV1 CDEF: lists the 8x8 blocks whose direction must be searched. Writes the packed strengths of all other blocks itself: those that
// are not filtered, and those without a primary strength, which need no direction. Each invocation takes one block.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Blocks of a workgroup of the direction search.
layout(constant_id = 2) const uint SEARCH_BLOCKS = 64;

const uint COEFFICIENT_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;
// This shader needs no direction.
const bool HALF_WIDTH_CHROMA = false;

layout(push_constant) uniform CdefListGeometry {
    uint blockColumns;
} g;

#include "cdef/strengths.glsl"
#include "cdef/list.glsl"

void main() {
    uint blockX = gl_GlobalInvocationID.x;
    uint blockY = gl_WorkGroupID.y;
    if (blockX >= g.blockColumns) {
        return;
    }
    uint at = blockY * g.blockColumns + blockX;
    uint strength = strengthIndex(at);
    uvec4 strengths = strength == 0 ? uvec4(0) : strengthsOf(strength);
    if ((strengths.x | strengths.z) != 0) {
        uint index = atomicAdd(list.count, 1);
        list.blocks[index] = blockX | (blockY << 16);
        if (index % SEARCH_BLOCKS == 0) {
            atomicAdd(list.groups[0], 1);
        }
    } else {
        blocks[at] = (strengths.y | strengths.w) == 0 ? uvec2(0) : packStrengths(strengths, 0, 0);
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Copies a plane of a picture whose planes lie in buffers of their own, a word an invocation.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 0) readonly restrict buffer Plane {
    uint plane[];
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer Gathered {
    uint gathered[];
};

layout(push_constant) uniform GatherGeometry {
    uint planeOffset, planeStride;
    uint gatheredOffset, gatheredStride;
    uint rowWords;
} g;

void main() {
    uint word = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (word < g.rowWords) {
        gathered[g.gatheredOffset + y * g.gatheredStride + word] = plane[g.planeOffset + y * g.planeStride + word];
    }
}

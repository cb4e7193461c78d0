// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Copies the reference's luma for the next pair, a word an invocation. The last reference becomes the one before it.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 0) readonly restrict buffer Reference {
    uint reference[];
};
layout(std430, set = 0, binding = 3) restrict buffer Previous {
    uint previous[];
};

layout(push_constant) uniform LumaKeepGeometry {
    uint referenceOffset, referenceStride;
    uint height;
    uint rowWords;
} g;

void main() {
    uint word = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (word < g.rowWords) {
        uint to = y * g.rowWords + word;
        previous[g.height * g.rowWords + to] = previous[to];
        previous[to] = reference[g.referenceOffset + y * g.referenceStride + word];
    }
}

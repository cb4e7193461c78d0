// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// XPSNR: squared error of a component. A workgroup takes a slice of a block, some of its rows; gl_WorkGroupID is the block's column, and
// the slice counted down the picture.

layout(local_size_x_id = 0) in;

#include "quality/samples.glsl"

layout(constant_id = 4) const uint INVOCATIONS = 64;

layout(push_constant) uniform XpsnrErrorGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    // Of the component, in samples.
    uint width, height;
    // Number of the component's first sample in its plane.
    uint firstSample;
    uint blockWidth, blockHeight;
    // Slices of a block, and rows of a slice, of which a block's last one may have fewer.
    uint slices, sliceRows;
    uint resultsAt;
} g;

shared uint sum;

int sampleAt(uint word, uint bit) {
    return SAMPLE_BYTES == 1 ? int((word >> bit) & 0xffu) : int((word >> (bit + SAMPLE_SHIFT)) & 0x3ffu);
}

void main() {
    uint id = gl_LocalInvocationID.x;
    if (id == 0) {
        sum = 0;
    }
    barrier();
    uint left = gl_WorkGroupID.x * g.blockWidth;
    uint width = min(g.blockWidth, g.width - left);
    uint blockTop = gl_WorkGroupID.y / g.slices * g.blockHeight;
    uint top = blockTop + gl_WorkGroupID.y % g.slices * g.sliceRows;
    uint bottom = min(min(top + g.sliceRows, blockTop + g.blockHeight), g.height);
    uint count = top < bottom ? (bottom - top) * width : 0;
    uint own = 0;
    for (uint i = id; i < count; i += INVOCATIONS) {
        uint y = top + i / width;
        uint bits = ((left + i % width) * SAMPLE_STEP + g.firstSample) * SAMPLE_BYTES * 8;
        int difference = sampleAt(reference[g.referenceOffset + y * g.referenceStride + (bits >> 5)], bits & 31)
            - sampleAt(picture[g.pictureOffset + y * g.pictureStride + (bits >> 5)], bits & 31);
        own += uint(difference * difference);
    }
    atomicAdd(sum, own);
    barrier();
    if (id == 0) {
        results[g.resultsAt + gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = sum;
    }
}

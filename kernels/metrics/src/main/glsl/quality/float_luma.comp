// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Luma of two pictures in floating point, on the scale of 8 bits less 128 (FloatScale). An invocation takes one sample.

// Always 64.
layout(local_size_x_id = 0) in;
#include "quality/luma.glsl"

layout(std430, set = 0, binding = 3) writeonly restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform FloatLumaGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    uint referenceAt, pictureAt;
    uint width;
    float factor, offset;
} g;

void main() {
    uint x = gl_GlobalInvocationID.x;
    if (x >= g.width) {
        return;
    }
    uint row = gl_WorkGroupID.y;
    uint at = x * SAMPLE_BYTES;
    bool first = gl_WorkGroupID.z == 0;
    uint word = first
        ? reference[g.referenceOffset + row * g.referenceStride + at / 4]
        : picture[g.pictureOffset + row * g.pictureStride + at / 4];
    uint sampled = bitfieldExtract(word, int(at % 4 * 8 + SAMPLE_SHIFT), SAMPLE_BYTES == 1 ? 8 : 10);
    planes[(first ? g.referenceAt : g.pictureAt) + row * g.width + x] = float(sampled) * g.factor - g.offset;
}

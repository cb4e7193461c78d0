// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// The samples of a component of chroma that SpEED keeps: scaled, blurred down and across, every 16th each way. An invocation makes one, of
// the reference (z = 0) or of the picture (z = 1).

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
// Distance of the samples of one component.
layout(constant_id = 3) const uint SAMPLE_STEP = 1;
// Samples before the first one in its plane.
layout(constant_id = 4) const uint FIRST_SAMPLE = 0;

layout(std430, set = 0, binding = 0) readonly restrict buffer Reference {
    uint reference[];
};
layout(std430, set = 0, binding = 1) readonly restrict buffer Picture {
    uint picture[];
};
// TAPS weights; then for each tap of each column, and of each row, the two samples that a scaled one lies between, and the second one's share.
layout(std430, set = 0, binding = 3) readonly restrict buffer Tables {
    uint tables[];
};
layout(std430, set = 0, binding = 4) writeonly restrict buffer Planes {
    float planes[];
};

#include "quality/luma.glsl"

layout(push_constant) uniform SpeedReduceGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    uint width, height;
    uint planesAt;
    float factor, offset;
} g;

const uint TAPS = 9;

float sourceSample(uint column, uint y) {
    uint x = column * SAMPLE_STEP + FIRST_SAMPLE;
    uint word = sampleWord(x);
    uint value = gl_WorkGroupID.z == 0 ? sampleIn(reference[g.referenceOffset + y * g.referenceStride + word], x)
                                       : sampleIn(picture[g.pictureOffset + y * g.pictureStride + word], x);
    return float(value) * g.factor - g.offset;
}

uvec3 between(uint tap) {
    uint at = TAPS + 3 * tap;
    return uvec3(tables[at], tables[at + 1], tables[at + 2]);
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (x >= g.width) {
        return;
    }
    precise float across = 0.0;
    for (uint i = 0; i < TAPS; i++) {
        uvec3 column = between(x * TAPS + i);
        float right = uintBitsToFloat(column.z);
        precise float down = 0.0;
        for (uint j = 0; j < TAPS; j++) {
            uvec3 row = between((g.width + y) * TAPS + j);
            float below = uintBitsToFloat(row.z);
            precise float scaled = (1.0 - below) * (1.0 - right) * sourceSample(column.x, row.x)
                + (1.0 - below) * right * sourceSample(column.y, row.x)
                + below * (1.0 - right) * sourceSample(column.x, row.y)
                + below * right * sourceSample(column.y, row.y);
            down = down + uintBitsToFloat(tables[j]) * scaled;
        }
        across = across + uintBitsToFloat(tables[i]) * down;
    }
    planes[g.planesAt + (gl_WorkGroupID.z * g.height + y) * g.width + x] = across;
}

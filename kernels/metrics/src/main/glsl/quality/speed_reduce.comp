// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// The samples of a component of chroma that SpEED keeps: scaled, blurred down and across, every 16th each way. An invocation makes one, of
// the reference (z = 0) or of the picture (z = 1).

layout(local_size_x_id = 0) in;
#include "quality/luma.glsl"
// Distance of the samples of one component.
layout(constant_id = 3) const uint SAMPLE_STEP = 1;
// Samples before the first one in its plane.
layout(constant_id = 4) const uint FIRST_SAMPLE = 0;
// Samples of the blur, each way.
layout(constant_id = 5) const uint TAPS = 9;
// Sources of a scaled sample, along a row and down a column.
layout(constant_id = 6) const uint SOURCES_ACROSS = 1;
layout(constant_id = 7) const uint SOURCES_DOWN = 1;
// 1 if a scaled sample is divided by the sum of the shares of its sources.
layout(constant_id = 8) const uint NORMALISED = 0;

// TAPS weights; then for each tap of each column, and of each row, the place and the share of each source of a scaled sample.
layout(std430, set = 0, binding = 3) readonly restrict buffer Tables {
    uint tables[];
};
layout(std430, set = 0, binding = 4) writeonly restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform SpeedReduceGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    uint width, height;
    uint planesAt;
    float factor, offset;
} g;

float sourceSample(uint column, uint y) {
    uint x = column * SAMPLE_STEP + FIRST_SAMPLE;
    uint word = sampleWord(x);
    uint value = gl_WorkGroupID.z == 0 ? sampleIn(reference[g.referenceOffset + y * g.referenceStride + word], x)
                                       : sampleIn(picture[g.pictureOffset + y * g.pictureStride + word], x);
    return float(value) * g.factor - g.offset;
}

float scaledSample(uint columnAt, uint rowAt) {
    precise float sum = 0.0;
    precise float shares = 0.0;
    for (uint j = 0; j < SOURCES_DOWN; j++) {
        uint y = tables[rowAt + 2 * j];
        float below = uintBitsToFloat(tables[rowAt + 2 * j + 1]);
        for (uint i = 0; i < SOURCES_ACROSS; i++) {
            precise float share = below * uintBitsToFloat(tables[columnAt + 2 * i + 1]);
            shares = shares + share;
            sum = sum + share * sourceSample(tables[columnAt + 2 * i], y);
        }
    }
    return NORMALISED == 0 ? sum : sum / shares;
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    if (x >= g.width) {
        return;
    }
    uint columnsAt = TAPS + 2 * SOURCES_ACROSS * x * TAPS;
    uint rowsAt = TAPS + 2 * (SOURCES_ACROSS * g.width + SOURCES_DOWN * y) * TAPS;
    precise float across = 0.0;
    for (uint i = 0; i < TAPS; i++) {
        precise float down = 0.0;
        for (uint j = 0; j < TAPS; j++) {
            precise float scaled = scaledSample(columnsAt + 2 * SOURCES_ACROSS * i, rowsAt + 2 * SOURCES_DOWN * j);
            down = down + uintBitsToFloat(tables[j]) * scaled;
        }
        across = across + uintBitsToFloat(tables[i]) * down;
    }
    planes[g.planesAt + (gl_WorkGroupID.z * g.height + y) * g.width + x] = across;
}

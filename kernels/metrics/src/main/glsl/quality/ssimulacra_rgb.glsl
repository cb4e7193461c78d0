// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Linear RGB of two pictures at one scale: of the first one from their samples. The includer defines LINEAR_ACCESS.

#include "quality/pair.glsl"

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
// Distance of the samples of chroma.
layout(constant_id = 3) const uint CHROMA_STEP = 1;
// Logarithms of how many samples of luma a sample of chroma stands for, across and down.
layout(constant_id = 4) const uint CHROMA_ACROSS = 1;
layout(constant_id = 5) const uint CHROMA_DOWN = 1;
layout(constant_id = 7) const bool FIRST = true;
layout(constant_id = 8) const uint VALUES = 256;

layout(std430, set = 0, binding = 4) LINEAR_ACCESS buffer Linear {
    float linear[];
};
layout(std430, set = 0, binding = 5) readonly restrict buffer SsimulacraTables {
    // Linear light of each value of 16 bits.
    float light[65536];
    // VideoColors.terms: the word above, and the 16 bits below it. Behind them are the coefficients of RecursiveGaussian and the two
    // numbers that roundsOnce() takes.
    ivec2 terms[];
};

layout(push_constant) uniform SsimulacraXybGeometry {
    // Y, Cb, Cr of the reference, then of the picture.
    uint offsets[6];
    uint strides[6];
    // First byte of Cb and of Cr in a row.
    uint firstBytes[2];
    uint width, height;
    uint nextWidth, nextHeight;
    // Red of the reference at this scale and at the next one. The other colours, then those of the picture follow.
    uint linearAt, nextAt;
} g;

uint sampled(uint component, uint row, uint byteAt) {
    uint plane = gl_WorkGroupID.z * 3 + component;
    uint at = g.offsets[plane] + row * g.strides[plane] + byteAt / 4;
    uint word = gl_WorkGroupID.z == 0 ? reference[at] : picture[at];
    return (bitfieldExtract(word, int(byteAt % 4) * 8, int(SAMPLE_BYTES) * 8) >> SAMPLE_SHIFT) & (VALUES - 1);
}

float lightOf(ivec2 sum) {
    return light[clamp((sum.x + (sum.y >> 16)) >> 13, 0, 65535)];
}

vec3 rgbOf(uint x, uint y) {
    if (FIRST) {
        ivec2 luma = terms[sampled(0, y, x * SAMPLE_BYTES)];
        uint chroma = (x >> CHROMA_ACROSS) * CHROMA_STEP * SAMPLE_BYTES;
        uint cb = sampled(1, y >> CHROMA_DOWN, chroma + g.firstBytes[0]);
        uint cr = sampled(2, y >> CHROMA_DOWN, chroma + g.firstBytes[1]);
        return vec3(
            lightOf(luma + terms[VALUES + cr]),
            lightOf(luma + terms[2 * VALUES + cb] + terms[3 * VALUES + cr]),
            lightOf(luma + terms[4 * VALUES + cb]));
    }
    uint plane = g.width * g.height;
    uint at = g.linearAt + gl_WorkGroupID.z * 3 * plane + y * g.width + x;
    return vec3(linear[at], linear[at + plane], linear[at + 2 * plane]);
}

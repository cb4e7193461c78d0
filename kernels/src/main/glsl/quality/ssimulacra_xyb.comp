// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// One plane of XYB, in the range of SSIMULACRA 2, of two pictures. An invocation takes four samples, from the first picture's samples
// or from linear RGB; the invocations of plane 0 also make the linear RGB of the next scale. The order of the operations is libjxl's,
// see RecursiveGaussian.

// Always 64.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;
// Distance of the samples of chroma.
layout(constant_id = 3) const uint CHROMA_STEP = 1;
// Logarithms of how many samples of luma a sample of chroma stands for, across and down.
layout(constant_id = 4) const uint CHROMA_ACROSS = 1;
layout(constant_id = 5) const uint CHROMA_DOWN = 1;
layout(constant_id = 6) const uint PLANE = 0;
layout(constant_id = 7) const bool FIRST = true;
layout(constant_id = 8) const uint VALUES = 256;

layout(std430, set = 0, binding = 0) readonly restrict buffer Reference {
    uint reference[];
};
layout(std430, set = 0, binding = 1) readonly restrict buffer Picture {
    uint picture[];
};
layout(std430, set = 0, binding = 3) writeonly restrict buffer Xyb {
    float xyb[];
};
layout(std430, set = 0, binding = 4) restrict buffer Linear {
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
    uint makesNext;
} g;

#include "quality/fma.glsl"

const float BIAS = 0.0037930732552754493;

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

float cone(vec3 absorbance, vec3 rgb) {
    precise float value = rounded(absorbance.x, rgb.x, rounded(absorbance.y, rgb.y, rounded(absorbance.z, rgb.z, BIAS)));
    precise float third = 0.333333343 * value;
    // 1 / cube root: minus a third of the exponent, then Newton's steps.
    precise float inverse = intBitsToFloat(0x54800000 - (floatBitsToInt(value) >> 23) * 0x002AAAAA);
    precise float square;
    precise float scaled;
    precise float fourth;
    for (int i = 0; i < 3; i++) {
        square = inverse * inverse;
        fourth = square * square;
        scaled = 1.33333337 * inverse;
        inverse = rounded(-third, fourth, scaled);
    }
    square = inverse * inverse;
    fourth = square * square;
    inverse = rounded(0.333333343, rounded(-value, fourth, inverse), inverse);
    square = inverse * inverse;
    precise float root = rounded(square, value, -0.155954197);
    return root;
}

float planeOf(vec3 rgb) {
    float l = cone(vec3(0.30, 0.622, 0.078), rgb);
    float m = cone(vec3(0.23, 0.692, 0.078), rgb);
    if (PLANE == 0) {
        precise float x = 0.5 * (l - m) * 14.0;
        precise float shifted = x + 0.42;
        return shifted;
    }
    precise float y = 0.5 * (l + m);
    if (PLANE == 1) {
        precise float shifted = y + 0.01;
        return shifted;
    }
    float s = cone(vec3(0.24342268924547819, 0.20476744424496821, 0.551809847), rgb);
    precise float b = s - y;
    precise float shifted = b + 0.55;
    return shifted;
}

void main() {
    vec2 probe = intBitsToFloat(terms[5 * VALUES + 21]);
    fmaRoundsOnce = roundsOnce(probe.x, probe.y);
    uint x = gl_GlobalInvocationID.x * 2;
    uint y = gl_WorkGroupID.y * 2;
    if (x >= g.width) {
        return;
    }
    vec3 rgb[4];
    for (uint i = 0; i < 4; i++) {
        uint column = min(x + i % 2, g.width - 1);
        uint row = min(y + i / 2, g.height - 1);
        rgb[i] = rgbOf(column, row);
        // Beyond an edge this is what is there already.
        xyb[(gl_WorkGroupID.z * g.height + row) * g.width + column] = planeOf(rgb[i]);
    }
    if (PLANE == 0 && g.makesNext != 0) {
        precise vec3 sum = rgb[0] + rgb[1];
        sum = sum + rgb[2];
        sum = sum + rgb[3];
        sum = sum * 0.25;
        uint plane = g.nextWidth * g.nextHeight;
        uint at = g.nextAt + gl_WorkGroupID.z * 3 * plane + y / 2 * g.nextWidth + x / 2;
        linear[at] = sum.r;
        linear[at + plane] = sum.g;
        linear[at + 2 * plane] = sum.b;
    }
}

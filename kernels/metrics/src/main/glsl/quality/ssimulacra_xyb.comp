// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// One plane of XYB, in the range of SSIMULACRA 2, of two pictures. An invocation takes four samples, from the first picture's samples
// or from linear RGB. The order of the operations is libjxl's,
// see RecursiveGaussian.

// Always 64.
layout(local_size_x_id = 0) in;
layout(constant_id = 6) const uint PLANE = 0;
layout(std430, set = 0, binding = 3) writeonly restrict buffer Xyb {
    float xyb[];
};

#define LINEAR_ACCESS readonly restrict
#include "quality/ssimulacra_rgb.glsl"
#include "quality/fma.glsl"

const float BIAS = 0.0037930732552754493;

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

void convert() {
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
}

void main() {
    vec2 probe = intBitsToFloat(terms[5 * VALUES + 21]);
    // The compiler makes two copies, which do not ask at each multiplication.
    if (roundsOnce(probe.x, probe.y)) {
        fmaRoundsOnce = true;
        convert();
    } else {
        fmaRoundsOnce = false;
        convert();
    }
}

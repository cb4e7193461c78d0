// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Visible error of luma (PSNR-HVS): differences of 8x8 blocks, transformed and weighted. Each invocation takes ROWS blocks of a column.

layout(local_size_x_id = 0) in;

#include "quality/samples.glsl"

layout(constant_id = 4) const uint ROWS = 4;

const uint WORDS = 2 * SAMPLE_BYTES;

// The basis of HvsWeights, then its weights.
layout(std430, set = 0, binding = 3) readonly restrict buffer Weights {
    vec2 weights[];
};
// In pairs of frequencies.
const uint HALF_BASIS = 8;
const uint HALF_WEIGHTS = 16;
const uint WEIGHTS_AT = 2 * HALF_BASIS;

layout(push_constant) uniform HvsGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    // In blocks.
    uint columns, rows;
    uint resultsAt;
} g;

// Half of cos(k pi / 16); C4 is the square root of 1/8.
const float C1 = 0.49039264;
const float C2 = 0.46193977;
const float C3 = 0.41573481;
const float C4 = 0.35355339;
const float C5 = 0.27778512;
const float C6 = 0.19134172;
const float C7 = 0.09754516;

struct Row {
    vec4 left;
    vec4 right;
};

vec4 difference(uint fromReference, uint fromPicture) {
    uvec4 r = uvec4(reference[fromReference], 0, 0, 0);
    uvec4 p = uvec4(picture[fromPicture], 0, 0, 0);
    if (SAMPLE_BYTES == 2) {
        r.y = reference[fromReference + 1];
        p.y = picture[fromPicture + 1];
    }
    return vec4(ivec4(unpackSamples(r, 0) - unpackSamples(p, 0)));
}

Row differences(uint column, uint row) {
    uint fromReference = g.referenceOffset + row * g.referenceStride + column * WORDS;
    uint fromPicture = g.pictureOffset + row * g.pictureStride + column * WORDS;
    return Row(
        difference(fromReference, fromPicture),
        difference(fromReference + SAMPLE_BYTES, fromPicture + SAMPLE_BYTES));
}

// The weighted error of two vertical frequencies at one horizontal frequency.
precise float seen(uint weightsAt, uint horizontal, vec2 coefficients) {
    precise vec2 error = coefficients * coefficients * weights[weightsAt + 2 * horizontal];
    return error.x + error.y;
}

void main() {
    uint column = gl_GlobalInvocationID.x;
    if (column >= g.columns) {
        return;
    }
    uint first = gl_WorkGroupID.y * ROWS;
    uint end = min(first + ROWS, g.rows);
    precise float error = 0.0;
    [[dont_unroll]] for (uint block = first; block < end; block++) {
        // Two vertical frequencies of a half at a time. Four would take more registers than there are.
        [[dont_unroll]] for (uint quarter = 0; quarter < 4; quarter++) {
            uint odd = quarter & 1;
            uint pair = quarter >> 1;
            uint basisAt = odd * HALF_BASIS + pair;
            uint weightsAt = WEIGHTS_AT + odd * HALF_WEIGHTS + pair;
            float mirror = odd == 0 ? 1.0 : -1.0;
            // One for each column of the block.
            precise vec2 a0 = vec2(0);
            precise vec2 a1 = vec2(0);
            precise vec2 a2 = vec2(0);
            precise vec2 a3 = vec2(0);
            precise vec2 a4 = vec2(0);
            precise vec2 a5 = vec2(0);
            precise vec2 a6 = vec2(0);
            precise vec2 a7 = vec2(0);
            [[dont_unroll]] for (uint y = 0; y < 4; y++) {
                Row upper = differences(column, block * 8 + y);
                Row lower = differences(column, block * 8 + 7 - y);
                vec4 left = upper.left + mirror * lower.left;
                vec4 right = upper.right + mirror * lower.right;
                vec2 basis = weights[basisAt + 2 * y];
                a0 += basis * left.x;
                a1 += basis * left.y;
                a2 += basis * left.z;
                a3 += basis * left.w;
                a4 += basis * right.x;
                a5 += basis * right.y;
                a6 += basis * right.z;
                a7 += basis * right.w;
            }
            precise vec2 s0 = a0 + a7;
            precise vec2 s1 = a1 + a6;
            precise vec2 s2 = a2 + a5;
            precise vec2 s3 = a3 + a4;
            precise vec2 d0 = a0 - a7;
            precise vec2 d1 = a1 - a6;
            precise vec2 d2 = a2 - a5;
            precise vec2 d3 = a3 - a4;
            precise vec2 c0 = C4 * (s0 + s1 + s2 + s3);
            precise vec2 c4 = C4 * (s0 - s1 - s2 + s3);
            precise vec2 c2 = C2 * (s0 - s3) + C6 * (s1 - s2);
            precise vec2 c6 = C6 * (s0 - s3) - C2 * (s1 - s2);
            precise vec2 c1 = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3;
            precise vec2 c3 = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3;
            precise vec2 c5 = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3;
            precise vec2 c7 = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3;
            error += seen(weightsAt, 0, c0);
            error += seen(weightsAt, 1, c1);
            error += seen(weightsAt, 2, c2);
            error += seen(weightsAt, 3, c3);
            error += seen(weightsAt, 4, c4);
            error += seen(weightsAt, 5, c5);
            error += seen(weightsAt, 6, c6);
            error += seen(weightsAt, 7, c7);
        }
    }
    results[g.resultsAt + gl_WorkGroupID.y * g.columns + column] = floatBitsToUint(error);
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Blurs rows of a plane of two pictures by the recursions of RecursiveGaussian, whose order of operations is part of the metric: the
// reference, the picture, their squares and their product. An invocation takes a row. The results are transposed, so that the
// invocations of a workgroup write neighbouring words.

// Always 64.
layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 3) readonly restrict buffer Xyb {
    float xyb[];
};
layout(std430, set = 0, binding = 5) readonly restrict buffer Tables {
    float coefficients[];
};
layout(std430, set = 0, binding = 6) writeonly restrict buffer Across {
    float across[];
};

layout(push_constant) uniform SsimulacraAcrossGeometry {
    uint width, height;
    // First result that one step no longer makes together with others, see RecursiveGaussian.endOfSteps.
    uint endOfSteps;
    uint coefficientsAt;
} g;

#include "quality/fma.glsl"

const int FIRST_STEP = 8;

float factor(uint plane, uint row, int x) {
    return xyb[(plane * g.height + row) * g.width + uint(x)];
}

float entering(uint row, int x) {
    if (x < 0 || x >= int(g.width)) {
        return 0.0;
    }
    uint mean = gl_WorkGroupID.y;
    // Of A, B, AA, BB, AB.
    float one = factor(mean & 1, row, x);
    if (mean < 2) {
        return one;
    }
    if (mean == 4) {
        precise float product = one * factor(1, row, x);
        return product;
    }
    precise float square = one * one;
    return square;
}

float sumAt(uint row, int x) {
    precise float sum = entering(row, x - 6) + entering(row, x + 4);
    return sum;
}

void main() {
    fmaRoundsOnce = roundsOnce(coefficients[g.coefficientsAt + 42], coefficients[g.coefficientsAt + 43]);
    uint row = gl_GlobalInvocationID.x;
    if (row >= g.height) {
        return;
    }
    float inputs[3][4];
    float before[3][4];
    float beforeThat[3][4];
    for (uint pole = 0; pole < 3; pole++) {
        for (uint lane = 0; lane < 4; lane++) {
            uint at = g.coefficientsAt + pole * 14 + 2 + lane;
            inputs[pole][lane] = coefficients[at];
            before[pole][lane] = coefficients[at + 4];
            beforeThat[pole][lane] = coefficients[at + 8];
        }
    }
    float last[3] = float[3](0.0, 0.0, 0.0);
    float lastButOne[3] = float[3](0.0, 0.0, 0.0);
    uint to = gl_WorkGroupID.y * g.width * g.height + row;
    int x = -4;
    while (x < int(g.width)) {
        if (x < FIRST_STEP || x >= int(g.endOfSteps)) {
            float sum = sumAt(row, x);
            for (uint pole = 0; pole < 3; pole++) {
                precise float scaled = sum * inputs[pole][0];
                precise float less = scaled - lastButOne[pole];
                precise float next = rounded(before[pole][0], last[pole], less);
                lastButOne[pole] = last[pole];
                last[pole] = next;
            }
            if (x >= 0) {
                precise float added = last[1] + last[2];
                precise float result = last[0] + added;
                across[to + uint(x) * g.height] = result;
            }
            x++;
        } else {
            float s0 = sumAt(row, x);
            float s1 = sumAt(row, x + 1);
            float s2 = sumAt(row, x + 2);
            float s3 = sumAt(row, x + 3);
            vec4 results[3];
            for (uint pole = 0; pole < 3; pole++) {
                precise vec4 r = s0 * vec4(inputs[pole][0], inputs[pole][1], inputs[pole][2], inputs[pole][3]);
                r.y = rounded(inputs[pole][0], s1, r.y);
                r.z = rounded(inputs[pole][0], s2, rounded(inputs[pole][1], s1, r.z));
                r.w = rounded(inputs[pole][0], s3, rounded(inputs[pole][1], s2, rounded(inputs[pole][2], s1, r.w)));
                for (uint lane = 0; lane < 4; lane++) {
                    r[lane] = rounded(before[pole][lane], last[pole], rounded(beforeThat[pole][lane], lastButOne[pole], r[lane]));
                }
                lastButOne[pole] = r.z;
                last[pole] = r.w;
                results[pole] = r;
            }
            precise vec4 added = results[1] + results[2];
            precise vec4 result = results[0] + added;
            for (uint lane = 0; lane < 4; lane++) {
                across[to + (uint(x) + lane) * g.height] = result[lane];
            }
            x += 4;
        }
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Blurs columns of a plane by the recursions of RecursiveGaussian, and adds up the errors of SSIMULACRA 2: of structure, of what was
// added at edges, of what was lost there; of each the sum and the sum of fourth powers. An invocation takes a column.

// Always 64.
layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 2) writeonly restrict buffer Results {
    uint results[];
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Xyb {
    float xyb[];
};
layout(std430, set = 0, binding = 5) readonly restrict buffer Tables {
    float coefficients[];
};
layout(std430, set = 0, binding = 6) readonly restrict buffer Across {
    float across[];
};

layout(push_constant) uniform SsimulacraDownGeometry {
    uint width, height;
    uint resultsAt;
    uint coefficientsAt;
    float c2;
} g;

#include "quality/fma.glsl"

// Rows whose errors are added before they are added to the sum, so that few bits are lost.
const int ROWS = 32;

void main() {
    fmaRoundsOnce = roundsOnce(coefficients[g.coefficientsAt + 42], coefficients[g.coefficientsAt + 43]);
    uint column = gl_GlobalInvocationID.x;
    if (column >= g.width) {
        return;
    }
    float inputs[3];
    float before[3];
    for (uint pole = 0; pole < 3; pole++) {
        inputs[pole] = coefficients[g.coefficientsAt + pole * 14];
        before[pole] = coefficients[g.coefficientsAt + pole * 14 + 1];
    }
    float last[15];
    float lastButOne[15];
    for (uint i = 0; i < 15; i++) {
        last[i] = 0.0;
        lastButOne[i] = 0.0;
    }
    uint size = g.width * g.height;
    uint from = column * g.height;
    int height = int(g.height);
    vec3 sums = vec3(0);
    vec3 powers = vec3(0);
    vec3 rowSums = vec3(0);
    vec3 rowPowers = vec3(0);
    for (int y = -4; y < height; y++) {
        float means[5];
        [[unroll]] for (uint mean = 0; mean < 5; mean++) {
            float upper = y >= 6 ? across[mean * size + from + uint(y - 6)] : 0.0;
            float lower = y + 4 < height ? across[mean * size + from + uint(y + 4)] : 0.0;
            precise float sum = upper + lower;
            [[unroll]] for (uint pole = 0; pole < 3; pole++) {
                uint i = mean * 3 + pole;
                precise float next = rounded(inputs[pole], sum, rounded(before[pole], last[i], -lastButOne[i]));
                lastButOne[i] = last[i];
                last[i] = next;
            }
            precise float added = last[mean * 3 + 1] + last[mean * 3 + 2];
            precise float result = last[mean * 3] + added;
            means[mean] = result;
        }
        if (y < 0) {
            continue;
        }
        float a = means[0];
        float b = means[1];
        precise float products = a * b;
        precise float covariance = means[4] - products;
        covariance = 2.0 * covariance;
        covariance = covariance + g.c2;
        precise float squareA = a * a;
        precise float squareB = b * b;
        precise float variances = means[2] - squareA;
        precise float varianceB = means[3] - squareB;
        variances = variances + varianceB;
        variances = variances + g.c2;
        precise float difference = a - b;
        // 1 - luminance * covariance / variances, without the loss of a difference to 1.
        float squared = difference * difference;
        precise float rest = variances - covariance;
        float structure = max((rest + squared * covariance) / variances, 0.0);
        uint at = uint(y) * g.width + column;
        float edge = abs(xyb[at] - a);
        float pictureEdge = abs(xyb[size + at] - b);
        float change = (pictureEdge - edge) / (1.0 + edge);
        vec3 errors = vec3(structure, max(change, 0.0), max(-change, 0.0));
        rowSums += errors;
        rowPowers += errors * errors * (errors * errors);
        if (y % ROWS == ROWS - 1 || y + 1 == height) {
            sums += rowSums;
            powers += rowPowers;
            rowSums = vec3(0);
            rowPowers = vec3(0);
        }
    }
    uint to = g.resultsAt + column * 6;
    for (uint kind = 0; kind < 3; kind++) {
        results[to + 2 * kind] = floatBitsToUint(sums[kind]);
        results[to + 2 * kind + 1] = floatBitsToUint(powers[kind]);
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Blurs columns of a plane by the recursions of RecursiveGaussian, and adds up the errors of SSIMULACRA 2: of structure, of what was
// added at edges, of what was lost there; of each the sum and the sum of fourth powers. A workgroup takes 16 columns, an invocation a
// column of one mean: A, B, AA, BB or AB. Of each ROWS results of all means it compares two.

// Always 80.
layout(local_size_x_id = 0) in;

#include "quality/pair.glsl"
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

const uint COLUMNS = 16;
const uint MEANS = 5;
// A result depends on the sample ROWS above the last that it depends on.
const int ROWS = 10;
const int AHEAD = 4;
// The errors of so many times ROWS are added before they are added to the sum, so that few bits are lost.
const int BLOCKS = 16;

// The results are kept twice, so that nobody waits for those who still compare.
shared float means[2][MEANS][ROWS][COLUMNS];
shared vec3 partSums[MEANS * COLUMNS];
shared vec3 partPowers[MEANS * COLUMNS];

void blur() {
    uint own = gl_LocalInvocationID.x % COLUMNS;
    uint mean = gl_LocalInvocationID.x / COLUMNS;
    uint column = gl_WorkGroupID.x * COLUMNS + own;
    bool inside = column < g.width;
    float inputs[3];
    float before[3];
    float last[3];
    float lastButOne[3];
    for (uint pole = 0; pole < 3; pole++) {
        inputs[pole] = coefficients[g.coefficientsAt + pole * 14];
        before[pole] = coefficients[g.coefficientsAt + pole * 14 + 1];
        last[pole] = 0.0;
        lastButOne[pole] = 0.0;
    }
    float samples[ROWS];
    for (int i = 0; i < ROWS; i++) {
        samples[i] = 0.0;
    }
    uint size = g.width * g.height;
    uint from = mean * size + column;
    int height = int(g.height);
    vec3 sums = vec3(0);
    vec3 powers = vec3(0);
    vec3 blockSums = vec3(0);
    vec3 blockPowers = vec3(0);
    int block = 0;
    for (int begin = -AHEAD; begin < height; begin += ROWS) {
        float entering[ROWS];
        for (int i = 0; i < ROWS; i++) {
            int row = begin + AHEAD + i;
            entering[i] = inside && row < height ? across[from + uint(row) * g.width] : 0.0;
        }
        for (int i = 0; i < ROWS; i++) {
            precise float sum = samples[i] + entering[i];
            samples[i] = entering[i];
            for (uint pole = 0; pole < 3; pole++) {
                precise float next = rounded(inputs[pole], sum, rounded(before[pole], last[pole], -lastButOne[pole]));
                lastButOne[pole] = last[pole];
                last[pole] = next;
            }
            precise float added = last[1] + last[2];
            precise float result = last[0] + added;
            means[block % 2][mean][i][own] = result;
        }
        barrier();
        for (uint i = mean; i < ROWS; i += MEANS) {
            int y = begin + int(i);
            if (!inside || y < 0 || y >= height) {
                continue;
            }
            float a = means[block % 2][0][i][own];
            float b = means[block % 2][1][i][own];
            precise float products = a * b;
            precise float covariance = means[block % 2][4][i][own] - products;
            covariance = 2.0 * covariance;
            covariance = covariance + g.c2;
            precise float squareA = a * a;
            precise float squareB = b * b;
            precise float variances = means[block % 2][2][i][own] - squareA;
            precise float varianceB = means[block % 2][3][i][own] - squareB;
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
            blockSums += errors;
            blockPowers += errors * errors * (errors * errors);
        }
        block++;
        if (block % BLOCKS == 0 || begin + ROWS >= height) {
            sums += blockSums;
            powers += blockPowers;
            blockSums = vec3(0);
            blockPowers = vec3(0);
        }
    }
    partSums[gl_LocalInvocationID.x] = sums;
    partPowers[gl_LocalInvocationID.x] = powers;
    barrier();
    if (mean == 0 && inside) {
        for (uint i = 1; i < MEANS; i++) {
            sums += partSums[i * COLUMNS + own];
            powers += partPowers[i * COLUMNS + own];
        }
        uint to = g.resultsAt + column * 6;
        for (uint kind = 0; kind < 3; kind++) {
            results[to + 2 * kind] = floatBitsToUint(sums[kind]);
            results[to + 2 * kind + 1] = floatBitsToUint(powers[kind]);
        }
    }
}

void main() {
    // The compiler makes two copies, which do not ask at each multiplication.
    if (roundsOnce(coefficients[g.coefficientsAt + 42], coefficients[g.coefficientsAt + 43])) {
        fmaRoundsOnce = true;
        blur();
    } else {
        fmaRoundsOnce = false;
        blur();
    }
}

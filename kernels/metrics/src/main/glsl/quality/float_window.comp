// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Variances and covariances in Gaussian windows of two planes, and from them the terms of MS-SSIM or VIF. A workgroup adds up the
// windows of a tile of 64 columns and ROWS rows.

// Always 64.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint RADIUS = 5;
// MS-SSIM, whose windows lie wholly in the plane; else VIF, whose planes are mirrored at their outermost samples.
layout(constant_id = 2) const bool SIMILARITY = true;

const uint ROWS = 8;

#include "quality/pair.glsl"
layout(std430, set = 0, binding = 3) readonly restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform FloatWindowGeometry {
    uint referenceAt, pictureAt;
    uint width, height;
    // Windows.
    uint across, down;
    uint resultsAt;
    // C1, C2 and C3 of MS-SSIM; NOISE, FLAT_LOSS and GAIN_LIMIT of VIF.
    float constants[3];
    float offset;
    // From the centre on.
    float taps[9];
} g;

#include "quality/float_sum.glsl"

// Means of a column's samples of the reference, of the picture, of their squares, and of their products.
shared float columns[5][64 + 2 * RADIUS];

uint within(int i, uint count) {
    int mirrored = abs(i);
    return uint(clamp(mirrored < int(count) ? mirrored : 2 * int(count) - 2 - mirrored, 0, int(count) - 1));
}

vec3 similarity(float a, float b, float varianceA, float varianceB, float covariance) {
    varianceA = max(varianceA, 0.0);
    float deviations = sqrt(varianceA * varianceB);
    // Rounding may leave a covariance where a window is flat, which has none.
    if (deviations <= 0.0 && covariance < 0.0) {
        covariance = 0.0;
    }
    a += g.offset;
    b += g.offset;
    return vec3(
        (2.0 * a * b + g.constants[0]) / (a * a + b * b + g.constants[0]),
        (2.0 * deviations + g.constants[1]) / (varianceA + varianceB + g.constants[1]),
        (covariance + g.constants[2]) / (deviations + g.constants[2]));
}

vec3 information(float varianceA, float varianceB, float covariance) {
    float noise = g.constants[0];
    if (varianceA < noise) {
        return vec3(1.0 - varianceB * g.constants[1], 1.0, 0.0);
    }
    float ofPicture = 0.0;
    if (covariance > 0.0 && varianceB >= 1e-10) {
        float gain = covariance / varianceA;
        float own = max(varianceB - gain * covariance, 1e-10);
        gain = min(gain, g.constants[2]);
        ofPicture = log2(1.0 + gain * gain * varianceA / (own + noise));
    }
    return vec3(ofPicture, log2(1.0 + varianceA / noise), 0.0);
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    uint firstColumn = gl_WorkGroupID.x * 64;
    vec3 sum = vec3(0);
    for (uint i = 0; i < ROWS; i++) {
        uint row = gl_WorkGroupID.y * ROWS + i;
        if (row >= g.down) {
            break;
        }
        for (uint column = lane; column < 64 + 2 * RADIUS; column += 64) {
            uint x = SIMILARITY
                ? min(firstColumn + column, g.width - 1)
                : within(int(firstColumn + column) - int(RADIUS), g.width);
            float means[5] = float[5](0.0, 0.0, 0.0, 0.0, 0.0);
            for (int tap = -int(RADIUS); tap <= int(RADIUS); tap++) {
                uint y = SIMILARITY ? row + uint(tap + int(RADIUS)) : within(int(row) + tap, g.height);
                float weight = g.taps[abs(tap)];
                float a = planes[g.referenceAt + y * g.width + x];
                float b = planes[g.pictureAt + y * g.width + x];
                means[0] += weight * a;
                means[1] += weight * b;
                means[2] += weight * a * a;
                means[3] += weight * b * b;
                means[4] += weight * a * b;
            }
            for (uint mean = 0; mean < 5; mean++) {
                columns[mean][column] = means[mean];
            }
        }
        barrier();
        if (firstColumn + lane < g.across) {
            float means[5] = float[5](0.0, 0.0, 0.0, 0.0, 0.0);
            for (int tap = -int(RADIUS); tap <= int(RADIUS); tap++) {
                for (uint mean = 0; mean < 5; mean++) {
                    means[mean] += g.taps[abs(tap)] * columns[mean][int(lane + RADIUS) + tap];
                }
            }
            float a = means[0];
            float b = means[1];
            float varianceA = means[2] - a * a;
            float varianceB = max(means[3] - b * b, 0.0);
            float covariance = means[4] - a * b;
            sum += SIMILARITY
                ? similarity(a, b, varianceA, varianceB, covariance)
                : information(varianceA, varianceB, covariance);
        }
        barrier();
    }
    sum = sumOfGroup(sum);
    if (lane == 0) {
        uint at = g.resultsAt + (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 3;
        results[at] = floatBitsToUint(sum.x);
        results[at + 1] = floatBitsToUint(sum.y);
        results[at + 2] = floatBitsToUint(sum.z);
    }
}

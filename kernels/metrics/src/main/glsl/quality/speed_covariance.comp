// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Covariance of two samples of a block of contrasts, over all places where a block may lie. A workgroup takes one pair (x) of a plane (y).

// Always 64.
layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 3) readonly restrict buffer Tables {
    float tables[];
};
layout(std430, set = 0, binding = 4) restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform SpeedCovarianceGeometry {
    // Two numbers that show how fma() rounds.
    uint roundingAt;
    uint contrastsAt;
    uint covariancesAt;
    uint width, height;
} g;

#include "quality/speed_rounding.glsl"

shared vec2 sums[64];

vec2 sumOfAll(vec2 own) {
    uint lane = gl_LocalInvocationID.x;
    barrier();
    sums[lane] = own;
    for (uint half_ = 32; half_ > 0; half_ /= 2) {
        barrier();
        if (lane < half_) {
            vec2 other = sums[lane + half_];
            sums[lane] = plus(plus(sums[lane], other.x), other.y);
        }
    }
    barrier();
    return sums[0];
}

// Divided by a whole number; in one part.
float mean(vec2 sum, float count) {
    float quotient = sum.x / count;
    precise float rest = rounded(-quotient, count, sum.x) + sum.y;
    precise float result = quotient + rest / count;
    return result;
}

void findCovariance() {
    // Row and column of the pair in the lower half of a matrix.
    uint row = 0;
    uint column = gl_WorkGroupID.x;
    while (column > row) {
        row++;
        column -= row;
    }
    uint columns = g.width / SIDE * SIDE - SIDE + 1;
    uint rows = g.height / SIDE * SIDE - SIDE + 1;
    uint plane = g.contrastsAt + gl_WorkGroupID.y * g.width * g.height;
    uint at = plane + row / SIDE * g.width + row % SIDE;
    uint otherAt = plane + column / SIDE * g.width + column % SIDE;
    vec2 sum = vec2(0.0);
    vec2 otherSum = vec2(0.0);
    for (uint i = gl_LocalInvocationID.x; i < columns * rows; i += 64) {
        uint place = i / columns * g.width + i % columns;
        sum = plus(sum, planes[at + place]);
        otherSum = plus(otherSum, planes[otherAt + place]);
    }
    float count = float(columns * rows);
    float middle = mean(sumOfAll(sum), count);
    float otherMiddle = mean(sumOfAll(otherSum), count);
    vec2 products = vec2(0.0);
    for (uint i = gl_LocalInvocationID.x; i < columns * rows; i += 64) {
        uint place = i / columns * g.width + i % columns;
        vec2 a = plus(vec2(planes[at + place], 0.0), -middle);
        vec2 b = plus(vec2(planes[otherAt + place], 0.0), -otherMiddle);
        precise float product = a.x * b.x;
        precise float rest = rounded(a.x, b.x, -product) + (a.x * b.y + a.y * b.x);
        products = plus(products, product);
        products.y += rest;
    }
    float covariance = mean(sumOfAll(products), count);
    if (gl_LocalInvocationID.x == 0) {
        uint matrix = g.covariancesAt + gl_WorkGroupID.y * ELEMENTS;
        planes[matrix + row * SAMPLES + column] = covariance;
        planes[matrix + column * SAMPLES + row] = covariance;
    }
}

void main() {
    fmaRoundsOnce = roundsOnce(tables[g.roundingAt], tables[g.roundingAt + 1]);
    findCovariance();
}

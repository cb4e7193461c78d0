// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Entropy and variance of the blocks of contrasts of a plane (y). An invocation takes a block.

// Always 64.
layout(local_size_x_id = 0) in;

#include "quality/pair.glsl"
layout(std430, set = 0, binding = 3) readonly restrict buffer Tables {
    float tables[];
};
layout(std430, set = 0, binding = 4) readonly restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform SpeedBlocksGeometry {
    // Two numbers that show how fma() rounds.
    uint roundingAt;
    uint contrastsAt;
    uint knownAt;
    uint width, height;
    // For each plane a word that says whether it tells anything; then for each block entropy and variance.
    uint resultsAt;
    float noise;
    // Entropy of a Gaussian of variance 1, twice, in two parts.
    float gaussian, gaussianRest;
} g;

#include "quality/speed_rounding.glsl"

shared float block[SAMPLES * 64];
shared float solution[SAMPLES * 64];

// Of a number from sqrt(1/2) to sqrt(2): the series of the inverse hyperbolic tangent.
float log2Near1(float value) {
    precise float s = divided(value - 1.0, value + 1.0);
    precise float square = s * s;
    precise float series = 1.0 / 3.0 + square * (1.0 / 5.0 + square * (1.0 / 7.0 + square * (1.0 / 9.0 + square / 11.0)));
    precise float result = 2.8853900817779268 * (s + s * (square * series));
    return result;
}

float entropyOf(float variance, uint known) {
    precise float entropy = 0.0;
    for (uint i = 0; i < SAMPLES; i++) {
        precise float seen = max(planes[known + i], 0.0) * variance + g.noise;
        if (!(seen > 0.0)) {
            return uintBitsToFloat(0x7fc00000u);
        }
        uint bits = floatBitsToUint(seen);
        uint shifted = bits - 0x3f3504f3u;
        int exponent = int(shifted) >> 23;
        float near1 = uintBitsToFloat(bits - (uint(exponent) << 23));
        vec2 sum = plus(plus(vec2(entropy, g.gaussianRest), float(exponent)), g.gaussian);
        precise float rest = sum.y + log2Near1(near1);
        entropy = sum.x + rest;
    }
    return entropy;
}

float varianceOf(uint known) {
    uint lane = gl_LocalInvocationID.x;
    for (uint i = 0; i < SAMPLES; i++) {
        precise float sum = 0.0;
        for (uint k = 0; k < SAMPLES; k++) {
            sum = sum + planes[known + ORTHOGONAL + i * SAMPLES + k] * block[k * 64 + lane];
        }
        solution[i * 64 + lane] = sum;
    }
    for (uint left = SAMPLES; left > 0; left--) {
        uint i = left - 1;
        precise float value = solution[i * 64 + lane];
        for (uint k = i + 1; k < SAMPLES; k++) {
            value = value - solution[k * 64 + lane] * planes[known + TRIANGULAR + i * SAMPLES + k];
        }
        solution[i * 64 + lane] = divided(value, planes[known + TRIANGULAR + i * SAMPLES + i]);
    }
    precise float variance = 0.0;
    for (uint i = 0; i < SAMPLES; i++) {
        precise float product = solution[i * 64 + lane] * block[i * 64 + lane];
        variance = variance + divided(product, float(SAMPLES));
    }
    return variance;
}

void main() {
    fmaRoundsOnce = roundsOnce(tables[g.roundingAt], tables[g.roundingAt + 1]);
    uint lane = gl_LocalInvocationID.x;
    uint plane = gl_WorkGroupID.y;
    uint across = g.width / SIDE;
    uint blocks = across * (g.height / SIDE);
    uint known = g.knownAt + plane * KNOWN;
    bool regular = planes[known + REGULAR] != 0.0 && planes[known + REGULAR + 1] != 0.0;
    uint words = g.resultsAt + plane * (1 + 2 * blocks);
    uint number = gl_GlobalInvocationID.x;
    if (number == 0) {
        results[words] = regular ? 1u : 0u;
    }
    if (number >= blocks) {
        return;
    }
    uint at = g.contrastsAt + (plane * g.height + number / across * SIDE) * g.width + number % across * SIDE;
    for (uint i = 0; i < SAMPLES; i++) {
        block[i * 64 + lane] = planes[at + i / SIDE * g.width + i % SIDE];
    }
    float variance = regular ? varianceOf(known) : 0.0;
    results[words + 1 + 2 * number] = floatBitsToUint(entropyOf(variance, known));
    results[words + 2 + 2 * number] = floatBitsToUint(variance);
}

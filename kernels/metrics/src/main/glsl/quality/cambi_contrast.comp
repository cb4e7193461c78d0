// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// The contrast of each sample of a scale of the banding index to those of a window that differ by a few steps, and how many contrasts each
// coarse bin has. An invocation finds the contrast of one sample.

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const int RADIUS = 16;

layout(std430, set = 0, binding = 3) readonly restrict buffer Planes {
    uint planes[];
};
layout(std430, set = 0, binding = 4) writeonly restrict buffer Contrasts {
    uint contrasts[];
};
layout(std430, set = 0, binding = 5) restrict buffer Bins {
    uint bins[];
};
// 1 / n, n from 0.
layout(std430, set = 0, binding = 6) readonly restrict buffer Reciprocals {
    float reciprocals[];
};

layout(push_constant) uniform CambiContrastGeometry {
    uint at, width, height;
    uint contrastsAt, binsAt;
    // Samples at which a step counts.
    int darkest[4];
    int brightest[4];
    uint weights[4];
    uint leastBits, lowBits;
} g;

const uint COLUMNS = 16;
const uint ROWS = 8;
const uint STEPS = 4;
const uint COUNTS = 0x8000u;

void main() {
    uint x = gl_WorkGroupID.x * COLUMNS + gl_LocalInvocationID.x % COLUMNS;
    uint y = gl_WorkGroupID.y * ROWS + gl_LocalInvocationID.x / COLUMNS;
    if (x >= g.width || y >= g.height) {
        return;
    }
    uint to = g.contrastsAt + y * g.width + x;
    uint own = planes[g.at + y * g.width + x];
    int sampled = int(own & ~COUNTS);
    if ((own & COUNTS) == 0 || sampled < g.darkest[STEPS - 1] || sampled > g.brightest[STEPS - 1]) {
        contrasts[to] = 0;
        return;
    }
    // Samples from STEPS darker to STEPS brighter: each a byte a row, as a row has few.
    uint numbers[2 * STEPS + 1];
    for (uint i = 0; i <= 2 * STEPS; i++) {
        numbers[i] = 0;
    }
    uint least = own - STEPS;
    uint left = uint(max(int(x) - RADIUS, 0));
    uint right = min(x + uint(RADIUS), g.width - 1);
    uint bottom = min(y + uint(RADIUS), g.height - 1);
    for (uint row = uint(max(int(y) - RADIUS, 0)); row <= bottom; row++) {
        uint low = 0;
        uint middle = 0;
        uint high = 0;
        uint from = g.at + row * g.width;
        for (uint column = left; column <= right; column++) {
            uint step = planes[from + column] - least;
            uint one = step <= 2 * STEPS ? 1u << ((step & 3u) * 8) : 0;
            low += step < 4 ? one : 0;
            middle += (step >> 2) == 1 ? one : 0;
            high += step == 8 ? one : 0;
        }
        for (uint i = 0; i < 4; i++) {
            numbers[i] += (low >> (8 * i)) & 0xffu;
            numbers[4 + i] += (middle >> (8 * i)) & 0xffu;
        }
        numbers[8] += high;
    }
    uint same = numbers[STEPS];
    precise float contrast = 0.0;
    for (uint step = 0; step < STEPS; step++) {
        if (sampled >= g.darkest[step] && sampled <= g.brightest[step]) {
            uint others = max(numbers[STEPS + 1 + step], numbers[STEPS - 1 - step]);
            precise float found = float(g.weights[step] * same * others) * reciprocals[same + others];
            contrast = max(contrast, found);
        }
    }
    uint bits = floatBitsToUint(contrast);
    contrasts[to] = bits;
    if (bits != 0) {
        atomicAdd(bins[g.binsAt + ((bits - g.leastBits) >> g.lowBits)], 1);
    }
}

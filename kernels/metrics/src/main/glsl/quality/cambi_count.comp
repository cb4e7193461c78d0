// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Which samples that were encoded count for the banding index: those that, with most in a square around them, equal their neighbours to the
// right and below. An invocation finds that of one sample. All of them set words to 0 that later kernels add to.

layout(local_size_x_id = 0) in;
#include "quality/luma.glsl"
// Bits that samples lack to 10.
layout(constant_id = 3) const uint MISSING_BITS = 0;
// 1 to keep every sample, 2 for every other one each way.
layout(constant_id = 4) const uint KEPT = 1;
// How far the samples reach that make up one: 1 where dither is smoothed.
layout(constant_id = 5) const uint REACH = 0;
// 1 if the picture was scaled after it was encoded.
layout(constant_id = 6) const uint SCALED = 0;

// A sample of 10 bits; COUNTS is set if it counts.
layout(std430, set = 0, binding = 3) writeonly restrict buffer Planes {
    uint planes[];
};
layout(std430, set = 0, binding = 5) writeonly restrict buffer Bins {
    uint bins[];
};

layout(std430, set = 0, binding = 6) readonly restrict buffer Tables {
    uint tables[];
};

layout(push_constant) uniform CambiCountGeometry {
    uint pictureOffset, pictureStride;
    uint width, height;
    uint keptWidth;
    uint level;
    uint binWords;
    // Of the columns, then the rows, in which the samples lie that were encoded.
    uint placesAt;
} g;

const uint COLUMNS = 32;
const uint ROWS = 8;
const uint INVOCATIONS = COLUMNS * ROWS;
const uint RADIUS = 3;
const uint SIDE = 2 * RADIUS + 1;
const uint WIDE = COLUMNS + SIDE;
const uint HIGH = ROWS + SIDE;
const uint EQUAL_WIDE = WIDE - 1;
const uint EQUAL_HIGH = HIGH - 1;
const uint COUNTS = 0x8000u;

shared uint samples[WIDE * HIGH];
shared uint across[COLUMNS * EQUAL_HIGH];

uint pictureSample(uint encodedX, uint encodedY) {
    uint x = SCALED == 0 ? encodedX : tables[g.placesAt + encodedX];
    uint y = SCALED == 0 ? encodedY : tables[g.placesAt + g.width + encodedY];
    return sampleIn(picture[g.pictureOffset + y * g.pictureStride + sampleWord(x)], x);
}

// Beyond the last row and column stand these themselves.
uint sampleOf10(uint x, uint y) {
    uint own = pictureSample(x, y);
    if (REACH == 0) {
        return own << MISSING_BITS;
    }
    uint right = min(x + 1, g.width - 1);
    uint below = min(y + 1, g.height - 1);
    uint sum = own + pictureSample(right, y) + pictureSample(x, below) + pictureSample(right, below);
    return (sum << MISSING_BITS) >> 2;
}

uint isEqual(uint at, int x, int y) {
    if (x < 0 || y < 0 || x >= int(g.width) || y >= int(g.height)) {
        return 0;
    }
    uint own = samples[at];
    bool right = x == int(g.width) - 1 || samples[at + 1] == own;
    bool below = y == int(g.height) - 1 || samples[at + WIDE] == own;
    return right && below ? 1 : 0;
}

void clearWords() {
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint all = gl_NumWorkGroups.x * gl_NumWorkGroups.y * INVOCATIONS;
    for (uint i = group * INVOCATIONS + gl_LocalInvocationID.x; i < g.binWords; i += all) {
        bins[i] = 0;
    }
}

void main() {
    clearWords();
    uint id = gl_LocalInvocationID.x;
    int left = int(gl_WorkGroupID.x * COLUMNS) - int(RADIUS);
    int top = int(gl_WorkGroupID.y * ROWS) - int(RADIUS);
    for (uint i = id; i < WIDE * HIGH; i += INVOCATIONS) {
        int x = clamp(left + int(i % WIDE), 0, int(g.width) - 1);
        int y = clamp(top + int(i / WIDE), 0, int(g.height) - 1);
        samples[i] = sampleOf10(uint(x), uint(y));
    }
    barrier();
    for (uint i = id; i < COLUMNS * EQUAL_HIGH; i += INVOCATIONS) {
        uint row = i / COLUMNS;
        uint column = i % COLUMNS;
        uint sum = 0;
        for (uint k = 0; k < SIDE; k++) {
            sum += isEqual(row * WIDE + column + k, left + int(column + k), top + int(row));
        }
        across[i] = sum;
    }
    barrier();
    uint column = id % COLUMNS;
    uint row = id / COLUMNS;
    uint x = gl_WorkGroupID.x * COLUMNS + column;
    uint y = gl_WorkGroupID.y * ROWS + row;
    if (x >= g.width || y >= g.height || x % KEPT != 0 || y % KEPT != 0) {
        return;
    }
    uint sum = 0;
    for (uint k = 0; k < SIDE; k++) {
        sum += across[(row + k) * COLUMNS + column];
    }
    uint own = samples[(row + RADIUS) * WIDE + column + RADIUS];
    planes[y / KEPT * g.keptWidth + x / KEPT] = own | (sum > g.level ? COUNTS : 0);
}

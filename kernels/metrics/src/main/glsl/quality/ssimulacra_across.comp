// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Blurs rows of a plane of two pictures by the recursions of RecursiveGaussian, whose order of operations is part of the metric: the
// reference, the picture, their squares and their product. An invocation takes a row, each of whose results follows from those before.
// So that invocations read and write neighbouring words all the same, a workgroup brings COLUMNS of its rows at a time into shared
// memory, and back.

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
const int ROWS = 64;
const int COLUMNS = 32;
// A result depends on samples from 6 columns before it to 4 after it.
const int BEHIND = 6;
const int AHEAD = 4;
const int KEPT = BEHIND + AHEAD;
// An odd number of words, so that the rows of a column are in different banks.
const int STRIDE = COLUMNS + KEPT + 1;
// Rows that an invocation asks for before it waits for the first.
const int AT_ONCE = 16;

// Of each row the samples from BEHIND columns before the first result. A result replaces the first sample that it depends on.
shared float tile[ROWS * STRIDE];
// Of each row the last samples, on which the next COLUMNS results depend, too.
shared float kept[ROWS * (KEPT + 1)];

// Brings a column of what is blurred, A, B, AA, BB or AB, into the tile.
void load(uint firstRow, uint below, int x, uint to) {
    uint mean = gl_WorkGroupID.y;
    uint size = g.width * g.height;
    bool inside = x < int(g.width);
    uint column = min(uint(x), g.width - 1);
    for (uint i = 0; i < ROWS; i += AT_ONCE * below) {
        float one[AT_ONCE];
        float other[AT_ONCE];
        for (uint j = 0; j < AT_ONCE; j++) {
            uint row = min(firstRow + i + j * below, g.height - 1);
            one[j] = xyb[(mean & 1) * size + row * g.width + column];
            other[j] = mean < 2 ? 1.0 : one[j];
        }
        if (mean == 4) {
            for (uint j = 0; j < AT_ONCE; j++) {
                uint row = min(firstRow + i + j * below, g.height - 1);
                other[j] = xyb[size + row * g.width + column];
            }
        }
        for (uint j = 0; j < AT_ONCE; j++) {
            precise float product = one[j] * other[j];
            tile[to + (i + j * below) * STRIDE] = inside ? product : 0.0;
        }
    }
}

float sumAt(uint at) {
    precise float sum = tile[at] + tile[at + KEPT];
    return sum;
}

void blur() {
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
    uint row = gl_LocalInvocationID.x * STRIDE;
    uint keptRow = gl_LocalInvocationID.x * (KEPT + 1);
    for (int i = 0; i < KEPT; i++) {
        kept[keptRow + i] = 0.0;
    }
    // The invocations load and store COLUMNS columns of a row, and of others below it.
    int column = int(gl_LocalInvocationID.x) % COLUMNS;
    uint top = gl_LocalInvocationID.x / COLUMNS;
    const uint BELOW = ROWS / COLUMNS;
    uint firstRow = gl_WorkGroupID.x * ROWS + top;
    uint tileAt = top * STRIDE + column;
    for (int begin = -AHEAD; begin < int(g.width); begin += COLUMNS) {
        for (int i = 0; i < KEPT; i++) {
            tile[row + i] = kept[keptRow + i];
        }
        load(firstRow, BELOW, begin + AHEAD + column, tileAt + KEPT);
        barrier();
        int end = min(begin + COLUMNS, int(g.width));
        uint at = row;
        int x = begin;
        while (x < end) {
            if (x < FIRST_STEP || x >= int(g.endOfSteps)) {
                float sum = sumAt(at);
                for (uint pole = 0; pole < 3; pole++) {
                    precise float scaled = sum * inputs[pole][0];
                    precise float less = scaled - lastButOne[pole];
                    precise float next = rounded(before[pole][0], last[pole], less);
                    lastButOne[pole] = last[pole];
                    last[pole] = next;
                }
                precise float added = last[1] + last[2];
                precise float result = last[0] + added;
                tile[at] = result;
                x++;
                at++;
            } else {
                float s0 = sumAt(at);
                float s1 = sumAt(at + 1);
                float s2 = sumAt(at + 2);
                float s3 = sumAt(at + 3);
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
                    tile[at + lane] = result[lane];
                }
                x += 4;
                at += 4;
            }
        }
        for (int i = 0; i < KEPT; i++) {
            kept[keptRow + i] = tile[row + COLUMNS + i];
        }
        barrier();
        int to = begin + column;
        if (to >= 0 && to < end) {
            uint at = (gl_WorkGroupID.y * g.height + firstRow) * g.width + uint(to);
            for (uint i = 0; i < ROWS && firstRow + i < g.height; i += BELOW) {
                across[at + i * g.width] = tile[tileAt + i * STRIDE];
            }
        }
        barrier();
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

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Compares the details of two pictures at one scale of ADM: adds up cubes of what is left of the reference's details, less what is
// hidden behind additive ones, and cubes of the reference's. A workgroup takes a tile of 64 columns and ROWS rows.

// Always 64.
layout(local_size_x_id = 0) in;

const uint ROWS = 8;

#include "quality/pair.glsl"
layout(std430, set = 0, binding = 3) readonly restrict buffer Planes {
    float planes[];
};

layout(push_constant) uniform FloatDetailGeometry {
    // The first of three bands.
    uint referenceAt, pictureAt;
    uint width, height;
    // What is compared.
    uint left, top, right, bottom;
    uint resultsAt;
    float sideSensitivity, diagonalSensitivity;
    float sameDirection, gainLimit, masking;
} g;

#include "quality/float_sum.glsl"

// What additive details hide, with a column and a row more on each side.
shared float additive[ROWS + 2][64 + 2];

vec3 at(uint plane, uint x, uint y) {
    uint band = g.width * g.height;
    uint sampleAt = plane + y * g.width + x;
    return vec3(planes[sampleAt], planes[sampleAt + band], planes[sampleAt + 2 * band]);
}

// What is left of the reference's details.
vec3 restored(vec3 o, vec3 t) {
    vec3 r = clamp(t / (o + 1e-30), 0.0, 1.0) * o;
    float product = dot(o.xy, t.xy);
    if (product >= 0.0 && product * product >= g.sameDirection * dot(o.xy, o.xy) * dot(t.xy, t.xy)) {
        for (int band = 0; band < 3; band++) {
            float limit = r[band] * g.gainLimit;
            r[band] = r[band] > 0.0 ? min(limit, t[band]) : r[band] < 0.0 ? max(limit, t[band]) : r[band];
        }
    }
    return r;
}

void main() {
    uint lane = gl_LocalInvocationID.x;
    vec3 sensitivity = vec3(g.sideSensitivity, g.sideSensitivity, g.diagonalSensitivity);
    int firstColumn = int(g.left + gl_WorkGroupID.x * 64) - 1;
    int firstRow = int(g.top + gl_WorkGroupID.y * ROWS) - 1;
    for (uint i = lane; i < (ROWS + 2) * (64 + 2); i += 64) {
        // A band is mirrored at the centre of its first sample, and repeats its last one.
        uint x = uint(min(abs(firstColumn + int(i % 66)), int(g.width) - 1));
        uint y = uint(min(abs(firstRow + int(i / 66)), int(g.height) - 1));
        vec3 t = at(g.pictureAt, x, y);
        additive[i / 66][i % 66] = dot(abs(sensitivity * (t - restored(at(g.referenceAt, x, y), t))), vec3(g.masking));
    }
    barrier();
    vec3 left = vec3(0);
    vec3 whole = vec3(0);
    uint x = uint(firstColumn + 1) + lane;
    if (x < g.right) {
        for (uint row = 0; row < ROWS && uint(firstRow + 1) + row < g.bottom; row++) {
            float hidden = additive[row + 1][lane + 1];
            for (uint i = 0; i < 9; i++) {
                hidden += additive[row + i / 3][lane + i % 3];
            }
            uint y = uint(firstRow + 1) + row;
            vec3 o = at(g.referenceAt, x, y);
            vec3 seen = max(abs(sensitivity * restored(o, at(g.pictureAt, x, y))) - hidden, 0.0);
            vec3 all = abs(sensitivity * o);
            left += seen * seen * seen;
            whole += all * all * all;
        }
    }
    left = sumOfGroup(left);
    barrier();
    whole = sumOfGroup(whole);
    if (lane == 0) {
        uint to = g.resultsAt + (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * 6;
        for (uint band = 0; band < 3; band++) {
            results[to + band] = floatBitsToUint(left[band]);
            results[to + 3 + band] = floatBitsToUint(whole[band]);
        }
    }
}

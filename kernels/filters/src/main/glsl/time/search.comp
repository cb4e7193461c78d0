// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Motion of the quarter picture: a full search. A workgroup takes a block, and its invocations take the vectors in turns.

layout(local_size_x_id = 0) in;

#include "common/barriers.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"

const int FARTHEST = 7;
const uint ACROSS = 2 * FARTHEST + 1;
const uint AROUND = 8 + 2 * FARTHEST;

shared int here[64];
shared int there[AROUND * AROUND];
// The least cost, above the number of its vector: of equal costs, the first one counts.
shared uint best;

void main() {
    uint reference = gl_WorkGroupID.z;
    if (gl_WorkGroupID == uvec3(0)) {
        [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < (REFERENCES * SUMS + CHANGES) * SUM_PLACES * 2; i += gl_WorkGroupSize.x) {
            work.sums[i] = 0;
        }
    }
    if (!hasReference(reference)) {
        return;
    }
    ivec2 begin = 8 * ivec2(gl_WorkGroupID.xy);
    int last = sizeOf(2).x - 1;
    if (gl_LocalInvocationIndex == 0) {
        best = 0xffffffffu;
    }
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 64; i += gl_WorkGroupSize.x) {
        here[i] = sampleAt(rowOf(picture.entry, 2, begin.y + int(i / 8)), begin.x + int(i % 8), last);
    }
    uint entry = entryOf(reference);
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < AROUND * AROUND; i += gl_WorkGroupSize.x) {
        there[i] = sampleAt(rowOf(entry, 2, begin.y - FARTHEST + int(i / AROUND)), begin.x - FARTHEST + int(i % AROUND), last);
    }
    meetOverShared();
    uint least = 0xffffffffu;
    [[dont_unroll]] for (uint number = gl_LocalInvocationIndex; number < ACROSS * ACROSS; number += gl_WorkGroupSize.x) {
        ivec2 vector = ivec2(int(number % ACROSS), int(number / ACROSS)) - FARTHEST;
        int cost = (4 << DEPTH_SHIFT) * (abs(vector.x) + abs(vector.y));
        uint from = number / ACROSS * AROUND + number % ACROSS;
        [[dont_unroll]] for (uint y = 0; y < 8; y++) {
            [[unroll]] for (uint x = 0; x < 8; x++) {
                cost += abs(here[8 * y + x] - there[from + y * AROUND + x]);
            }
        }
        least = min(least, uint(cost) << 8 | number);
    }
    atomicMin(best, least);
    meetOverShared();
    if (gl_LocalInvocationIndex == 0) {
        uint number = best & 0xffu;
        uint block = gl_WorkGroupID.y * blocksOf(2).x + gl_WorkGroupID.x;
        work.vectors[vectorAt(reference, 2, block)] =
            wordOfVector(ivec2(int(number % ACROSS), int(number / ACROSS)) - FARTHEST);
    }
}

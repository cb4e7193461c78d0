// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Motion of the half picture: what the quarter picture found, then the steps around the best. A workgroup takes a block, and its invocations take
// rows of it for each vector.

layout(local_size_x_id = 0) in;

#include "common/barriers.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"

const int FARTHEST = 18;
const int PRICE = 4 << DEPTH_SHIFT;

shared int firstSads[FIRST_CANDIDATES];
shared int sads[STEPS_AROUND];

int sadOfRow(uint reference, ivec2 at, ivec2 vector) {
    int last = sizeOf(1).x - 1;
    uint here = rowOf(picture.entry, 1, at.y);
    uint there = rowOf(entryOf(reference), 1, at.y + vector.y);
    int sad = 0;
    [[unroll]] for (uint x = 0; x < 8; x += WORD_SAMPLES) {
        uint a = samplesAt(here, at.x + int(x), last);
        uint b = samplesAt(there, at.x + vector.x + int(x), last);
        [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
            sad += abs(sampleIn(a, j) - sampleIn(b, j));
        }
    }
    return sad;
}

int priceOf(ivec2 vector) {
    return vector == ivec2(0) ? 0 : PRICE;
}

ivec2 around(ivec2 centre, uint number) {
    return clamp(centre + stepAround(number), ivec2(-FARTHEST), ivec2(FARTHEST));
}

void main() {
    uint reference = gl_WorkGroupID.z;
    if (!hasReference(reference)) {
        return;
    }
    uvec2 block = gl_WorkGroupID.xy;
    ivec2 begin = 8 * ivec2(block);
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < STEPS_AROUND; i += gl_WorkGroupSize.x) {
        firstSads[min(i, FIRST_CANDIDATES - 1)] = 0;
        sads[i] = 0;
    }
    meetOverShared();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 8 * FIRST_CANDIDATES; i += gl_WorkGroupSize.x) {
        ivec2 vector = firstCandidate(reference, 1, block, i / 8, 2);
        atomicAdd(firstSads[i / 8], sadOfRow(reference, begin + ivec2(0, i % 8), vector));
    }
    meetOverShared();
    int least = 0x7fffffff;
    ivec2 centre = ivec2(0);
    [[dont_unroll]] for (uint number = 0; number < FIRST_CANDIDATES; number++) {
        ivec2 vector = firstCandidate(reference, 1, block, number, 2);
        int cost = firstSads[number] + priceOf(vector);
        centre = cost < least ? vector : centre;
        least = min(cost, least);
    }
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 8 * STEPS_AROUND; i += gl_WorkGroupSize.x) {
        if (i / 8 != NO_STEP) {
            atomicAdd(sads[i / 8], sadOfRow(reference, begin + ivec2(0, i % 8), around(centre, i / 8)));
        }
    }
    meetOverShared();
    ivec2 best = centre;
    [[dont_unroll]] for (uint number = 0; number < STEPS_AROUND; number++) {
        ivec2 vector = around(centre, number);
        int cost = sads[number] + priceOf(vector);
        if (number != NO_STEP && cost < least) {
            best = vector;
            least = cost;
        }
    }
    if (gl_LocalInvocationIndex == 0) {
        work.vectors[vectorAt(reference, 1, block.y * blocksOf(1).x + block.x)] = wordOfVector(best);
    }
}

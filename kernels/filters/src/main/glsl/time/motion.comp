// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Motion of the whole picture in quarters of a sample, and by how much each block matches worse than its guard allows. A workgroup takes a block, which
// is compared by the window of 16x16 samples around it.

layout(local_size_x_id = 0) in;

#include "common/barriers.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"
#include "time/between.glsl"

const uint WINDOW = 16;
const int FARTHEST = 4 * 38;
const int PRICE = 16 << DEPTH_SHIFT;

// Searches: what was found before, then the steps of whole samples, halves and quarters around the best.
const uint SEARCHES = 4;

shared int here[WINDOW * WINDOW];
shared int sads[SEARCHES * STEPS_AROUND];
shared int windowSum;
shared int deviation;

uint betweenWord(bool isLower, uint at) {
    return isLower ? lower[at] : upper[at];
}

// Of row "y" of the window that begins at "at" and a vector in quarters of a sample.
int sadOfRow(uint reference, ivec2 at, uint y, ivec2 vector) {
    uint quarter = uint(vector.y & 3) * 4 + uint(vector.x & 3);
    bool isLower = quarter >= PLANES;
    ivec2 from = at + (vector >> 2) + MARGIN;
    uint next = planeOf(entryOf(reference), quarter) + (uint(from.y) + y) * g.betweenStride + uint(from.x) / WORD_SAMPLES;
    uint bits = uint(from.x) % WORD_SAMPLES * STORED_BITS;
    uint word = betweenWord(isLower, next);
    int sad = 0;
    [[unroll]] for (uint x = 0; x < WINDOW; x += WORD_SAMPLES) {
        next++;
        // Of the word behind the last one nothing is used where samples begin with a word.
        uint following = betweenWord(isLower, next);
        uint samples = bits == 0 ? word : word >> bits | following << (32 - bits);
        word = following;
        [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
            sad += abs(here[WINDOW * y + x + j] - sampleIn(samples, j));
        }
    }
    return sad;
}

int priceOf(ivec2 vector) {
    return vector == ivec2(0) ? 0 : PRICE;
}

ivec2 around(ivec2 centre, uint number, int distance) {
    return clamp(centre + distance * stepAround(number), ivec2(-FARTHEST), ivec2(FARTHEST));
}

// The best so far, what it costs, and its sum of absolute differences.
ivec2 best;
int least;
int sadOfBest;

void consider(ivec2 vector, int sad) {
    int cost = sad + priceOf(vector);
    if (cost < least) {
        best = vector;
        least = cost;
        sadOfBest = sad;
    }
}

void considerAround(uint search, int distance) {
    ivec2 centre = best;
    [[dont_unroll]] for (uint number = 0; number < STEPS_AROUND; number++) {
        if (number != NO_STEP) {
            consider(around(centre, number, distance), sads[search * STEPS_AROUND + number]);
        }
    }
}

// Compares the steps around the best, and meets.
void searchAround(uint reference, ivec2 begin, uint search, int distance) {
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < WINDOW * STEPS_AROUND; i += gl_WorkGroupSize.x) {
        uint number = i / WINDOW;
        if (number != NO_STEP) {
            atomicAdd(sads[search * STEPS_AROUND + number], sadOfRow(reference, begin, i % WINDOW, around(best, number, distance)));
        }
    }
    meetOverShared();
    considerAround(search, distance);
}

void main() {
    uint reference = gl_WorkGroupID.z;
    if (!hasReference(reference)) {
        return;
    }
    uvec2 block = gl_WorkGroupID.xy;
    ivec2 begin = 8 * ivec2(block) - 4;
    int last = int(g.width) - 1;
    if (gl_LocalInvocationIndex == 0) {
        windowSum = 0;
        deviation = 0;
    }
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < SEARCHES * STEPS_AROUND; i += gl_WorkGroupSize.x) {
        sads[i] = 0;
    }
    meetOverShared();
    int sum = 0;
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < WINDOW * WINDOW; i += gl_WorkGroupSize.x) {
        int value = sampleAt(rowOf(picture.entry, 0, begin.y + int(i / WINDOW)), begin.x + int(i % WINDOW), last);
        here[i] = value;
        sum += value;
    }
    atomicAdd(windowSum, sum);
    meetOverShared();
    int mean = (windowSum + 128) >> 8;
    int ownDeviation = 0;
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < WINDOW * WINDOW; i += gl_WorkGroupSize.x) {
        ownDeviation += abs(here[i] - mean);
    }
    atomicAdd(deviation, ownDeviation);
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < WINDOW * FIRST_CANDIDATES; i += gl_WorkGroupSize.x) {
        ivec2 vector = firstCandidate(reference, 0, block, i / WINDOW, 8);
        atomicAdd(sads[i / WINDOW], sadOfRow(reference, begin, i % WINDOW, vector));
    }
    meetOverShared();
    least = 0x7fffffff;
    best = ivec2(0);
    sadOfBest = 0;
    [[dont_unroll]] for (uint number = 0; number < FIRST_CANDIDATES; number++) {
        consider(firstCandidate(reference, 0, block, number, 8), sads[number]);
    }
    searchAround(reference, begin, 1, 4);
    searchAround(reference, begin, 2, 2);
    searchAround(reference, begin, 3, 1);
    if (gl_LocalInvocationIndex == 0) {
        uint number = block.y * blocksOf(0).x + block.x;
        int excess = 10 * sadOfBest - 7 * (deviation + 8 * (threshold() << DEPTH_SHIFT));
        uint at = vectorAt(reference, 0, number);
        work.vectors[at] = wordOfVector(best);
        work.vectors[at + 1] = uint(excess);
        addToSum(sumOf(reference, EXCESS_SUM), number, excess);
    }
}

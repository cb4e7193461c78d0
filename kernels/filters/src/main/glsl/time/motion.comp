// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

// Motion of the whole picture in quarters of a sample, and by how much each block matches worse than its guard allows. A workgroup takes a block, which
// is compared by the window of 16x16 samples around it. Samples between samples are made where the search looks at them.

layout(local_size_x_id = 0) in;

#include "common/barriers.glsl"
#include "time/history.glsl"
#include "time/vectors.glsl"
#include "time/taps.glsl"

const uint WINDOW = 16;
const int FARTHEST = 4 * 38;
const int PRICE = 16 << DEPTH_SHIFT;

// Samples around the window that filters at less than one sample from it read.
const uint REACH = WINDOW + 8;

// Searches: what was found before, then the steps of whole samples, halves and quarters around the best.
const uint SEARCHES = 4;

shared int here[WINDOW * WINDOW];
shared int there[REACH * REACH];
// The same, filtered along the rows at each of three columns.
shared int between[3 * REACH * WINDOW];
shared int sads[SEARCHES * STEPS_AROUND];
shared int windowSum;
shared int deviation;

int sadOfRow(uint reference, ivec2 at, uint y, ivec2 vector) {
    int last = int(g.width[0]) - 1;
    uint row = rowOf(entryOf(reference), 0, at.y + int(y) + vector.y);
    int sad = 0;
    [[unroll]] for (uint x = 0; x < WINDOW; x += WORD_SAMPLES) {
        uint samples = samplesAt(row, at.x + vector.x + int(x), last);
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

// Compares the steps around the best; "whole" is the vector of whole samples around which "there" lies.
void searchBetween(uint search, int distance, ivec2 whole) {
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < 3 * REACH; i += gl_WorkGroupSize.x) {
        uint step = i / REACH;
        uint y = i % REACH;
        int x = around(best, 3 + step, distance).x;
        ivec4 first = firstTaps(x & 3);
        ivec4 last = lastTaps(x & 3);
        uint from = uint(int(y * REACH) + (x >> 2) - (whole.x >> 2) + 1);
        int s[7 + WINDOW];
        [[unroll]] for (uint j = 0; j < 7 + WINDOW; j++) {
            s[j] = there[from + j];
        }
        [[unroll]] for (uint j = 0; j < WINDOW; j++) {
            between[i * WINDOW + j] = filtered(first, last, s[j], s[j + 1], s[j + 2], s[j + 3], s[j + 4], s[j + 5], s[j + 6], s[j + 7]);
        }
    }
    meetOverShared();
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < STEPS_AROUND * WINDOW; i += gl_WorkGroupSize.x) {
        uint number = i / WINDOW;
        uint x = i % WINDOW;
        if (number != NO_STEP) {
            int y = around(best, number, distance).y;
            ivec4 first = firstTaps(y & 3);
            ivec4 last = lastTaps(y & 3);
            uint from = (number % 3 * REACH + uint((y >> 2) - (whole.y >> 2) + 1)) * WINDOW + x;
            int s[7 + WINDOW];
            [[unroll]] for (uint j = 0; j < 7 + WINDOW; j++) {
                s[j] = between[from + j * WINDOW];
            }
            int sad = 0;
            [[unroll]] for (uint j = 0; j < WINDOW; j++) {
                sad += abs(here[j * WINDOW + x]
                    - filtered(first, last, s[j], s[j + 1], s[j + 2], s[j + 3], s[j + 4], s[j + 5], s[j + 6], s[j + 7]));
            }
            atomicAdd(sads[search * STEPS_AROUND + number], sad);
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
    int last = int(g.width[0]) - 1;
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
        ivec2 vector = firstCandidate(reference, 0, block, i / WINDOW, 2);
        atomicAdd(sads[i / WINDOW], sadOfRow(reference, begin, i % WINDOW, vector));
    }
    meetOverShared();
    least = 0x7fffffff;
    best = ivec2(0);
    sadOfBest = 0;
    [[dont_unroll]] for (uint number = 0; number < FIRST_CANDIDATES; number++) {
        consider(firstCandidate(reference, 0, block, number, 8), sads[number]);
    }
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < WINDOW * STEPS_AROUND; i += gl_WorkGroupSize.x) {
        if (i / WINDOW != NO_STEP) {
            atomicAdd(sads[STEPS_AROUND + i / WINDOW], sadOfRow(reference, begin, i % WINDOW, around(best, i / WINDOW, 4) / 4));
        }
    }
    meetOverShared();
    considerAround(1, 4);
    ivec2 whole = best;
    ivec2 from = begin + whole / 4 - 4;
    [[dont_unroll]] for (uint i = gl_LocalInvocationIndex; i < REACH * REACH / WORD_SAMPLES; i += gl_WorkGroupSize.x) {
        uint y = i / (REACH / WORD_SAMPLES);
        uint x = i % (REACH / WORD_SAMPLES) * WORD_SAMPLES;
        uint samples = samplesAt(rowOf(entryOf(reference), 0, from.y + int(y)), from.x + int(x), last);
        [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
            there[y * REACH + x + j] = sampleIn(samples, j);
        }
    }
    meetOverShared();
    searchBetween(2, 2, whole);
    // Nobody overwrites what another one still reads: the search ended with a barrier.
    searchBetween(3, 1, whole);
    if (gl_LocalInvocationIndex == 0) {
        uint number = block.y * blocksOf(0).x + block.x;
        int excess = 10 * sadOfBest - 7 * (deviation + 8 * (threshold() << DEPTH_SHIFT));
        uint at = vectorAt(reference, 0, number);
        work.vectors[at] = wordOfVector(best);
        work.vectors[at + 1] = uint(excess);
        addToSum(reference, EXCESS_SUM, number, excess);
    }
}

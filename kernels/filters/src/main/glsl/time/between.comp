// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Makes the picture's samples between samples: first those in its rows and columns, and a copy of its own, then all others from those in the rows. An
// invocation makes a word of a plane.

layout(local_size_x_id = 0) in;

layout(constant_id = 6) const bool SECOND = false;

#include "time/history.glsl"
#include "time/taps.glsl"
#include "time/between.glsl"

// Taps of a filter, and the samples that it is applied to: those of each sample of a word.
int samples[8 * WORD_SAMPLES];

void setWord(uint tap, uint word) {
    [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
        samples[8 * j + tap] = sampleIn(word, j);
    }
}

uint filteredWord(uint quarter) {
    ivec4 first = firstTaps(int(quarter));
    ivec4 last = lastTaps(int(quarter));
    uint word = 0;
    [[unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
        uint i = 8 * j;
        int value = filtered(first, last, samples[i], samples[i + 1], samples[i + 2], samples[i + 3], samples[i + 4], samples[i + 5], samples[i + 6],
            samples[i + 7]);
        word |= uint(value) << (j * STORED_BITS);
    }
    return word;
}

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    uint z = gl_WorkGroupID.z;
    if (column >= g.betweenStride) {
        return;
    }
    uint at = row * g.betweenStride + column;
    uint quarter;
    uint word;
    if (SECOND) {
        uint across = 1 + z % 3;
        uint down = 1 + z / 3;
        quarter = 4 * down + across;
        uint rows = g.height + 2 * MARGIN;
        uint from = planeOf(picture.entry, across) + column;
        [[unroll]] for (uint tap = 0; tap < 8; tap++) {
            setWord(tap, upper[from + uint(clamp(int(row + tap) - 3, 0, int(rows) - 1)) * g.betweenStride]);
        }
        word = filteredWord(down);
    } else {
        quarter = z < 4 ? z : 4 * (z - 3);
        int x = int(column * WORD_SAMPLES) - MARGIN;
        int y = int(row) - MARGIN;
        int last = int(g.width) - 1;
        if (z == 0) {
            word = samplesAt(rowOf(picture.entry, 0, y), x, last);
        } else {
            [[unroll]] for (uint tap = 0; tap < 8; tap++) {
                int by = int(tap) - 3;
                setWord(tap, z < 4 ? samplesAt(rowOf(picture.entry, 0, y), x + by, last) : samplesAt(rowOf(picture.entry, 0, y + by), x, last));
            }
            word = filteredWord(z < 4 ? z : z - 3);
        }
    }
    if (quarter < PLANES) {
        upper[planeOf(picture.entry, quarter) + at] = word;
    } else {
        lower[planeOf(picture.entry, quarter) + at] = word;
    }
}

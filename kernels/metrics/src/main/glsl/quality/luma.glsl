// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Samples of a plane of words.

#include "quality/pair.glsl"

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Zero bits below the significant bits of a sample.
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;

// The word of a row in which sample x lies.
uint sampleWord(uint x) {
    return SAMPLE_BYTES == 1 ? x >> 2 : x >> 1;
}

uint sampleIn(uint word, uint x) {
    return SAMPLE_BYTES == 1 ? (word >> ((x & 3) * 8)) & 0xffu : (word >> ((x & 1) * 16 + SAMPLE_SHIFT)) & 0x3ffu;
}

// Mirrored at the first and the last sample, which are not repeated. What lies further beyond the end than "reach" is not used.
uint mirrored(int at, uint size, uint reach) {
    int end = int(size);
    int inside = min(at, end - 1 + int(reach));
    inside = abs(inside);
    return uint(inside < end ? inside : 2 * end - 2 - inside);
}

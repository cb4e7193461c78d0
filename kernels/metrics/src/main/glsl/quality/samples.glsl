// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Samples of a component of two pictures.

#include "quality/pair.glsl"

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Distance of the samples of one component.
layout(constant_id = 2) const uint SAMPLE_STEP = 1;
// Zero bits below the significant bits of a sample.
layout(constant_id = 3) const uint SAMPLE_SHIFT = 0;

// Four neighbouring samples of a component, from the SAMPLE_BYTES * SAMPLE_STEP words that hold them; the first one begins at bit "first".
uvec4 unpackSamples(uvec4 words, uint first) {
    if (SAMPLE_BYTES == 1) {
        if (SAMPLE_STEP == 1) {
            return uvec4(words.x, words.x >> 8, words.x >> 16, words.x >> 24) & 0xffu;
        }
        return (uvec4(words.x, words.x >> 16, words.y, words.y >> 16) >> first) & 0xffu;
    }
    if (SAMPLE_STEP == 1) {
        return (uvec4(words.x, words.x >> 16, words.y, words.y >> 16) >> SAMPLE_SHIFT) & 0x3ffu;
    }
    return (words >> (first + SAMPLE_SHIFT)) & 0x3ffu;
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The picture before all filters.

// Of the picture and of the decoded one; the history has samples in the lower bits.
layout(constant_id = 6) const uint SAMPLE_SHIFT = 0;
layout(constant_id = 7) const bool DECODED_IN_COLUMNS = false;
// Components of a plane of chroma, whose samples alternate.
layout(constant_id = 8) const uint CHROMA_STEP = 1;

#include "common/columns.glsl"

layout(std430, set = 0, binding = 6) readonly restrict buffer Decoded {
    uint decoded[];
};

uint stepOf(uint component) {
    return component == 0 ? 1 : CHROMA_STEP;
}

// Of the planes' numbers, that of the plane in which a component lies.
uint ofPlane(uint component, uint luma, uint one, uint other) {
    return component == 0 ? luma : CHROMA_STEP == 2 || component == 1 ? one : other;
}

// Where a word of a row lies, counted from the begin of the row.
uint placeInRow(uint column, bool isInColumns, uint skip) {
    return isInColumns ? inColumns(column, skip) : column;
}

int decodedSample(uint component, ivec2 at) {
    uint place = uint(at.x) * stepOf(component) + (stepOf(component) == 2 ? component - 1 : 0);
    uint begin = ofPlane(component, g.decodedOffset[0], g.decodedOffset[1], g.decodedOffset[2])
        + uint(at.y) * ofPlane(component, g.decodedStride[0], g.decodedStride[1], g.decodedStride[2]);
    uint word = decoded[begin + placeInRow(place / WORD_SAMPLES, DECODED_IN_COLUMNS, g.decodedSkip[component == 0 ? 0 : 1])];
    return sampleIn(word >> SAMPLE_SHIFT, place % WORD_SAMPLES);
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The planes of two pictures, as words. The planes of a picture lie in one buffer or in a buffer each. The including file defines
// SOURCE_IN_COLUMNS, DESTINATION_IN_COLUMNS, GEOMETRY (the name of the push-constant block) and MORE_GEOMETRY (the members of that
// block behind the planes).

#include "common/columns.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Source0 {
    uint source0[];
};
layout(std430, set = 0, binding = 1) readonly buffer Source1 {
    uint source1[];
};
layout(std430, set = 0, binding = 2) readonly buffer Source2 {
    uint source2[];
};
layout(std430, set = 0, binding = 3) buffer Destination0 {
    uint destination0[];
};
layout(std430, set = 0, binding = 4) buffer Destination1 {
    uint destination1[];
};
layout(std430, set = 0, binding = 5) buffer Destination2 {
    uint destination2[];
};

struct PlanePair {
    uint sourceOffset[3];
    uint sourceStride[3];
    uint destinationOffset[3];
    uint destinationStride[3];
    // For pictures in columns: the "skip" of common/columns.glsl, of luma and of chroma.
    uint sourceSkip[2];
    uint destinationSkip[2];
};

layout(push_constant) uniform GEOMETRY {
    PlanePair planes;
    MORE_GEOMETRY
} g;

uint sourceWord(uint plane, uint row, uint column) {
    uint at = g.planes.sourceOffset[plane] + row * g.planes.sourceStride[plane]
        + (SOURCE_IN_COLUMNS ? inColumns(column, g.planes.sourceSkip[min(plane, 1)]) : column);
    return plane == 0 ? source0[at] : plane == 1 ? source1[at] : source2[at];
}

// The lower bytes come from "lower", the other bytes from "upper".
uint joinedBytes(uint lower, uint upper, uint bytes) {
    uint mask = (1u << (8 * bytes)) - 1;
    return (lower & mask) | (upper & ~mask);
}

// Stores the lower "bytes" bytes of a word; 4 and more mean the whole word.
void storeBytes(uint plane, uint row, uint column, uint bytes, uint word) {
    uint at = g.planes.destinationOffset[plane] + row * g.planes.destinationStride[plane]
        + (DESTINATION_IN_COLUMNS ? inColumns(column, g.planes.destinationSkip[min(plane, 1)]) : column);
    bool whole = bytes >= 4;
    if (plane == 0) {
        destination0[at] = whole ? word : joinedBytes(word, destination0[at], bytes);
    } else if (plane == 1) {
        destination1[at] = whole ? word : joinedBytes(word, destination1[at], bytes);
    } else {
        destination2[at] = whole ? word : joinedBytes(word, destination2[at], bytes);
    }
}

// Stores the lower "samples" samples of a word that holds three; 3 and more mean the whole word.
void storeSamples(uint plane, uint row, uint column, uint samples, uint word) {
    uint at = g.planes.destinationOffset[plane] + row * g.planes.destinationStride[plane]
        + (DESTINATION_IN_COLUMNS ? inColumns(column, g.planes.destinationSkip[min(plane, 1)]) : column);
    uint mask = samples >= 3 ? 0xffffffffu : (1u << (10 * samples)) - 1;
    // The format has two planes.
    if (plane == 0) {
        destination0[at] = samples >= 3 ? word : (word & mask) | (destination0[at] & ~mask);
    } else {
        destination1[at] = samples >= 3 ? word : (word & mask) | (destination1[at] & ~mask);
    }
}

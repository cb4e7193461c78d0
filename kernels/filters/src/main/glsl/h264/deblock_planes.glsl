// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Where H.264 picture deblocking finds its pictures and strengths, and stores words. Expects the constants PLANES, INTERLEAVED,
// TAILS, SOURCE_IN_COLUMNS and DESTINATION_IN_COLUMNS, GEOMETRY, the name of its push constants, and MORE_GEOMETRY, those beyond the ones here.

#include "common/columns.glsl"

// Values of PLANES: which planes are filtered. Of chroma planes that lie in buffers of their own the one is gone through with
// the other, but not stored.
const uint ALL_PLANES = 0;
const uint LUMA = 1;
const uint CHROMA = 2;
const uint CHROMA_FIRST = 3;
const uint CHROMA_SECOND = 4;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
    uint source[];
};
layout(std430, set = 0, binding = 1) restrict buffer Destination {
    uint destination[];
};

// How strongly an edge is filtered.
struct EdgeThresholds {
    // 0 where bS is 0.
    float alpha;
    float beta;
    // tC0 of luma, tC of chroma.
    float tc;
    // 1 for bS 4, else 0.
    float strong;
};
layout(std430, set = 0, binding = 2) readonly restrict buffer DeblockThresholds {
    // Luma has three: of edges between macroblocks, of inner edges on the 8x8 grid, of inner edges on the 4x4 grid only. Those
    // of the two chroma components follow, in the order of the format. A component that is filtered as luma is has the same
    // three; any other has two, of edges between macroblocks and of inner edges.
    EdgeThresholds edges[9];
    // With EDGE_MAP, in place of the edges above: where the picture's edges begin in the map.
    uint firstInMap;
} parameters;
// The edges of each macroblock, as H264EdgeMap has them.
layout(std430, set = 0, binding = 5) readonly restrict buffer EdgeMap {
    uvec2 edgeMap[];
};
const uint EDGES_OF_MACROBLOCK = 16;

vec4 thresholdsOf(uint edge) {
    EdgeThresholds at = parameters.edges[edge];
    return vec4(at.alpha, at.beta, at.tc, at.strong);
}

struct DeblockPlanes {
    uint sourceOffset[3];
    uint sourceStride[3];
    uint destinationOffset[3];
    uint destinationStride[3];
    // Samples and rows, words that hold a row, and which bits of its last word are samples.
    uint lumaWidth, lumaHeight, lumaWords, lumaTail;
    uint chromaWidth, chromaHeight, chromaWords, chromaTail;
    // Where rows are cut into columns, of luma and of chroma.
    uint sourceSkip[2];
    uint destinationSkip[2];
};

layout(push_constant) uniform GEOMETRY {
    DeblockPlanes planes;
    MORE_GEOMETRY
} g;

// Where a row begins. Which of two planes an invocation works on is selected, not looked up: a push constant at an index of the
// invocation's own is a request to memory on small GPUs.
uint sourceRow(uint plane, uint row) {
    return plane == 0 ? g.planes.sourceOffset[0] + row * g.planes.sourceStride[0]
        : plane == 1 ? g.planes.sourceOffset[1] + row * g.planes.sourceStride[1] : g.planes.sourceOffset[2] + row * g.planes.sourceStride[2];
}

uint destinationRow(uint plane, uint row) {
    return plane == 0 ? g.planes.destinationOffset[0] + row * g.planes.destinationStride[0]
        : plane == 1 ? g.planes.destinationOffset[1] + row * g.planes.destinationStride[1]
        : g.planes.destinationOffset[2] + row * g.planes.destinationStride[2];
}

// Where a word of a row lies in it.
uint sourceColumn(uint plane, uint column) {
    return SOURCE_IN_COLUMNS ? inColumns(column, plane == 0 ? g.planes.sourceSkip[0] : g.planes.sourceSkip[1]) : column;
}

uint destinationColumn(uint plane, uint column) {
    return DESTINATION_IN_COLUMNS ? inColumns(column, plane == 0 ? g.planes.destinationSkip[0] : g.planes.destinationSkip[1]) : column;
}

// Whether the plane is in the buffers at hand.
bool isHere(uint plane) {
    return PLANES == CHROMA_FIRST ? plane == 1 : PLANES == CHROMA_SECOND ? plane == 2 : true;
}

// Stores word "column" of a row of "rowWords" words at index "at".
void storeWordAt(uint at, uint column, uint rowWords, uint tail, uint word) {
    if (TAILS && column + 1 == rowWords && tail != 0xffffffffu) {
        destination[at] = (word & tail) | (destination[at] & ~tail);
    } else {
        destination[at] = word;
    }
}

// alpha of an edge, 0 where the edge or the samples that it needs lie outside the picture.
float alphaInside(float alpha, bool inside) {
    return inside ? alpha : 0.0;
}

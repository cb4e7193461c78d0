// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM deblock_16: SAMPLES_OF_16_BITS

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// H.264 deblocking (ITU-T H.264, 8.7) of the macroblocks of one diagonal x + y = d, from source to destination: first a dispatch that
// filters their vertical edges, then one that filters their horizontal edges. All samples that these macroblocks need from others were
// finished by earlier diagonals; vertical edges need nothing of the row above. A macroblock reads its own samples from the source, and
// those of its filtered neighbours from the destination, where it also lies itself between the two dispatches.
//
// Four invocations share a macroblock. Each filters the vertical edges of four rows (of Cb and Cr together if these are interleaved), or
// the horizontal edges of one column of quads. No two invocations write the same word. No byte is written that is not a sample.

layout(local_size_x_id = 0) in;

// Values as in h264/deblock_planes.glsl.
layout(constant_id = 1) const uint PLANES = 0;
layout(constant_id = 2) const bool INTERLEAVED = false;
// Whether a row of luma or of chroma may end inside a quad.
layout(constant_id = 3) const bool TAILS = true;
// Whether the dispatch filters horizontal edges.
layout(constant_id = 4) const bool HORIZONTAL_EDGES = false;
// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 5) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 6) const bool DESTINATION_IN_COLUMNS = false;
// Whether each edge has thresholds of its own.
layout(constant_id = 7) const bool EDGE_MAP = false;
layout(constant_id = 8) const uint CHROMA_ROWS = 8;
layout(constant_id = 9) const bool FULL_CHROMA = false;
layout(constant_id = 10) const uint SAMPLE_SHIFT = 0;

#define GEOMETRY DiagonalGeometry
#define MORE_GEOMETRY uint diagonal, firstRow, macroblocks, lumaGroups;
#include "h264/deblock_picture.glsl"

// A block of 4x4 samples of luma, or of a plane that is filtered as luma is: its four lines along the edges, so that the filters find
// the same sample of all lines in a vector. Addresses are clamped to the picture. What is read outside of it is neither filtered nor
// stored. "decoded": whether the block comes from the source.
mat4 loadBlock(uint plane, uvec2 block, bool decoded) {
    mat4 rows;
    uint column = min(block.x, lumaQuads() - 1);
    [[unroll]] for (uint i = 0; i < 4; i++) {
        uint y = min(block.y * 4 + i, g.planes.lumaHeight - 1);
        rows[i] = samplesOf(decoded ? sourceQuad(sourceRow(plane, y) + sourcePosition(plane, column))
            : destinationQuad(destinationRow(plane, y) + destinationPosition(plane, column)));
    }
    return HORIZONTAL_EDGES ? rows : transpose(rows);
}

void storeBlock(uint plane, uvec2 block, mat4 lines) {
    mat4 rows = HORIZONTAL_EDGES ? lines : transpose(lines);
    if (block.x < lumaQuads()) {
        [[unroll]] for (uint i = 0; i < 4; i++) {
            storeLuma(plane, block.y * 4 + i, block.x, quadOf(rows[i]));
        }
    }
}

// Filters four samples of an edge, between blocks p and q.
void filterLumaEdge(vec4 at, bool inside, inout mat4 p, inout mat4 q) {
    float alpha = alphaInside(at.x, inside);
    if (at.w > 0.0) {
        filterLumaStrong(p[0].xy, p[1].xy, p[2].xy, p[3].xy, q[0].xy, q[1].xy, q[2].xy, q[3].xy, alpha, at.y);
        filterLumaStrong(p[0].zw, p[1].zw, p[2].zw, p[3].zw, q[0].zw, q[1].zw, q[2].zw, q[3].zw, alpha, at.y);
    } else {
        filterLuma(p[1].xy, p[2].xy, p[3].xy, q[0].xy, q[1].xy, q[2].xy, alpha, at.y, at.z);
        filterLuma(p[1].zw, p[2].zw, p[3].zw, q[0].zw, q[1].zw, q[2].zw, alpha, at.y, at.z);
    }
}

// Filters a quarter of each of the four edges of a macroblock.
void filterLumaEdges(uint plane, uint lane, uvec2 position) {
    uvec2 next = HORIZONTAL_EDGES ? uvec2(0, 1) : uvec2(1, 0);
    uint direction = HORIZONTAL_EDGES ? HORIZONTAL : VERTICAL;
    uvec2 block = position * 4 + (HORIZONTAL_EDGES ? uvec2(lane, 0) : uvec2(0, lane));
    bool borders = (HORIZONTAL_EDGES ? position.y : position.x) > 0;
    mat4 p = loadBlock(plane, borders ? block - next : block, false);
    [[dont_unroll]] for (uint edge = 0; edge < 4; edge++) {
        mat4 q = loadBlock(plane, block, !HORIZONTAL_EDGES);
        bool exists = edge > 0 || borders;
        bool inside = HORIZONTAL_EDGES ? block.y * 4 + 4 <= g.planes.lumaHeight : block.x * 4 + 4 <= g.planes.lumaWidth;
        vec4 at = edge == 0 ? lumaOuterEdge(plane, position, direction, lane)
            : lumaInnerEdge(plane, position, direction, edge, lane);
        filterLumaEdge(at, exists && inside, p, q);
        if (exists) {
            storeBlock(plane, block - next, p);
        }
        p = q;
        block += next;
    }
    storeBlock(plane, block - next, p);
}

// Stores a quad of chroma that is not filtered as luma is, if it lies in the picture.
void storeChromaInside(uint plane, uint row, uint column, Quad quad) {
    if (column < chromaQuads()) {
        storeChroma(plane, row, column, quad);
    }
}

// Filters the vertical edges of Cb and Cr: row by row if these are interleaved, else of one of them in pairs of rows.
void filterChromaRows(uint lane, uvec2 position) {
    const uint OWN_ROWS = CHROMA_ROWS / 4;
    uint plane = INTERLEAVED ? 1 : 1 + (lane >> 1);
    uint x = position.x * 8;
    bool inside0 = x > 0 && x + 2 <= g.planes.chromaWidth;
    bool inside4 = x + 6 <= g.planes.chromaWidth;
    uint firstColumn = position.x * (INTERLEAVED ? 4 : 2);
    [[dont_unroll]] for (uint i = 0; i < OWN_ROWS; i++) {
        uint row = INTERLEAVED ? lane * OWN_ROWS + i : (lane & 1) * (2 * OWN_ROWS) + i * 2;
        uint y = position.y * CHROMA_ROWS + row;
        if (y >= g.planes.chromaHeight) {
            break;
        }
        uint yB = min(y + 1, g.planes.chromaHeight - 1);
        uint sourceA = sourceRow(plane, y);
        uint sourceB = sourceRow(plane, yB);
        Position left = destinationOffset(plane) + destinationPosition(plane, max(firstColumn, 1) - 1);
        Position leftA = left + y * destinationStride(plane);
        Position leftB = left + yB * destinationStride(plane);
        Quad pA = destinationQuad(leftA);
        Quad pB = INTERLEAVED ? Quad(0) : destinationQuad(leftB);
        Quad a0 = sourceQuad(sourceA + sourcePosition(plane, firstColumn));
        Quad b0 = INTERLEAVED ? Quad(0) : sourceQuad(sourceB + sourcePosition(plane, firstColumn));
        Position column = sourcePosition(plane, min(firstColumn + 1, chromaQuads() - 1));
        Quad a1 = sourceQuad(sourceA + column);
        Quad b1 = INTERLEAVED ? Quad(0) : sourceQuad(sourceB + column);
        filterVerticalChromaEdge(pA, a0, pB, b0, position, plane, 0, row >> 1, inside0);
        if (x > 0 && isHere(plane)) {
            storeWhole(leftA, pA);
            if (!INTERLEAVED && y + 1 < g.planes.chromaHeight) {
                storeWhole(leftB, pB);
            }
        }
        if (INTERLEAVED) {
            Quad a2 = sourceQuad(sourceA + sourcePosition(plane, min(firstColumn + 2, chromaQuads() - 1)));
            Quad a3 = sourceQuad(sourceA + sourcePosition(plane, min(firstColumn + 3, chromaQuads() - 1)));
            filterVerticalChromaEdge(a1, a2, b0, b1, position, plane, 1, row >> 1, inside4);
            storeChromaInside(1, y, firstColumn, a0);
            storeChromaInside(1, y, firstColumn + 1, a1);
            storeChromaInside(1, y, firstColumn + 2, a2);
            storeChromaInside(1, y, firstColumn + 3, a3);
        } else {
            filterVerticalChromaEdge(a0, a1, b0, b1, position, plane, 1, row >> 1, inside4);
            storeChromaInside(plane, y, firstColumn, a0);
            storeChromaInside(plane, y, firstColumn + 1, a1);
            storeChromaInside(plane, y + 1, firstColumn, b0);
            storeChromaInside(plane, y + 1, firstColumn + 1, b1);
        }
    }
}

// Filters the horizontal edges of a strip of a column of chroma quads: four columns of quads, or two of each component.
void filterChromaColumn(uint lane, uvec2 position, uint strip) {
    uint plane = INTERLEAVED ? 1 : 1 + (lane >> 1);
    uint column = INTERLEAVED ? position.x * 4 + lane : position.x * 2 + (lane & 1);
    uint stride = destinationStride(plane);
    [[dont_unroll]] for (uint row = 0; row < CHROMA_ROWS; row += 4) {
        uint y = position.y * CHROMA_ROWS + row;
        if (column < chromaQuads() && y > 0 && y + 2 <= g.planes.chromaHeight) {
            uint at = destinationRow(plane, y) + STRIP_OF(destinationPosition(plane, column), strip);
            uint p0 = fromPicture(destination[at - stride]);
            uint q0 = fromPicture(destination[at]);
            filterHorizontalChromaEdge(
                fromPicture(destination[at - 2 * stride]), p0, q0, fromPicture(destination[at + stride]), position, plane,
                min(row, 1), firstPart(lane, strip), true);
            storeChromaStrip(plane, y - 1, column, strip, p0);
            storeChromaStrip(plane, y, column, strip, q0);
        }
    }
}

void main() {
    uint group = gl_WorkGroupID.x;
    // The plane that is filtered as luma is.
    uint plane = 0;
    bool luma = PLANES == LUMA || FULL_CHROMA;
    if (FULL_CHROMA) {
        plane = PLANES == ALL_PLANES ? group / g.lumaGroups : PLANES == CHROMA_FIRST ? 1 : PLANES == CHROMA_SECOND ? 2 : 0;
        group -= PLANES == ALL_PLANES ? plane * g.lumaGroups : 0;
    } else if (PLANES == ALL_PLANES) {
        luma = group < g.lumaGroups;
        group -= luma ? 0 : g.lumaGroups;
    }
    uint inGroup = gl_LocalInvocationID.x >> 2;
    uint lane = gl_LocalInvocationID.x & 3;
    uint macroblock = group * (gl_WorkGroupSize.x >> 2) + inGroup;
    if (macroblock >= g.macroblocks) {
        return;
    }
    uint row = g.firstRow + macroblock;
    uvec2 position = uvec2(g.diagonal - row, row);
    if (luma) {
        filterLumaEdges(plane, lane, position);
    } else if (HORIZONTAL_EDGES) {
        for (uint strip = 0; strip < STRIPS; strip++) {
            filterChromaColumn(lane, position, strip);
        }
    } else {
        filterChromaRows(lane, position);
    }
}

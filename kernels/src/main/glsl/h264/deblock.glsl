// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// H.264 deblocking (ITU-T H.264, 8.7) of the macroblocks of one diagonal x + SLOPE y = d, from source to destination. All samples that
// these macroblocks need from others were finished by earlier diagonals. A macroblock reads its own samples from the source, and those
// of its filtered neighbours from the destination.
//
// Four invocations share a macroblock. Each first filters the vertical edges of four rows (of Cb and Cr together if these are
// interleaved), then the horizontal edges of one column of quads. In between the macroblock lies in shared memory, or in the
// destination if the two phases are separate dispatches. No two invocations write the same word. No byte is written that is not a
// sample.

layout(local_size_x_id = 0) in;

// Values as in h264/deblock_planes.glsl.
layout(constant_id = 1) const uint PLANES = 0;
layout(constant_id = 2) const bool INTERLEAVED = false;
// Whether a row of luma or of chroma may end inside a quad.
layout(constant_id = 3) const bool TAILS = true;
const uint BOTH_PHASES = 0;
const uint VERTICAL_EDGES = 1;
const uint HORIZONTAL_EDGES = 2;
layout(constant_id = 4) const uint PHASES = BOTH_PHASES;
// If the vertical edges of a diagonal are a dispatch before its horizontal ones, a macroblock may lie on the same diagonal as the one
// to its upper right, because vertical edges need nothing of the row above.
const uint SLOPE = PHASES == BOTH_PHASES ? 2 : 1;
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

const uint MACROBLOCK_QUADS = 64;
// The gap of a few quads puts the columns of neighbouring macroblocks into different banks.
const uint TILE_QUADS = MACROBLOCK_QUADS + 4;
shared Quad tile[(gl_WorkGroupSize.x / 4) * TILE_QUADS];

// A quad of a macroblock between the phases, by row and column in the macroblock. A quad outside the picture is read from another place,
// and is not kept.
void keepLuma(uint plane, uint tileAt, uvec2 position, uint row, uint column, Quad quad) {
    if (PHASES == BOTH_PHASES) {
        tile[tileAt + row * 4 + column] = quad;
    } else if (position.x * 4 + column < lumaQuads()) {
        storeLuma(plane, position.y * 16 + row, position.x * 4 + column, quad);
    }
}

Quad keptLuma(uint plane, uint tileAt, uvec2 position, uint row, uint column) {
    if (PHASES == BOTH_PHASES) {
        return tile[tileAt + row * 4 + column];
    }
    uint y = min(position.y * 16 + row, g.planes.lumaHeight - 1);
    uint x = min(position.x * 4 + column, lumaQuads() - 1);
    return destinationQuad(destinationRow(plane, y) + destinationPosition(plane, x));
}

uint keptLumaStrip(uint plane, uint tileAt, uvec2 position, uint row, uint column, uint strip) {
    if (PHASES == BOTH_PHASES) {
        return cleared(STRIP_OF(tile[tileAt + row * 4 + column], strip));
    }
    uint y = min(position.y * 16 + row, g.planes.lumaHeight - 1);
    Position at = destinationRow(plane, y) + destinationPosition(plane, min(position.x * 4 + column, lumaQuads() - 1));
    return fromPicture(destination[STRIP_OF(at, strip)]);
}

// The same for chroma that is not filtered as luma is: four columns of quads; if Cb and Cr lie apart, two columns of each.
uint chromaColumn(uvec2 position, uint column) {
    return INTERLEAVED ? position.x * 4 + column : position.x * 2 + (column & 1);
}

void keepChroma(uint tileAt, uvec2 position, uint plane, uint row, uint column, Quad quad) {
    if (PHASES == BOTH_PHASES) {
        tile[tileAt + row * 4 + column] = quad;
    } else if (chromaColumn(position, column) < chromaQuads()) {
        storeChroma(plane, position.y * CHROMA_ROWS + row, chromaColumn(position, column), quad);
    }
}

uint keptChromaStrip(uint tileAt, uvec2 position, uint plane, uint row, uint column, uint strip) {
    if (PHASES == BOTH_PHASES) {
        return cleared(STRIP_OF(tile[tileAt + row * 4 + column], strip));
    }
    uint y = min(position.y * CHROMA_ROWS + row, g.planes.chromaHeight - 1);
    Position at = destinationRow(plane, y) + destinationPosition(plane, min(chromaColumn(position, column), chromaQuads() - 1));
    return fromPicture(destination[STRIP_OF(at, strip)]);
}

// Filters the vertical edge between macroblocks, in four rows.
void filterLumaLeftEdge(uint plane, uint lane, uint tileAt, uvec2 position) {
    uint firstColumn = position.x * 4;
    uint y = position.y * 16 + lane * 4;
    vec4 at = lumaOuterEdge(plane, position, VERTICAL, lane);
    float alpha = alphaInside(at.x, position.x > 0 && firstColumn * 4 + 4 <= g.planes.lumaWidth);
    [[dont_unroll]] for (uint row = 0; row < 4 && y + row < g.planes.lumaHeight; row += 2) {
        // Addresses are clamped to the picture. What is read outside of it is neither filtered nor stored.
        uint yA = y + row;
        uint yB = min(y + row + 1, g.planes.lumaHeight - 1);
        Position from = sourceOffset(plane) + sourcePosition(plane, firstColumn);
        Position left = destinationOffset(plane) + destinationPosition(plane, max(firstColumn, 1) - 1);
        uint leftStride = destinationStride(plane);
        Samples p = split(destinationQuad(left + yA * leftStride), destinationQuad(left + yB * leftStride));
        uint stride = sourceStride(plane);
        Samples q = split(sourceQuad(from + yA * stride), sourceQuad(from + yB * stride));
        if (at.w > 0.0) {
            filterLumaStrong(p.s0, p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, q.s3, alpha, at.y);
        } else {
            filterLuma(p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, alpha, at.y, at.z);
        }
        if (position.x > 0) {
            storeWhole(left + yA * leftStride, joinLine(p));
            if (y + row + 1 < g.planes.lumaHeight) {
                storeWhole(left + yB * leftStride, joinOtherLine(p));
            }
        }
        keepLuma(plane, tileAt, position, lane * 4 + row, 0, joinLine(q));
        keepLuma(plane, tileAt, position, lane * 4 + row + 1, 0, joinOtherLine(q));
    }
}

// Filters the vertical edges inside a macroblock, in four rows.
void filterLumaInnerRows(uint plane, uint lane, uint tileAt, uvec2 position) {
    uint firstColumn = position.x * 4;
    uint y = position.y * 16 + lane * 4;
    [[dont_unroll]] for (uint row = 0; row < 4 && y + row < g.planes.lumaHeight; row += 2) {
        uint fromA = sourceRow(plane, y + row);
        uint fromB = sourceRow(plane, min(y + row + 1, g.planes.lumaHeight - 1));
        uint to = lane * 4 + row;
        Samples q = split(keptLuma(plane, tileAt, position, to, 0), keptLuma(plane, tileAt, position, to + 1, 0));
        [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
            Samples p = q;
            uint column = firstColumn + edge;
            Position readColumn = sourcePosition(plane, min(column, lumaQuads() - 1));
            q = split(sourceQuad(fromA + readColumn), sourceQuad(fromB + readColumn));
            vec4 at = lumaInnerEdge(plane, position, VERTICAL, edge, lane);
            float alpha = alphaInside(at.x, column * 4 + 4 <= g.planes.lumaWidth);
            filterLuma(p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, alpha, at.y, at.z);
            keepLuma(plane, tileAt, position, to, edge - 1, joinLine(p));
            keepLuma(plane, tileAt, position, to + 1, edge - 1, joinOtherLine(p));
        }
        keepLuma(plane, tileAt, position, to, 3, joinLine(q));
        keepLuma(plane, tileAt, position, to + 1, 3, joinOtherLine(q));
    }
}

// Filters the horizontal edges of a strip of a column of quads.
void filterLumaColumn(uint plane, uint lane, uint tileAt, uvec2 position, uint strip) {
    uint column = position.x * 4 + lane;
    uint readColumn = min(column, lumaQuads() - 1);
    uint top = destinationOffset(plane) + STRIP_OF(destinationPosition(plane, readColumn), strip);
    uint y = position.y * 16;
    uint aboveY = max(y, 4) - 4;
    uint stride = destinationStride(plane);
    uint above = top + aboveY * stride;
    uint p3 = fromPicture(destination[above]);
    uint p2 = fromPicture(destination[above + stride]);
    uint p1 = fromPicture(destination[above + 2 * stride]);
    uint p0 = fromPicture(destination[above + 3 * stride]);
    uint q0 = keptLumaStrip(plane, tileAt, position, 0, lane, strip);
    uint q1 = keptLumaStrip(plane, tileAt, position, 1, lane, strip);
    uint q2 = keptLumaStrip(plane, tileAt, position, 2, lane, strip);
    uint q3 = keptLumaStrip(plane, tileAt, position, 3, lane, strip);
    vec4 at = lumaOuterEdge(plane, position, HORIZONTAL, lane);
    float alpha = alphaInside(at.x, y > 0 && y + 4 <= g.planes.lumaHeight);
    [[dont_unroll]] for (uint pair = 0; pair < ALL_PAIRS; pair += 8) {
        vec2 b2 = pairOf(p2, pair);
        vec2 b1 = pairOf(p1, pair);
        vec2 b0 = pairOf(p0, pair);
        vec2 c0 = pairOf(q0, pair);
        vec2 c1 = pairOf(q1, pair);
        vec2 c2 = pairOf(q2, pair);
        if (at.w > 0.0) {
            vec2 b3 = pairOf(p3, pair);
            vec2 c3 = pairOf(q3, pair);
            filterLumaStrong(b3, b2, b1, b0, c0, c1, c2, c3, alpha, at.y);
        } else {
            filterLuma(b2, b1, b0, c0, c1, c2, alpha, at.y, at.z);
        }
        replacePair(p2, pair, b2);
        replacePair(p1, pair, b1);
        replacePair(p0, pair, b0);
        replacePair(q0, pair, c0);
        replacePair(q1, pair, c1);
        replacePair(q2, pair, c2);
    }
    if (column >= lumaQuads()) {
        return;
    }
    if (y > 0) {
        storeLumaStrip(plane, y - 3, column, strip, p2);
        storeLumaStrip(plane, y - 2, column, strip, p1);
        storeLumaStrip(plane, y - 1, column, strip, p0);
    }
    [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
        p3 = q0;
        p2 = q1;
        p1 = q2;
        p0 = q3;
        q0 = keptLumaStrip(plane, tileAt, position, edge * 4, lane, strip);
        q1 = keptLumaStrip(plane, tileAt, position, edge * 4 + 1, lane, strip);
        q2 = keptLumaStrip(plane, tileAt, position, edge * 4 + 2, lane, strip);
        q3 = keptLumaStrip(plane, tileAt, position, edge * 4 + 3, lane, strip);
        at = lumaInnerEdge(plane, position, HORIZONTAL, edge, lane);
        alpha = alphaInside(at.x, y + edge * 4 + 4 <= g.planes.lumaHeight);
        filterLumaDown(0, ALL_PAIRS, p2, p1, p0, q0, q1, q2, alpha, at.y, at.z);
        storeLumaStrip(plane, y + edge * 4 - 4, column, strip, p3);
        storeLumaStrip(plane, y + edge * 4 - 3, column, strip, p2);
        storeLumaStrip(plane, y + edge * 4 - 2, column, strip, p1);
        storeLumaStrip(plane, y + edge * 4 - 1, column, strip, p0);
    }
    storeLumaStrip(plane, y + 12, column, strip, q0);
    storeLumaStrip(plane, y + 13, column, strip, q1);
    storeLumaStrip(plane, y + 14, column, strip, q2);
    storeLumaStrip(plane, y + 15, column, strip, q3);
}

// Filters the vertical edges of Cb and Cr: row by row if these are interleaved, else of one of them in pairs of rows.
void filterChromaRows(uint lane, uint tileAt, uvec2 position) {
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
            keepChroma(tileAt, position, 1, row, 0, a0);
            keepChroma(tileAt, position, 1, row, 1, a1);
            keepChroma(tileAt, position, 1, row, 2, a2);
            keepChroma(tileAt, position, 1, row, 3, a3);
        } else {
            filterVerticalChromaEdge(a0, a1, b0, b1, position, plane, 1, row >> 1, inside4);
            uint to = (plane - 1) * 2;
            keepChroma(tileAt, position, plane, row, to, a0);
            keepChroma(tileAt, position, plane, row, to + 1, a1);
            keepChroma(tileAt, position, plane, row + 1, to, b0);
            keepChroma(tileAt, position, plane, row + 1, to + 1, b1);
        }
    }
}

// Filters eight rows of a strip of a column of chroma quads, from row "first" of the macroblock on: the horizontal edge above these rows,
// whose other side is p1 and p0, and the edge in their middle.
void filterChromaEightRows(uint plane, uint lane, uint tileAt, uvec2 position, uint strip, uint first, uint p1, uint p0) {
    uint y = position.y * CHROMA_ROWS + first;
    uint edge = first == 0 ? 0 : 1;
    uint column = chromaColumn(position, lane);
    uint r0 = keptChromaStrip(tileAt, position, plane, first, lane, strip);
    uint r1 = keptChromaStrip(tileAt, position, plane, first + 1, lane, strip);
    uint r2 = keptChromaStrip(tileAt, position, plane, first + 2, lane, strip);
    uint r3 = keptChromaStrip(tileAt, position, plane, first + 3, lane, strip);
    uint r4 = keptChromaStrip(tileAt, position, plane, first + 4, lane, strip);
    uint r5 = keptChromaStrip(tileAt, position, plane, first + 5, lane, strip);
    bool inside0 = y > 0 && y + 2 <= g.planes.chromaHeight;
    filterHorizontalChromaEdge(p1, p0, r0, r1, position, plane, edge, firstPart(lane, strip), inside0);
    bool inside4 = y + 6 <= g.planes.chromaHeight;
    filterHorizontalChromaEdge(r2, r3, r4, r5, position, plane, 1, firstPart(lane, strip), inside4);
    if (y > 0) {
        storeChromaStrip(plane, y - 1, column, strip, p0);
    }
    storeChromaStrip(plane, y, column, strip, r0);
    storeChromaStrip(plane, y + 1, column, strip, r1);
    storeChromaStrip(plane, y + 2, column, strip, r2);
    storeChromaStrip(plane, y + 3, column, strip, r3);
    storeChromaStrip(plane, y + 4, column, strip, r4);
    storeChromaStrip(plane, y + 5, column, strip, r5);
    storeChromaStrip(plane, y + 6, column, strip, keptChromaStrip(tileAt, position, plane, first + 6, lane, strip));
    storeChromaStrip(plane, y + 7, column, strip, keptChromaStrip(tileAt, position, plane, first + 7, lane, strip));
}

// Filters the horizontal edges of a strip of a column of chroma quads.
void filterChromaColumn(uint lane, uint tileAt, uvec2 position, uint strip) {
    uint plane = INTERLEAVED ? 1 : 1 + (lane >> 1);
    uint column = chromaColumn(position, lane);
    if (column >= chromaQuads()) {
        return;
    }
    uint y = position.y * CHROMA_ROWS;
    uint above = destinationRow(plane, max(y, 2) - 2) + STRIP_OF(destinationPosition(plane, column), strip);
    uint p1 = 0;
    uint p0 = 0;
    if (y > 0) {
        p1 = fromPicture(destination[above]);
        p0 = fromPicture(destination[above + destinationStride(plane)]);
    }
    filterChromaEightRows(plane, lane, tileAt, position, strip, 0, p1, p0);
    if (CHROMA_ROWS == 16) {
        p1 = keptChromaStrip(tileAt, position, plane, 6, lane, strip);
        p0 = keptChromaStrip(tileAt, position, plane, 7, lane, strip);
        filterChromaEightRows(plane, lane, tileAt, position, strip, 8, p1, p0);
    }
}

void filterColumn(bool luma, uint plane, uint lane, uint tileAt, uvec2 position, uint strip) {
    if (luma) {
        filterLumaColumn(plane, lane, tileAt, position, strip);
    } else {
        filterChromaColumn(lane, tileAt, position, strip);
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
    bool inRange = macroblock < g.macroblocks;
    uint row = g.firstRow + macroblock;
    uvec2 position = uvec2(g.diagonal - SLOPE * row, row);
    uint tileAt = inGroup * TILE_QUADS;
    if (inRange && PHASES != HORIZONTAL_EDGES) {
        if (luma) {
            filterLumaLeftEdge(plane, lane, tileAt, position);
            filterLumaInnerRows(plane, lane, tileAt, position);
        } else {
            filterChromaRows(lane, tileAt, position);
        }
    }
    if (PHASES == BOTH_PHASES) {
        barrier();
    }
    if (inRange && PHASES != VERTICAL_EDGES) {
#ifdef SAMPLES_OF_16_BITS
        [[dont_unroll]] for (uint strip = 0; strip < STRIPS; strip++) {
            filterColumn(luma, plane, lane, tileAt, position, strip);
        }
#else
        filterColumn(luma, plane, lane, tileAt, position, 0);
#endif
    }
}

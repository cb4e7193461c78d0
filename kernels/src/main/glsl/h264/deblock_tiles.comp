// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#define TEXELS

// H.264 deblocking (ITU-T H.264, 8.7) of 8-bit pictures, for drivers that run shaders on the CPU: few dispatches, branches around stores
// only, integers, and words as texels (common/texels.glsl).
//
// The picture is cut into tiles that lean to the left. A tile spans two rows of macroblocks and holds the macroblocks with TILE_STEPS
// values of x + y. All that a macroblock needs then lies before it in its own tile, or in the tile to the left or above. A dispatch
// filters the tiles of one diagonal. Each tile is a workgroup of 8 invocations, which goes from macroblock to macroblock as a decoder
// does. A macroblock reads its own samples from the source, and those of its filtered neighbours from the destination.
//
// The 8 invocations share a subgroup. Each first filters the vertical edges of two rows of luma, then the horizontal edges of two
// columns; shuffles turn rows into columns in between. No two invocations write the same word. No byte is written that is not a
// sample.

layout(local_size_x_id = 0) in;

// Values as in h264/deblock_planes.glsl.
layout(constant_id = 1) const uint PLANES = 0;
layout(constant_id = 2) const bool INTERLEAVED = false;
// Whether a row of luma or of chroma may end inside a word.
layout(constant_id = 3) const bool TAILS = true;
// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 4) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 5) const bool DESTINATION_IN_COLUMNS = false;
layout(constant_id = 6) const uint TILE_STEPS = 16;
// Whether each edge has thresholds of its own.
layout(constant_id = 7) const bool EDGE_MAP = false;

#define GEOMETRY TileGeometry
#define MORE_GEOMETRY uint diagonal, firstBand, columns, rows;
#include "h264/deblock_planes.glsl"
#include "h264/filters_integer.glsl"

const uint TILE_ROWS = 2;

// Thresholds without an edge map: alpha, beta, tC0 or tC, and 1 for bS 4.
ivec4 lumaEdges[3];
ivec4 chromaEdges[4];

// Four samples of a line, for two lines.
struct Samples {
    ivec2 s0, s1, s2, s3;
};

ivec2 byteOf(uvec2 words, uint shift) {
    return ivec2((words >> shift) & 0xffu);
}

Samples split(uvec2 words) {
    return Samples(byteOf(words, 0), byteOf(words, 8), byteOf(words, 16), ivec2(words >> 24));
}

uvec2 join(Samples s) {
    return uvec2(s.s0 | (s.s1 << 8) | (s.s2 << 16) | (s.s3 << 24));
}

void storeLumaWord(uint row, uint column, uint word, bool exists) {
    if (exists && row < g.planes.lumaHeight && column < g.planes.lumaWords) {
        storeWord(0, row, column, g.planes.lumaWords, g.planes.lumaTail, word);
    }
}

void storeChromaWord(uint plane, uint row, uint column, uint word, bool exists) {
    if (exists && row < g.planes.chromaHeight && column < g.planes.chromaWords && isHere(plane)) {
        storeWord(plane, row, column, g.planes.chromaWords, g.planes.chromaTail, word);
    }
}

// Two words of a column, in two rows. Addresses are clamped to the picture. What is read outside of it is neither filtered nor stored.
uvec2 lumaSource(uint row, uint column) {
    uint at = sourceColumn(0, min(column, g.planes.lumaWords - 1));
    uint last = g.planes.lumaHeight - 1;
    return uvec2(sourceAt(sourceRow(0, min(row, last)) + at), sourceAt(sourceRow(0, min(row + 1, last)) + at));
}

uint lumaDestination(uint row, uint column) {
    return destinationAt(
        destinationRow(0, min(row, g.planes.lumaHeight - 1)) + destinationColumn(0, min(column, g.planes.lumaWords - 1)));
}

uint chromaSource(uint plane, uint row, uint column) {
    return sourceAt(
        sourceRow(plane, min(row, g.planes.chromaHeight - 1)) + sourceColumn(plane, min(column, g.planes.chromaWords - 1)));
}

uint chromaDestination(uint plane, uint row, uint column) {
    return destinationAt(
        destinationRow(plane, min(row, g.planes.chromaHeight - 1)) + destinationColumn(plane, min(column, g.planes.chromaWords - 1)));
}

// Index of an edge among the edges of one component of a macroblock.
const uint VERTICAL = 0;
const uint HORIZONTAL = 1;

// A macroblock has 8 luma edges and 8 chroma edges in the map. Each invocation reads one of either and hands it to the others.
struct MapEdges {
    uvec2 luma, chroma;
};

MapEdges edgesOf(uint lane, uvec2 position) {
    if (!EDGE_MAP) {
        return MapEdges(uvec2(0), uvec2(0));
    }
    uint at = parameters.firstInMap + (position.y * g.columns + position.x) * EDGES_OF_MACROBLOCK + lane;
    return MapEdges(edgeMap[at], edgeMap[at + 8]);
}

uvec2 handedOut(uvec2 edge, uint from) {
    return uvec2(subgroupShuffle(edge.x, from), subgroupShuffle(edge.y, from));
}

// tC0 + 1 of a part of a luma edge, or tC of a part of a chroma edge.
int partOf(uvec2 edge, uint part) {
    return int((edge.y >> (part * 8)) & 0xffu);
}

// The thresholds of four samples of a luma edge, the "index"th of the 4x4 grid.
ivec4 lumaEdge(MapEdges map, uint direction, uint index, uint part) {
    if (!EDGE_MAP) {
        return lumaEdges[index == 0 ? 0 : 1 + (index & 1)];
    }
    uvec2 edge = handedOut(map.luma, direction * 4 + index);
    int tc0And1 = partOf(edge, part);
    return ivec4(tc0And1 > 0 ? edge.x & 0xffu : 0u, (edge.x >> 8) & 0xffu, tc0And1 - 1, edge.x >> 16);
}

// Filters an edge between macroblocks.
void filterLumaOuter(ivec4 edge, inout Samples p, inout Samples q, bool inside) {
    int alpha = inside ? edge.x : 0;
    filterLuma(p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, edge.w != 0 ? 0 : alpha, edge.y, edge.z);
    filterLumaStrong(p.s0, p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, q.s3, edge.w != 0 ? alpha : 0, edge.y);
}

// Filters an edge inside a macroblock.
void filterLumaInner(ivec4 edge, inout Samples p, inout Samples q, bool inside) {
    filterLuma(p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, inside ? edge.x : 0, edge.y, edge.z);
}

// Two rows of a macroblock.
struct Rows {
    uvec2 columns[4];
};

// Filters the vertical edges of two rows.
Rows filterLumaRows(uint lane, uvec2 position, MapEdges map) {
    uint column = position.x * 4;
    uint row = position.y * 16 + lane * 2;
    uint left = max(column, 1) - 1;
    Samples p = split(uvec2(lumaDestination(row, left), lumaDestination(row + 1, left)));
    Samples q0 = split(lumaSource(row, column));
    Samples q1 = split(lumaSource(row, column + 1));
    Samples q2 = split(lumaSource(row, column + 2));
    Samples q3 = split(lumaSource(row, column + 3));
    uint words = g.planes.lumaWidth / 4;
    uint part = lane >> 1;
    filterLumaOuter(lumaEdge(map, VERTICAL, 0, part), p, q0, position.x > 0 && column < words);
    filterLumaInner(lumaEdge(map, VERTICAL, 1, part), q0, q1, column + 1 < words);
    filterLumaInner(lumaEdge(map, VERTICAL, 2, part), q1, q2, column + 2 < words);
    filterLumaInner(lumaEdge(map, VERTICAL, 3, part), q2, q3, column + 3 < words);
    uvec2 left4 = join(p);
    storeLumaWord(row, left, left4.x, position.x > 0);
    storeLumaWord(row + 1, left, left4.y, position.x > 0);
    return Rows(uvec2[4](join(q0), join(q1), join(q2), join(q3)));
}

// The word of the invocation's own column in a row that another invocation holds.
uint wordOf(uint a, uint b, uint c, uint d, uint from, uint column) {
    uint left = (column & 1) == 0 ? subgroupShuffle(a, from) : subgroupShuffle(b, from);
    uint right = (column & 1) == 0 ? subgroupShuffle(c, from) : subgroupShuffle(d, from);
    return column < 2 ? left : right;
}

// The two samples of a word that the invocation filters: bytes 0 and 2, or bytes 1 and 3.
ivec2 ownSamples(uint word, uint shift) {
    word >>= shift;
    return ivec2(word & 0xffu, (word >> 16) & 0xffu);
}

// Two invocations hold half of the samples of two rows each. Returns a whole word of the first row to the one whose shift is 0, and of
// the second row to the other one.
uint exchange(ivec2 first, ivec2 second, uint shift) {
    uint a = uint(first.x | (first.y << 16)) << shift;
    uint b = uint(second.x | (second.y << 16)) << shift;
    bool takesFirst = shift == 0;
    return (takesFirst ? a : b) | subgroupShuffleXor(takesFirst ? b : a, 1);
}

ivec2 ownLuma(Rows rows, uint row, uint column, uint shift) {
    uint first = row & 1;
    return ownSamples(
        wordOf(
            rows.columns[0][first], rows.columns[1][first], rows.columns[2][first], rows.columns[3][first], row >> 1,
            column),
        shift);
}

Samples fourRows(Rows rows, uint row, uint column, uint shift) {
    return Samples(
        ownLuma(rows, row, column, shift), ownLuma(rows, row + 1, column, shift), ownLuma(rows, row + 2, column, shift),
        ownLuma(rows, row + 3, column, shift));
}

void storeLumaRows(uint row, uint column, uint shift, ivec2 first, ivec2 second, bool exists) {
    storeLumaWord(row + (shift >> 3), column, exchange(first, second, shift), exists);
}

// Filters the horizontal edges of two columns.
void filterLumaColumns(uint lane, uvec2 position, MapEdges map, Rows rows) {
    uint inBlock = lane >> 1;
    uint column = position.x * 4 + inBlock;
    uint shift = (lane & 1) * 8;
    uint row = position.y * 16;
    uint above = max(row, 4) - 4;
    Samples p = Samples(
        ownSamples(lumaDestination(above, column), shift), ownSamples(lumaDestination(above + 1, column), shift),
        ownSamples(lumaDestination(above + 2, column), shift), ownSamples(lumaDestination(above + 3, column), shift));
    Samples q0 = fourRows(rows, 0, inBlock, shift);
    Samples q1 = fourRows(rows, 4, inBlock, shift);
    Samples q2 = fourRows(rows, 8, inBlock, shift);
    Samples q3 = fourRows(rows, 12, inBlock, shift);
    filterLumaOuter(lumaEdge(map, HORIZONTAL, 0, inBlock), p, q0, row > 0 && row + 4 <= g.planes.lumaHeight);
    filterLumaInner(lumaEdge(map, HORIZONTAL, 1, inBlock), q0, q1, row + 8 <= g.planes.lumaHeight);
    filterLumaInner(lumaEdge(map, HORIZONTAL, 2, inBlock), q1, q2, row + 12 <= g.planes.lumaHeight);
    filterLumaInner(lumaEdge(map, HORIZONTAL, 3, inBlock), q2, q3, row + 16 <= g.planes.lumaHeight);
    storeLumaRows(above, column, shift, p.s0, p.s1, row > 0);
    storeLumaRows(above + 2, column, shift, p.s2, p.s3, row > 0);
    storeLumaRows(row, column, shift, q0.s0, q0.s1, true);
    storeLumaRows(row + 2, column, shift, q0.s2, q0.s3, true);
    storeLumaRows(row + 4, column, shift, q1.s0, q1.s1, true);
    storeLumaRows(row + 6, column, shift, q1.s2, q1.s3, true);
    storeLumaRows(row + 8, column, shift, q2.s0, q2.s1, true);
    storeLumaRows(row + 10, column, shift, q2.s2, q2.s3, true);
    storeLumaRows(row + 12, column, shift, q3.s0, q3.s1, true);
    storeLumaRows(row + 14, column, shift, q3.s2, q3.s3, true);
}

// Filters the outer or the inner chroma edge of a macroblock, in two samples of one component or in a sample of each.
void filterChromaEdge(MapEdges map, uint direction, uint index, bvec2 second, uvec2 parts, ivec2 p1, inout ivec2 p0,
        inout ivec2 q0, ivec2 q1, bool inside) {
    ivec4 a;
    ivec4 b;
    bool strong;
    if (EDGE_MAP) {
        uvec2 ofFirst = handedOut(map.chroma, direction * 2 + index);
        uvec2 ofSecond = handedOut(map.chroma, 4 + direction * 2 + index);
        uvec2 edgeA = second.x ? ofSecond : ofFirst;
        uvec2 edgeB = second.y ? ofSecond : ofFirst;
        // If bS is 0, tC is 0 and the filter changes nothing.
        a = ivec4(edgeA.x & 0xffu, (edgeA.x >> 8) & 0xffu, partOf(edgeA, parts.x), 0);
        b = ivec4(edgeB.x & 0xffu, (edgeB.x >> 8) & 0xffu, partOf(edgeB, parts.y), 0);
        strong = ofFirst.x >> 16 != 0;
    } else {
        a = second.x ? chromaEdges[2 + index] : chromaEdges[index];
        b = second.y ? chromaEdges[2 + index] : chromaEdges[index];
        strong = chromaEdges[index].w != 0;
    }
    ivec2 alpha = inside ? ivec2(a.x, b.x) : ivec2(0);
    filterChroma(p1, p0, q0, q1, alpha, ivec2(a.y, b.y), ivec2(a.z, b.z), strong);
}

// Filters the vertical edges of Cb and Cr: of one row if these are interleaved, else of two rows of one of them.
Rows filterChromaRows(uint lane, uvec2 position, MapEdges map) {
    uint x = position.x * 8;
    bool inside0 = x > 0 && x + 2 <= g.planes.chromaWidth;
    bool inside4 = x + 6 <= g.planes.chromaWidth;
    if (INTERLEAVED) {
        uint column = position.x * 4;
        uint row = position.y * 8 + lane;
        uint left = max(column, 1) - 1;
        uint p = chromaDestination(1, row, left);
        uint w0 = chromaSource(1, row, column);
        uint w1 = chromaSource(1, row, column + 1);
        uint w2 = chromaSource(1, row, column + 2);
        uint w3 = chromaSource(1, row, column + 3);
        bvec2 component = bvec2(false, true);
        Samples a = Samples(
            ivec2(p & 0xffu, (p >> 8) & 0xffu), ivec2((p >> 16) & 0xffu, p >> 24), ivec2(w0 & 0xffu, (w0 >> 8) & 0xffu),
            ivec2((w0 >> 16) & 0xffu, w0 >> 24));
        filterChromaEdge(map, VERTICAL, 0, component, uvec2(lane >> 1), a.s0, a.s1, a.s2, a.s3, inside0);
        Samples b = Samples(
            ivec2(w1 & 0xffu, (w1 >> 8) & 0xffu), ivec2((w1 >> 16) & 0xffu, w1 >> 24), ivec2(w2 & 0xffu, (w2 >> 8) & 0xffu),
            ivec2((w2 >> 16) & 0xffu, w2 >> 24));
        filterChromaEdge(map, VERTICAL, 1, component, uvec2(lane >> 1), b.s0, b.s1, b.s2, b.s3, inside4);
        storeChromaWord(1, row, left, (p & 0xffffu) | uint((a.s1.x << 16) | (a.s1.y << 24)), x > 0);
        return Rows(uvec2[4](
            uvec2((w0 & 0xffff0000u) | uint(a.s2.x | (a.s2.y << 8))),
            uvec2((w1 & 0xffffu) | uint((b.s1.x << 16) | (b.s1.y << 24))),
            uvec2((w2 & 0xffff0000u) | uint(b.s2.x | (b.s2.y << 8))), uvec2(w3)));
    } else {
        uint plane = 1 + (lane >> 2);
        uint column = position.x * 2;
        uint row = position.y * 8 + (lane & 3) * 2;
        uint left = max(column, 1) - 1;
        Samples p = split(uvec2(chromaDestination(plane, row, left), chromaDestination(plane, row + 1, left)));
        Samples q0 = split(uvec2(chromaSource(plane, row, column), chromaSource(plane, row + 1, column)));
        Samples q1 = split(uvec2(chromaSource(plane, row, column + 1), chromaSource(plane, row + 1, column + 1)));
        bvec2 component = bvec2(plane == 2);
        filterChromaEdge(map, VERTICAL, 0, component, uvec2(lane & 3), p.s2, p.s3, q0.s0, q0.s1, inside0);
        filterChromaEdge(map, VERTICAL, 1, component, uvec2(lane & 3), q0.s2, q0.s3, q1.s0, q1.s1, inside4);
        uvec2 words = join(p);
        storeChromaWord(plane, row, left, words.x, x > 0);
        storeChromaWord(plane, row + 1, left, words.y, x > 0);
        return Rows(uvec2[4](join(q0), join(q1), uvec2(0), uvec2(0)));
    }
}

// A row of chroma of a macroblock.
ivec2 ownChroma(Rows rows, uint lane, uint row, uint shift) {
    if (INTERLEAVED) {
        return ownSamples(
            wordOf(rows.columns[0].x, rows.columns[1].x, rows.columns[2].x, rows.columns[3].x, row, lane >> 1), shift);
    }
    uint first = row & 1;
    uint from = (lane & 4) + (row >> 1);
    return ownSamples(
        (lane & 2) == 0 ? subgroupShuffle(rows.columns[0][first], from) : subgroupShuffle(rows.columns[1][first], from), shift);
}

// Filters the horizontal edges of two columns of a component.
void filterChromaColumns(uint lane, uvec2 position, MapEdges map, Rows rows) {
    uint plane = INTERLEAVED ? 1 : 1 + (lane >> 2);
    uint column = INTERLEAVED ? position.x * 4 + (lane >> 1) : position.x * 2 + ((lane >> 1) & 1);
    uint shift = (lane & 1) * 8;
    uint row = position.y * 8;
    uint above = max(row, 2) - 2;
    ivec2 p1 = ownSamples(chromaDestination(plane, above, column), shift);
    ivec2 p0 = ownSamples(chromaDestination(plane, above + 1, column), shift);
    ivec2 r0 = ownChroma(rows, lane, 0, shift);
    ivec2 r1 = ownChroma(rows, lane, 1, shift);
    ivec2 r2 = ownChroma(rows, lane, 2, shift);
    ivec2 r3 = ownChroma(rows, lane, 3, shift);
    ivec2 r4 = ownChroma(rows, lane, 4, shift);
    ivec2 r5 = ownChroma(rows, lane, 5, shift);
    ivec2 r6 = ownChroma(rows, lane, 6, shift);
    ivec2 r7 = ownChroma(rows, lane, 7, shift);
    bvec2 component = bvec2(INTERLEAVED ? shift != 0 : plane == 2);
    // If components lie apart, a word belongs to two parts of an edge.
    uvec2 parts = INTERLEAVED ? uvec2(lane >> 1) : uvec2(0, 1) + (lane & 2);
    filterChromaEdge(map, HORIZONTAL, 0, component, parts, p1, p0, r0, r1, row > 0 && row + 2 <= g.planes.chromaHeight);
    filterChromaEdge(map, HORIZONTAL, 1, component, parts, r2, r3, r4, r5, row + 6 <= g.planes.chromaHeight);
    uint second = shift >> 3;
    storeChromaWord(plane, row + second - 1, column, exchange(p0, r0, shift), second == 1 || row > 0);
    storeChromaWord(plane, row + 1 + second, column, exchange(r1, r2, shift), true);
    storeChromaWord(plane, row + 3 + second, column, exchange(r3, r4, shift), true);
    storeChromaWord(plane, row + 5 + second, column, exchange(r5, r6, shift), true);
    storeChromaWord(plane, row + 7, column, exchange(r7, r7, shift), second == 0);
}

void main() {
    for (uint i = 0; i < 3; i++) {
        lumaEdges[i] = ivec4(thresholdsOf(i));
    }
    for (uint i = 0; i < 4; i++) {
        chromaEdges[i] = ivec4(thresholdsOf(3 + i));
    }
    uint lane = gl_SubgroupInvocationID;
    uint band = g.firstBand + gl_WorkGroupID.x;
    int y = int(band * TILE_ROWS);
    int begin = int((g.diagonal - band) * TILE_STEPS) - y;
    int columns = int(g.columns);
    int first = max(begin, 0);
    int count = max(min(begin + int(TILE_STEPS), columns) - first, 0);
    int below = max(begin - 1, 0);
    int countBelow = y + 1 < int(g.rows) ? max(min(begin - 1 + int(TILE_STEPS), columns) - below, 0) : 0;
    // Every tile of the dispatch holds a macroblock. The loop tests at its end, because one that tests first would run its body once more.
    int i = 0;
    [[dont_unroll]] do {
        uvec2 position = i < count ? uvec2(first + i, y) : uvec2(below + i - count, y + 1);
        MapEdges map = edgesOf(lane, position);
        if (PLANES == ALL_PLANES || PLANES == LUMA) {
            filterLumaColumns(lane, position, map, filterLumaRows(lane, position, map));
        }
        if (PLANES != LUMA) {
            filterChromaColumns(lane, position, map, filterChromaRows(lane, position, map));
        }
        // The next macroblock reads what other invocations wrote of this one.
        subgroupBarrier();
        i++;
    } while (i < count + countBelow);
}

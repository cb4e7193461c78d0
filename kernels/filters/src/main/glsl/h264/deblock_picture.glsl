// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Shared by the forms of H.264 picture deblocking for GPUs: edges, and samples as quads. The including file defines what
// h264/deblock_planes.glsl asks for, and EDGE_MAP, CHROMA_ROWS and FULL_CHROMA. EDGE_MAP is for 8-bit 4:2:0 only.
//
// The chroma planes of 4:4:4 video (FULL_CHROMA) are filtered as luma is, with thresholds of their own. In other formats a macroblock
// has eight samples of each component in a row and eight (4:2:0) or sixteen (4:2:2) rows, with an edge at every fourth sample or row.

#include "h264/quads.glsl"
#include "h264/filters.glsl"
#include "h264/deblock_planes.glsl"

// The first word of a plane, and the distance of its rows in words.
uint sourceOffset(uint plane) {
    return plane == 0 ? g.planes.sourceOffset[0] : plane == 1 ? g.planes.sourceOffset[1] : g.planes.sourceOffset[2];
}

uint sourceStride(uint plane) {
    return plane == 0 ? g.planes.sourceStride[0] : plane == 1 ? g.planes.sourceStride[1] : g.planes.sourceStride[2];
}

uint destinationOffset(uint plane) {
    return plane == 0 ? g.planes.destinationOffset[0] : plane == 1 ? g.planes.destinationOffset[1] : g.planes.destinationOffset[2];
}

uint destinationStride(uint plane) {
    return plane == 0 ? g.planes.destinationStride[0] : plane == 1 ? g.planes.destinationStride[1] : g.planes.destinationStride[2];
}

// The place of a quad in its picture or in its row: an index for each of its words.
#ifdef SAMPLES_OF_16_BITS
#define Position uvec2

uint lumaQuads() {
    return (g.planes.lumaWords + 1) >> 1;
}

uint chromaQuads() {
    return (g.planes.chromaWords + 1) >> 1;
}

// The last quad of a row may lack its second word. Another word is read then, which is neither filtered nor stored.
Position sourcePosition(uint plane, uint column) {
    uint words = plane == 0 || FULL_CHROMA ? g.planes.lumaWords : g.planes.chromaWords;
    return uvec2(column * 2, TAILS ? min(column * 2 + 1, words - 1) : column * 2 + 1);
}

Position destinationPosition(uint plane, uint column) {
    return sourcePosition(plane, column);
}

Quad sourceQuad(Position at) {
    return Quad(fromPicture(source[at.x]), fromPicture(source[at.y]));
}

Quad destinationQuad(Position at) {
    return Quad(fromPicture(destination[at.x]), fromPicture(destination[at.y]));
}

// Stores a quad that has both words.
void storeWhole(Position at, Quad quad) {
    destination[at.x] = toPicture(quad.x);
    destination[at.y] = toPicture(quad.y);
}

// Stores quad "column" of a row that begins at index "rowAt".
void storeQuadAt(uint rowAt, uint plane, uint column, uint rowWords, uint tail, Quad quad) {
    uint at = rowAt + column * 2;
    storeWordAt(at, column * 2, rowWords, tail, toPicture(quad.x));
    if (!TAILS || column * 2 + 1 < rowWords) {
        storeWordAt(at + 1, column * 2 + 1, rowWords, tail, toPicture(quad.y));
    }
}
#else
#define Position uint

uint lumaQuads() {
    return g.planes.lumaWords;
}

uint chromaQuads() {
    return g.planes.chromaWords;
}

Position sourcePosition(uint plane, uint column) {
    return sourceColumn(plane, column);
}

Position destinationPosition(uint plane, uint column) {
    return destinationColumn(plane, column);
}

Quad sourceQuad(Position at) {
    return source[at];
}

Quad destinationQuad(Position at) {
    return destination[at];
}

void storeWhole(Position at, Quad quad) {
    destination[at] = quad;
}

void storeQuadAt(uint rowAt, uint plane, uint column, uint rowWords, uint tail, Quad quad) {
    storeWordAt(rowAt + destinationColumn(plane, column), column, rowWords, tail, quad);
}
#endif

// Stores a quad of a plane that is filtered as luma is.
void storeLuma(uint plane, uint row, uint column, Quad quad) {
    if (row < g.planes.lumaHeight) {
        storeQuadAt(destinationRow(plane, row), plane, column, g.planes.lumaWords, g.planes.lumaTail, quad);
    }
}

void storeChroma(uint plane, uint row, uint column, Quad quad) {
    if (row < g.planes.chromaHeight && isHere(plane)) {
        storeQuadAt(destinationRow(plane, row), plane, column, g.planes.chromaWords, g.planes.chromaTail, quad);
    }
}

// Stores a strip of quad "column" of a row that begins at index "rowAt".
void storeStripAt(uint rowAt, uint plane, uint column, uint strip, uint rowWords, uint tail, uint word) {
    uint place = column * STRIPS + strip;
    if (STRIPS == 1 || !TAILS || place < rowWords) {
        storeWordAt(rowAt + (STRIPS == 1 ? destinationColumn(plane, place) : place), place, rowWords, tail, toPicture(word));
    }
}

void storeChromaStrip(uint plane, uint row, uint column, uint strip, uint word) {
    if (row < g.planes.chromaHeight && isHere(plane)) {
        storeStripAt(destinationRow(plane, row), plane, column, strip, g.planes.chromaWords, g.planes.chromaTail, word);
    }
}

// Rows of a plane that are gone through from one on, downwards. A row below the picture stands for the lowest one of the picture: the
// filters make the same of both, since they take their thresholds from that row, too, and change only rows that have another one
// below them in the picture.
struct Rows {
    uint at, stride, lowest;
};

// Which of two planes is selected, as above. Chroma is selected without a test for luma.
Rows chromaSourceRows(uint plane, uint row) {
    bool first = INTERLEAVED || plane == 1;
    uint offset = first ? g.planes.sourceOffset[1] : g.planes.sourceOffset[2];
    uint stride = first ? g.planes.sourceStride[1] : g.planes.sourceStride[2];
    return Rows(offset + row * stride, stride, offset + (g.planes.chromaHeight - 1) * stride);
}

Rows chromaRows(uint plane, uint row) {
    bool first = INTERLEAVED || plane == 1;
    uint offset = first ? g.planes.destinationOffset[1] : g.planes.destinationOffset[2];
    uint stride = first ? g.planes.destinationStride[1] : g.planes.destinationStride[2];
    return Rows(offset + row * stride, stride, offset + (g.planes.chromaHeight - 1) * stride);
}

Rows lumaRows(uint plane, uint row) {
    uint offset = destinationOffset(plane);
    uint stride = destinationStride(plane);
    return Rows(offset + row * stride, stride, offset + (g.planes.lumaHeight - 1) * stride);
}

// Where the row at hand begins; then the next one is at hand.
uint nextRow(inout Rows rows) {
    uint at = min(rows.at, rows.lowest);
    rows.at += rows.stride;
    return at;
}

// Four samples of a line, for two lines.
struct Samples {
    vec2 s0, s1, s2, s3;
};

Samples split(Quad line, Quad otherLine) {
    vec4 a = samplesOf(line);
    vec4 b = samplesOf(otherLine);
    return Samples(vec2(a.x, b.x), vec2(a.y, b.y), vec2(a.z, b.z), vec2(a.w, b.w));
}

Quad joinLine(Samples s) {
    return quadOf(vec4(s.s0.x, s.s1.x, s.s2.x, s.s3.x));
}

Quad joinOtherLine(Samples s) {
    return quadOf(vec4(s.s0.y, s.s1.y, s.s2.y, s.s3.y));
}

// Filters a horizontal luma edge with bS below 4, over one pair of samples of a strip.
void filterLumaPair(uint pair, uint p2, inout uint p1, inout uint p0, inout uint q0, inout uint q1, uint q2, float alpha,
        float beta, float tc0) {
    vec2 b1 = pairOf(p1, pair);
    vec2 b0 = pairOf(p0, pair);
    vec2 c0 = pairOf(q0, pair);
    vec2 c1 = pairOf(q1, pair);
    filterLuma(pairOf(p2, pair), b1, b0, c0, c1, pairOf(q2, pair), alpha, beta, tc0);
    replacePair(p1, pair, b1);
    replacePair(p0, pair, b0);
    replacePair(q0, pair, c0);
    replacePair(q1, pair, c1);
}

// The same for the pairs from "first" up to "end" of a strip. Edges with bS 0 are left early: with automatic strength, all that do not
// lie on the 8x8 grid.
void filterLumaDown(uint first, uint end, uint p2, inout uint p1, inout uint p0, inout uint q0, inout uint q1, uint q2,
        float alpha, float beta, float tc0) {
    if (alpha > 0.0) {
#ifdef SAMPLES_OF_16_BITS
        filterLumaPair(0, p2, p1, p0, q0, q1, q2, alpha, beta, tc0);
#else
        [[dont_unroll]] for (uint pair = first; pair < end; pair += 8) {
            filterLumaPair(pair, p2, p1, p0, q0, q1, q2, alpha, beta, tc0);
        }
#endif
    }
}

// Index of an edge among the edges of one component of a macroblock: direction, then number.
const uint VERTICAL = 0;
const uint HORIZONTAL = 1;
const uint EDGES_OF_LUMA = 8;
const uint EDGES_OF_CHROMA = 4;

// The two words of an edge in the map. The macroblock may lie outside the picture.
uvec2 edgeInMap(uvec2 macroblock, uint edge) {
    uint columns = (g.planes.lumaWidth + 15) >> 4;
    uint rows = (g.planes.lumaHeight + 15) >> 4;
    uint at = min(macroblock.y, rows - 1) * columns + min(macroblock.x, columns - 1);
    return edgeMap[parameters.firstInMap + at * EDGES_OF_MACROBLOCK + edge];
}

// tC0 + 1 of a part of an edge, 0 if bS is 0.
float partOf(uvec2 words, uint part) {
    return float((words.y >> (part * 8)) & 0xffu);
}

float alphaOf(uvec2 words) {
    return float(words.x & 0xffu);
}

float betaOf(uvec2 words) {
    return float((words.x >> 8) & 0xffu);
}

float strongOf(uvec2 words) {
    return float(words.x >> 16);
}

vec4 lumaEdgeInMap(uvec2 macroblock, uint direction, uint edge, uint part) {
    uvec2 words = edgeInMap(macroblock, direction * 4 + edge);
    float tc0And1 = partOf(words, part);
    return vec4(tc0And1 > 0.0 ? alphaOf(words) : 0.0, betaOf(words), tc0And1 - 1.0, strongOf(words));
}

// The thresholds of four samples of an edge between macroblocks, in a plane that is filtered as luma is.
vec4 lumaOuterEdge(uint plane, uvec2 macroblock, uint direction, uint part) {
    return EDGE_MAP ? lumaEdgeInMap(macroblock, direction, 0, part) : thresholdsOf(FULL_CHROMA ? plane * 3 : 0);
}

// The same of an inner edge, 1 to 3.
vec4 lumaInnerEdge(uint plane, uvec2 macroblock, uint direction, uint edge, uint part) {
    return EDGE_MAP ? lumaEdgeInMap(macroblock, direction, edge, part)
        : thresholdsOf((FULL_CHROMA ? plane * 3 : 0) + 1 + (edge & 1));
}

// If bS is 0, tC is 0 and the filter changes nothing.
vec4 chromaEdgeInMap(uvec2 macroblock, uint component, uint direction, uint edge, uint part) {
    uvec2 words = edgeInMap(macroblock, EDGES_OF_LUMA + component * EDGES_OF_CHROMA + direction * 2 + edge);
    return vec4(alphaOf(words), betaOf(words), partOf(words, part), strongOf(words));
}

// The thresholds of the first and of the second component of the invocation's samples, for two samples of an edge; edge 0 lies between
// macroblocks, edge 1 inside. Read where needed, which costs less than keeping them in registers.
vec4 firstEdge(uvec2 macroblock, uint plane, uint direction, uint edge, uint part) {
    if (EDGE_MAP) {
        return chromaEdgeInMap(macroblock, INTERLEAVED ? 0 : plane - 1, direction, edge, part);
    }
    return thresholdsOf(INTERLEAVED ? 3 + edge : plane * 2 + 1 + edge);
}

vec4 secondEdge(uvec2 macroblock, uint plane, uint direction, uint edge, uint part) {
    if (!INTERLEAVED) {
        return firstEdge(macroblock, plane, direction, edge, part);
    }
    return EDGE_MAP ? chromaEdgeInMap(macroblock, 1, direction, edge, part) : thresholdsOf(5 + edge);
}

// Whether an edge with these thresholds has bS 4. Both components agree on that. Without a map the result is the same for all
// invocations.
bool isStrong(vec4 first, uint edge) {
    return EDGE_MAP ? first.w > 0.0 : parameters.edges[3 + edge].strong > 0.0;
}

// The first part of a horizontal chroma edge that a strip of a column of quads touches.
uint firstPart(uint column, uint strip) {
    return INTERLEAVED ? column : (column & 1) * 2 + strip;
}

// Filters a vertical chroma edge: of both components in one row (line A) if these are interleaved, else of one component in two
// rows.
void filterVerticalChromaEdge(inout Quad pA, inout Quad qA, inout Quad pB, inout Quad qB, uvec2 macroblock, uint plane,
        uint edge, uint part, bool inside) {
    vec4 first = firstEdge(macroblock, plane, VERTICAL, edge, part);
    vec4 second = secondEdge(macroblock, plane, VERTICAL, edge, part);
    bool strong = isStrong(first, edge);
    vec2 alpha = inside ? vec2(first.x, second.x) : vec2(0.0);
    vec2 beta = vec2(first.y, second.y);
    vec2 tc = vec2(first.z, second.z);
#ifdef SAMPLES_OF_16_BITS
    // A word has the two components of a pixel or two samples of one component, and only the words next to the edge change.
    if (INTERLEAVED) {
        vec2 p0 = unpackPair(pA.y);
        vec2 q0 = unpackPair(qA.x);
        filterChroma(unpackPair(pA.x), p0, q0, unpackPair(qA.y), alpha, beta, tc, strong);
        pA.y = packPair(p0);
        qA.x = packPair(q0);
    } else {
        vec2 leftA = unpackPair(pA.y);
        vec2 leftB = unpackPair(pB.y);
        vec2 rightA = unpackPair(qA.x);
        vec2 rightB = unpackPair(qB.x);
        vec2 p0 = vec2(leftA.y, leftB.y);
        vec2 q0 = vec2(rightA.x, rightB.x);
        filterChroma(vec2(leftA.x, leftB.x), p0, q0, vec2(rightA.y, rightB.y), alpha, beta, tc, strong);
        pA.y = packPair(vec2(leftA.x, p0.x));
        pB.y = packPair(vec2(leftB.x, p0.y));
        qA.x = packPair(vec2(q0.x, rightA.y));
        qB.x = packPair(vec2(q0.y, rightB.y));
    }
#else
    vec2 pEven = evenBytes(pA);
    vec2 pOdd = oddBytes(pA);
    vec2 qEven = evenBytes(qA);
    vec2 qOdd = oddBytes(qA);
    if (INTERLEAVED) {
        vec2 p1 = vec2(pEven.x, pOdd.x);
        vec2 p0 = vec2(pEven.y, pOdd.y);
        vec2 q0 = vec2(qEven.x, qOdd.x);
        vec2 q1 = vec2(qEven.y, qOdd.y);
        filterChroma(p1, p0, q0, q1, alpha, beta, tc, strong);
        pA = packBytes(vec2(p1.x, p0.x), vec2(p1.y, p0.y));
        qA = packBytes(vec2(q0.x, q1.x), vec2(q0.y, q1.y));
    } else {
        vec2 p0 = vec2(pOdd.y, oddBytes(pB).y);
        vec2 q0 = vec2(qEven.x, evenBytes(qB).x);
        filterChroma(vec2(pEven.y, evenBytes(pB).y), p0, q0, vec2(qOdd.x, oddBytes(qB).x), alpha, beta, tc, strong);
        replaceAcross(pA, qA, pB, qB, p0, q0);
    }
#endif
}

// Filters a horizontal chroma edge over a strip of a column of quads.
void filterHorizontalChromaEdge(uint p1, inout uint p0, inout uint q0, uint q1, uvec2 macroblock, uint plane, uint edge,
        uint part, bool inside) {
    vec4 first = firstEdge(macroblock, plane, HORIZONTAL, edge, part);
    vec4 second = secondEdge(macroblock, plane, HORIZONTAL, edge, part);
    bool strong = isStrong(first, edge);
#ifdef SAMPLES_OF_16_BITS
    vec2 alpha = vec2(alphaInside(first.x, inside), alphaInside(second.x, inside));
    vec2 b0 = pairOf(p0, 0);
    vec2 c0 = pairOf(q0, 0);
    filterChroma(pairOf(p1, 0), b0, c0, pairOf(q1, 0), alpha, vec2(first.y, second.y), vec2(first.z, second.z), strong);
    p0 = packPair(b0);
    q0 = packPair(c0);
#else
    // If components lie apart, four samples belong to two parts of the edge.
    vec2 evenTc = vec2(first.z);
    vec2 oddTc = vec2(second.z);
    if (EDGE_MAP && !INTERLEAVED) {
        evenTc.y = firstEdge(macroblock, plane, HORIZONTAL, edge, part + 1).z;
        oddTc = evenTc;
    }
    vec2 b0 = evenBytes(p0);
    vec2 c0 = evenBytes(q0);
    vec2 oddB0 = oddBytes(p0);
    vec2 oddC0 = oddBytes(q0);
    filterChroma(evenBytes(p1), b0, c0, evenBytes(q1), vec2(alphaInside(first.x, inside)), vec2(first.y), evenTc, strong);
    filterChroma(oddBytes(p1), oddB0, oddC0, oddBytes(q1), vec2(alphaInside(second.x, inside)), vec2(second.y), oddTc, strong);
    p0 = packBytes(b0, oddB0);
    q0 = packBytes(c0, oddC0);
#endif
}

#ifdef SAMPLES_OF_16_BITS
// The same over all strips of a column of quads.
void filterHorizontalChromaEdge(Quad p1, inout Quad p0, inout Quad q0, Quad q1, uvec2 macroblock, uint plane, uint edge, uint part,
        bool inside) {
    filterHorizontalChromaEdge(p1.x, p0.x, q0.x, q1.x, macroblock, plane, edge, part, inside);
    filterHorizontalChromaEdge(p1.y, p0.y, q0.y, q1.y, macroblock, plane, edge, part, inside);
}
#endif

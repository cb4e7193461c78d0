// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM deblock_chase_16: SAMPLES_OF_16_BITS
// FORM deblock_chase_wide: EIGHT_INVOCATIONS
// FORM deblock_chase_wide_16: SAMPLES_OF_16_BITS EIGHT_INVOCATIONS

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "common/barriers.glsl"

// H.264 deblocking (ITU-T H.264, 8.7) of a picture in one dispatch, from source to destination. Rows of macroblocks are filtered from
// left to right; each row follows the row above it.
//
// A workgroup filters a band of rows, with four or eight invocations for each row. In a step each row first filters the vertical edges
// of one macroblock, which is one macroblock behind that of the row above. When all rows are done with that, they filter the
// horizontal edges, which need the vertical edges of the next macroblock of the row above. Macroblocks that are still needed lie in
// shared memory. So each word of the destination is written once, and none is read, except for bytes that are no samples.
//
// Workgroups take bands by ticket, so a band begins only after the band above it has begun. The last row of a band hands its lowest lines
// on through memory, and the first row of the next band waits for them. A workgroup therefore waits only for a workgroup that began
// earlier, and the first one waits for none. All of them end if a workgroup that has begun makes progress while another one polls.
// That holds if workgroups stay resident until they end, as on all GPUs that we know of, and if a thread runs one workgroup to its end
// before the next, as on a CPU. It would not hold if several workgroups shared a subgroup; so a workgroup fills at least one.
//
// The workgroup that ends last sets all counters to 0 for the next picture.
//
// On small GPUs a value that is assigned under a condition that differs between invocations occupies a register throughout the loop
// around it. So conditions around assignments are the same for the whole workgroup. In a row that has no macroblock at hand the
// invocations do the same as the others, at addresses inside their own tile; only stores have further conditions.

layout(local_size_x_id = 0) in;

// Values as in h264/deblock_planes.glsl.
layout(constant_id = 2) const uint PLANES = 0;
layout(constant_id = 3) const bool INTERLEAVED = false;
// Whether a row of luma or of chroma may end inside a quad.
layout(constant_id = 4) const bool TAILS = true;
// Polls in one iteration of a waiting loop. Mesa's llvmpipe ends every loop of an invocation after 65535 iterations of all its loops
// together, whatever their conditions say. More polls in an iteration make that limit a long time.
layout(constant_id = 5) const uint POLLS = 1;
// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 6) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 7) const bool DESTINATION_IN_COLUMNS = false;
// Whether each edge has thresholds of its own.
layout(constant_id = 8) const bool EDGE_MAP = false;
layout(constant_id = 9) const uint CHROMA_ROWS = 8;
layout(constant_id = 10) const bool FULL_CHROMA = false;
layout(constant_id = 11) const uint SAMPLE_SHIFT = 0;

// Macroblocks of a row, and rows of macroblocks.
#define GEOMETRY ChaseGeometry
#define MORE_GEOMETRY uint columns, rows;
#include "h264/deblock_picture.glsl"

layout(std430, set = 0, binding = 3) coherent buffer ChaseCounters {
    uint tickets;
    uint ended;
    // By ticket: macroblocks handed on. Each invocation of the row counts separately.
    uint progress[];
};
// By ticket and macroblock: the lowest lines of the four columns of quads; four lines of luma, two of chroma.
layout(std430, set = 0, binding = 4) coherent restrict buffer Handed {
    QuadPair handed[];
};

// In the second half of a step each of four invocations filters a column of quads. Of eight invocations each filters one strip of such a
// column; if a quad is a single strip, each filters one pair of samples of it, and shuffles join the pairs.
#ifdef EIGHT_INVOCATIONS
const uint INVOCATIONS_PER_ROW = 8;
#ifndef SAMPLES_OF_16_BITS
#define JOINED_PAIRS
#endif
#else
const uint INVOCATIONS_PER_ROW = 4;
#endif
// Rows that an invocation filters in the first half of a step.
const uint OWN_ROWS = 16 / INVOCATIONS_PER_ROW;
const uint OWN_CHROMA_ROWS = CHROMA_ROWS / INVOCATIONS_PER_ROW;
const uint BAND_ROWS = gl_WorkGroupSize.x / INVOCATIONS_PER_ROW;
// The tile of a row of macroblocks: columns of 16 quads, four of the current macroblock and four of the one before it. A gap of a quad
// between columns puts them into different banks.
const uint COLUMN_QUADS = 17;
const uint TILE_QUADS = 8 * COLUMN_QUADS;
const uint HANDED_PER_MACROBLOCK = 8;
shared Quad tile[BAND_ROWS * TILE_QUADS];
shared uint told;

#ifdef JOINED_PAIRS
#define PAIRS_END(p) (p.firstPair + 8)
#else
#define PAIRS_END(p) ALL_PAIRS
#endif

// The place of a row among all rows, and of an invocation in it. Computed again in every phase, which costs less than keeping it in
// registers.
struct Place {
    uint ticket, lane, row;
    // In the second half of a step: the column of quads, and the first strip and the first pair in it that are the invocation's own.
    uint column, firstStrip, firstPair;
    // Where the tile of the row begins.
    uint tileAt;
    // Whether the row above, or the row below, belongs to another band.
    bool takes, hands;
    // Whether this is the lowest row of the picture.
    bool lowest;
    // The current macroblock, and whether it exists. If it does not, the invocation computes as the others do and stores nothing.
    uint x;
    bool here;
};

const uint PLANE_KINDS = PLANES == ALL_PLANES ? (FULL_CHROMA ? 3 : 2) : 1;

// Whether the workgroup filters a plane as luma is filtered, and below, which plane.
bool isLuma() {
    return PLANES == LUMA || FULL_CHROMA || (PLANES == ALL_PLANES && (told & 1) == 0);
}

uint lumaPlane() {
    return !FULL_CHROMA ? 0 : PLANES == ALL_PLANES ? told % 3 : PLANES == CHROMA_FIRST ? 1 : PLANES == CHROMA_SECOND ? 2 : 0;
}

Place place(uint step) {
    Place p;
    p.ticket = told;
    uint band = p.ticket / PLANE_KINDS;
    uint group = gl_LocalInvocationIndex / INVOCATIONS_PER_ROW;
    p.lane = gl_LocalInvocationIndex % INVOCATIONS_PER_ROW;
    p.column = p.lane * 4 / INVOCATIONS_PER_ROW;
    uint ofPair = INVOCATIONS_PER_ROW == 8 ? p.lane & 1 : 0;
    p.firstStrip = STRIPS > 1 ? ofPair : 0;
    p.firstPair = STRIPS > 1 ? 0 : ofPair * 8;
    p.row = band * BAND_ROWS + group;
    p.tileAt = group * TILE_QUADS;
    p.takes = band > 0 && group == 0;
    p.hands = group + 1 == BAND_ROWS && p.row + 1 < g.rows;
    p.lowest = p.row + 1 == g.rows;
    // Wraps around to a large number before the row begins.
    p.x = step - group;
    p.here = p.row < g.rows && p.x < g.columns;
    return p;
}

// Where a column of quads of macroblock x begins in shared memory.
uint columnAt(Place p, uint x, uint lane) {
    return p.tileAt + ((x & 1) * 4 + lane) * COLUMN_QUADS;
}

// Where a band hands on a column of quads of a macroblock.
uint handedAt(uint ticket, Place p, uint x) {
    return (ticket * g.columns + x) * HANDED_PER_MACROBLOCK + p.column * 2;
}

// Where the column of quads above lies that another band hands on. An invocation that takes none has a place in what the last band would
// hand on, which is neither written nor used. It reads there, since a word that is read under a condition would occupy a register
// throughout the loop around it.
uint handedAbove(Place p) {
    return p.takes ? handedAt(p.ticket - PLANE_KINDS, p, min(p.x, g.columns - 1)) : handedAt(gl_NumWorkGroups.x - 1, p, 0);
}

// Waits until the row above has handed this macroblock on. "known" is the last count that was read.
void awaitAbove(Place p, inout uint known) {
    uint needed = (p.x + 1) * INVOCATIONS_PER_ROW;
    [[dont_unroll]] while (known < needed) {
        [[unroll]] for (uint poll = 0; poll < POLLS; poll++) {
            known = atomicAdd(progress[p.ticket - PLANE_KINDS], 0);
        }
    }
    memoryBarrierBuffer();
}

// Announces the macroblock that was handed on a step earlier. By now it has reached memory, so the barrier waits only briefly.
void announce(Place p) {
    memoryBarrierBuffer();
    atomicAdd(progress[p.ticket], 1);
}

// Stores a quad, or a strip of it, in the row of luma that begins at index "rowAt".
void storeLumaAt(uint rowAt, uint column, Quad quad) {
    storeQuadAt(rowAt, lumaPlane(), column, g.planes.lumaWords, g.planes.lumaTail, quad);
}

void storeLumaStripAt(uint rowAt, uint column, uint strip, uint word) {
    storeStripAt(rowAt, lumaPlane(), column, strip, g.planes.lumaWords, g.planes.lumaTail, word);
}

// Keeps the quads left and right of the edge between macroblocks. The left quad is finished, except in the lowest three rows of the
// macroblock: the row below changes these again. They stay in the tile, together with the row above them.
void keepLuma(Place p, inout Rows rows, uint row, Quad left, Quad own) {
    uint at = p.lane * OWN_ROWS + row;
    uint rowAt = nextRow(rows);
    if (p.here && p.x > 0 && (p.lowest || at < 13)) {
        storeLumaAt(rowAt, p.x * 4 - 1, left);
    }
    // The upper rows are not needed any more. To keep them costs less than a condition.
    tile[columnAt(p, p.x + 1, 3) + at] = left;
    tile[columnAt(p, p.x, 0) + at] = own;
}

// The part of a vertical luma edge that a row touches.
uint lumaPart(uint y) {
    return min(y, g.planes.lumaHeight - 1) % 16 / 4;
}

// Filters a line across a vertical edge with bS 4: p3…p0 in one quad, q0…q3 in another.
void filterLumaStrongAcross(inout Quad left, inout Quad own, float alpha, float beta) {
    vec4 p = samplesOf(left);
    vec4 q = samplesOf(own);
    filterLumaStrongLine(p.x, p.y, p.z, p.w, q.x, q.y, q.z, q.w, alpha, beta);
    left = quadOf(p);
    own = quadOf(q);
}

// Filters the line of the first samples of eight strips, p3 to p0 and q0 to q3, with bS 4, and rotates the strips to the next sample.
void filterLumaStrongDown(inout uint strips[8], float alpha, float beta) {
    float s[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        s[i] = firstSample(strips[i]);
    }
    filterLumaStrongLine(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], alpha, beta);
    [[unroll]] for (uint i = 0; i < 8; i++) {
        strips[i] = nextSample(strips[i], s[i]);
    }
}

#ifdef JOINED_PAIRS
// Filters the lines of a pair of samples of such strips with bS 4. The outermost strips stay as they are.
void filterLumaStrongPair(uint pair, inout uint strips[8], float alpha, float beta) {
    vec2 s[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        s[i] = pairOf(strips[i], pair);
    }
    filterLumaStrong(s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], alpha, beta);
    [[unroll]] for (uint i = 1; i < 7; i++) {
        replacePair(strips[i], pair, s[i]);
    }
}
#endif

// Filters the vertical edge between macroblocks, in the invocation's rows.
void filterLumaLeftEdge(Place p) {
    uint x = p.x;
    uint column = x * 4;
    Position from = sourceOffset(lumaPlane()) + sourcePosition(lumaPlane(), min(column, lumaQuads() - 1));
    uint y = p.row * 16 + p.lane * OWN_ROWS;
    uint leftAt = columnAt(p, x + 1, 3) + p.lane * OWN_ROWS;
    Rows rows = lumaRows(lumaPlane(), y);
    vec4 at = lumaOuterEdge(lumaPlane(), uvec2(x, p.row), VERTICAL, lumaPart(y));
    float alpha = alphaInside(at.x, x > 0 && column * 4 + 4 <= g.planes.lumaWidth);
    // Addresses are clamped to the picture. What is read outside of it is neither filtered nor stored.
    if (at.w > 0.0) {
        [[dont_unroll]] for (uint row = 0; row < OWN_ROWS; row++) {
            Quad left = tile[leftAt + row];
            Quad own = sourceQuad(from + min(y + row, g.planes.lumaHeight - 1) * sourceStride(lumaPlane()));
            filterLumaStrongAcross(left, own, alpha, at.y);
            keepLuma(p, rows, row, left, own);
        }
    } else {
        [[dont_unroll]] for (uint row = 0; row < OWN_ROWS; row += 2) {
            Samples left = split(tile[leftAt + row], tile[leftAt + row + 1]);
            Samples own = split(
                sourceQuad(from + min(y + row, g.planes.lumaHeight - 1) * sourceStride(lumaPlane())),
                sourceQuad(from + min(y + row + 1, g.planes.lumaHeight - 1) * sourceStride(lumaPlane())));
            filterLuma(left.s1, left.s2, left.s3, own.s0, own.s1, own.s2, alpha, at.y, at.z);
            keepLuma(p, rows, row, joinLine(left), joinLine(own));
            keepLuma(p, rows, row + 1, joinOtherLine(left), joinOtherLine(own));
        }
    }
}

// Filters the vertical edges inside a macroblock, in the invocation's rows.
void filterLumaInnerRows(Place p) {
    uint x = p.x;
    uint y = p.row * 16 + p.lane * OWN_ROWS;
    uint ownAt = columnAt(p, x, 0) + p.lane * OWN_ROWS;
    [[dont_unroll]] for (uint row = 0; row < OWN_ROWS; row += 2) {
        uint fromA = sourceRow(lumaPlane(), min(y + row, g.planes.lumaHeight - 1));
        uint fromB = sourceRow(lumaPlane(), min(y + row + 1, g.planes.lumaHeight - 1));
        uint to = ownAt + row;
        Samples q = split(tile[to], tile[to + 1]);
        [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
            Samples left = q;
            uint column = x * 4 + edge;
            Position readColumn = sourcePosition(lumaPlane(), min(column, lumaQuads() - 1));
            q = split(sourceQuad(fromA + readColumn), sourceQuad(fromB + readColumn));
            vec4 at = lumaInnerEdge(lumaPlane(), uvec2(x, p.row), VERTICAL, edge, lumaPart(y));
            float alpha = alphaInside(at.x, column * 4 + 4 <= g.planes.lumaWidth);
            if (at.x > 0.0) {
                filterLuma(left.s1, left.s2, left.s3, q.s0, q.s1, q.s2, alpha, at.y, at.z);
            }
            tile[to] = joinLine(left);
            tile[to + 1] = joinOtherLine(left);
            to += COLUMN_QUADS;
        }
        tile[to] = joinLine(q);
        tile[to + 1] = joinOtherLine(q);
    }
}

// Joins the pair of samples that this invocation filtered with the pair that its neighbour filtered.
uint joined(Place p, uint strip) {
#ifdef JOINED_PAIRS
    return joinPairs(p.firstPair, strip, subgroupShuffleXor(strip, 1));
#else
    return strip;
#endif
}

// Filters the horizontal edges of a strip of a column of quads, or of a pair of samples of it.
void filterLumaColumn(Place p, uint strip) {
    uint x = p.x;
    uint column = x * 4 + p.column;
    uint own = columnAt(p, x, p.column);
    uint y = p.row * 16;
    uint from = handedAbove(p);
    uint above = max(own + 12, TILE_QUADS) - TILE_QUADS;
    // p3 to p0, then q0 to q3.
    uint s[8];
    [[unroll]] for (uint i = 0; i < 4; i++) {
        uint taken = handed[from + i / 2][i % 2 * STRIPS + strip];
        uint tiled = STRIP_OF(tile[above + i], strip);
        s[i] = p.takes ? taken : tiled;
    }
    [[unroll]] for (uint i = 0; i < 4; i++) {
        s[4 + i] = STRIP_OF(tile[own + i], strip);
    }
    vec4 at = lumaOuterEdge(lumaPlane(), uvec2(x, p.row), HORIZONTAL, p.column);
    float alpha = alphaInside(at.x, p.row > 0 && y + 4 <= g.planes.lumaHeight);
    if (at.w > 0.0) {
#ifdef JOINED_PAIRS
        filterLumaStrongPair(p.firstPair, s, alpha, at.y);
#else
        [[dont_unroll]] for (uint line = 0; line < STRIP_SAMPLES; line++) {
            filterLumaStrongDown(s, alpha, at.y);
        }
#endif
    } else {
        filterLumaDown(p.firstPair, PAIRS_END(p), s[1], s[2], s[3], s[4], s[5], s[6], alpha, at.y, at.z);
    }
    bool stored = p.here && column < lumaQuads() && p.firstPair == 0;
    [[unroll]] for (uint i = 1; i < 4; i++) {
        s[i] = joined(p, s[i]);
    }
    Rows rows = lumaRows(lumaPlane(), y - 3);
    uint rowsAt[4];
    [[unroll]] for (uint i = 1; i < 4; i++) {
        rowsAt[i] = nextRow(rows);
    }
    if (stored && p.row > 0) {
        [[unroll]] for (uint i = 1; i < 4; i++) {
            storeLumaStripAt(rowsAt[i], column, strip, s[i]);
        }
    }
    bool lasting = p.column == 3 && x + 1 < g.columns;
    bool kept = lasting && p.firstPair == 0;
    bool last = stored && !lasting;
    [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
        uint next = own + edge * 4;
        [[unroll]] for (uint i = 0; i < 4; i++) {
            s[i] = s[4 + i];
        }
        [[unroll]] for (uint i = 0; i < 4; i++) {
            s[4 + i] = STRIP_OF(tile[next + i], strip);
        }
        at = lumaInnerEdge(lumaPlane(), uvec2(x, p.row), HORIZONTAL, edge, p.column);
        alpha = alphaInside(at.x, y + edge * 4 + 4 <= g.planes.lumaHeight);
        filterLumaDown(p.firstPair, PAIRS_END(p), s[1], s[2], s[3], s[4], s[5], s[6], alpha, at.y, at.z);
        // Finished rows are stored, or kept for the left edge of the next macroblock.
        [[unroll]] for (uint i = 0; i < 4; i++) {
            s[i] = joined(p, s[i]);
        }
        if (kept) {
            [[unroll]] for (uint i = 0; i < 4; i++) {
                STRIP_OF(tile[next - 4 + i], strip) = s[i];
            }
        }
        [[unroll]] for (uint i = 0; i < 4; i++) {
            rowsAt[i] = nextRow(rows);
        }
        if (last) {
            [[unroll]] for (uint i = 0; i < 4; i++) {
                storeLumaStripAt(rowsAt[i], column, strip, s[i]);
            }
        }
    }
    [[unroll]] for (uint i = 4; i < 8; i++) {
        s[i] = joined(p, s[i]);
    }
    // For the row below, and for the left edge of the next macroblock.
    if (p.firstPair == 0) {
        [[unroll]] for (uint i = 0; i < 4; i++) {
            STRIP_OF(tile[own + 12 + i], strip) = s[4 + i];
        }
    }
    if (last) {
        storeLumaStripAt(nextRow(rows), column, strip, s[4]);
        if (p.lowest) {
            [[unroll]] for (uint i = 5; i < 8; i++) {
                storeLumaStripAt(nextRow(rows), column, strip, s[i]);
            }
        }
    }
}

// Four columns of quads; if Cb and Cr lie apart, two columns of each.
uint chromaColumn(uint x, uint lane) {
    return INTERLEAVED ? x * 4 + lane : x * 2 + (lane & 1);
}

// The part of a vertical chroma edge that a row touches.
uint chromaPart(uint y) {
    return min(y, g.planes.chromaHeight - 1) % CHROMA_ROWS / 2;
}

// Stores a quad of chroma in the row that begins at index "rowAt".
void storeChromaAt(uint rowAt, uint plane, uint column, Quad quad) {
    storeQuadAt(rowAt, plane, column, g.planes.chromaWords, g.planes.chromaTail, quad);
}

// Filters the vertical edges of interleaved Cb and Cr, row by row.
void filterInterleavedRows(Place p) {
    uint x = p.x;
    bool inside0 = x > 0 && x * 8 + 2 <= g.planes.chromaWidth;
    bool inside4 = x * 8 + 6 <= g.planes.chromaWidth;
    uint firstColumn = chromaColumn(x, 0);
    Rows sourceRows = chromaSourceRows(1, p.row * CHROMA_ROWS + p.lane * OWN_CHROMA_ROWS);
    [[dont_unroll]] for (uint i = 0; i < OWN_CHROMA_ROWS; i++) {
        uint row = p.lane * OWN_CHROMA_ROWS + i;
        uint y = p.row * CHROMA_ROWS + row;
        uint from = nextRow(sourceRows);
        uint leftAt = columnAt(p, x + 1, 3) + row;
        Quad left = tile[leftAt];
        Quad none = Quad(0);
        Quad q0 = sourceQuad(from + sourcePosition(1, min(firstColumn, chromaQuads() - 1)));
        filterVerticalChromaEdge(left, q0, none, none, uvec2(x, p.row), 1, 0, chromaPart(y), inside0);
        // The row below changes the lowest line again.
        if (p.here && x > 0 && (p.lowest || row < CHROMA_ROWS - 1) && isHere(1)) {
            Rows rows = chromaRows(1, y);
            storeChromaAt(nextRow(rows), 1, firstColumn - 1, left);
        }
        tile[leftAt] = left;
        Quad q1 = sourceQuad(from + sourcePosition(1, min(firstColumn + 1, chromaQuads() - 1)));
        Quad q2 = sourceQuad(from + sourcePosition(1, min(firstColumn + 2, chromaQuads() - 1)));
        Quad q3 = sourceQuad(from + sourcePosition(1, min(firstColumn + 3, chromaQuads() - 1)));
        filterVerticalChromaEdge(q1, q2, none, none, uvec2(x, p.row), 1, 1, chromaPart(y), inside4);
        uint to = columnAt(p, x, 0) + row;
        tile[to] = q0;
        tile[to + COLUMN_QUADS] = q1;
        tile[to + 2 * COLUMN_QUADS] = q2;
        tile[to + 3 * COLUMN_QUADS] = q3;
    }
}

// Filters the vertical edges of Cb or Cr that lie apart, in pairs of rows.
void filterPlanarRows(Place p) {
    uint x = p.x;
    uint plane = 1 + p.lane / (INVOCATIONS_PER_ROW / 2);
    uint firstColumn = chromaColumn(x, 0);
    bool inside0 = x > 0 && x * 8 + 2 <= g.planes.chromaWidth;
    bool inside4 = x * 8 + 6 <= g.planes.chromaWidth;
    bool stored = p.here && x > 0 && isHere(plane);
    Position column0 = sourcePosition(plane, min(firstColumn, chromaQuads() - 1));
    Position column1 = sourcePosition(plane, min(firstColumn + 1, chromaQuads() - 1));
    uint firstRow = p.lane % (INVOCATIONS_PER_ROW / 2) * (2 * OWN_CHROMA_ROWS);
    Rows sourceRows = chromaSourceRows(plane, p.row * CHROMA_ROWS + firstRow);
    [[dont_unroll]] for (uint i = 0; i < OWN_CHROMA_ROWS; i++) {
        uint row = firstRow + i * 2;
        uint y = p.row * CHROMA_ROWS + row;
        uint fromA = nextRow(sourceRows);
        uint fromB = nextRow(sourceRows);
        uint leftAt = columnAt(p, x + 1, plane * 2 - 1) + row;
        uint to = columnAt(p, x, plane * 2 - 2) + row;
        Quad leftA = tile[leftAt];
        Quad leftB = tile[leftAt + 1];
        Quad a0 = sourceQuad(fromA + column0);
        Quad b0 = sourceQuad(fromB + column0);
        filterVerticalChromaEdge(leftA, a0, leftB, b0, uvec2(x, p.row), plane, 0, chromaPart(y), inside0);
        if (stored) {
            Rows rows = chromaRows(plane, y);
            storeChromaAt(nextRow(rows), plane, firstColumn - 1, leftA);
            // The row below changes the lowest line again.
            if (p.lowest || row < CHROMA_ROWS - 2) {
                storeChromaAt(nextRow(rows), plane, firstColumn - 1, leftB);
            }
        }
        tile[leftAt] = leftA;
        tile[leftAt + 1] = leftB;
        Quad a1 = sourceQuad(fromA + column1);
        Quad b1 = sourceQuad(fromB + column1);
        filterVerticalChromaEdge(a0, a1, b0, b1, uvec2(x, p.row), plane, 1, chromaPart(y), inside4);
        tile[to] = a0;
        tile[to + 1] = b0;
        tile[to + COLUMN_QUADS] = a1;
        tile[to + COLUMN_QUADS + 1] = b1;
    }
}

// What an invocation filters at once across horizontal chroma edges: a quad; of eight invocations that share words of 16 bits a strip.
#if defined(SAMPLES_OF_16_BITS) && defined(EIGHT_INVOCATIONS)
#define ChromaPart uint
#define PART_OF(quad, strip) quad[strip]

void storeChromaPart(uint rowAt, uint plane, uint column, uint strip, ChromaPart part) {
    storeStripAt(rowAt, plane, column, strip, g.planes.chromaWords, g.planes.chromaTail, part);
}

ChromaPart handedPart(uint from, uint row, uint strip) {
    return handed[from][row * STRIPS + strip];
}
#else
#define ChromaPart Quad
#define PART_OF(quad, strip) quad

void storeChromaPart(uint rowAt, uint plane, uint column, uint strip, ChromaPart part) {
    storeChromaAt(rowAt, plane, column, part);
}

ChromaPart handedPart(uint from, uint row, uint strip) {
    QuadPair pair = handed[from];
#ifdef SAMPLES_OF_16_BITS
    return row == 0 ? pair.xy : pair.zw;
#else
    return pair[row];
#endif
}
#endif

// Filters eight rows of a part of a column of chroma quads: the horizontal edge above these rows, whose other side is p1 and p0, and the
// edge in their middle. Stores all rows that are finished: the one above and seven of the eight; or keeps what was filtered of them for
// the left edge of the next macroblock. The lower two rows stay in the tile as they are.
void filterChromaEightRows(Place p, bool above, bool kept, bool last, uint strip, uint own, uint plane, uint y, uint column, uint edge,
        ChromaPart p1, ChromaPart p0) {
    Rows rows = chromaRows(plane, y - 1);
    ChromaPart r0 = PART_OF(tile[own], strip);
    ChromaPart r1 = PART_OF(tile[own + 1], strip);
    bool insideFirst = y > 0 && y + 2 <= g.planes.chromaHeight;
    filterHorizontalChromaEdge(p1, p0, r0, r1, uvec2(p.x, p.row), plane, edge, firstPart(p.column, strip), insideFirst);
    uint rowAbove = nextRow(rows);
    if (above) {
        storeChromaPart(rowAbove, plane, column, strip, p0);
    }
    ChromaPart r2 = PART_OF(tile[own + 2], strip);
    ChromaPart r3 = PART_OF(tile[own + 3], strip);
    ChromaPart r4 = PART_OF(tile[own + 4], strip);
    ChromaPart r5 = PART_OF(tile[own + 5], strip);
    bool insideSecond = y + 6 <= g.planes.chromaHeight;
    filterHorizontalChromaEdge(r2, r3, r4, r5, uvec2(p.x, p.row), plane, 1, firstPart(p.column, strip), insideSecond);
    if (kept) {
        if (edge == 1) {
            PART_OF(tile[own - 1], strip) = p0;
        }
        PART_OF(tile[own], strip) = r0;
        PART_OF(tile[own + 3], strip) = r3;
        PART_OF(tile[own + 4], strip) = r4;
    }
    if (last) {
        storeChromaPart(nextRow(rows), plane, column, strip, r0);
        storeChromaPart(nextRow(rows), plane, column, strip, r1);
        storeChromaPart(nextRow(rows), plane, column, strip, r2);
        storeChromaPart(nextRow(rows), plane, column, strip, r3);
        storeChromaPart(nextRow(rows), plane, column, strip, r4);
        storeChromaPart(nextRow(rows), plane, column, strip, r5);
        storeChromaPart(nextRow(rows), plane, column, strip, PART_OF(tile[own + 6], strip));
        if (p.lowest && edge == CHROMA_ROWS / 8 - 1) {
            storeChromaPart(nextRow(rows), plane, column, strip, PART_OF(tile[own + 7], strip));
        }
    }
}

// Filters the horizontal edges of a column of chroma quads, or of a strip of it.
void filterChromaColumn(Place p) {
    uint x = p.x;
    uint strip = p.firstStrip;
    uint plane = INTERLEAVED ? 1 : 1 + (p.column >> 1);
    uint column = chromaColumn(x, p.column);
    uint own = columnAt(p, x, p.column);
    uint y = p.row * CHROMA_ROWS;
    uint above = max(own + CHROMA_ROWS - 2, TILE_QUADS) - TILE_QUADS;
    uint from = handedAbove(p);
    ChromaPart taken1 = handedPart(from, 0, strip);
    ChromaPart taken0 = handedPart(from, 1, strip);
    ChromaPart tiled1 = PART_OF(tile[above], strip);
    ChromaPart tiled0 = PART_OF(tile[above + 1], strip);
    ChromaPart p1 = p.takes ? taken1 : tiled1;
    ChromaPart p0 = p.takes ? taken0 : tiled0;
    bool stored = p.here && column < chromaQuads() && p.firstPair == 0 && isHere(plane);
    bool lasting = (INTERLEAVED ? p.column == 3 : (p.column & 1) == 1) && x + 1 < g.columns;
    bool kept = lasting && p.firstPair == 0;
    bool last = stored && !lasting;
    filterChromaEightRows(p, stored && p.row > 0, kept, last, strip, own, plane, y, column, 0, p1, p0);
    if (CHROMA_ROWS == 16) {
        filterChromaEightRows(p, last, kept, last, strip, own + 8, plane, y + 8, column, 1, PART_OF(tile[own + 6], strip),
            PART_OF(tile[own + 7], strip));
    }
}

void filterRows(uint step) {
    Place p = place(step);
    if (isLuma()) {
        filterLumaLeftEdge(p);
        filterLumaInnerRows(p);
    } else {
        if (INTERLEAVED) {
            filterInterleavedRows(p);
        } else {
            filterPlanarRows(p);
        }
    }
}

void handOn(uint step) {
    Place p = place(step);
    if (p.hands) {
        if (p.x - 2 < g.columns) {
            announce(p);
        }
        if (p.x - 1 < g.columns && p.firstStrip + p.firstPair == 0) {
            uint from = columnAt(p, p.x + 1, p.column);
            uint to = handedAt(p.ticket, p, p.x - 1);
            if (isLuma()) {
                handed[to] = QuadPair(tile[from + 12], tile[from + 13]);
                handed[to + 1] = QuadPair(tile[from + 14], tile[from + 15]);
            } else {
                handed[to] = QuadPair(tile[from + CHROMA_ROWS - 2], tile[from + CHROMA_ROWS - 1]);
            }
        }
    }
}

void filterColumns(uint step, inout uint known) {
    Place p = place(step);
    if (p.takes && p.here) {
        awaitAbove(p, known);
    }
    if (isLuma()) {
#if defined(SAMPLES_OF_16_BITS) && !defined(EIGHT_INVOCATIONS)
        [[dont_unroll]] for (uint strip = 0; strip < STRIPS; strip++) {
            filterLumaColumn(p, strip);
        }
#else
        filterLumaColumn(p, p.firstStrip);
#endif
    } else {
        filterChromaColumn(p);
    }
}

// Whether all edges of the picture have bS 0, as automatic strength decides for many pictures. The same for all workgroups.
bool areAllEdgesLeft() {
    float alphas = 0.0;
    if (!EDGE_MAP) {
        [[unroll]] for (uint edge = 0; edge < (FULL_CHROMA ? 9 : PLANES == LUMA ? 3 : 7); edge++) {
            alphas += parameters.edges[edge].alpha;
        }
    }
    return !EDGE_MAP && alphas == 0.0;
}

// The bits of a word that belong to samples.
#ifdef SAMPLES_OF_16_BITS
const uint COPIED_BITS = SAMPLE_BITS << SAMPLE_SHIFT;
#else
const uint COPIED_BITS = 0xffffffffu;
#endif

// Copies the workgroup's rows of a plane. Loops end by numbers that are the same for all invocations; beyond the end of the plane these copy
// its last row or word again.
void copyRows(uint plane, uint first, uint rows, uint height, uint words, uint tail) {
    [[dont_unroll]] for (uint row = 0; row < rows; row += 4) {
        uint rowAt[4];
        uint from[4];
        uint to[4];
        [[unroll]] for (uint i = 0; i < 4; i++) {
            rowAt[i] = min(first + row + i, height - 1);
        }
        [[unroll]] for (uint i = 0; i < 4; i++) {
            from[i] = sourceRow(plane, rowAt[i]);
        }
        [[unroll]] for (uint i = 0; i < 4; i++) {
            to[i] = destinationRow(plane, rowAt[i]);
        }
        [[dont_unroll]] for (uint begun = 0; begun < words; begun += gl_WorkGroupSize.x) {
            uint column = min(begun + gl_LocalInvocationIndex, words - 1);
            uint fromColumn = sourceColumn(plane, column);
            uint copied[4];
            [[unroll]] for (uint i = 0; i < 4; i++) {
                copied[i] = source[from[i] + fromColumn] & COPIED_BITS;
            }
            uint toColumn = destinationColumn(plane, column);
            [[unroll]] for (uint i = 0; i < 4; i++) {
                storeWordAt(to[i] + toColumn, column, words, tail, copied[i]);
            }
        }
    }
}

// Copies the rows of the workgroup's macroblocks.
void copyBand() {
    uint band = told / PLANE_KINDS;
    if (isLuma()) {
        copyRows(lumaPlane(), band * BAND_ROWS * 16, BAND_ROWS * 16, g.planes.lumaHeight, g.planes.lumaWords, g.planes.lumaTail);
    } else {
        [[dont_unroll]] for (uint plane = 1; plane < (INTERLEAVED ? 2 : 3); plane++) {
            if (isHere(plane)) {
                copyRows(plane, band * BAND_ROWS * CHROMA_ROWS, BAND_ROWS * CHROMA_ROWS, g.planes.chromaHeight,
                    g.planes.chromaWords, g.planes.chromaTail);
            }
        }
    }
}

// Filters the rows of the workgroup's macroblocks.
void filterBand() {
#ifdef SAMPLES_OF_16_BITS
    // Words that nothing was written to are unpacked, too, and then not used. Anything but samples might become what is no number,
    // and pass on from there.
    [[dont_unroll]] for (uint at = 0; at < BAND_ROWS * TILE_QUADS; at += gl_WorkGroupSize.x) {
        tile[at + gl_LocalInvocationIndex] = Quad(0);
    }
    meetOverShared();
#endif
    // Macroblocks that the row above had handed on when last read.
    uint known = 0;
    // The last row ends BAND_ROWS - 1 steps after the first row. To hand on takes one more step, to announce that another one.
    [[dont_unroll]] for (uint step = 0; step < g.columns + BAND_ROWS + 1; step++) {
        // x wraps around to a large number before the row begins.
        filterRows(step);
        meetOverShared();
        handOn(step);
        filterColumns(step, known);
        meetOverShared();
    }
}

void main() {
    if (gl_LocalInvocationIndex == 0) {
        told = atomicAdd(tickets, 1);
    }
    meetOverShared();
    if (areAllEdgesLeft()) {
        copyBand();
    } else {
        filterBand();
    }
    memoryBarrierBuffer();
    meetOverShared();
    if (gl_LocalInvocationIndex == 0) {
        told = atomicAdd(ended, 1);
    }
    meetOverShared();
    if (told + 1 == gl_NumWorkGroups.x) {
        for (uint i = gl_LocalInvocationIndex; i < gl_NumWorkGroups.x; i += gl_WorkGroupSize.x) {
            progress[i] = 0;
        }
        if (gl_LocalInvocationIndex == 0) {
            tickets = 0;
            ended = 0;
        }
    }
}

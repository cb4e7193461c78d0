#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// H.264 deblocking (ITU-T H.264, 8.7) of the macroblocks of one diagonal x + SLOPE y = d, 8 bit. All that these read of other
// macroblocks was finished by the diagonals before. The picture goes from source to destination on the way: a
// macroblock's own samples come from the source, those of its neighbours, filtered already, from the destination.
//
// Four invocations share a macroblock: first each filters vertical edges over four rows (Cb and Cr together where they
// are interleaved), then horizontal edges down one column of words. Between the two the macroblock lies in shared memory; or,
// where the phases are dispatches of their own, in the destination. No two invocations write the same word, and none writes
// a byte that is not a sample.

layout(local_size_x_id = 0) in;

// As h264_picture.glsl names them.
layout(constant_id = 1) const uint PLANES = 0;
layout(constant_id = 2) const bool INTERLEAVED = false;
// Whether the samples of a row, of luma or of chroma, end inside a word.
layout(constant_id = 3) const bool TAILS = true;
const uint BOTH_PHASES = 0;
const uint VERTICAL_EDGES = 1;
const uint HORIZONTAL_EDGES = 2;
layout(constant_id = 4) const uint PHASES = BOTH_PHASES;
// Where all vertical edges of a diagonal come before its horizontal ones, a macroblock may follow the one to its upper right in
// the same diagonal: its vertical edges need nothing of the row above.
const uint SLOPE = PHASES == BOTH_PHASES ? 2 : 1;
// Whether rows are cut into columns.
layout(constant_id = 5) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 6) const bool DESTINATION_IN_COLUMNS = false;
// Whether each edge has strengths of its own.
layout(constant_id = 7) const bool EDGE_MAP = false;

#define MORE_GEOMETRY uint diagonal, firstRow, macroblocks, lumaGroups;
#include "h264_picture.glsl"

const uint MACROBLOCK_WORDS = 64;
// A few words between macroblocks keep the columns of neighbouring macroblocks in different banks.
const uint TILE_WORDS = MACROBLOCK_WORDS + 4;
shared uint tile[(gl_WorkGroupSize.x / 4) * TILE_WORDS];

// A word of a macroblock between the phases, by its row and word column there. Words outside the picture are read as
// another's and not kept.
void keepLuma(uint tileAt, uvec2 position, uint row, uint column, uint word) {
    if (PHASES == BOTH_PHASES) {
        tile[tileAt + row * 4 + column] = word;
    } else if (position.x * 4 + column < g.lumaWords) {
        storeLuma(position.y * 16 + row, position.x * 4 + column, word);
    }
}

uint keptLuma(uint tileAt, uvec2 position, uint row, uint column) {
    if (PHASES == BOTH_PHASES) {
        return tile[tileAt + row * 4 + column];
    }
    uint y = min(position.y * 16 + row, g.lumaHeight - 1);
    uint x = min(position.x * 4 + column, g.lumaWords - 1);
    return destination[g.destinationOffset[0] + y * g.destinationStride[0] + destinationColumn(0, x)];
}

// The same for chroma: four word columns, of planes 1 and 2 two each where those are apart.
uint chromaColumn(uvec2 position, uint column) {
    return INTERLEAVED ? position.x * 4 + column : position.x * 2 + (column & 1);
}

void keepChroma(uint tileAt, uvec2 position, uint plane, uint row, uint column, uint word) {
    if (PHASES == BOTH_PHASES) {
        tile[tileAt + row * 4 + column] = word;
    } else if (chromaColumn(position, column) < g.chromaWords) {
        storeChroma(plane, position.y * 8 + row, chromaColumn(position, column), word);
    }
}

uint keptChroma(uint tileAt, uvec2 position, uint plane, uint row, uint column) {
    if (PHASES == BOTH_PHASES) {
        return tile[tileAt + row * 4 + column];
    }
    uint y = min(position.y * 8 + row, g.chromaHeight - 1);
    uint x = min(chromaColumn(position, column), g.chromaWords - 1);
    return destination[g.destinationOffset[plane] + y * g.destinationStride[plane] + destinationColumn(plane, x)];
}

// The vertical edge between macroblocks, of four rows.
void filterLumaLeftEdge(uint lane, uint tileAt, uvec2 position) {
    uint firstColumn = position.x * 4;
    uint y = position.y * 16 + lane * 4;
    vec4 at = lumaOuterEdge(position, VERTICAL, lane);
    float alpha = alphaInside(at.x, position.x > 0 && firstColumn * 4 + 4 <= g.lumaWidth);
    [[dont_unroll]] for (uint row = 0; row < 4 && y + row < g.lumaHeight; row += 2) {
        // Addresses are kept inside the picture; what is read there instead is not filtered and not stored.
        uint yA = y + row;
        uint yB = min(y + row + 1, g.lumaHeight - 1);
        uint from = g.sourceOffset[0] + sourceColumn(0, firstColumn);
        uint left = g.destinationOffset[0] + destinationColumn(0, max(firstColumn, 1) - 1);
        Samples p = split(destination[left + yA * g.destinationStride[0]], destination[left + yB * g.destinationStride[0]]);
        Samples q = split(source[from + yA * g.sourceStride[0]], source[from + yB * g.sourceStride[0]]);
        if (at.w > 0.0) {
            filterLumaStrong(p.s0, p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, q.s3, alpha, at.y);
        } else {
            filterLuma(p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, alpha, at.y, at.z);
        }
        if (position.x > 0) {
            destination[left + yA * g.destinationStride[0]] = joinLine(p);
            if (y + row + 1 < g.lumaHeight) {
                destination[left + yB * g.destinationStride[0]] = joinOtherLine(p);
            }
        }
        keepLuma(tileAt, position, lane * 4 + row, 0, joinLine(q));
        keepLuma(tileAt, position, lane * 4 + row + 1, 0, joinOtherLine(q));
    }
}

// The vertical edges inside a macroblock, of four rows.
void filterLumaInnerRows(uint lane, uint tileAt, uvec2 position) {
    uint firstColumn = position.x * 4;
    uint y = position.y * 16 + lane * 4;
    [[dont_unroll]] for (uint row = 0; row < 4 && y + row < g.lumaHeight; row += 2) {
        uint fromA = g.sourceOffset[0] + (y + row) * g.sourceStride[0];
        uint fromB = g.sourceOffset[0] + min(y + row + 1, g.lumaHeight - 1) * g.sourceStride[0];
        uint to = lane * 4 + row;
        Samples q = split(keptLuma(tileAt, position, to, 0), keptLuma(tileAt, position, to + 1, 0));
        [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
            Samples p = q;
            uint column = firstColumn + edge;
            uint readColumn = sourceColumn(0, min(column, g.lumaWords - 1));
            q = split(source[fromA + readColumn], source[fromB + readColumn]);
            vec4 at = lumaInnerEdge(position, VERTICAL, edge, lane);
            float alpha = alphaInside(at.x, column * 4 + 4 <= g.lumaWidth);
            filterLuma(p.s1, p.s2, p.s3, q.s0, q.s1, q.s2, alpha, at.y, at.z);
            keepLuma(tileAt, position, to, edge - 1, joinLine(p));
            keepLuma(tileAt, position, to + 1, edge - 1, joinOtherLine(p));
        }
        keepLuma(tileAt, position, to, 3, joinLine(q));
        keepLuma(tileAt, position, to + 1, 3, joinOtherLine(q));
    }
}

// Horizontal edges of four columns.
void filterLumaColumns(uint lane, uint tileAt, uvec2 position) {
    uint column = position.x * 4 + lane;
    uint readColumn = min(column, g.lumaWords - 1);
    uint top = g.destinationOffset[0] + destinationColumn(0, readColumn);
    uint y = position.y * 16;
    uint aboveY = max(y, 4) - 4;
    uint above = top + aboveY * g.destinationStride[0];
    uint p3 = destination[above];
    uint p2 = destination[above + g.destinationStride[0]];
    uint p1 = destination[above + 2 * g.destinationStride[0]];
    uint p0 = destination[above + 3 * g.destinationStride[0]];
    uint q0 = keptLuma(tileAt, position, 0, lane);
    uint q1 = keptLuma(tileAt, position, 1, lane);
    uint q2 = keptLuma(tileAt, position, 2, lane);
    uint q3 = keptLuma(tileAt, position, 3, lane);
    vec4 at = lumaOuterEdge(position, HORIZONTAL, lane);
    float alpha = alphaInside(at.x, y > 0 && y + 4 <= g.lumaHeight);
    [[dont_unroll]] for (uint shift = 0; shift < 16; shift += 8) {
        vec2 b2 = evenBytes(p2 >> shift);
        vec2 b1 = evenBytes(p1 >> shift);
        vec2 b0 = evenBytes(p0 >> shift);
        vec2 c0 = evenBytes(q0 >> shift);
        vec2 c1 = evenBytes(q1 >> shift);
        vec2 c2 = evenBytes(q2 >> shift);
        if (at.w > 0.0) {
            vec2 b3 = evenBytes(p3 >> shift);
            vec2 c3 = evenBytes(q3 >> shift);
            filterLumaStrong(b3, b2, b1, b0, c0, c1, c2, c3, alpha, at.y);
        } else {
            filterLuma(b2, b1, b0, c0, c1, c2, alpha, at.y, at.z);
        }
        replaceBytes(p2, shift, b2);
        replaceBytes(p1, shift, b1);
        replaceBytes(p0, shift, b0);
        replaceBytes(q0, shift, c0);
        replaceBytes(q1, shift, c1);
        replaceBytes(q2, shift, c2);
    }
    if (column >= g.lumaWords) {
        return;
    }
    if (y > 0) {
        storeLuma(y - 3, column, p2);
        storeLuma(y - 2, column, p1);
        storeLuma(y - 1, column, p0);
    }
    [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
        p3 = q0;
        p2 = q1;
        p1 = q2;
        p0 = q3;
        q0 = keptLuma(tileAt, position, edge * 4, lane);
        q1 = keptLuma(tileAt, position, edge * 4 + 1, lane);
        q2 = keptLuma(tileAt, position, edge * 4 + 2, lane);
        q3 = keptLuma(tileAt, position, edge * 4 + 3, lane);
        at = lumaInnerEdge(position, HORIZONTAL, edge, lane);
        alpha = alphaInside(at.x, y + edge * 4 + 4 <= g.lumaHeight);
        [[dont_unroll]] for (uint shift = 0; shift < 16; shift += 8) {
            vec2 b1 = evenBytes(p1 >> shift);
            vec2 b0 = evenBytes(p0 >> shift);
            vec2 c0 = evenBytes(q0 >> shift);
            vec2 c1 = evenBytes(q1 >> shift);
            filterLuma(evenBytes(p2 >> shift), b1, b0, c0, c1, evenBytes(q2 >> shift), alpha, at.y, at.z);
            replaceBytes(p1, shift, b1);
            replaceBytes(p0, shift, b0);
            replaceBytes(q0, shift, c0);
            replaceBytes(q1, shift, c1);
        }
        storeLuma(y + edge * 4 - 4, column, p3);
        storeLuma(y + edge * 4 - 3, column, p2);
        storeLuma(y + edge * 4 - 2, column, p1);
        storeLuma(y + edge * 4 - 1, column, p0);
    }
    storeLuma(y + 12, column, q0);
    storeLuma(y + 13, column, q1);
    storeLuma(y + 14, column, q2);
    storeLuma(y + 15, column, q3);
}

// Vertical edges of Cb and Cr: of two rows where they are interleaved, else of four rows of one of them.
void filterChromaRows(uint lane, uint tileAt, uvec2 position) {
    uint plane = INTERLEAVED ? 1 : 1 + (lane >> 1);
    uint x = position.x * 8;
    bool inside0 = x > 0 && x + 2 <= g.chromaWidth;
    bool inside4 = x + 6 <= g.chromaWidth;
    uint firstColumn = position.x * (INTERLEAVED ? 4 : 2);
    [[dont_unroll]] for (uint i = 0; i < 2; i++) {
        uint row = INTERLEAVED ? lane * 2 + i : (lane & 1) * 4 + i * 2;
        uint y = position.y * 8 + row;
        if (y >= g.chromaHeight) {
            break;
        }
        uint yB = min(y + 1, g.chromaHeight - 1);
        uint sourceA = g.sourceOffset[plane] + y * g.sourceStride[plane];
        uint sourceB = g.sourceOffset[plane] + yB * g.sourceStride[plane];
        uint left = g.destinationOffset[plane] + destinationColumn(plane, max(firstColumn, 1) - 1);
        uint leftA = left + y * g.destinationStride[plane];
        uint leftB = left + yB * g.destinationStride[plane];
        uint pA = destination[leftA];
        uint pB = INTERLEAVED ? 0 : destination[leftB];
        uint a0 = source[sourceA + sourceColumn(plane, firstColumn)];
        uint b0 = INTERLEAVED ? 0 : source[sourceB + sourceColumn(plane, firstColumn)];
        uint column = sourceColumn(plane, min(firstColumn + 1, g.chromaWords - 1));
        uint a1 = source[sourceA + column];
        uint b1 = INTERLEAVED ? 0 : source[sourceB + column];
        filterVerticalChromaEdge(pA, a0, pB, b0, position, plane, 0, row >> 1, inside0);
        if (x > 0 && isHere(plane)) {
            destination[leftA] = pA;
            if (!INTERLEAVED && y + 1 < g.chromaHeight) {
                destination[leftB] = pB;
            }
        }
        if (INTERLEAVED) {
            uint a2 = source[sourceA + sourceColumn(plane, min(firstColumn + 2, g.chromaWords - 1))];
            uint a3 = source[sourceA + sourceColumn(plane, min(firstColumn + 3, g.chromaWords - 1))];
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

// Horizontal edges of four bytes' columns of chroma.
void filterChromaColumns(uint lane, uint tileAt, uvec2 position) {
    uint plane = INTERLEAVED ? 1 : 1 + (lane >> 1);
    uint column = chromaColumn(position, lane);
    if (column >= g.chromaWords) {
        return;
    }
    uint y = position.y * 8;
    uint above = g.destinationOffset[plane] + (max(y, 2) - 2) * g.destinationStride[plane]
        + destinationColumn(plane, column);
    uint p1 = 0;
    uint p0 = 0;
    if (y > 0) {
        p1 = destination[above];
        p0 = destination[above + g.destinationStride[plane]];
    }
    uint r0 = keptChroma(tileAt, position, plane, 0, lane);
    uint r1 = keptChroma(tileAt, position, plane, 1, lane);
    uint r2 = keptChroma(tileAt, position, plane, 2, lane);
    uint r3 = keptChroma(tileAt, position, plane, 3, lane);
    uint r4 = keptChroma(tileAt, position, plane, 4, lane);
    uint r5 = keptChroma(tileAt, position, plane, 5, lane);
    bool inside0 = y > 0 && y + 2 <= g.chromaHeight;
    filterHorizontalChromaEdge(p1, p0, r0, r1, position, plane, 0, firstPart(lane), inside0);
    bool inside4 = y + 6 <= g.chromaHeight;
    filterHorizontalChromaEdge(r2, r3, r4, r5, position, plane, 1, firstPart(lane), inside4);
    if (y > 0) {
        storeChroma(plane, y - 1, column, p0);
    }
    storeChroma(plane, y, column, r0);
    storeChroma(plane, y + 1, column, r1);
    storeChroma(plane, y + 2, column, r2);
    storeChroma(plane, y + 3, column, r3);
    storeChroma(plane, y + 4, column, r4);
    storeChroma(plane, y + 5, column, r5);
    storeChroma(plane, y + 6, column, keptChroma(tileAt, position, plane, 6, lane));
    storeChroma(plane, y + 7, column, keptChroma(tileAt, position, plane, 7, lane));
}

void main() {
    uint group = gl_WorkGroupID.x;
    bool luma = PLANES == LUMA || (PLANES == BOTH_PLANES && group < g.lumaGroups);
    if (PLANES == BOTH_PLANES && !luma) {
        group -= g.lumaGroups;
    }
    uint inGroup = gl_LocalInvocationID.x >> 2;
    uint lane = gl_LocalInvocationID.x & 3;
    uint macroblock = group * (gl_WorkGroupSize.x >> 2) + inGroup;
    bool inRange = macroblock < g.macroblocks;
    uint row = g.firstRow + macroblock;
    uvec2 position = uvec2(g.diagonal - SLOPE * row, row);
    uint tileAt = inGroup * TILE_WORDS;
    if (inRange && PHASES != HORIZONTAL_EDGES) {
        if (luma) {
            filterLumaLeftEdge(lane, tileAt, position);
            filterLumaInnerRows(lane, tileAt, position);
        } else {
            filterChromaRows(lane, tileAt, position);
        }
    }
    if (PHASES == BOTH_PHASES) {
        barrier();
    }
    if (inRange && PHASES != VERTICAL_EDGES) {
        if (luma) {
            filterLumaColumns(lane, tileAt, position);
        } else {
            filterChromaColumns(lane, tileAt, position);
        }
    }
}

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#include "meeting.glsl"

// H.264 deblocking (ITU-T H.264, 8.7) of a picture in one dispatch, 8 bit, from source to destination. Rows of macroblocks are
// walked from left to right, each behind the one above it.
//
// A workgroup walks a band of rows, four invocations a row. In a step each row filters the vertical edges of a macroblock, one
// macroblock behind the row above; then, all having done so, the horizontal ones: these need the row above's vertical edges one
// macroblock further on. Macroblocks that somebody still needs lie in shared memory, so that of the destination each word is
// written once and none is read (but for bytes that are no samples).
//
// Bands are handed out by a ticket, so that a band is only ever begun after the band above it. The last row of a band hands
// its lowest lines on through memory; the first row of the next waits for them. A workgroup hence waits only for one that was
// begun before it, the first for none: all come to their end wherever a workgroup that was begun gets its turn while another
// polls. That holds where workgroups stay resident until they end, as on every GPU we know, and where a thread runs one
// to its end before the next, as on a CPU. It would not hold if several workgroups shared a subgroup, so a workgroup fills one.
//
// The last workgroup to end leaves all counters 0 for the next picture.

layout(local_size_x_id = 0) in;

const uint BOTH_PLANES = 0;
layout(constant_id = 2) const uint PLANES = BOTH_PLANES;
layout(constant_id = 3) const bool INTERLEAVED = false;
// Whether the samples of a row, of luma or of chroma, end inside a word.
layout(constant_id = 4) const bool TAILS = true;
// Polls in a round of a loop. Mesa's llvmpipe ends every loop of an invocation once all its loops together have gone 65535
// rounds, whatever their conditions say; many polls a round make that a long time.
layout(constant_id = 5) const uint POLLS = 1;

#define MORE_GEOMETRY
#include "h264_picture.glsl"

layout(std430, set = 0, binding = 3) coherent buffer Counters {
    uint tickets;
    uint ended;
    // By ticket: macroblocks handed on, counted by each of four invocations.
    uint progress[];
};
// By ticket and macroblock: the lowest lines of its four columns of words, four words a column of luma, two of chroma.
layout(std430, set = 0, binding = 4) coherent restrict buffer Handed {
    uvec2 handed[];
};

const uint INVOCATIONS_PER_ROW = 4;
const uint BAND_ROWS = gl_WorkGroupSize.x / INVOCATIONS_PER_ROW;
// Of a row, columns of 16 words down the macroblocks: four of the macroblock at hand, four of the one before it. Columns are a
// word apart for the sake of banks.
const uint COLUMN_WORDS = 17;
const uint TILE_WORDS = 8 * COLUMN_WORDS;
const uint HANDED_PER_MACROBLOCK = 8;
shared uint tile[BAND_ROWS * TILE_WORDS];
shared uint told;

// The place of a row among all, and of an invocation in it.
struct Place {
    uint ticket, ticketAbove;
    uint lane, row, columns;
    // Where the row's tile begins.
    uint tileAt;
    // Whether the row above, or the one below, belongs to another band.
    bool takes, hands;
    // Whether there is no row below.
    bool lowest;
};

uint columnAt(Place p, uint x, uint lane) {
    return p.tileAt + ((x & 1) * 4 + lane) * COLUMN_WORDS;
}

uint handedAt(uint ticket, Place p, uint x) {
    return (ticket * p.columns + x) * HANDED_PER_MACROBLOCK + p.lane * 2;
}

// Waits until the row above has handed macroblock x on; "known" is what it was last seen to have.
void awaitAbove(Place p, uint x, inout uint known) {
    uint needed = (x + 1) * INVOCATIONS_PER_ROW;
    [[dont_unroll]] while (known < needed) {
        [[unroll]] for (uint poll = 0; poll < POLLS; poll++) {
            known = atomicAdd(progress[p.ticketAbove], 0);
        }
    }
    memoryBarrierBuffer();
}

// Tells of a macroblock handed on a step ago: by now that has reached memory, and this waits little.
void announce(Place p) {
    memoryBarrierBuffer();
    atomicAdd(progress[p.ticket], 1);
}

// The vertical edge between macroblocks, of four rows; the columns left of it are finished by it.
void filterLumaLeftEdge(Place p, uint x) {
    uint column = x * 4;
    uint y = p.row * 16 + p.lane * 4;
    uint leftAt = columnAt(p, x + 1, 3) + p.lane * 4;
    uint ownAt = columnAt(p, x, 0) + p.lane * 4;
    vec4 at = parameters.luma[0];
    float alpha = alphaInside(at.x, x > 0 && column * 4 + 4 <= g.lumaWidth);
    [[dont_unroll]] for (uint row = 0; row < 4; row += 2) {
        // Addresses are kept inside the picture; what is read there instead is not filtered and not stored.
        uint yA = min(y + row, g.lumaHeight - 1);
        uint yB = min(y + row + 1, g.lumaHeight - 1);
        uint from = g.sourceOffset[0] + column;
        Samples left = split(tile[leftAt + row], tile[leftAt + row + 1]);
        Samples own = split(source[from + yA * g.sourceStride[0]], source[from + yB * g.sourceStride[0]]);
        if (at.w > 0.0) {
            filterLumaStrong(left.s0, left.s1, left.s2, left.s3, own.s0, own.s1, own.s2, own.s3, alpha, at.y);
        } else {
            filterLuma(left.s1, left.s2, left.s3, own.s0, own.s1, own.s2, alpha, at.y, at.z);
        }
        uint leftA = joinLine(left);
        uint leftB = joinOtherLine(left);
        if (x > 0) {
            // The row below changes the lowest three lines again.
            if (p.lowest || p.lane < 3 || row == 0) {
                storeLuma(y + row, column - 1, leftA);
            }
            if (p.lowest || p.lane < 3) {
                storeLuma(y + row + 1, column - 1, leftB);
            }
        }
        if (p.lane == 3) {
            tile[leftAt + row] = leftA;
            tile[leftAt + row + 1] = leftB;
        }
        tile[ownAt + row] = joinLine(own);
        tile[ownAt + row + 1] = joinOtherLine(own);
    }
}

// The vertical edges inside a macroblock, of four rows.
void filterLumaInnerRows(Place p, uint x) {
    uint y = p.row * 16 + p.lane * 4;
    uint ownAt = columnAt(p, x, 0) + p.lane * 4;
    [[dont_unroll]] for (uint row = 0; row < 4; row += 2) {
        uint fromA = g.sourceOffset[0] + min(y + row, g.lumaHeight - 1) * g.sourceStride[0];
        uint fromB = g.sourceOffset[0] + min(y + row + 1, g.lumaHeight - 1) * g.sourceStride[0];
        uint to = ownAt + row;
        Samples q = split(tile[to], tile[to + 1]);
        [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
            Samples left = q;
            uint column = x * 4 + edge;
            uint readColumn = min(column, g.lumaWords - 1);
            q = split(source[fromA + readColumn], source[fromB + readColumn]);
            vec4 at = parameters.luma[1 + (edge & 1)];
            float alpha = alphaInside(at.x, column * 4 + 4 <= g.lumaWidth);
            filterLuma(left.s1, left.s2, left.s3, q.s0, q.s1, q.s2, alpha, at.y, at.z);
            tile[to] = joinLine(left);
            tile[to + 1] = joinOtherLine(left);
            to += COLUMN_WORDS;
        }
        tile[to] = joinLine(q);
        tile[to + 1] = joinOtherLine(q);
    }
}

// Stores a word that is finished, or keeps it where the next macroblock's left edge will.
void finishLuma(bool kept, uint at, uint y, uint column, uint word) {
    if (kept) {
        tile[at] = word;
    } else {
        storeLuma(y, column, word);
    }
}

// Horizontal edges of four columns.
void filterLumaColumns(Place p, uint x) {
    uint column = x * 4 + p.lane;
    uint own = columnAt(p, x, p.lane);
    uint y = p.row * 16;
    uint p3 = 0;
    uint p2 = 0;
    uint p1 = 0;
    uint p0 = 0;
    if (p.takes) {
        uint from = handedAt(p.ticketAbove, p, x);
        uvec2 upper = handed[from];
        uvec2 lower = handed[from + 1];
        p3 = upper.x;
        p2 = upper.y;
        p1 = lower.x;
        p0 = lower.y;
    } else if (p.row > 0) {
        uint above = own - TILE_WORDS + 12;
        p3 = tile[above];
        p2 = tile[above + 1];
        p1 = tile[above + 2];
        p0 = tile[above + 3];
    }
    uint q0 = tile[own];
    uint q1 = tile[own + 1];
    uint q2 = tile[own + 2];
    uint q3 = tile[own + 3];
    vec4 at = parameters.luma[0];
    float alpha = alphaInside(at.x, p.row > 0 && y + 4 <= g.lumaHeight);
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
    if (p.row > 0) {
        storeLuma(y - 3, column, p2);
        storeLuma(y - 2, column, p1);
        storeLuma(y - 1, column, p0);
    }
    bool kept = p.lane == 3 && x + 1 < p.columns;
    [[dont_unroll]] for (uint edge = 1; edge < 4; edge++) {
        p3 = q0;
        p2 = q1;
        p1 = q2;
        p0 = q3;
        uint next = own + edge * 4;
        q0 = tile[next];
        q1 = tile[next + 1];
        q2 = tile[next + 2];
        q3 = tile[next + 3];
        at = parameters.luma[1 + (edge & 1)];
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
        finishLuma(kept, next - 4, y + edge * 4 - 4, column, p3);
        finishLuma(kept, next - 3, y + edge * 4 - 3, column, p2);
        finishLuma(kept, next - 2, y + edge * 4 - 2, column, p1);
        finishLuma(kept, next - 1, y + edge * 4 - 1, column, p0);
    }
    // For the row below, and for the left edge of the next macroblock.
    tile[own + 12] = q0;
    tile[own + 13] = q1;
    tile[own + 14] = q2;
    tile[own + 15] = q3;
    if (!kept) {
        storeLuma(y + 12, column, q0);
        if (p.lowest) {
            storeLuma(y + 13, column, q1);
            storeLuma(y + 14, column, q2);
            storeLuma(y + 15, column, q3);
        }
    }
}

// Four columns of words: of planes 1 and 2 two each where those are apart.
uint chromaColumn(uint x, uint lane) {
    return INTERLEAVED ? x * 4 + lane : x * 2 + (lane & 1);
}

// Vertical edges of Cb and Cr: of two rows where they are interleaved, else of four rows of one of them.
void filterChromaRows(Place p, uint x) {
    uint plane = INTERLEAVED ? 1 : 1 + (p.lane >> 1);
    vec4 first0 = parameters.first[0];
    vec4 first4 = parameters.first[1];
    vec4 second0 = parameters.second[0];
    vec4 second4 = parameters.second[1];
    if (!INTERLEAVED) {
        bool firstPlane = plane == 1;
        first0 = firstPlane ? first0 : second0;
        first4 = firstPlane ? first4 : second4;
        second0 = first0;
        second4 = first4;
    }
    bool inside0 = x > 0 && x * 8 + 2 <= g.chromaWidth;
    bool inside4 = x * 8 + 6 <= g.chromaWidth;
    uint firstColumn = chromaColumn(x, 0);
    uint laneColumn = INTERLEAVED ? 0 : (plane - 1) * 2;
    [[dont_unroll]] for (uint i = 0; i < 2; i++) {
        uint row = INTERLEAVED ? p.lane * 2 + i : (p.lane & 1) * 4 + i * 2;
        uint y = p.row * 8 + row;
        uint sourceA = g.sourceOffset[plane] + min(y, g.chromaHeight - 1) * g.sourceStride[plane];
        uint sourceB = g.sourceOffset[plane] + min(y + 1, g.chromaHeight - 1) * g.sourceStride[plane];
        uint leftAt = columnAt(p, x + 1, laneColumn + (INTERLEAVED ? 3 : 1)) + row;
        uint leftA = tile[leftAt];
        uint leftB = INTERLEAVED ? 0 : tile[leftAt + 1];
        uint a0 = source[sourceA + firstColumn];
        uint b0 = INTERLEAVED ? 0 : source[sourceB + firstColumn];
        uint column = min(firstColumn + 1, g.chromaWords - 1);
        uint a1 = source[sourceA + column];
        uint b1 = INTERLEAVED ? 0 : source[sourceB + column];
        filterVerticalChromaEdge(leftA, a0, leftB, b0, first0, second0, inside0);
        if (x > 0) {
            // The row below changes the lowest line again.
            if (p.lowest || row < 7) {
                storeChroma(plane, y, firstColumn - 1, leftA);
            }
            if (!INTERLEAVED && (p.lowest || row < 6)) {
                storeChroma(plane, y + 1, firstColumn - 1, leftB);
            }
        }
        tile[leftAt] = leftA;
        if (!INTERLEAVED) {
            tile[leftAt + 1] = leftB;
        }
        uint to = columnAt(p, x, laneColumn) + row;
        if (INTERLEAVED) {
            uint a2 = source[sourceA + min(firstColumn + 2, g.chromaWords - 1)];
            uint a3 = source[sourceA + min(firstColumn + 3, g.chromaWords - 1)];
            filterVerticalChromaEdge(a1, a2, b0, b1, first4, second4, inside4);
            tile[to] = a0;
            tile[to + COLUMN_WORDS] = a1;
            tile[to + 2 * COLUMN_WORDS] = a2;
            tile[to + 3 * COLUMN_WORDS] = a3;
        } else {
            filterVerticalChromaEdge(a0, a1, b0, b1, first4, second4, inside4);
            tile[to] = a0;
            tile[to + 1] = b0;
            tile[to + COLUMN_WORDS] = a1;
            tile[to + COLUMN_WORDS + 1] = b1;
        }
    }
}

// The same as finishLuma.
void finishChroma(bool kept, uint at, uint plane, uint y, uint column, uint word) {
    if (kept) {
        tile[at] = word;
    } else {
        storeChroma(plane, y, column, word);
    }
}

// Horizontal edges of four bytes' columns of chroma.
void filterChromaColumns(Place p, uint x) {
    uint plane = INTERLEAVED ? 1 : 1 + (p.lane >> 1);
    vec4 even0 = parameters.first[0];
    vec4 even4 = parameters.first[1];
    vec4 odd0 = parameters.second[0];
    vec4 odd4 = parameters.second[1];
    if (!INTERLEAVED) {
        bool firstPlane = plane == 1;
        even0 = firstPlane ? even0 : odd0;
        even4 = firstPlane ? even4 : odd4;
        odd0 = even0;
        odd4 = even4;
    }
    uint column = chromaColumn(x, p.lane);
    if (column >= g.chromaWords) {
        return;
    }
    uint own = columnAt(p, x, p.lane);
    uint y = p.row * 8;
    uint p1 = 0;
    uint p0 = 0;
    if (p.takes) {
        uvec2 above = handed[handedAt(p.ticketAbove, p, x)];
        p1 = above.x;
        p0 = above.y;
    } else if (p.row > 0) {
        p1 = tile[own - TILE_WORDS + 6];
        p0 = tile[own - TILE_WORDS + 7];
    }
    uint r0 = tile[own];
    uint r1 = tile[own + 1];
    uint r2 = tile[own + 2];
    uint r3 = tile[own + 3];
    uint r4 = tile[own + 4];
    uint r5 = tile[own + 5];
    filterHorizontalChromaEdge(p1, p0, r0, r1, even0, odd0, y > 0 && y + 2 <= g.chromaHeight);
    filterHorizontalChromaEdge(r2, r3, r4, r5, even4, odd4, y + 6 <= g.chromaHeight);
    if (y > 0) {
        storeChroma(plane, y - 1, column, p0);
    }
    bool kept = (INTERLEAVED ? p.lane == 3 : (p.lane & 1) == 1) && x + 1 < p.columns;
    finishChroma(kept, own, plane, y, column, r0);
    finishChroma(kept, own + 1, plane, y + 1, column, r1);
    finishChroma(kept, own + 2, plane, y + 2, column, r2);
    finishChroma(kept, own + 3, plane, y + 3, column, r3);
    finishChroma(kept, own + 4, plane, y + 4, column, r4);
    finishChroma(kept, own + 5, plane, y + 5, column, r5);
    // Rows 6 and 7 are in the tile already.
    if (!kept) {
        storeChroma(plane, y + 6, column, tile[own + 6]);
        if (p.lowest) {
            storeChroma(plane, y + 7, column, tile[own + 7]);
        }
    }
}

void walk(Place p, uint group, bool inPicture, bool luma) {
    uint known = 0;
    // The last row ends BAND_ROWS - 1 steps after the first; handing on takes a step more, announcing another.
    [[dont_unroll]] for (uint step = 0; step < p.columns + BAND_ROWS + 1; step++) {
        // Wraps to a large number before the row begins.
        uint x = step - group;
        bool inRow = inPicture && x < p.columns;
        if (inRow) {
            if (luma) {
                filterLumaLeftEdge(p, x);
                filterLumaInnerRows(p, x);
            } else {
                filterChromaRows(p, x);
            }
        }
        meetOverShared();
        if (p.hands) {
            if (x - 2 < p.columns) {
                announce(p);
            }
            if (x - 1 < p.columns) {
                uint from = columnAt(p, x + 1, p.lane);
                uint to = handedAt(p.ticket, p, x - 1);
                if (luma) {
                    handed[to] = uvec2(tile[from + 12], tile[from + 13]);
                    handed[to + 1] = uvec2(tile[from + 14], tile[from + 15]);
                } else {
                    handed[to] = uvec2(tile[from + 6], tile[from + 7]);
                }
            }
        }
        if (inRow) {
            if (p.takes) {
                awaitAbove(p, x, known);
            }
            if (luma) {
                filterLumaColumns(p, x);
            } else {
                filterChromaColumns(p, x);
            }
        }
        meetOverShared();
    }
}

void main() {
    if (gl_LocalInvocationIndex == 0) {
        told = atomicAdd(tickets, 1);
    }
    meetOverShared();
    uint ticket = told;
    uint planes = PLANES == BOTH_PLANES ? 2 : 1;
    bool luma = PLANES != BOTH_PLANES || (ticket & 1) == 0;
    uint band = ticket / planes;
    uint rows = (g.lumaHeight + 15) >> 4;
    uint group = gl_LocalInvocationIndex / INVOCATIONS_PER_ROW;
    Place p;
    p.ticket = ticket;
    p.ticketAbove = ticket - planes;
    p.lane = gl_LocalInvocationIndex % INVOCATIONS_PER_ROW;
    p.row = band * BAND_ROWS + group;
    p.columns = (g.lumaWidth + 15) >> 4;
    p.tileAt = group * TILE_WORDS;
    p.takes = band > 0 && group == 0;
    p.hands = group + 1 == BAND_ROWS && p.row + 1 < rows;
    p.lowest = p.row + 1 == rows;
    walk(p, group, p.row < rows, luma);
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

// What the forms of H.264 picture deblocking for GPUs share: the edges, as words of samples. Expects what h264_places.glsl does,
// and EDGE_MAP.

#include "words.glsl"
#include "h264_filters.glsl"
#include "h264_places.glsl"

// Four samples of a line, in two lines.
struct Samples {
    vec2 s0, s1, s2, s3;
};

Samples split(uint line, uint otherLine) {
    vec2 even = evenBytes(line);
    vec2 odd = oddBytes(line);
    vec2 otherEven = evenBytes(otherLine);
    vec2 otherOdd = oddBytes(otherLine);
    return Samples(vec2(even.x, otherEven.x), vec2(odd.x, otherOdd.x), vec2(even.y, otherEven.y), vec2(odd.y, otherOdd.y));
}

uint joinLine(Samples s) {
    return packBytes(vec2(s.s0.x, s.s2.x), vec2(s.s1.x, s.s3.x));
}

uint joinOtherLine(Samples s) {
    return packBytes(vec2(s.s0.y, s.s2.y), vec2(s.s1.y, s.s3.y));
}

void replaceBytes(inout uint word, uint shift, vec2 samples) {
    word = (word & ~(EVEN_BYTES << shift)) | (packEvenBytes(samples) << shift);
}

// Which of a macroblock's edges, of one component.
const uint VERTICAL = 0;
const uint HORIZONTAL = 1;
const uint EDGES_OF_LUMA = 8;
const uint EDGES_OF_CHROMA = 4;
const uint EDGES_OF_MACROBLOCK = EDGES_OF_LUMA + 2 * EDGES_OF_CHROMA;

// An edge from the map, of a macroblock that may lie outside the picture: its two words.
uvec2 edgeInMap(uvec2 macroblock, uint edge) {
    uint columns = (g.lumaWidth + 15) >> 4;
    uint rows = (g.lumaHeight + 15) >> 4;
    uint at = min(macroblock.y, rows - 1) * columns + min(macroblock.x, columns - 1);
    return edges[parameters.edgesAt + at * EDGES_OF_MACROBLOCK + edge];
}

// tC0 + 1 of a part of it, 0 where bS is.
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

// The strengths of a part of four samples of a luma edge between macroblocks.
vec4 lumaOuterEdge(uvec2 macroblock, uint direction, uint part) {
    return EDGE_MAP ? lumaEdgeInMap(macroblock, direction, 0, part) : parameters.luma[0];
}

// The same of an inner edge, 1..3.
vec4 lumaInnerEdge(uvec2 macroblock, uint direction, uint edge, uint part) {
    return EDGE_MAP ? lumaEdgeInMap(macroblock, direction, edge, part) : parameters.luma[1 + (edge & 1)];
}

// tC is 0 where bS is, and then nothing changes.
vec4 chromaEdgeInMap(uvec2 macroblock, uint component, uint direction, uint edge, uint part) {
    uvec2 words = edgeInMap(macroblock, EDGES_OF_LUMA + component * EDGES_OF_CHROMA + direction * 2 + edge);
    return vec4(alphaOf(words), betaOf(words), partOf(words, part), strongOf(words));
}

// The strengths of the first component of an invocation's bytes, and of the second, of a part of two samples of an edge, 0 or
// 1: read where they are needed, which takes less than keeping them in registers.
vec4 firstEdge(uvec2 macroblock, uint plane, uint direction, uint edge, uint part) {
    if (EDGE_MAP) {
        return chromaEdgeInMap(macroblock, INTERLEAVED ? 0 : plane - 1, direction, edge, part);
    }
    return parameters.chroma[INTERLEAVED ? edge : plane * 2 - 2 + edge];
}

vec4 secondEdge(uvec2 macroblock, uint plane, uint direction, uint edge, uint part) {
    if (!INTERLEAVED) {
        return firstEdge(macroblock, plane, direction, edge, part);
    }
    return EDGE_MAP ? chromaEdgeInMap(macroblock, 1, direction, edge, part) : parameters.chroma[2 + edge];
}

// Whether bS is 4, which it is for both components or none, of an edge of these strengths: without a map, what branches is the
// same for all invocations.
bool isStrong(vec4 first, uint edge) {
    return EDGE_MAP ? first.w > 0.0 : parameters.chroma[edge].w > 0.0;
}

// The part of a horizontal chroma edge that a column of words begins with.
uint firstPart(uint column) {
    return INTERLEAVED ? column : (column & 1) * 2;
}

// A vertical chroma edge: of both components in one row (line A only) where they are interleaved, else of one component
// in two rows.
void filterVerticalChromaEdge(inout uint pA, inout uint qA, inout uint pB, inout uint qB, uvec2 macroblock, uint plane,
        uint edge, uint part, bool inside) {
    vec4 first = firstEdge(macroblock, plane, VERTICAL, edge, part);
    vec4 second = secondEdge(macroblock, plane, VERTICAL, edge, part);
    bool strong = isStrong(first, edge);
    vec2 alpha = inside ? vec2(first.x, second.x) : vec2(0.0);
    vec2 beta = vec2(first.y, second.y);
    vec2 tc = vec2(first.z, second.z);
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
        uint p = packEvenBytes(p0);
        uint q = packEvenBytes(q0);
        pA = (pA & 0x00ffffffu) | (p << 24);
        pB = (pB & 0x00ffffffu) | ((p << 8) & 0xff000000u);
        qA = (qA & 0xffffff00u) | (q & 0xffu);
        qB = (qB & 0xffffff00u) | (q >> 16);
    }
}

// A horizontal chroma edge over the four bytes of a column of words.
void filterHorizontalChromaEdge(uint p1, inout uint p0, inout uint q0, uint q1, uvec2 macroblock, uint plane, uint edge,
        uint part, bool inside) {
    vec4 even = firstEdge(macroblock, plane, HORIZONTAL, edge, part);
    vec4 odd = secondEdge(macroblock, plane, HORIZONTAL, edge, part);
    bool strong = isStrong(even, edge);
    // Four samples of a component, as where components lie apart, are of two parts.
    vec2 evenTc = vec2(even.z);
    vec2 oddTc = vec2(odd.z);
    if (EDGE_MAP && !INTERLEAVED) {
        evenTc.y = firstEdge(macroblock, plane, HORIZONTAL, edge, part + 1).z;
        oddTc = evenTc;
    }
    vec2 b0 = evenBytes(p0);
    vec2 c0 = evenBytes(q0);
    vec2 oddB0 = oddBytes(p0);
    vec2 oddC0 = oddBytes(q0);
    filterChroma(evenBytes(p1), b0, c0, evenBytes(q1), vec2(alphaInside(even.x, inside)), vec2(even.y), evenTc, strong);
    filterChroma(oddBytes(p1), oddB0, oddC0, oddBytes(q1), vec2(alphaInside(odd.x, inside)), vec2(odd.y), oddTc, strong);
    p0 = packBytes(b0, oddB0);
    q0 = packBytes(c0, oddC0);
}

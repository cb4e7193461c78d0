#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#include "words.glsl"

// H.264 deblocking of edges (ITU-T H.264, 8.7.2), 8 bit, four lines across the edge an invocation: four invocations a luma
// edge, two a chroma edge. The lines' samples stand in words, one word for each distance from the edge. At a horizontal edge
// these are the picture's own words; at a vertical edge an invocation exchanges the bytes of four words of each side.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const bool SCHEDULED = false;
// Of a schedule, plane 0 is luma and the others are chroma.
layout(constant_id = 2) const bool CHROMA = false;

layout(std430, set = 0, binding = 1) coherent restrict buffer Picture {
    uint picture[];
};
layout(std140, set = 0, binding = 2) uniform Run {
    uint count;
} run;
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    uint records[];
};

layout(push_constant) uniform Call {
    uint sizeBytes;
    uint segment;
    // Of up to three planes.
    uint strideBytes[3];
} call;

#include "h264_filters.glsl"

const uint EDGE_INVOCATIONS = CHROMA ? 2 : 4;
const uint CHROMA_INVOCATIONS = 2;
const uint RECORD_WORDS = 3;

// 4x4 bytes: byte b of word w and byte w of word b change places.
uvec4 transposed(uvec4 r) {
    uint a = (r.x & 0xffffu) | (r.z << 16);
    uint b = (r.y & 0xffffu) | (r.w << 16);
    uint c = (r.x >> 16) | (r.z & 0xffff0000u);
    uint d = (r.y >> 16) | (r.w & 0xffff0000u);
    return uvec4(
        (a & EVEN_BYTES) | ((b & EVEN_BYTES) << 8), ((a >> 8) & EVEN_BYTES) | (b & ~EVEN_BYTES),
        (c & EVEN_BYTES) | ((d & EVEN_BYTES) << 8), ((c >> 8) & EVEN_BYTES) | (d & ~EVEN_BYTES));
}

uvec4 load(uint at, uint step) {
    return uvec4(picture[at], picture[at + step], picture[at + 2 * step], picture[at + 3 * step]);
}

void store(uint at, uint step, uvec4 words) {
    picture[at] = words.x;
    picture[at + step] = words.y;
    picture[at + 2 * step] = words.z;
    picture[at + 3 * step] = words.w;
}

void replaceBytes(inout uint word, uint shift, vec2 samples) {
    word = (word & ~(EVEN_BYTES << shift)) | (packEvenBytes(samples) << shift);
}

// Four lines of luma: p3…p0 and q0…q3.
void filterLumaLines(inout uvec4 p, inout uvec4 q, bool strong, float alpha, float beta, float tc0) {
    [[dont_unroll]] for (uint shift = 0; shift < 16; shift += 8) {
        vec2 b2 = evenBytes(p.y >> shift);
        vec2 b1 = evenBytes(p.z >> shift);
        vec2 b0 = evenBytes(p.w >> shift);
        vec2 c0 = evenBytes(q.x >> shift);
        vec2 c1 = evenBytes(q.y >> shift);
        vec2 c2 = evenBytes(q.z >> shift);
        if (strong) {
            vec2 b3 = evenBytes(p.x >> shift);
            vec2 c3 = evenBytes(q.w >> shift);
            filterLumaStrong(b3, b2, b1, b0, c0, c1, c2, c3, alpha, beta);
        } else {
            filterLuma(b2, b1, b0, c0, c1, c2, alpha, beta, tc0);
        }
        replaceBytes(p.y, shift, b2);
        replaceBytes(p.z, shift, b1);
        replaceBytes(p.w, shift, b0);
        replaceBytes(q.x, shift, c0);
        replaceBytes(q.y, shift, c1);
        replaceBytes(q.z, shift, c2);
    }
}

// Four lines of chroma: p1, p0, q0, q1. Lines 0 and 1 have one alpha and tC, lines 2 and 3 another.
void filterChromaLines(uint p1, inout uint p0, inout uint q0, uint q1, bool strong, vec2 alpha, float beta, vec2 tc) {
    [[dont_unroll]] for (uint shift = 0; shift < 16; shift += 8) {
        vec2 b0 = evenBytes(p0 >> shift);
        vec2 c0 = evenBytes(q0 >> shift);
        filterChroma(evenBytes(p1 >> shift), b0, c0, evenBytes(q1 >> shift), alpha, vec2(beta), tc, strong);
        replaceBytes(p0, shift, b0);
        replaceBytes(q0, shift, c0);
    }
}

float quarterTc0(uint tc, uint quarter) {
    return float(int(tc << (24 - quarter * 8)) >> 24);
}

void filterEdge(uint index, bool inRange) {
    uint lane = gl_LocalInvocationID.x & (EDGE_INVOCATIONS - 1);
    uint at = RECORD_WORDS * min(index, run.count - 1);
    uint offset = records[at];
    uint parameters = records[at + 1];
    uint tc = records[at + 2];
    uint plane = SCHEDULED ? (parameters >> 16) & 0xffu : 0;
    bool chroma = CHROMA || plane > 0;
    if (!inRange || (chroma && lane >= CHROMA_INVOCATIONS)) {
        return;
    }
    uint stride = call.strideBytes[0];
    if (SCHEDULED) {
        stride = plane == 0 ? stride : plane == 1 ? call.strideBytes[1] : call.strideBytes[2];
    }
    bool horizontal = int(parameters) < 0;
    bool strong = (parameters & 0x01000000u) != 0;
    uint lastLine = chroma ? 7 : 15;
    uint reach = chroma && horizontal ? 2 : 4;
    uint first = horizontal ? reach * stride : reach;
    uint end = horizontal ? first - stride + lastLine + 1 : lastLine * stride + reach;
    at = clamp(offset, first, call.sizeBytes - end) >> 2;
    stride >>= 2;
    float alpha = float(parameters & 0xffu);
    float beta = float((parameters >> 8) & 0xffu);
    if (chroma) {
        vec2 tc0 = vec2(quarterTc0(tc, lane * 2), quarterTc0(tc, lane * 2 + 1));
        vec2 alphas = vec2(strong || tc0.x >= 0.0 ? alpha : 0.0, strong || tc0.y >= 0.0 ? alpha : 0.0);
        if (horizontal) {
            at += lane;
            uint p0 = picture[at - stride];
            uint q0 = picture[at];
            filterChromaLines(
                picture[at - 2 * stride], p0, q0, picture[at + stride], strong, alphas, beta, tc0 + 1.0);
            picture[at - stride] = p0;
            picture[at] = q0;
        } else {
            at += lane * 4 * stride - 1;
            uvec4 p = transposed(load(at, stride));
            uvec4 q = transposed(load(at + 1, stride));
            filterChromaLines(p.z, p.w, q.x, q.y, strong, alphas, beta, tc0 + 1.0);
            store(at, stride, transposed(p));
            store(at + 1, stride, transposed(q));
        }
        return;
    }
    float tc0 = quarterTc0(tc, lane);
    alpha = strong || tc0 >= 0.0 ? alpha : 0.0;
    uint side = horizontal ? 4 * stride : 1;
    at += horizontal ? lane : lane * 4 * stride;
    at -= side;
    uvec4 p = load(at, stride);
    uvec4 q = load(at + side, stride);
    if (!horizontal) {
        p = transposed(p);
        q = transposed(q);
    }
    filterLumaLines(p, q, strong, alpha, beta, tc0);
    if (!horizontal) {
        p = transposed(p);
        q = transposed(q);
    }
    store(at, stride, p);
    store(at + side, stride, q);
}

#include "edge_levels.glsl"

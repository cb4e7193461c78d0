// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require
#include "common/words.glsl"
#include "common/barriers.glsl"

// H.264 deblocking of edges (ITU-T H.264, 8.7.2), 8 bit, four lines across the edge an invocation: four invocations a luma
// edge, two a chroma edge. The lines' samples stand in words, one word for each distance from the edge. At a horizontal edge
// these are the picture's own words; at a vertical edge an invocation exchanges the bytes of four words of each side.

layout(local_size_x_id = 0) in;

layout(constant_id = 2) const bool SCHEDULED = false;
// Of a schedule, plane 0 is luma and the others are chroma.
layout(constant_id = 3) const bool CHROMA = false;

layout(std430, set = 0, binding = 1) coherent restrict buffer Picture {
    uint picture[];
};
layout(std140, set = 0, binding = 2) readonly restrict buffer RunCount {
    uint count;
} run;
struct H264EdgeRecord {
    uint offset, parameters, tc;
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    H264EdgeRecord records[];
};

layout(push_constant) uniform EdgeCall {
    uint sizeBytes;
    uint segment;
    // Of up to three planes.
    uint strideBytes[3];
} call;

const float MOST_SAMPLE = 255.0;
#include "h264/filters.glsl"

const uint EDGE_INVOCATIONS = CHROMA ? 2 : 4;
const uint CHROMA_INVOCATIONS = 2;

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

float sampleAt(uint word, uint shift) {
    return unpackHalf2x16(((word >> shift) & 0xffu) | HALF_BIAS).x;
}

void replaceByte(inout uint word, uint shift, float s) {
    word = (word & ~(0xffu << shift)) | ((packHalf2x16(vec2(s, 0.0)) & 0xffu) << shift);
}

// Four lines, p3…p0 and q0…q3, one at a time to save registers; of chroma, lines 0 and 1 have one tC, lines 2 and 3 another.
void filterLines(inout uvec4 p, inout uvec4 q, bool chroma, uint parameters, uint tc, uint lane) {
    bool strong = (parameters & 0x01000000u) != 0;
    float alpha = float(parameters & 0xffu);
    float beta = float((parameters >> 8) & 0xffu);
    // alpha is a whole number, so that this is the specification's (alpha >> 2) + 2.
    float small = floor(alpha * 0.25) + 2.0;
    tc >>= chroma ? lane * 16 : lane * 8;
    [[dont_unroll]] for (uint shift = 0; shift < 32; shift += 8) {
        float tc0 = float(int(tc << 24) >> 24);
        tc >>= chroma ? (shift & 8) : 0;
        float lineAlpha = strong || tc0 >= 0.0 ? alpha : 0.0;
        float p2 = sampleAt(p.y, shift);
        float p1 = sampleAt(p.z, shift);
        float p0 = sampleAt(p.w, shift);
        float q0 = sampleAt(q.x, shift);
        float q1 = sampleAt(q.y, shift);
        float q2 = sampleAt(q.z, shift);
        if (chroma) {
            vec2 b0 = vec2(p0, 0.0);
            vec2 c0 = vec2(q0, 0.0);
            filterChroma(vec2(p1, 0.0), b0, c0, vec2(q1, 0.0), vec2(lineAlpha), vec2(beta), vec2(tc0 + 1.0), strong);
            p0 = b0.x;
            q0 = c0.x;
        } else if (strong) {
            float d = abs(q0 - p0);
            bool on = d < alpha && max(abs(p1 - p0), abs(q1 - q0)) < beta;
            float longBeta = on && d < small ? beta : 0.0;
            float oldP0 = p0;
            float oldP1 = p1;
            filterLumaStrongSide(sampleAt(p.x, shift), p2, p1, p0, q0, q1, on, longBeta);
            filterLumaStrongSide(sampleAt(q.w, shift), q2, q1, q0, oldP0, oldP1, on, longBeta);
        } else {
            vec2 b1 = vec2(p1, 0.0);
            vec2 b0 = vec2(p0, 0.0);
            vec2 c0 = vec2(q0, 0.0);
            vec2 c1 = vec2(q1, 0.0);
            filterLuma(vec2(p2, 0.0), b1, b0, c0, c1, vec2(q2, 0.0), lineAlpha, beta, tc0);
            p1 = b1.x;
            p0 = b0.x;
            q0 = c0.x;
            q1 = c1.x;
        }
        replaceByte(p.y, shift, p2);
        replaceByte(p.z, shift, p1);
        replaceByte(p.w, shift, p0);
        replaceByte(q.x, shift, q0);
        replaceByte(q.y, shift, q1);
        replaceByte(q.z, shift, q2);
    }
}

void filterEdge(uint index, uint lane, bool inRange) {
    H264EdgeRecord record = records[min(index, run.count - 1)];
    uint parameters = record.parameters;
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
    uint lastLine = chroma ? 7 : 15;
    uint reach = chroma && horizontal ? 2 : 4;
    uint first = horizontal ? reach * stride : reach;
    uint end = horizontal ? first - stride + lastLine + 1 : lastLine * stride + reach;
    uint at = clamp(record.offset, first, call.sizeBytes - end) >> 2;
    stride >>= 2;
    uint side = horizontal ? 4 * stride : 1;
    at += (horizontal ? 1 : 4 * stride) * lane;
    at -= side;
    // A horizontal chroma edge owns two rows on each side only.
    bool all = !(chroma && horizontal);
    uvec4 p = uvec4(0);
    uvec4 q = uvec4(0);
    if (all) {
        p.xy = uvec2(picture[at], picture[at + stride]);
        q.zw = uvec2(picture[at + side + 2 * stride], picture[at + side + 3 * stride]);
    }
    p.zw = uvec2(picture[at + 2 * stride], picture[at + 3 * stride]);
    q.xy = uvec2(picture[at + side], picture[at + side + stride]);
    if (!horizontal) {
        p = transposed(p);
        q = transposed(q);
    }
    filterLines(p, q, chroma, parameters, record.tc, lane);
    if (!horizontal) {
        p = transposed(p);
        q = transposed(q);
    }
    if (all) {
        picture[at] = p.x;
        picture[at + stride] = p.y;
        picture[at + side + 2 * stride] = q.z;
        picture[at + side + 3 * stride] = q.w;
    }
    picture[at + 2 * stride] = p.z;
    picture[at + 3 * stride] = p.w;
    picture[at + side] = q.x;
    picture[at + side + stride] = q.y;
}

#include "common/edge_levels.glsl"

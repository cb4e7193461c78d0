// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later
// FORM lpf_plain: PLAIN_EXCHANGE

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#include "common/words.glsl"

// VP9 loop filters of width 4, 8 and 16 in both directions, 8 bit (VP9 specification, 8.8). Each invocation filters one line across the
// edge; an edge has eight. The samples of a line lie in words, p7…p4 to q4…q7, with the farthest p in the low byte. At a vertical edge
// these are words of the picture. At a horizontal edge four invocations load one word of each of four rows and exchange bytes.
//
// Arithmetic is exact: floats hold whole numbers. common/words.glsl explains the bias that they carry.

layout(local_size_x_id = 0) in;

layout(constant_id = 2) const bool SCHEDULED = false;

layout(std430, set = 0, binding = 1) coherent restrict buffer Picture {
    uint picture[];
};
layout(std140, set = 0, binding = 2) readonly restrict buffer RunCount {
    uint count;
} run;
struct Vp9EdgeRecord {
    uint offset, parameters;
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    Vp9EdgeRecord records[];
};

layout(push_constant) uniform EdgeCall {
    uint sizeBytes;
    uint segment;
    // By plane.
    uint strideBytes[3];
} call;

#include "common/exchange.glsl"

const uint EDGE_INVOCATIONS = 8;

// The bits of a word that change places with those of the invocations at a distance of 2 and of 1; none at a vertical edge.
struct Turn {
    bool odd;
    uint halves;
    uint bytes;
};

uint turned(uint word, Turn turn) {
    uint other = valueAcross(word, 2);
    other = (other << 16) | (other >> 16);
    word ^= (word ^ other) & turn.halves;
    other = valueAcross(word, 1);
    other = turn.odd ? other >> 8 : other << 8;
    return word ^ ((word ^ other) & turn.bytes);
}

// The eight inner samples of a line.
struct Line {
    float p3, p2, p1, p0, q0, q1, q2, q3;
};

Line lineOf(uint p, uint q) {
    vec2 pEven = evenBytes(p);
    vec2 pOdd = oddBytes(p);
    vec2 qEven = evenBytes(q);
    vec2 qOdd = oddBytes(q);
    return Line(pEven.x, pOdd.x, pEven.y, pOdd.y, qEven.x, qOdd.x, qEven.y, qOdd.y);
}

uint packed(float a, float b, float c, float d) {
    return packBytes(vec2(a, c), vec2(b, d));
}

float clampSample(float s) {
    return clamp(s, BIAS, BIAS + 255.0);
}

// filter16, for lines whose outer samples are flat as well. Returns whether the line was one.
bool filterWide(inout uint pOuter, inout uint p, inout uint q, inout uint qOuter, bool wanted) {
    Line l = lineOf(p, q);
    vec2 pEven = evenBytes(pOuter);
    vec2 pOdd = oddBytes(pOuter);
    vec2 qEven = evenBytes(qOuter);
    vec2 qOdd = oddBytes(qOuter);
    float p7 = pEven.x, p6 = pOdd.x, p5 = pEven.y, p4 = pOdd.y;
    float q4 = qEven.x, q5 = qOdd.x, q6 = qEven.y, q7 = qOdd.y;
    float most = abs(p7 - l.p0);
    most = max(most, abs(p6 - l.p0));
    most = max(most, abs(p5 - l.p0));
    most = max(most, abs(p4 - l.p0));
    most = max(most, abs(q4 - l.q0));
    most = max(most, abs(q5 - l.q0));
    most = max(most, abs(q6 - l.q0));
    most = max(most, abs(q7 - l.q0));
    bool flat2 = wanted && most <= 1.0;
    // A sum of sixteen slides over the edge. Adding in this order keeps few values alive.
    const float S = 0.0625;
    float sum = 7.0 * p7 + 2.0 * p6 + p5 + p4 + l.p3 + l.p2 + l.p1 + l.p0 + l.q0 + 8.0;
    float a = floor(sum * S);
    sum = sum + p5 - p7 - p6 + l.q1;
    float b = floor(sum * S);
    sum = sum + p4 - p7 - p5 + l.q2;
    float c = floor(sum * S);
    sum = sum + l.p3 - p7 - p4 + l.q3;
    pOuter = flat2 ? packed(p7, a, b, c) : pOuter;
    a = floor(sum * S);
    sum = sum + l.p2 - p7 - l.p3 + q4;
    b = floor(sum * S);
    sum = sum + l.p1 - p7 - l.p2 + q5;
    c = floor(sum * S);
    sum = sum + l.p0 - p7 - l.p1 + q6;
    float d = floor(sum * S);
    sum = sum + l.q0 - p7 - l.p0 + q7;
    p = flat2 ? packed(a, b, c, d) : p;
    a = floor(sum * S);
    sum = sum + l.q1 - p6 - l.q0 + q7;
    b = floor(sum * S);
    sum = sum + l.q2 - p5 - l.q1 + q7;
    c = floor(sum * S);
    sum = sum + l.q3 - p4 - l.q2 + q7;
    d = floor(sum * S);
    sum = sum + q4 - l.p3 - l.q3 + q7;
    q = flat2 ? packed(a, b, c, d) : q;
    a = floor(sum * S);
    sum = sum + q5 - l.p2 - q4 + q7;
    b = floor(sum * S);
    sum = sum + q6 - l.p1 - q5 + q7;
    c = floor(sum * S);
    qOuter = flat2 ? packed(a, b, c, q7) : qOuter;
    return flat2;
}

// filter8.
void filterFlat(inout uint p, inout uint q, bool wanted) {
    Line l = lineOf(p, q);
    const float S = 0.125;
    float sum = 3.0 * l.p3 + 2.0 * l.p2 + l.p1 + l.p0 + l.q0 + 4.0;
    float p2 = floor(sum * S);
    sum = sum + l.p1 - l.p3 - l.p2 + l.q1;
    float p1 = floor(sum * S);
    sum = sum + l.p0 - l.p3 - l.p1 + l.q2;
    float p0 = floor(sum * S);
    sum = sum + l.q0 - l.p3 - l.p0 + l.q3;
    float q0 = floor(sum * S);
    sum = sum + l.q1 - l.p2 - l.q0 + l.q3;
    float q1 = floor(sum * S);
    sum = sum + l.q2 - l.p1 - l.q1 + l.q3;
    float q2 = floor(sum * S);
    p = wanted ? packed(l.p3, p2, p1, p0) : p;
    q = wanted ? packed(q0, q1, q2, l.q3) : q;
}

// filter4. "hev" tells that the variance is high.
void filterNarrow(inout uint p, inout uint q, bool wanted, bool hev) {
    Line l = lineOf(p, q);
    float change = hev ? clamp(l.p1 - l.q1, -128.0, 127.0) : 0.0;
    change = clamp(3.0 * (l.q0 - l.p0) + change, -128.0, 127.0);
    float change1 = floor(min(change + 4.0, 127.0) * 0.125);
    float change2 = floor(min(change + 3.0, 127.0) * 0.125);
    float outer = hev ? 0.0 : floor(change1 * 0.5 + 0.5);
    p = wanted ? packed(l.p3, l.p2, clampSample(l.p1 + outer), clampSample(l.p0 + change2)) : p;
    q = wanted ? packed(clampSample(l.q0 - change1), clampSample(l.q1 - outer), l.q2, l.q3) : q;
}

void filterEdge(uint index, uint lane, bool inRange) {
    Vp9EdgeRecord record = records[min(index, run.count - 1)];
    bool horizontal = int(record.parameters) < 0;
    bool is4 = (record.parameters & 0x04000000u) != 0;
    bool is16 = (record.parameters & 0x10000000u) != 0;
    uint stride = call.strideBytes[0];
    if (SCHEDULED) {
        uint plane = (record.parameters >> 24) & 3;
        stride = plane == 0 ? stride : plane == 1 ? call.strideBytes[1] : call.strideBytes[2];
    }
    uint reach = is16 ? 8 : 4;
    uint first = horizontal ? reach * stride : reach;
    uint end = horizontal ? first - stride + 8 : 7 * stride + reach;
    uint offset = clamp(record.offset, first, call.sizeBytes - end);
    // Distance of the word q0…q3 from the word p3…p0, and place of the former.
    uint side = horizontal ? stride : 1;
    uint at = (horizontal ? offset + (lane & 3) * stride + (lane & 4) : offset + lane * stride) >> 2;
    Turn turn = Turn(
        (lane & 1) != 0,
        horizontal ? ((lane & 2) != 0 ? 0x0000ffffu : 0xffff0000u) : 0u,
        horizontal ? ((lane & 1) != 0 ? 0x00ff00ffu : 0xff00ff00u) : 0u);
    uint p = turned(picture[at - side], turn);
    uint q = turned(picture[at], turn);

    Line l = lineOf(p, q);
    float edgeLimit = float(record.parameters & 0xffu) * 2.0 + 1.0;
    float limit = float((record.parameters >> 8) & 0xffu);
    float threshold = float((record.parameters >> 16) & 0xffu);
    float inner = max(abs(l.p1 - l.p0), abs(l.q1 - l.q0));
    float most = max(max(abs(l.p3 - l.p2), abs(l.p2 - l.p1)), max(abs(l.q3 - l.q2), abs(l.q2 - l.q1)));
    // 2 |p0 - q0| + floor(|p1 - q1| / 2) <= E, multiplied by two.
    bool mask = max(most, inner) <= limit && 4.0 * abs(l.p0 - l.q0) + abs(l.p1 - l.q1) <= edgeLimit;
    float away = max(max(abs(l.p2 - l.p0), abs(l.q2 - l.q0)), max(abs(l.p3 - l.p0), abs(l.q3 - l.q0)));
    bool isFlat = mask && !is4 && max(away, inner) <= 1.0;
    bool hev = inner > threshold;
    bool isWide = isFlat && is16;
    if (isWorth(isWide)) {
        // An edge without outer samples loads inner ones, which lie in range.
        uint outer = is16 ? side : 0;
        uint pOuter = turned(picture[at - side - outer], turn);
        uint qOuter = turned(picture[at + outer], turn);
        isWide = filterWide(pOuter, p, q, qOuter, isWide);
        mask = mask && !isWide;
        isFlat = isFlat && !isWide;
        pOuter = turned(pOuter, turn);
        qOuter = turned(qOuter, turn);
        if (inRange && is16) {
            picture[at - 2 * side] = pOuter;
            picture[at + side] = qOuter;
        }
    }
    bool isNarrow = mask && !isFlat;
    if (isWorth(isFlat)) {
        filterFlat(p, q, isFlat);
    }
    filterNarrow(p, q, isNarrow, hev);
    p = turned(p, turn);
    q = turned(q, turn);
    if (inRange) {
        picture[at - side] = p;
        picture[at] = q;
    }
}

#include "common/edge_levels.glsl"

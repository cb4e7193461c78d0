// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The samples of one edge of H.264 (ITU-T H.264, 8.7.2.3 and 8.7.2.4), two lines at a time: samples and strengths are
// floats whose values are whole numbers, samples with the bias of common/words.glsl. An edge whose alpha is 0 stays as it is. Expects
// MOST_SAMPLE, the largest sample.

bvec2 bothBelow(vec2 a, vec2 limitA, vec2 b, vec2 limitB) {
    bvec2 first = lessThan(a, limitA);
    bvec2 second = lessThan(b, limitB);
    return bvec2(first.x && second.x, first.y && second.y);
}

// bS below 4, luma; two lines at once.
void filterLuma(vec2 p2, inout vec2 p1, inout vec2 p0, inout vec2 q0, inout vec2 q1, vec2 q2, float alpha, float beta,
        float tc0) {
    vec2 d = q0 - p0;
    bvec2 on = bothBelow(abs(d), vec2(alpha), max(abs(p1 - p0), abs(q1 - q0)), vec2(beta));
    bvec2 ap = lessThan(abs(p2 - p0), vec2(beta));
    bvec2 aq = lessThan(abs(q2 - q0), vec2(beta));
    vec2 limit = mix(vec2(0.0), vec2(tc0), on);
    vec2 tcP = mix(vec2(0.0), vec2(on), ap);
    vec2 tcQ = mix(vec2(0.0), vec2(on), aq);
    vec2 tc = limit + tcP + tcQ;
    vec2 delta = clamp(floor((d * 4.0 + (p1 - q1)) * 0.125 + 0.5), -tc, tc);
    vec2 middle = floor((p0 + q0) * 0.5 + 0.5);
    vec2 limitP = tcP * tc0;
    vec2 limitQ = tcQ * tc0;
    p1 += clamp(floor((p2 + middle) * 0.5 - p1), -limitP, limitP);
    q1 += clamp(floor((q2 + middle) * 0.5 - q1), -limitQ, limitQ);
    p0 = clamp(p0 + delta, BIAS, BIAS + MOST_SAMPLE);
    q0 = clamp(q0 - delta, BIAS, BIAS + MOST_SAMPLE);
}

// One side of an edge of bS 4, luma: the new p2, p1 and p0. "on" is whether the edge is filtered.
void filterLumaStrongSide(float p3, inout float p2, inout float p1, inout float p0, float q0, float q1, bool on,
        float longBeta) {
    bool far = abs(p2 - p0) < longBeta;
    float sum = p2 + p1 + p0 + q0;
    float newP0 = floor((sum + p1 + p0 + q0 + q1) * 0.125 + 0.5);
    float newP2 = floor((sum + (p3 + p2) * 2.0) * 0.125 + 0.5);
    p0 = on ? floor((p1 * 2.0 + p0 + q1) * 0.25 + 0.5) : p0;
    p0 = far ? newP0 : p0;
    p1 = far ? floor(sum * 0.25 + 0.5) : p1;
    p2 = far ? newP2 : p2;
}

// bS 4, luma; one line.
void filterLumaStrongLine(inout float p3, inout float p2, inout float p1, inout float p0, inout float q0, inout float q1,
        inout float q2, inout float q3, float alpha, float beta) {
    // alpha is a whole number, so that this is the specification's (alpha >> 2) + 2.
    float small = floor(alpha * 0.25) + 2.0;
    float d = abs(q0 - p0);
    bool level = max(abs(p1 - p0), abs(q1 - q0)) < beta;
    bool below = d < alpha;
    bool on = below && level;
    bool near = d < small;
    float longBeta = on && near ? beta : 0.0;
    float oldP0 = p0;
    float oldP1 = p1;
    filterLumaStrongSide(p3, p2, p1, p0, q0, q1, on, longBeta);
    filterLumaStrongSide(q3, q2, q1, q0, oldP0, oldP1, on, longBeta);
}

// bS 4, luma; two lines, one after the other to save registers.
void filterLumaStrong(inout vec2 p3, inout vec2 p2, inout vec2 p1, inout vec2 p0, inout vec2 q0, inout vec2 q1,
        inout vec2 q2, inout vec2 q3, float alpha, float beta) {
    // alpha is a whole number, so that this is the specification's (alpha >> 2) + 2.
    float small = floor(alpha * 0.25) + 2.0;
    [[dont_unroll]] for (uint line = 0; line < 2; line++) {
        float d = abs(q0.x - p0.x);
        bool level = max(abs(p1.x - p0.x), abs(q1.x - q0.x)) < beta;
        bool below = d < alpha;
        bool on = below && level;
        bool near = d < small;
        float longBeta = on && near ? beta : 0.0;
        float oldP0 = p0.x;
        float oldP1 = p1.x;
        filterLumaStrongSide(p3.x, p2.x, p1.x, p0.x, q0.x, q1.x, on, longBeta);
        filterLumaStrongSide(q3.x, q2.x, q1.x, q0.x, oldP0, oldP1, on, longBeta);
        p3 = p3.yx;
        p2 = p2.yx;
        p1 = p1.yx;
        p0 = p0.yx;
        q0 = q0.yx;
        q1 = q1.yx;
        q2 = q2.yx;
        q3 = q3.yx;
    }
}

// Every bS, chroma; two lines at once, each with its own parameters.
void filterChroma(vec2 p1, inout vec2 p0, inout vec2 q0, vec2 q1, vec2 alpha, vec2 beta, vec2 tc, bool strong) {
    vec2 d = q0 - p0;
    bvec2 on = bothBelow(abs(d), alpha, max(abs(p1 - p0), abs(q1 - q0)), beta);
    vec2 newP;
    vec2 newQ;
    if (strong) {
        newP = floor((p1 * 2.0 + p0 + q1) * 0.25 + 0.5);
        newQ = floor((q1 * 2.0 + q0 + p1) * 0.25 + 0.5);
    } else {
        vec2 delta = clamp(floor((d * 4.0 + (p1 - q1)) * 0.125 + 0.5), -tc, tc);
        newP = clamp(p0 + delta, BIAS, BIAS + MOST_SAMPLE);
        newQ = clamp(q0 - delta, BIAS, BIAS + MOST_SAMPLE);
    }
    p0 = mix(p0, newP, on);
    q0 = mix(q0, newQ, on);
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// As h264/filters.glsl, in integers: the samples of one edge of H.264 (ITU-T H.264, 8.7.2.3 and 8.7.2.4), 8 bit, two lines at a
// time. An edge whose alpha is 0 stays as it is.

bvec2 bothTrue(bvec2 a, bvec2 b) {
    return bvec2(a.x && b.x, a.y && b.y);
}

bvec2 areLevel(ivec2 p1, ivec2 p0, ivec2 q0, ivec2 q1, ivec2 alpha, ivec2 beta) {
    return bothTrue(lessThan(abs(q0 - p0), alpha), lessThan(max(abs(p1 - p0), abs(q1 - q0)), beta));
}

// bS below 4, luma.
void filterLuma(ivec2 p2, inout ivec2 p1, inout ivec2 p0, inout ivec2 q0, inout ivec2 q1, ivec2 q2, int alpha, int beta,
        int tc0) {
    bvec2 on = areLevel(p1, p0, q0, q1, ivec2(alpha), ivec2(beta));
    bvec2 onP = bothTrue(on, lessThan(abs(p2 - p0), ivec2(beta)));
    bvec2 onQ = bothTrue(on, lessThan(abs(q2 - q0), ivec2(beta)));
    ivec2 tc = mix(ivec2(0), ivec2(tc0), on) + mix(ivec2(0), ivec2(1), onP) + mix(ivec2(0), ivec2(1), onQ);
    ivec2 delta = clamp(((q0 - p0) * 4 + (p1 - q1) + 4) >> 3, -tc, tc);
    ivec2 middle = (p0 + q0 + 1) >> 1;
    ivec2 limitP = mix(ivec2(0), ivec2(tc0), onP);
    ivec2 limitQ = mix(ivec2(0), ivec2(tc0), onQ);
    p1 += clamp((p2 + middle - p1 * 2) >> 1, -limitP, limitP);
    q1 += clamp((q2 + middle - q1 * 2) >> 1, -limitQ, limitQ);
    p0 = clamp(p0 + delta, 0, 255);
    q0 = clamp(q0 - delta, 0, 255);
}

// One side of an edge of bS 4, luma: the new p2, p1 and p0.
void filterLumaStrongSide(ivec2 p3, inout ivec2 p2, inout ivec2 p1, inout ivec2 p0, ivec2 q0, ivec2 q1, bvec2 on, bvec2 near,
        int beta) {
    bvec2 far = bothTrue(near, lessThan(abs(p2 - p0), ivec2(beta)));
    ivec2 sum = p2 + p1 + p0 + q0;
    ivec2 newP0 = (sum + p1 + p0 + q0 + q1 + 4) >> 3;
    ivec2 newP2 = (sum + (p3 + p2) * 2 + 4) >> 3;
    p0 = mix(mix(p0, (p1 * 2 + p0 + q1 + 2) >> 2, on), newP0, far);
    p1 = mix(p1, (sum + 2) >> 2, far);
    p2 = mix(p2, newP2, far);
}

// bS 4, luma.
void filterLumaStrong(ivec2 p3, inout ivec2 p2, inout ivec2 p1, inout ivec2 p0, inout ivec2 q0, inout ivec2 q1,
        inout ivec2 q2, ivec2 q3, int alpha, int beta) {
    bvec2 on = areLevel(p1, p0, q0, q1, ivec2(alpha), ivec2(beta));
    bvec2 near = bothTrue(on, lessThan(abs(q0 - p0), ivec2((alpha >> 2) + 2)));
    ivec2 oldP0 = p0;
    ivec2 oldP1 = p1;
    filterLumaStrongSide(p3, p2, p1, p0, q0, q1, on, near, beta);
    filterLumaStrongSide(q3, q2, q1, q0, oldP0, oldP1, on, near, beta);
}

// Every bS, chroma; each line with its own parameters.
void filterChroma(ivec2 p1, inout ivec2 p0, inout ivec2 q0, ivec2 q1, ivec2 alpha, ivec2 beta, ivec2 tc, bool strong) {
    bvec2 on = areLevel(p1, p0, q0, q1, alpha, beta);
    ivec2 delta = clamp(((q0 - p0) * 4 + (p1 - q1) + 4) >> 3, -tc, tc);
    ivec2 newP = strong ? (p1 * 2 + p0 + q1 + 2) >> 2 : clamp(p0 + delta, 0, 255);
    ivec2 newQ = strong ? (q1 * 2 + q0 + p1 + 2) >> 2 : clamp(q0 - delta, 0, 255);
    p0 = mix(p0, newP, on);
    q0 = mix(q0, newQ, on);
}

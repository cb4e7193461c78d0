// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Transposition among neighbouring invocations. All invocations of the workgroup must call the functions below (common/exchange.glsl,
// which is to be included before).

void exchange(inout uint a, inout uint b, bool upper, uint mask) {
    uint other = valueAcross(upper ? a : b, mask);
    a = upper ? other : a;
    b = upper ? b : other;
}

// Transposes 4x4 words among four invocations: word w of invocation i and word i of invocation w change places.
void exchangeAll(inout uvec4 words, bool upper2, bool upper1) {
    exchange(words.x, words.z, upper2, 2);
    exchange(words.y, words.w, upper2, 2);
    exchange(words.x, words.y, upper1, 1);
    exchange(words.z, words.w, upper1, 1);
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// H.264's 8x8 transform in one dimension, on two numbers of 16 bits at once.
//
// A word holds low + 65536 * high. Sums and differences of such words are those of both numbers; so a negative low number has borrowed
// from the high one. Before a word is shifted or taken apart, both numbers must not be negative. So words carry addends, the same for both
// numbers, which are large enough where that is needed, and known where they must go away. Comments tell them, in parts of SPAN, which is
// one more than the largest sample.
//
// No number with its addend leaves 16 bits.

const uint SPAN = SAMPLE_BYTES == 1 ? 0x01000100u : 0x04000400u;
const uint HALF = 0x80008000u;
const uint QUARTER = 0x40004000u;
// Only the low number carries something: so the high one is that of the word, with its sign.
const uint LOW_HALF = 0x00008000u;

// Addends of the coefficients that forwardPairs() makes.
const uint ADDEND_0 = 12 * SPAN;
const uint ADDEND_1 = 15 * SPAN + SPAN / 8 * 3;
const uint ADDEND_2 = 7 * SPAN;
const uint ADDEND_3 = 5 * SPAN + SPAN / 8 * 3;
const uint ADDEND_4 = 4 * SPAN;
const uint ADDEND_5 = 6 * SPAN + SPAN / 8 * 3;
const uint ADDEND_6 = 5 * SPAN;
const uint ADDEND_7 = 8 * SPAN + SPAN / 8;

// What the words carry that inversePairs() takes.
const uint UNIT = 2 * SPAN;

// Half of both numbers, rounded down.
uint halved(uint pair) {
    return (pair >> 1) & 0x7fff7fffu;
}

// A quarter, likewise.
uint quartered(uint pair) {
    return (pair >> 2) & 0x3fff3fffu;
}

// Transforms samples, which carry nothing.
void forwardPairs(inout uint s[8]) {
    s[0] += 7 * SPAN;
    s[1] += 3 * SPAN;
    s[2] += SPAN;
    s[3] += SPAN;
    uint d07 = s[0] - s[7];
    uint d16 = s[1] - s[6];
    uint d25 = s[2] - s[5];
    uint d34 = s[3] - s[4];
    uint s07 = s[0] + s[7];
    uint s16 = s[1] + s[6];
    uint s25 = s[2] + s[5];
    uint s34 = s[3] + s[4];
    // These carry 8, 4, 6 and 2 parts, then 14 1/2, 4 1/2, 3 1/2 and 3 1/2.
    uint a0 = s07 + s34;
    uint a1 = s16 + s25;
    uint a2 = s07 - s34;
    uint a3 = s16 - s25;
    uint a4 = d16 + d25 + d07 + halved(d07);
    uint a5 = d07 - d34 - d25 - halved(d25);
    uint a6 = d07 + d34 - d16 - halved(d16);
    uint a7 = d16 - d25 + d34 + halved(d34);
    s[0] = a0 + a1;
    s[1] = a4 + quartered(a7);
    s[2] = a2 + halved(a3);
    s[3] = a5 + quartered(a6);
    s[4] = a0 - a1;
    s[5] = a6 + 4 * SPAN - quartered(a5);
    s[6] = halved(a2) + 4 * SPAN - a3;
    s[7] = quartered(a4) + 8 * SPAN - a7;
}

// The words carry UNIT, and afterwards LOW_HALF. Numbers are less than 2/3 of UNIT before.
void inversePairs(inout uint s[8]) {
    uint a0 = s[0] + s[4];
    uint a2 = s[0] - s[4];
    uint a4 = halved(s[2]) - s[6];
    uint a6 = halved(s[6]) + s[2];
    // These carry 7, -1, 1 and 1 parts.
    uint b0 = a0 + a6;
    uint b2 = a2 + a4;
    uint b4 = a2 - a4;
    uint b6 = a0 - a6;
    // 5, 5, 3 and 7 parts.
    uint a1 = s[5] + 4 * UNIT - s[3] - s[7] - halved(s[7]);
    uint a3 = s[1] + 2 * UNIT + s[7] - s[3] - halved(s[3]);
    uint a5 = s[7] - s[1] + s[5] + halved(s[5]);
    uint a7 = s[3] + s[5] + s[1] + halved(s[1]);
    // 6 3/4, 5 3/4, -1 3/4 and 5 3/4 parts.
    uint b1 = quartered(a7) + a1;
    uint b3 = a3 + quartered(a5);
    uint b5 = quartered(a3) - a5;
    uint b7 = a7 - quartered(a1);
    const uint QUARTER_PART = SPAN / 4;
    s[0] = b0 + b7 + (LOW_HALF - 51 * QUARTER_PART);
    s[1] = b2 + b5 + (LOW_HALF + 11 * QUARTER_PART);
    s[2] = b4 + b3 + (LOW_HALF - 27 * QUARTER_PART);
    s[3] = b6 + b1 + (LOW_HALF - 31 * QUARTER_PART);
    s[4] = b6 - b1 + (LOW_HALF + 23 * QUARTER_PART);
    s[5] = b4 - b3 + (LOW_HALF + 19 * QUARTER_PART);
    s[6] = b2 - b5 + (LOW_HALF - 3 * QUARTER_PART);
    s[7] = b0 - b7 + (LOW_HALF - 5 * QUARTER_PART);
}

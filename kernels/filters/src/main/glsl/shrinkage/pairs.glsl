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
void forwardPairs(
    inout uint s0, inout uint s1, inout uint s2, inout uint s3, inout uint s4, inout uint s5, inout uint s6, inout uint s7) {
    s0 += 7 * SPAN;
    s1 += 3 * SPAN;
    s2 += SPAN;
    s3 += SPAN;
    uint d07 = s0 - s7;
    uint d16 = s1 - s6;
    uint d25 = s2 - s5;
    uint d34 = s3 - s4;
    uint s07 = s0 + s7;
    uint s16 = s1 + s6;
    uint s25 = s2 + s5;
    uint s34 = s3 + s4;
    // These carry 8, 4, 6 and 2 parts, then 14 1/2, 4 1/2, 3 1/2 and 3 1/2.
    uint a0 = s07 + s34;
    uint a1 = s16 + s25;
    uint a2 = s07 - s34;
    uint a3 = s16 - s25;
    uint a4 = d16 + d25 + d07 + halved(d07);
    uint a5 = d07 - d34 - d25 - halved(d25);
    uint a6 = d07 + d34 - d16 - halved(d16);
    uint a7 = d16 - d25 + d34 + halved(d34);
    s0 = a0 + a1;
    s1 = a4 + quartered(a7);
    s2 = a2 + halved(a3);
    s3 = a5 + quartered(a6);
    s4 = a0 - a1;
    s5 = a6 + 4 * SPAN - quartered(a5);
    s6 = halved(a2) + 4 * SPAN - a3;
    s7 = quartered(a4) + 8 * SPAN - a7;
}

// The words carry UNIT, and afterwards LOW_HALF. Numbers are less than 2/3 of UNIT before.
void inversePairs(
    inout uint s0, inout uint s1, inout uint s2, inout uint s3, inout uint s4, inout uint s5, inout uint s6, inout uint s7) {
    uint a0 = s0 + s4;
    uint a2 = s0 - s4;
    uint a4 = halved(s2) - s6;
    uint a6 = halved(s6) + s2;
    // These carry 7, -1, 1 and 1 parts.
    uint b0 = a0 + a6;
    uint b2 = a2 + a4;
    uint b4 = a2 - a4;
    uint b6 = a0 - a6;
    // 5, 5, 3 and 7 parts.
    uint a1 = s5 + 4 * UNIT - s3 - s7 - halved(s7);
    uint a3 = s1 + 2 * UNIT + s7 - s3 - halved(s3);
    uint a5 = s7 - s1 + s5 + halved(s5);
    uint a7 = s3 + s5 + s1 + halved(s1);
    // 6 3/4, 5 3/4, -1 3/4 and 5 3/4 parts.
    uint b1 = quartered(a7) + a1;
    uint b3 = a3 + quartered(a5);
    uint b5 = quartered(a3) - a5;
    uint b7 = a7 - quartered(a1);
    const uint QUARTER_PART = SPAN / 4;
    s0 = b0 + b7 + (LOW_HALF - 51 * QUARTER_PART);
    s1 = b2 + b5 + (LOW_HALF + 11 * QUARTER_PART);
    s2 = b4 + b3 + (LOW_HALF - 27 * QUARTER_PART);
    s3 = b6 + b1 + (LOW_HALF - 31 * QUARTER_PART);
    s4 = b6 - b1 + (LOW_HALF + 23 * QUARTER_PART);
    s5 = b4 - b3 + (LOW_HALF + 19 * QUARTER_PART);
    s6 = b2 - b5 + (LOW_HALF - 3 * QUARTER_PART);
    s7 = b0 - b7 + (LOW_HALF - 5 * QUARTER_PART);
}

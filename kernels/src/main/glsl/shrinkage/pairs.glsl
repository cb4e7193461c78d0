// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// H.264's 8x8 transform in one dimension, on two numbers of 16 bits at once.
//
// A word holds low + 65536 * high. Sums and differences of such words are those of both numbers; so a negative low number has borrowed
// from the high one. Before a word is shifted or taken apart, 0x8000 is added to each number. The two fields of the word are then not
// negative, and neither takes bits from the other. A shifted word carries its share of the addend. Such addends stay in the words as long as
// nothing needs them to go away; the comments tell them. HALF, EIGHTH and so on are these addends in both fields.
//
// No number that is shifted or taken apart leaves 16 bits, for samples of up to 10 bits: the largest coefficient is the mean's, 64 * 1023,
// which is not negative and not shifted; others reach 62 * 1023 / 2. What is transformed back is bounded by the largest threshold.

const uint HALF = 0x80008000u;
const uint QUARTER = 0x40004000u;
const uint EIGHTH = 0x20002000u;

// Addends of the coefficients that forwardPairs() makes of words that all carry the same addend. That of coefficient 0 is eight times as much.
const uint ADDENDS_1 = QUARTER + EIGHTH;
const uint ADDENDS_2 = QUARTER;
const uint ADDENDS_3 = EIGHTH - QUARTER;
const uint ADDENDS_5 = 0u - QUARTER - EIGHTH;

// Addends of the samples that inversePairs() makes.
const uint SAMPLE_ADDENDS_0 = 6 * HALF + 2 * QUARTER - EIGHTH;
const uint SAMPLE_ADDENDS_1 = EIGHTH - 2 * HALF;
const uint SAMPLE_ADDENDS_2 = 2 * HALF - 2 * QUARTER + EIGHTH;
const uint SAMPLE_ADDENDS_3 = EIGHTH - 2 * QUARTER;
const uint SAMPLE_ADDENDS_4 = 2 * HALF - EIGHTH;
const uint SAMPLE_ADDENDS_5 = 0u - EIGHTH;
const uint SAMPLE_ADDENDS_6 = 2 * QUARTER - EIGHTH;
const uint SAMPLE_ADDENDS_7 = EIGHTH;

// Half of both numbers, rounded down, of a word that carries HALF. The result carries QUARTER.
uint halved(uint pair) {
    return (pair >> 1) & 0x7fff7fffu;
}

// A quarter, likewise. The result carries EIGHTH.
uint quartered(uint pair) {
    return (pair >> 2) & 0x3fff3fffu;
}

void forwardPairs(
    inout uint s0, inout uint s1, inout uint s2, inout uint s3, inout uint s4, inout uint s5, inout uint s6, inout uint s7) {
    uint d07 = s0 - s7;
    uint d16 = s1 - s6;
    uint d25 = s2 - s5;
    uint d34 = s3 - s4;
    uint s07 = s0 + s7;
    uint s16 = s1 + s6;
    uint s25 = s2 + s5;
    uint s34 = s3 + s4;
    uint a0 = s07 + s34;
    uint a1 = s16 + s25;
    uint a2 = s07 - s34;
    uint a3 = s16 - s25;
    // a4 and a7 carry QUARTER, a5 and a6 carry it with the other sign.
    uint a4 = d16 + d25 + d07 + halved(d07 + HALF);
    uint a5 = d07 - d34 - d25 - halved(d25 + HALF);
    uint a6 = d07 + d34 - d16 - halved(d16 + HALF);
    uint a7 = d16 - d25 + d34 + halved(d34 + HALF);
    s0 = a0 + a1;
    s1 = a4 + quartered(a7 + (HALF - QUARTER));
    s2 = a2 + halved(a3 + HALF);
    s3 = a5 + quartered(a6 + (HALF + QUARTER));
    s4 = a0 - a1;
    s5 = a6 - quartered(a5 + (HALF + QUARTER));
    s6 = halved(a2 + HALF) - a3;
    s7 = quartered(a4 + (HALF - QUARTER)) - a7;
}

// The words carry HALF.
void inversePairs(
    inout uint s0, inout uint s1, inout uint s2, inout uint s3, inout uint s4, inout uint s5, inout uint s6, inout uint s7) {
    uint a0 = s0 + s4;
    uint a2 = s0 - s4;
    uint a4 = halved(s2) - s6;
    uint a6 = halved(s6) + s2;
    uint b0 = a0 + a6;
    uint b2 = a2 + a4;
    uint b4 = a2 - a4;
    uint b6 = a0 - a6;
    // These carry, in this order: -HALF - QUARTER, HALF - QUARTER, HALF + QUARTER, 3 HALF + QUARTER.
    uint a1 = s5 - s3 - s7 - halved(s7);
    uint a3 = s1 + s7 - s3 - halved(s3);
    uint a5 = s7 - s1 + s5 + halved(s5);
    uint a7 = s3 + s5 + s1 + halved(s1);
    uint b1 = quartered(a7 - (2 * HALF + QUARTER)) + a1;
    uint b3 = a3 + quartered(a5 - QUARTER);
    uint b5 = quartered(a3 + QUARTER) - a5;
    uint b7 = a7 - quartered(a1 + (2 * HALF + QUARTER));
    s0 = b0 + b7;
    s1 = b2 + b5;
    s2 = b4 + b3;
    s3 = b6 + b1;
    s4 = b6 - b1;
    s5 = b4 - b3;
    s6 = b2 - b5;
    s7 = b0 - b7;
}

// Makes (a0, b0) and (a1, b1) of (a0, a1) and (b0, b1). The words carry HALF before and after. "step" is 65536, in a way that the compiler
// does not know: V3D multiplies beside other work, and shifts in the unit that everything waits for.
void exchange(inout uint a, inout uint b, uint step) {
    uint low = (a & 0xffffu) + b * step;
    b = (a >> 16) + (b & 0xffff0000u);
    a = low;
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The taps of AV1's CDEF and what is made of them (AV1 specification, 7.15.3), a word of samples at a time: floats whose values
// are whole numbers, with the bias of common/words.glsl. Expects SAMPLE_BYTES, SAMPLE_SHIFT, COEFFICIENT_SHIFT and PIXEL_BYTES, bytes
// from one sample to the next of its component.
//
// V3D issues two operations at a time, one of its units adding, comparing and shifting, the other one multiplying. The
// former has the more to do, so integers are added, where it makes no difference, instead of combined by bits, and shifted by
// a multiplication: both units can add.

// Offsets of the taps by direction (Cdef_Directions), 4 bits a direction, each more by 2.
const uint NEAR_ROWS = 0x33332221u;
const uint NEAR_COLUMNS = 0x22233333u;
const uint FAR_ROWS = 0x44443210u;
const uint FAR_COLUMNS = 0x12344444u;

// The bits of a word that belong to samples. No others are read or stored.
const uint BITS_OF_SAMPLES = SAMPLE_BYTES == 1 ? 0xffffffffu : 0x03ff03ffu << SAMPLE_SHIFT;

int tapOffset(uint table, uint direction) {
    return int((table >> (direction * 4)) & 15u) - 2;
}

// The table for the directions "turns" further on.
uint turned(uint table, int turns) {
    return (table >> (4 * turns)) | (table << (32 - 4 * turns));
}

struct Strengths {
    float primary, secondary;
    // 2 to the power of minus the shift of the differences.
    float primaryScale, secondaryScale;
    // Weights of the primary taps by distance. Secondary taps weigh 2 and 1.
    float nearWeight, farWeight;
};

// "primary" is the adjusted primary strength.
Strengths strengthsOf(uint primary, uint secondary, float primaryScale, float secondaryScale) {
    bool odd = ((primary >> COEFFICIENT_SHIFT) & 1u) != 0;
    return Strengths(
        float(primary), float(secondary), primaryScale, secondaryScale, odd ? 3.0 : 4.0, odd ? 3.0 : 2.0);
}

// A pair of taps: one at an offset from a sample, the other at the opposite offset.
struct Tap {
    int rows, columns;
    float strength, scale, weight;
};

// Taps 0 to 5: for each of two distances, the tap along the direction, then the two across it.
Tap tapOf(uint tap, uint direction, Strengths by) {
    bool near = tap < 3;
    bool primary = tap == 0 || tap == 3;
    uint along = primary ? direction : (direction + (tap == 1 || tap == 4 ? 2u : 6u)) & 7u;
    return Tap(
        tapOffset(near ? NEAR_ROWS : FAR_ROWS, along), tapOffset(near ? NEAR_COLUMNS : FAR_COLUMNS, along),
        primary ? by.primary : by.secondary, primary ? by.primaryScale : by.secondaryScale,
        near ? (primary ? by.nearWeight : 2.0) : primary ? by.farWeight : 1.0);
}

struct Pixels {
    // The even samples of a word and, where there are four, the odd ones; of two words of 16 bits the samples of the first and those of
    // the second.
    vec2 even, odd;
};

Pixels unpack(uint word) {
    uint even = word & EVEN_BYTES;
    return SAMPLE_BYTES == 1
        ? Pixels(unpackHalf2x16(even + HALF_BIAS), unpackHalf2x16(((word - even) >> 8) + HALF_BIAS))
        : Pixels(unpackHalf2x16(((word >> SAMPLE_SHIFT) & 0x03ff03ffu) + HALF_BIAS), vec2(0.0));
}

uint repack(Pixels p) {
    return SAMPLE_BYTES == 1 ? packBytes(p.even, p.odd) : (packHalf2x16(p.even) & 0x03ff03ffu) << SAMPLE_SHIFT;
}

vec2 constrain(vec2 difference, float strength, float scale) {
    vec2 limit = max(strength - floor(abs(difference) * scale), 0.0);
    // The difference between -limit and limit: of a whole number, the clamp is its sign.
    return min(abs(difference), limit) * clamp(difference, -1.0, 1.0);
}

vec2 changedPair(vec2 x, vec2 sum) {
    // (8 + sum - (sum < 0)) >> 4: a sixteenth, a half rounded away from 0.
    return x + floor(abs(sum) * 0.0625 + 0.5) * clamp(sum, -1.0, 1.0);
}

struct Sums {
    Pixels sum, least, most;
};

Sums noTaps(Pixels x) {
    return Sums(Pixels(vec2(0.0), vec2(0.0)), x, x);
}

// Adds the taps of one distance, which lie on both sides of x. "four" is constant: whether there are four samples.
void addPixels(Pixels p, Pixels q, Pixels x, bool four, float strength, float scale, float weight, inout Sums s) {
    s.sum.even += weight * (constrain(p.even - x.even, strength, scale) + constrain(q.even - x.even, strength, scale));
    s.least.even = min(min(s.least.even, p.even), q.even);
    s.most.even = max(max(s.most.even, p.even), q.even);
    if (four) {
        s.sum.odd += weight * (constrain(p.odd - x.odd, strength, scale) + constrain(q.odd - x.odd, strength, scale));
        s.least.odd = min(min(s.least.odd, p.odd), q.odd);
        s.most.odd = max(max(s.most.odd, p.odd), q.odd);
    }
}

// The same of taps that lie in a word each.
void addTaps(uint ahead, uint behind, Pixels x, float strength, float scale, float weight, inout Sums s) {
    addPixels(unpack(ahead), unpack(behind), x, SAMPLE_BYTES == 1, strength, scale, weight, s);
}

Pixels filtered(Pixels x, bool four, Sums s) {
    return Pixels(
        clamp(changedPair(x.even, s.sum.even), s.least.even, s.most.even),
        four ? clamp(changedPair(x.odd, s.sum.odd), s.least.odd, s.most.odd) : vec2(0.0));
}

// The filtered word.
uint finish(Pixels x, Sums s) {
    return repack(filtered(x, SAMPLE_BYTES == 1, s));
}

// Filtered by taps that all have one strength. It lies between the least and the most of them by itself: the weights of
// these taps add up to less than 16, so the change is smaller than the largest difference.
Pixels filteredAlong(Pixels x, bool four, Sums s) {
    return Pixels(changedPair(x.even, s.sum.even), four ? changedPair(x.odd, s.sum.odd) : vec2(0.0));
}

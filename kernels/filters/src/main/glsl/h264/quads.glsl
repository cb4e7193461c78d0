// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Quads: four samples of a row, which begin at a multiple of four, as words: one word of 8-bit samples or, where
// SAMPLES_OF_16_BITS is defined, two words of 10-bit samples. What filters samples is written in quads and in the pairs of
// samples of them, so that it is the same for both. Samples get the bias of common/words.glsl.
//
// Across horizontal luma edges each word of a quad, a strip, is filtered by itself: all rows of quads would not fit into registers.
// A strip of 8-bit samples is filtered in pairs: samples 0 and 2 ("pair" 0), then 1 and 3 (8).
//
// Where words are 16-bit samples, expects SAMPLE_SHIFT: the zero bits below a sample's significant ones.

#include "common/words.glsl"

#ifdef SAMPLES_OF_16_BITS
#define Quad uvec2
// Two quads.
#define QuadPair uvec4

#define STRIP_OF(quad, strip) quad[strip]
const uint STRIPS = 2;
const uint STRIP_SAMPLES = 2;
// The end of a strip's pairs.
const uint ALL_PAIRS = 8;

const float MOST_SAMPLE = 1023.0;
const uint SAMPLE_BITS = 0x03ff03ffu;

// A word as kernels hold it: samples in the low bits of both halves, all other bits 0. So nothing has to be shifted or cleared where
// samples are unpacked, which happens more often than words are read from a picture and stored.
uint fromPicture(uint word) {
    return (word >> SAMPLE_SHIFT) & SAMPLE_BITS;
}

uint toPicture(uint word) {
    return word << SAMPLE_SHIFT;
}

vec2 unpackPair(uint word) {
    return unpackHalf2x16(word + HALF_BIAS);
}

uint packPair(vec2 samples) {
    return packHalf2x16(samples) - HALF_BIAS;
}

vec4 samplesOf(Quad quad) {
    return vec4(unpackPair(quad.x), unpackPair(quad.y));
}

Quad quadOf(vec4 samples) {
    return Quad(packPair(samples.xy), packPair(samples.zw));
}

// The samples of a strip of 10-bit samples, whose only pair is 0.
vec2 pairOf(uint strip, uint pair) {
    return unpackPair(strip);
}

void replacePair(inout uint strip, uint pair, vec2 samples) {
    strip = packPair(samples);
}

// Sample 0.
float firstSample(uint strip) {
    return unpackPair(strip).x;
}

// Sample 0 replaced, and the strip turned so that the next sample is the first.
uint nextSample(uint strip, float s) {
    return (strip >> 16) | (packPair(vec2(s, BIAS)) << 16);
}
#else
#define Quad uint
#define QuadPair uvec2

#define STRIP_OF(quad, strip) quad
const uint STRIPS = 1;
const uint STRIP_SAMPLES = 4;
const uint ALL_PAIRS = 16;

const float MOST_SAMPLE = 255.0;

uint fromPicture(uint word) {
    return word;
}

uint toPicture(uint word) {
    return word;
}

vec4 samplesOf(Quad quad) {
    vec2 even = evenBytes(quad);
    vec2 odd = oddBytes(quad);
    return vec4(even.x, odd.x, even.y, odd.y);
}

Quad quadOf(vec4 samples) {
    return packBytes(samples.xz, samples.yw);
}

vec2 pairOf(uint strip, uint pair) {
    return evenBytes(strip >> pair);
}

void replacePair(inout uint strip, uint pair, vec2 samples) {
    strip = (strip & ~(EVEN_BYTES << pair)) | (packEvenBytes(samples) << pair);
}

// A pair of one strip and the other pair of another one.
uint joinPairs(uint pair, uint own, uint other) {
    uint bits = EVEN_BYTES << pair;
    return (own & bits) | (other & ~bits);
}

float firstSample(uint strip) {
    return lowByte(strip);
}

uint nextSample(uint strip, float s) {
    return nextByte(strip, s);
}

// The samples next to a vertical edge in two rows, A and B: the last ones left of it and the first ones right of it.
void replaceAcross(inout Quad leftA, inout Quad rightA, inout Quad leftB, inout Quad rightB, vec2 left, vec2 right) {
    uint lefts = packEvenBytes(left);
    uint rights = packEvenBytes(right);
    leftA = (leftA & 0x00ffffffu) | (lefts << 24);
    leftB = (leftB & 0x00ffffffu) | ((lefts << 8) & 0xff000000u);
    rightA = (rightA & 0xffffff00u) | (rights & 0xffu);
    rightB = (rightB & 0xffffff00u) | (rights >> 16);
}
#endif

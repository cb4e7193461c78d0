// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// AV1 CDEF of a word of samples, or of two words side by side, in each of several rows whose taps may all be read. The including file
// includes cdef/taps.glsl and defines ROWS (the number of rows), WORDS_EACH (the number of words), TWO_WORDS (whether these are two),
// source[] and destination[] (words), and unknownZero() (returns 0, which the compiler does not know).
//
// The places of the taps are computed once for all rows. V3D's compiler would keep everything that it can derive from these places in
// registers from row to row, and would read the samples of all taps before it computes the first one. There are too few registers for
// either. So the places are written as if they might change from row to row, and branches that are never taken separate the parts of
// the work.

struct Taps {
    // Bytes from a word to the words of its taps, along the direction and across it.
    uint near, far, nearLeft, farLeft, nearRight, farRight;
};

uint tapBytes(uint rowTable, uint columnTable, uint direction, int strideBytes) {
    return uint(tapOffset(rowTable, direction) * strideBytes + tapOffset(columnTable, direction) * int(PIXEL_BYTES));
}

Taps tapsOf(uint direction, int strideBytes) {
    return Taps(
        tapBytes(NEAR_ROWS, NEAR_COLUMNS, direction, strideBytes), tapBytes(FAR_ROWS, FAR_COLUMNS, direction, strideBytes),
        tapBytes(turned(NEAR_ROWS, 2), turned(NEAR_COLUMNS, 2), direction, strideBytes),
        tapBytes(turned(FAR_ROWS, 2), turned(FAR_COLUMNS, 2), direction, strideBytes),
        tapBytes(turned(NEAR_ROWS, 6), turned(NEAR_COLUMNS, 6), direction, strideBytes),
        tapBytes(turned(FAR_ROWS, 6), turned(FAR_COLUMNS, 6), direction, strideBytes));
}

// Returns the same places, in a way that the compiler must take for other ones.
Taps perhapsOthers(Taps t) {
    uint zero = unknownZero();
    return Taps(t.near + zero, t.far + zero, t.nearLeft + zero, t.farLeft, t.nearRight + zero, t.farRight);
}

void apart() {
    if (unknownZero() != 0) {
        subgroupMemoryBarrier();
    }
}

const bool FOUR_SAMPLES = SAMPLE_BYTES == 1 || TWO_WORDS;

Pixels unpackWords(uvec2 words) {
    Pixels first = unpack(words.x);
    return TWO_WORDS ? Pixels(first.even, unpack(words.y).even) : first;
}

uvec2 repackWords(Pixels p) {
    return TWO_WORDS ? uvec2(repack(Pixels(p.even, vec2(0.0))), repack(Pixels(p.odd, vec2(0.0)))) : uvec2(repack(p), 0);
}

uvec2 alignedWordsAt(uint at) {
    return uvec2(source[at >> 2], TWO_WORDS ? source[(at >> 2) + 1] : 0);
}

void storeWords(uint to, uvec2 words) {
    destination[to] = words.x;
    if (TWO_WORDS) {
        destination[to + 1] = words.y;
    }
}

// The words of samples at a byte. "shift" is the position of the byte in its word, in bits; "scale" multiplies the next word to the bits
// above.
uvec2 wordsAt(uint at, uint shift, uint scale) {
    uvec2 words = alignedWordsAt(at);
    if (PIXEL_BYTES != 4) {
        uint next = source[(at >> 2) + WORDS_EACH] * scale;
        words.x = (words.x >> (shift & 31u)) + (TWO_WORDS ? words.y * scale : next);
        words.y = (words.y >> (shift & 31u)) + next;
    }
    return words;
}

// Adds the taps "bytes" ahead of the words at byte "at", and as far behind them.
void addTapsAt(uint at, uint bytes, Pixels x, float strength, float scale, float weight, inout Sums s) {
    uint shift = bytes << 3;
    // 2 to the power of (32 - the lowest five bits of the shift); 0 if these are 0.
    uvec2 ahead = wordsAt(at + bytes, shift, 256u << ((24u - shift) & 31u));
    uvec2 behind = wordsAt(at - bytes, -shift, 256u << ((shift + 24u) & 31u));
    addPixels(unpackWords(ahead), unpackWords(behind), x, FOUR_SAMPLES, strength, scale, weight, s);
}

// The filtered words at byte "at". "across" is constant: whether there are secondary taps.
uvec2 filteredWords(uint at, Taps taps, Strengths by, bool across) {
    Pixels x = unpackWords(alignedWordsAt(at));
    Sums s = noTaps(x);
    addTapsAt(at, taps.far, x, by.primary, by.primaryScale, by.farWeight, s);
    addTapsAt(at, taps.near, x, by.primary, by.primaryScale, by.nearWeight, s);
    if (!across) {
        return repackWords(filteredAlong(x, FOUR_SAMPLES, s));
    }
    apart();
    addTapsAt(at, taps.nearLeft, x, by.secondary, by.secondaryScale, 2.0, s);
    addTapsAt(at, taps.nearRight, x, by.secondary, by.secondaryScale, 2.0, s);
    apart();
    addTapsAt(at, taps.farLeft, x, by.secondary, by.secondaryScale, 1.0, s);
    addTapsAt(at, taps.farRight, x, by.secondary, by.secondaryScale, 1.0, s);
    return repackWords(filtered(x, FOUR_SAMPLES, s));
}

// Filters the words at byte "at" of the source and those below them, into word "to" of the destination and the ones next to and below
// that. Words are stored right before the branch back; those of the last row are stored behind the loop.
void filterRows(
    uint at, uint strideBytes, uint to, uint destinationStride, uint direction, Strengths by, bool across) {
    Taps taps = tapsOf(direction, int(strideBytes));
    uint left = ROWS;
    uvec2 words;
    [[dont_unroll]] while (true) {
        words = filteredWords(at, taps, by, across);
        left--;
        if (left == 0) {
            break;
        }
        storeWords(to, words);
        at += strideBytes;
        to += destinationStride;
        taps = perhapsOthers(taps);
    }
    storeWords(to, words);
}

// Copies the words that filterRows would filter.
void copyRows(uint at, uint strideBytes, uint to, uint destinationStride) {
    [[dont_unroll]] for (uint left = ROWS; left > 0; left--) {
        storeWords(to, alignedWordsAt(at) & BITS_OF_SAMPLES);
        at += strideBytes;
        to += destinationStride;
    }
}

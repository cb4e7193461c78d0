// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// AV1 CDEF of a word of samples in each of several rows whose taps may all be read. The including file includes cdef/taps.glsl and
// defines ROWS (the number of rows), sourceAt() (reads a word of the source), store() (writes a word of the destination) and
// unknownZero() (returns 0, which the compiler does not know).
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

// The word of samples at a byte. "shift" is the position of the byte in its word, in bits; "scale" multiplies the next word to the bits
// above.
uint wordAt(uint at, uint shift, uint scale) {
    return PIXEL_BYTES == 4 ? sourceAt(at >> 2) : (sourceAt(at >> 2) >> (shift & 31u)) + sourceAt((at >> 2) + 1) * scale;
}

// Adds the taps "bytes" ahead of the word at byte "at", and as far behind it.
void addTapsAt(uint at, uint bytes, Pixels x, NUMBER strength, NUMBER scale, NUMBER weight, inout Sums s) {
    uint shift = bytes << 3;
    // 2 to the power of (32 - the lowest five bits of the shift); 0 if these are 0.
    uint ahead = wordAt(at + bytes, shift, 256u << ((24u - shift) & 31u));
    uint behind = wordAt(at - bytes, -shift, 256u << ((shift + 24u) & 31u));
    addTaps(ahead, behind, x, strength, scale, weight, s);
}

// The filtered word at byte "at". "across" is constant: whether there are secondary taps.
uint filteredWord(uint at, Taps taps, Strengths by, bool across) {
    Pixels x = unpack(sourceAt(at >> 2));
    Sums s = noTaps(x);
    addTapsAt(at, taps.far, x, by.primary, by.primaryScale, by.farWeight, s);
    addTapsAt(at, taps.near, x, by.primary, by.primaryScale, by.nearWeight, s);
    if (!across) {
        return finishAlong(x, s);
    }
    apart();
    addTapsAt(at, taps.nearLeft, x, by.secondary, by.secondaryScale, NUMBER(2), s);
    addTapsAt(at, taps.nearRight, x, by.secondary, by.secondaryScale, NUMBER(2), s);
    apart();
    addTapsAt(at, taps.farLeft, x, by.secondary, by.secondaryScale, NUMBER(1), s);
    addTapsAt(at, taps.farRight, x, by.secondary, by.secondaryScale, NUMBER(1), s);
    return finish(x, s);
}

// Filters the word at byte "at" of the source and the words below it, into word "to" of the destination and the words below that. A
// word is stored right before the branch back; that of the last row is stored behind the loop.
void filterRows(
    uint at, uint strideBytes, uint to, uint destinationStride, uint direction, Strengths by, bool across) {
    Taps taps = tapsOf(direction, int(strideBytes));
    uint left = ROWS;
    uint word;
    [[dont_unroll]] while (true) {
        word = filteredWord(at, taps, by, across);
        left--;
        if (left == 0) {
            break;
        }
        store(to, word);
        at += strideBytes;
        to += destinationStride;
        taps = perhapsOthers(taps);
    }
    store(to, word);
}

// Copies the words that filterRows would filter.
void copyRows(uint at, uint strideBytes, uint to, uint destinationStride) {
    [[dont_unroll]] for (uint left = ROWS; left > 0; left--) {
        store(to, sourceAt(at >> 2) & BITS_OF_SAMPLES);
        at += strideBytes;
        to += destinationStride;
    }
}

// AV1's CDEF of a word of samples in each of several rows, all of whose taps may be read. Expects cdef/taps.glsl, ROWS, how
// many there are, sourceAt(), a word of the source, store(), which writes one of the destination, and unknownZero(), which is 0
// though the compiler does not know it.
//
// What the taps' places take to compute is shared by the rows. V3D's compiler would keep all that follows from them in
// registers from row to row, and would read for all taps before it computes the first one: there are not enough registers for
// either. So the places are such that they might change from row to row, and parts of the work lie between branches that are
// never taken.

struct Taps {
    // Bytes from a word to the taps' words, along the direction and the two across it.
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

// The same places, for all that the compiler knows others.
Taps perhapsOthers(Taps t) {
    uint zero = unknownZero();
    return Taps(t.near + zero, t.far + zero, t.nearLeft + zero, t.farLeft, t.nearRight + zero, t.farRight);
}

void apart() {
    if (unknownZero() != 0) {
        subgroupMemoryBarrier();
    }
}

// The word of samples at a byte, whose lowest bits are "shift" bits up in the word that holds it; "scale" moves the next word
// above the rest of it.
uint wordAt(uint at, uint shift, uint scale) {
    return PIXEL_BYTES == 4 ? sourceAt(at >> 2) : (sourceAt(at >> 2) >> (shift & 31u)) + sourceAt((at >> 2) + 1) * scale;
}

// Adds the taps that lie "bytes" ahead of the word at byte "at" and as far behind it.
void addTapsAt(uint at, uint bytes, Pixels x, NUMBER strength, NUMBER scale, NUMBER weight, inout Sums s) {
    uint shift = bytes << 3;
    // 2 to the power of 32 less the lowest five bits of the shift; 0 where that is 32.
    uint ahead = wordAt(at + bytes, shift, 256u << ((24u - shift) & 31u));
    uint behind = wordAt(at - bytes, -shift, 256u << ((shift + 24u) & 31u));
    addTaps(ahead, behind, x, strength, scale, weight, s);
}

// The word at byte "at", filtered.
uint filteredWord(uint at, Taps taps, Strengths by) {
    Pixels x = unpack(sourceAt(at >> 2));
    Sums s = noTaps(x);
    addTapsAt(at, taps.far, x, by.primary, by.primaryScale, by.farWeight, s);
    addTapsAt(at, taps.near, x, by.primary, by.primaryScale, by.nearWeight, s);
    apart();
    addTapsAt(at, taps.nearLeft, x, by.secondary, by.secondaryScale, NUMBER(2), s);
    addTapsAt(at, taps.nearRight, x, by.secondary, by.secondaryScale, NUMBER(2), s);
    apart();
    addTapsAt(at, taps.farLeft, x, by.secondary, by.secondaryScale, NUMBER(1), s);
    addTapsAt(at, taps.farRight, x, by.secondary, by.secondaryScale, NUMBER(1), s);
    return finish(x, s);
}

// Filters the word at byte "at" of the source and those below it into word "to" of the destination and those below that one. A
// row's word is stored beside the branch back, of which the last row has none.
void filterRows(uint at, uint strideBytes, uint to, uint destinationStride, uint direction, Strengths by) {
    Taps taps = tapsOf(direction, int(strideBytes));
    uint left = ROWS;
    uint word;
    [[dont_unroll]] while (true) {
        word = filteredWord(at, taps, by);
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

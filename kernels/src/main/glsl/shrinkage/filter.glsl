// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#include "common/barriers.glsl"
#include "common/columns.glsl"
#include "shrinkage/transform.glsl"
#include "shrinkage/pairs.glsl"

// Shrinkage of the luma plane or of the chroma planes (ShrinkageParameters). A workgroup filters a tile: it keeps the tile's samples with a
// border of 8 in shared memory, and sums up there what every shift takes away from each sample. An invocation transforms whole blocks.
// Blocks of a shift do not overlap; between shifts the workgroup meets.
//
// The sums lie on a torus of BLOCK_COLUMNS x BLOCK_ROWS blocks. The tile is one block smaller in both directions. So the blocks of any
// shift cover the torus exactly once: those that begin left of the tile end in its first columns, and their other columns fall, like those
// of the blocks that end right of it, into the last column of blocks, which nobody reads. A sum lies at its place within the 8x8 grid
// first, then at its block: neighbouring invocations use neighbouring words.

layout(local_size_x_id = 0) in;

layout(constant_id = 2) const uint SAMPLE_BYTES = 1;
layout(constant_id = 3) const uint SAMPLE_SHIFT = 0;
// Components of the plane, whose samples alternate.
layout(constant_id = 4) const uint COMPONENTS = 1;
// Whether to take the thresholds of chroma.
layout(constant_id = 5) const bool CHROMA = false;
// 4, 8 or 16.
layout(constant_id = 6) const uint SHIFTS = 8;
// The torus, in blocks.
layout(constant_id = 7) const uint BLOCK_COLUMNS = 8;
layout(constant_id = 8) const uint BLOCK_ROWS = 6;
// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 9) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 10) const bool DECODED_IN_COLUMNS = false;
layout(constant_id = 11) const bool DESTINATION_IN_COLUMNS = false;

const uint BLOCKS = BLOCK_COLUMNS * BLOCK_ROWS;
const uint ITEMS = BLOCKS * COMPONENTS;
// Of the tile.
const uint TILE_COLUMNS = BLOCK_COLUMNS - 1;
const uint TILE_ROWS = BLOCK_ROWS - 1;
const uint TILE_ITEMS = TILE_COLUMNS * TILE_ROWS * COMPONENTS;
const uint STAGED_ROWS = 8 * BLOCK_ROWS + 8;
const uint WORD_SAMPLES = 4 / SAMPLE_BYTES;
const uint STAGED_WORDS = (8 * BLOCK_COLUMNS + 8) / WORD_SAMPLES;
const uint PIXEL_BYTES = COMPONENTS * SAMPLE_BYTES;
const uint SAMPLE_MASK = SAMPLE_BYTES == 1 ? 0xffu : 0x3ffu;
const int MOST_SAMPLE = int(SAMPLE_MASK);
const int BEFORE = 8;

// A sum and the weights of its blocks share a word: the sum times 512, plus the sum of (weight - 1). With 8 shifts of 8 bits neither
// leaves its part: a weight is at most 64, and a block takes at most 5411 (of 32 parts of a sample value) from a sample, so the word stays
// below 8 * 64 * 5411 * 512 < 2^31. Longer sums have a word of their own for the weights.
const bool LONG = SAMPLE_BYTES == 2 || SHIFTS == 16;
const uint WEIGHT_BITS = LONG ? 0 : 9;
const uint SUM_WORDS = LONG ? 2 : 1;
// From a sum to its weights, in words.
const uint WEIGHTS_AT = ITEMS * 64;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
    uint source[];
};
layout(std430, set = 0, binding = 1) restrict buffer Destination {
    uint destination[];
};
// The picture before all filters.
layout(std430, set = 0, binding = 2) readonly restrict buffer Decoded {
    uint decoded[];
};
// Scaled to the bit depth.
struct ShrinkageThresholds {
    // 0 where the component stays as it is.
    uint running;
    uint bounded;
    // By class of the row plus three times the class of the column; the class is 0 for 0 and 4, 1 for odd ones, 2 for 2 and 6.
    int thresholds[9];
    int bounds[64];
};
layout(std430, set = 0, binding = 3) readonly restrict buffer ShrinkageTable {
    ShrinkageThresholds kinds[2];
} parameters;
layout(std430, set = 0, binding = 4) readonly restrict buffer ShrinkageConstants {
    // Of a block by the number of its large coefficients but one.
    uint weights[64];
    // 65536 / i, rounded down; 0 for 0.
    uint reciprocals[1025];
} constants;

layout(push_constant) uniform ShrinkageGeometry {
    // Of luma in element 0; or of planes 1 and 2.
    uint sourceOffset[2];
    uint sourceStride[2];
    uint decodedOffset[2];
    uint decodedStride[2];
    uint destinationOffset[2];
    uint destinationStride[2];
    // Pixels of a row, rows, words of a row, and the bits of the last word of a row that are samples.
    uint width, height, words, tail;
    uint sourceSkip, decodedSkip, destinationSkip;
    // Where the first tile begins, -7 to 0, and the distance of tiles.
    int firstColumn, firstRow;
    uint columnStep, rowStep;
    // 65536.
    uint highStep;
} g;

shared uint staged[COMPONENTS * STAGED_ROWS * STAGED_WORDS];
shared uint sums[ITEMS * 64 * SUM_WORDS];

uint plane() {
    return gl_WorkGroupID.z;
}

uint wordOfSource(uint row, uint column) {
    return source[(plane() == 0 ? g.sourceOffset[0] : g.sourceOffset[1]) + row * (plane() == 0 ? g.sourceStride[0] : g.sourceStride[1])
        + (SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip) : column)];
}

uint wordOfDecoded(uint row, uint column) {
    return decoded[(plane() == 0 ? g.decodedOffset[0] : g.decodedOffset[1]) + row * (plane() == 0 ? g.decodedStride[0] : g.decodedStride[1])
        + (DECODED_IN_COLUMNS ? inColumns(column, g.decodedSkip) : column)];
}

uint bitsOf(uint x, uint component) {
    return ((x * COMPONENTS + component) * SAMPLE_BYTES & 3u) * 8;
}

uint wordIndex(uint x, uint component) {
    return (x * COMPONENTS + component) * SAMPLE_BYTES >> 2;
}

// The column and row of the tile's first sample.
ivec2 tileBegin() {
    return ivec2(g.firstColumn, g.firstRow) + ivec2(gl_WorkGroupID.xy) * ivec2(g.columnStep, g.rowStep);
}

// A sample of the source; outside the plane the nearest one.
uint sampleAt(int x, uint row, uint component) {
    uint column = uint(clamp(x, 0, int(g.width) - 1));
    uint word = wordOfSource(row, wordIndex(column, component)) >> bitsOf(column, component);
    return (SAMPLE_BYTES == 1 ? word : (word & 0xffffu) >> SAMPLE_SHIFT) & SAMPLE_MASK;
}

// Samples x, x + 1 ... of a component, all in the plane, as a word.
uint samplesAt(uint x, uint row, uint component) {
    uint first = wordIndex(x, 0);
    uint bits = bitsOf(x, 0);
    uint last = g.words - 1;
    uint a = wordOfSource(row, first);
    if (PIXEL_BYTES == 1 || (PIXEL_BYTES == 2 && SAMPLE_BYTES == 2)) {
        uint word = (a >> bits) | ((wordOfSource(row, min(first + 1, last)) << 1) << (31 - bits));
        return SAMPLE_BYTES == 1 ? word : (word >> SAMPLE_SHIFT) & 0x03ff03ffu;
    }
    uint b = wordOfSource(row, min(first + 1, last));
    if (PIXEL_BYTES == 4) {
        uint shift = component * 16;
        return (((a >> shift) & 0xffffu) >> SAMPLE_SHIFT & SAMPLE_MASK)
            | (((b >> shift) & 0xffffu) >> SAMPLE_SHIFT & SAMPLE_MASK) << 16;
    }
    uint c = wordOfSource(row, min(first + 2, last));
    uint shift = component * 8;
    uint low = (((a >> bits) | ((b << 1) << (31 - bits))) >> shift) & 0x00ff00ffu;
    uint high = (((b >> bits) | ((c << 1) << (31 - bits))) >> shift) & 0x00ff00ffu;
    return ((low | low >> 8) & 0xffffu) | (high | high >> 8) << 16;
}

void stage(ivec2 begin) {
    // A division by each invocation alone, not by each of its words.
    uint line = gl_LocalInvocationIndex / STAGED_WORDS;
    uint inLine = gl_LocalInvocationIndex - line * STAGED_WORDS;
    const uint LINES_ON = gl_WorkGroupSize.x / STAGED_WORDS;
    const uint WORDS_ON = gl_WorkGroupSize.x % STAGED_WORDS;
    [[dont_unroll]] while (line < COMPONENTS * STAGED_ROWS) {
        uint component = COMPONENTS == 1 ? 0 : line / STAGED_ROWS;
        uint row = uint(clamp(begin.y - BEFORE + int(line - component * STAGED_ROWS), 0, int(g.height) - 1));
        int x = begin.x - BEFORE + int(inLine * WORD_SAMPLES);
        uint word = 0;
        if (x >= 0 && x + int(WORD_SAMPLES) <= int(g.width)) {
            word = samplesAt(uint(x), row, component);
        } else {
            [[dont_unroll]] for (int j = int(WORD_SAMPLES) - 1; j >= 0; j--) {
                word = word << (8 * SAMPLE_BYTES) | sampleAt(x + j, row, component);
            }
        }
        staged[line * STAGED_WORDS + inLine] = word;
        line += LINES_ON;
        inLine += WORDS_ON;
        if (inLine >= STAGED_WORDS) {
            inLine -= STAGED_WORDS;
            line++;
        }
    }
}

// What is taken away of a coefficient c, for c + 0x8000: c up to half of the threshold, less and less up to the threshold, then nothing.
int taken(uint biased, int threshold) {
    int c = int(biased) - 0x8000;
    return clamp(c + c, -threshold, threshold) - clamp(c, -threshold, threshold);
}

// Adds 1 for each large coefficient of a pair that carries HALF, in both halves of "large".
void countLarge(uint biased, int threshold, inout uint large) {
    if (SAMPLE_BYTES == 1) {
        // The highest bit of a field says whether the coefficient is at least threshold + 1, or at most -threshold - 1.
        uint least = uint(threshold) * 0x10001u + 0x00010001u;
        uint over = (biased - least) | ((2 * HALF - least) - biased);
        large += (over & HALF) >> 15;
    } else {
        large -= uint(threshold - abs(int(biased & 0xffffu) - 0x8000) >> 31);
        large -= uint(threshold - abs(int(biased >> 16) - 0x8000) >> 31);
    }
}

// Both numbers of a pair become (number * scale + 32) >> 6. The result carries HALF. Products stay within 16 bits up to the largest
// threshold; for the scale 82 only its half does.
uint scaledPair(int low, int high, uint scale) {
    uint both = uint(low) + (uint(high) << 16);
    if (scale == 32) {
        return halved(both + (HALF + 0x00010001u)) + (HALF - QUARTER);
    }
    both *= scale == 82 ? 41 : scale;
    return scale == 82
        ? ((both + (HALF + 0x00100010u)) >> 5 & 0x07ff07ffu) + (HALF - 0x04000400u)
        : ((both + (HALF + 0x00200020u)) >> 6 & 0x03ff03ffu) + (HALF - 0x02000200u);
}

// A pair of coefficients becomes what is taken away of it, scaled for the inverse transform. The word carries "addends" before, HALF
// after.
uint takenPair(uint pair, uint addends, int threshold, uint scale, inout uint large) {
    uint biased = pair + (HALF - addends);
    countLarge(biased, threshold, large);
    return scaledPair(taken(biased & 0xffffu, threshold), taken(biased >> 16, threshold), scale);
}

// As takenPair, for the mean and its neighbour in the word. Nothing is taken away of the mean.
uint takenMean(uint pair, uint addends, int threshold, inout uint large) {
    uint plain = pair - addends;
    if (SAMPLE_BYTES == 1) {
        countLarge(plain + HALF, threshold, large);
    } else {
        // The mean is not negative, and may need all 16 bits.
        large -= uint(threshold - int(plain & 0xffffu) >> 31);
        large -= uint(threshold - abs(int(plain) >> 16) >> 31);
    }
    return scaledPair(0, taken((plain + 0x80000000u) >> 16, threshold), 32);
}

// Parts work: V3D's compiler moves nothing past a branch, and so needs fewer registers.
void apart() {
    if (g.highStep == 0) {
        subgroupMemoryBarrier();
    }
}

int thresholdOf(uint index) {
    return parameters.kinds[CHROMA ? 1 : 0].thresholds[index];
}

// Coefficients of two rows of one class, in the order of their columns.
void shrinkRows(
    bool hasMean, int even, int odd, int other, uvec3 scales, inout uint large, inout uint s0, inout uint s1, inout uint s2,
    inout uint s3, inout uint s4, inout uint s5, inout uint s6, inout uint s7) {
    forwardPairs(s0, s1, s2, s3, s4, s5, s6, s7);
    s0 = hasMean ? takenMean(s0, 8 * HALF, even, large) : takenPair(s0, 8 * HALF, even, scales.x, large);
    s1 = takenPair(s1, ADDENDS_1, odd, scales.y, large);
    s2 = takenPair(s2, ADDENDS_2, other, scales.z, large);
    s3 = takenPair(s3, ADDENDS_3, odd, scales.y, large);
    s4 = takenPair(s4, 0, even, scales.x, large);
    s5 = takenPair(s5, ADDENDS_5, odd, scales.y, large);
    s6 = takenPair(s6, ADDENDS_2, other, scales.z, large);
    s7 = takenPair(s7, ADDENDS_3, odd, scales.y, large);
    inversePairs(s0, s1, s2, s3, s4, s5, s6, s7);
    s0 += HALF - SAMPLE_ADDENDS_0;
    s1 += HALF - SAMPLE_ADDENDS_1;
    s2 += HALF - SAMPLE_ADDENDS_2;
    s3 += HALF - SAMPLE_ADDENDS_3;
    s4 += HALF - SAMPLE_ADDENDS_4;
    s5 += HALF - SAMPLE_ADDENDS_5;
    s6 += HALF - SAMPLE_ADDENDS_6;
    s7 += HALF - SAMPLE_ADDENDS_7;
}

// Rows "a" and "b" of coefficients of one class, whose addends are given.
void shrinkRowPair(
    bool hasMean, uint classOfRow, uint addendsOfA, uint addendsOfB, uvec3 scales, inout uint large, inout uvec4 a, inout uvec4 b) {
    int even = thresholdOf(classOfRow);
    int odd = thresholdOf(3 + classOfRow);
    int other = thresholdOf(6 + classOfRow);
    a += HALF - addendsOfA;
    b += HALF - addendsOfB;
    exchange(a.x, b.x, g.highStep);
    exchange(a.y, b.y, g.highStep);
    exchange(a.z, b.z, g.highStep);
    exchange(a.w, b.w, g.highStep);
    if (SAMPLE_BYTES == 1) {
        shrinkRows(hasMean, even, odd, other, scales, large, a.x, a.y, b.x, b.y, a.z, a.w, b.z, b.w);
    } else {
        shrinkRows(hasMean, even, odd, other, scales, large, a.x, b.x, a.y, b.y, a.z, b.z, a.w, b.w);
    }
    exchange(a.x, b.x, g.highStep);
    exchange(a.y, b.y, g.highStep);
    exchange(a.z, b.z, g.highStep);
    exchange(a.w, b.w, g.highStep);
}

// Eight samples of a staged row, from the sample on that lies "bits" into word "at": pairs of samples 0 and 2, 1 and 3, 4 and 6, 5 and 7; of
// samples of 16 bits, of neighbours. "above" multiplies the next word to the bits above.
uvec4 loadPairs(uint at, uint bits, uint above) {
    if (SAMPLE_BYTES == 1) {
        uint middle = staged[at + 1];
        uint first = (staged[at] >> bits) + middle * above;
        uint second = (middle >> bits) + staged[at + 2] * above;
        uint firstEven = first & 0x00ff00ffu;
        uint secondEven = second & 0x00ff00ffu;
        return uvec4(firstEven, (first - firstEven) >> 8, secondEven, (second - secondEven) >> 8);
    }
    uint b = staged[at + 1];
    uint c = staged[at + 2];
    uint d = staged[at + 3];
    return uvec4(
        (staged[at] >> bits) + b * above, (b >> bits) + c * above, (c >> bits) + d * above, (d >> bits) + staged[at + 4] * above);
}

uint sumAt(uint place, uint item) {
    return place * ITEMS + item;
}

// Where column "column" of a block lies among the sums.
uint columnPlace(uint column, uint blockColumn) {
    uint next = blockColumn + (column >> 3);
    return (column & 7) * ITEMS + (next == BLOCK_COLUMNS ? 0 : next);
}

uint rowPlace(uint row, uint blockRow, uint component) {
    uint next = blockRow + (row >> 3);
    return (row & 7) * 8 * ITEMS + component * BLOCKS + (next == BLOCK_ROWS ? 0 : next) * BLOCK_COLUMNS;
}

// Adds the samples of two columns of a row to the sums.
void addPair(uint row, uint place, uint next, uint weight, uint pair, uint addends) {
    uint biased = pair + (HALF - addends);
    uint factor = weight << WEIGHT_BITS;
    uint more = (LONG ? 0 : weight - 1) - (factor << 15);
    uint first = sums[row + place];
    uint second = sums[row + next];
    sums[row + place] = first + (factor * (biased & 0xffffu) + more);
    sums[row + next] = second + (factor * (biased >> 16) + more);
    if (LONG) {
        sums[row + place + WEIGHTS_AT] += weight;
        sums[row + next + WEIGHTS_AT] += weight;
    }
}

void addColumns(
    uint column, uint nextColumn, uvec2 shift, uvec2 block, uint component, uint weight, uint s0, uint s1, uint s2, uint s3, uint s4,
    uint s5, uint s6, uint s7) {
    inversePairs(s0, s1, s2, s3, s4, s5, s6, s7);
    uint place = columnPlace(shift.x + column, block.x);
    uint next = columnPlace(shift.x + nextColumn, block.x);
    addPair(rowPlace(shift.y, block.y, component), place, next, weight, s0, SAMPLE_ADDENDS_0);
    addPair(rowPlace(shift.y + 1, block.y, component), place, next, weight, s1, SAMPLE_ADDENDS_1);
    addPair(rowPlace(shift.y + 2, block.y, component), place, next, weight, s2, SAMPLE_ADDENDS_2);
    addPair(rowPlace(shift.y + 3, block.y, component), place, next, weight, s3, SAMPLE_ADDENDS_3);
    addPair(rowPlace(shift.y + 4, block.y, component), place, next, weight, s4, SAMPLE_ADDENDS_4);
    addPair(rowPlace(shift.y + 5, block.y, component), place, next, weight, s5, SAMPLE_ADDENDS_5);
    addPair(rowPlace(shift.y + 6, block.y, component), place, next, weight, s6, SAMPLE_ADDENDS_6);
    addPair(rowPlace(shift.y + 7, block.y, component), place, next, weight, s7, SAMPLE_ADDENDS_7);
}

// A block of a shift. "shift" counts from the tile's first sample.
void shrinkBlock(uint component, uvec2 block, uvec2 shift) {
    // The last block of the torus begins left of the tile, or above it.
    uint column = (block.x == TILE_COLUMNS ? 0 : 8 * block.x + 8) + shift.x;
    uint row = (block.y == TILE_ROWS ? 0 : 8 * block.y + 8) + shift.y;
    uint at = (component * STAGED_ROWS + row) * STAGED_WORDS + column / WORD_SAMPLES;
    uint bits = column % WORD_SAMPLES * 8 * SAMPLE_BYTES;
    // 2 to the power of (32 - bits); 0 for no bits.
    uint above = (0x40000000u >> (bits - 1 & 31u)) << 1 & (bits == 0 ? 0 : 0xffffffffu);
    uvec4 r0 = loadPairs(at, bits, above);
    uvec4 r1 = loadPairs(at + STAGED_WORDS, bits, above);
    uvec4 r2 = loadPairs(at + 2 * STAGED_WORDS, bits, above);
    uvec4 r3 = loadPairs(at + 3 * STAGED_WORDS, bits, above);
    uvec4 r4 = loadPairs(at + 4 * STAGED_WORDS, bits, above);
    uvec4 r5 = loadPairs(at + 5 * STAGED_WORDS, bits, above);
    uvec4 r6 = loadPairs(at + 6 * STAGED_WORDS, bits, above);
    uvec4 r7 = loadPairs(at + 7 * STAGED_WORDS, bits, above);
    forwardPairs(r0.x, r1.x, r2.x, r3.x, r4.x, r5.x, r6.x, r7.x);
    apart();
    forwardPairs(r0.y, r1.y, r2.y, r3.y, r4.y, r5.y, r6.y, r7.y);
    apart();
    forwardPairs(r0.z, r1.z, r2.z, r3.z, r4.z, r5.z, r6.z, r7.z);
    apart();
    forwardPairs(r0.w, r1.w, r2.w, r3.w, r4.w, r5.w, r6.w, r7.w);
    uint large = 0;
    apart();
    shrinkRowPair(true, 0, 0, 0, uvec3(32, 28, 51), large, r0, r4);
    apart();
    shrinkRowPair(false, 2, ADDENDS_2, ADDENDS_2, uvec3(51, 45, 82), large, r2, r6);
    apart();
    shrinkRowPair(false, 1, ADDENDS_1, ADDENDS_3, uvec3(28, 25, 45), large, r1, r3);
    apart();
    shrinkRowPair(false, 1, ADDENDS_5, ADDENDS_3, uvec3(28, 25, 45), large, r5, r7);
    uint counted = (large & 0xffffu) + (large >> 16);
    uint weight = constants.weights[max(counted, 1) - 1];
    const uint NEXT = SAMPLE_BYTES == 1 ? 2 : 1;
    apart();
    addColumns(0, NEXT, shift, block, component, weight, r0.x, r1.x, r2.x, r3.x, r4.x, r5.x, r6.x, r7.x);
    apart();
    addColumns(3 - NEXT, 3, shift, block, component, weight, r0.y, r1.y, r2.y, r3.y, r4.y, r5.y, r6.y, r7.y);
    apart();
    addColumns(4, 4 + NEXT, shift, block, component, weight, r0.z, r1.z, r2.z, r3.z, r4.z, r5.z, r6.z, r7.z);
    apart();
    addColumns(7 - NEXT, 7, shift, block, component, weight, r0.w, r1.w, r2.w, r3.w, r4.w, r5.w, r6.w, r7.w);
}

void clearSums() {
    [[dont_unroll]] for (uint item = gl_LocalInvocationIndex; item < ITEMS; item += gl_WorkGroupSize.x) {
        [[dont_unroll]] for (uint at = item; at < ITEMS * 64 * SUM_WORDS; at += 8 * ITEMS) {
            sums[at] = 0;
            sums[at + ITEMS] = 0;
            sums[at + 2 * ITEMS] = 0;
            sums[at + 3 * ITEMS] = 0;
            sums[at + 4 * ITEMS] = 0;
            sums[at + 5 * ITEMS] = 0;
            sums[at + 6 * ITEMS] = 0;
            sums[at + 7 * ITEMS] = 0;
        }
    }
}

// The component, column and row of an item among blocks that lie "columns" in a row and "rows" of them.
uvec3 itemPlace(uint item, uint columns, uint rows) {
    uint component = COMPONENTS == 1 ? 0 : item / (columns * rows);
    uint inPlane = item - component * columns * rows;
    uint row = inPlane / columns;
    return uvec3(inPlane - row * columns, row, component);
}

// The sample of a sum.
uint finished(uint at, uint unfiltered) {
    uint word = sums[at];
    int sum = LONG ? int(word) : int(word) >> WEIGHT_BITS;
    uint weights = LONG ? sums[at + WEIGHTS_AT] : (word & (1u << WEIGHT_BITS) - 1) + SHIFTS;
    int taken = (sum * int(constants.reciprocals[weights]) + (1 << 20)) >> 21;
    return uint(clamp(int(unfiltered) - taken, 0, MOST_SAMPLE));
}

// Two sums become samples. "word" has the unfiltered ones, of bytes from byte "first" on.
void finishPair(uint at, uint word, uint first) {
    uint shift = SAMPLE_BYTES == 1 ? 8 * first : 0;
    uint one = finished(at, (word >> shift) & SAMPLE_MASK);
    uint other = finished(at + ITEMS, (word >> (shift + 8 * SAMPLE_BYTES)) & SAMPLE_MASK);
    sums[at] = one;
    sums[at + ITEMS] = other;
}

// Sums of the tile become samples.
void finish() {
    [[dont_unroll]] for (uint item = gl_LocalInvocationIndex; item < TILE_ITEMS; item += gl_WorkGroupSize.x) {
        uvec3 block = itemPlace(item, TILE_COLUMNS, TILE_ROWS);
        uint first = block.z * BLOCKS + block.y * BLOCK_COLUMNS + block.x;
        [[dont_unroll]] for (uint row = 0; row < 8; row++) {
            uint at = sumAt(8 * row, first);
            uint from = ((block.z * STAGED_ROWS + 8 * block.y + row + BEFORE) * STAGED_WORDS) + (8 * block.x + BEFORE) / WORD_SAMPLES;
            finishPair(at, staged[from], 0);
            finishPair(at + 2 * ITEMS, SAMPLE_BYTES == 1 ? staged[from] : staged[from + 1], 2);
            finishPair(at + 4 * ITEMS, SAMPLE_BYTES == 1 ? staged[from + 1] : staged[from + 2], 0);
            finishPair(at + 6 * ITEMS, SAMPLE_BYTES == 1 ? staged[from + 1] : staged[from + 3], 2);
        }
    }
}

uint decodedSample(uint column, uint row, uint component) {
    uint word = wordOfDecoded(row, wordIndex(column, component)) >> bitsOf(column, component);
    return (SAMPLE_BYTES == 1 ? word : (word & 0xffffu) >> SAMPLE_SHIFT) & SAMPLE_MASK;
}

// While a block is bounded, a word of it has a sample in these lower bits, and a coefficient above.
const uint SAMPLE_BITS = 10;
const uint LOWER = (1u << SAMPLE_BITS) - 1;

void keepCoefficient(uint at, int coefficient) {
    sums[at] = (sums[at] & LOWER) | uint(coefficient) << SAMPLE_BITS;
}

int keptCoefficient(uint at) {
    return int(sums[at]) >> SAMPLE_BITS;
}

int excess(int coefficient, uint index, inout int any) {
    int bound = parameters.kinds[CHROMA ? 1 : 0].bounds[index];
    int over = coefficient - clamp(coefficient, -bound, bound);
    any |= over;
    return over;
}

int scaled(int over, int scale) {
    const int MOST = 390 << (SAMPLE_BYTES == 1 ? 0 : 2);
    return (clamp(over, -MOST, MOST) * scale + 32) >> 6;
}

// Bounds a block whose first sum is at "first". "column" and "row" are its place in the plane.
void boundBlock(uint first, uint column, uint row, uint component) {
    const uint DOWN = 8 * ITEMS;
    const uint RIGHT = ITEMS;
    [[dont_unroll]] for (uint x = 0; x < 8; x++) {
        uint at = first + x * RIGHT;
        int d0 = int(sums[at]) - int(decodedSample(column + x, row, component));
        int d1 = int(sums[at + DOWN]) - int(decodedSample(column + x, row + 1, component));
        int d2 = int(sums[at + 2 * DOWN]) - int(decodedSample(column + x, row + 2, component));
        int d3 = int(sums[at + 3 * DOWN]) - int(decodedSample(column + x, row + 3, component));
        int d4 = int(sums[at + 4 * DOWN]) - int(decodedSample(column + x, row + 4, component));
        int d5 = int(sums[at + 5 * DOWN]) - int(decodedSample(column + x, row + 5, component));
        int d6 = int(sums[at + 6 * DOWN]) - int(decodedSample(column + x, row + 6, component));
        int d7 = int(sums[at + 7 * DOWN]) - int(decodedSample(column + x, row + 7, component));
        forward8(d0, d1, d2, d3, d4, d5, d6, d7);
        keepCoefficient(at, d0);
        keepCoefficient(at + DOWN, d1);
        keepCoefficient(at + 2 * DOWN, d2);
        keepCoefficient(at + 3 * DOWN, d3);
        keepCoefficient(at + 4 * DOWN, d4);
        keepCoefficient(at + 5 * DOWN, d5);
        keepCoefficient(at + 6 * DOWN, d6);
        keepCoefficient(at + 7 * DOWN, d7);
    }
    int any = 0;
    [[dont_unroll]] for (uint v = 0; v < 8; v++) {
        uint at = first + v * DOWN;
        int c0 = keptCoefficient(at);
        int c1 = keptCoefficient(at + RIGHT);
        int c2 = keptCoefficient(at + 2 * RIGHT);
        int c3 = keptCoefficient(at + 3 * RIGHT);
        int c4 = keptCoefficient(at + 4 * RIGHT);
        int c5 = keptCoefficient(at + 5 * RIGHT);
        int c6 = keptCoefficient(at + 6 * RIGHT);
        int c7 = keptCoefficient(at + 7 * RIGHT);
        forward8(c0, c1, c2, c3, c4, c5, c6, c7);
        bool odd = (v & 1) != 0;
        bool other = (v & 3) == 2;
        int even = odd ? 28 : other ? 51 : 32;
        int odds = odd ? 25 : other ? 45 : 28;
        int others = odd ? 45 : other ? 82 : 51;
        c0 = scaled(excess(c0, v * 8, any), even);
        c1 = scaled(excess(c1, v * 8 + 1, any), odds);
        c2 = scaled(excess(c2, v * 8 + 2, any), others);
        c3 = scaled(excess(c3, v * 8 + 3, any), odds);
        c4 = scaled(excess(c4, v * 8 + 4, any), even);
        c5 = scaled(excess(c5, v * 8 + 5, any), odds);
        c6 = scaled(excess(c6, v * 8 + 6, any), others);
        c7 = scaled(excess(c7, v * 8 + 7, any), odds);
        inverse8(c0, c1, c2, c3, c4, c5, c6, c7);
        keepCoefficient(at, c0);
        keepCoefficient(at + RIGHT, c1);
        keepCoefficient(at + 2 * RIGHT, c2);
        keepCoefficient(at + 3 * RIGHT, c3);
        keepCoefficient(at + 4 * RIGHT, c4);
        keepCoefficient(at + 5 * RIGHT, c5);
        keepCoefficient(at + 6 * RIGHT, c6);
        keepCoefficient(at + 7 * RIGHT, c7);
    }
    // Without any excess, everything here is 0, and the samples only lose what lies above them.
    [[dont_unroll]] for (uint x = 0; x < 8; x++) {
        uint at = first + x * RIGHT;
        int c0 = keptCoefficient(at);
        int c1 = keptCoefficient(at + DOWN);
        int c2 = keptCoefficient(at + 2 * DOWN);
        int c3 = keptCoefficient(at + 3 * DOWN);
        int c4 = keptCoefficient(at + 4 * DOWN);
        int c5 = keptCoefficient(at + 5 * DOWN);
        int c6 = keptCoefficient(at + 6 * DOWN);
        int c7 = keptCoefficient(at + 7 * DOWN);
        inverse8(c0, c1, c2, c3, c4, c5, c6, c7);
        sums[at] = uint(clamp(int(sums[at] & LOWER) - ((c0 + 16) >> 5), 0, MOST_SAMPLE));
        sums[at + DOWN] = uint(clamp(int(sums[at + DOWN] & LOWER) - ((c1 + 16) >> 5), 0, MOST_SAMPLE));
        sums[at + 2 * DOWN] = uint(clamp(int(sums[at + 2 * DOWN] & LOWER) - ((c2 + 16) >> 5), 0, MOST_SAMPLE));
        sums[at + 3 * DOWN] = uint(clamp(int(sums[at + 3 * DOWN] & LOWER) - ((c3 + 16) >> 5), 0, MOST_SAMPLE));
        sums[at + 4 * DOWN] = uint(clamp(int(sums[at + 4 * DOWN] & LOWER) - ((c4 + 16) >> 5), 0, MOST_SAMPLE));
        sums[at + 5 * DOWN] = uint(clamp(int(sums[at + 5 * DOWN] & LOWER) - ((c5 + 16) >> 5), 0, MOST_SAMPLE));
        sums[at + 6 * DOWN] = uint(clamp(int(sums[at + 6 * DOWN] & LOWER) - ((c6 + 16) >> 5), 0, MOST_SAMPLE));
        sums[at + 7 * DOWN] = uint(clamp(int(sums[at + 7 * DOWN] & LOWER) - ((c7 + 16) >> 5), 0, MOST_SAMPLE));
    }
}

// Bounds the codec's blocks of the tile that lie in the plane as a whole.
void bound(ivec2 begin) {
    [[dont_unroll]] for (uint item = gl_LocalInvocationIndex; item < TILE_ITEMS; item += gl_WorkGroupSize.x) {
        uvec3 block = itemPlace(item, TILE_COLUMNS, TILE_ROWS);
        ivec2 place = begin + 8 * ivec2(block.xy);
        if (place.x >= 0 && place.y >= 0 && place.x + 8 <= int(g.width) && place.y + 8 <= int(g.height)) {
            boundBlock(
                sumAt(0, block.z * BLOCKS + block.y * BLOCK_COLUMNS + block.x), uint(place.x), uint(place.y), block.z);
        }
    }
}

uint filteredSample(uint component, uint column, uint row) {
    uint at = sumAt((row & 7) * 8 + (column & 7), component * BLOCKS + (row >> 3) * BLOCK_COLUMNS + (column >> 3));
    return sums[at] << SAMPLE_SHIFT;
}

// Stores the tile's words. Where the codec's blocks do not begin with a word, tiles overlap, and each leaves out words that it has not
// as a whole.
void store(ivec2 begin) {
    const uint PIXELS = max(4 / PIXEL_BYTES, 1);
    uint first = uint(begin.x + 9 * int(PIXELS) - 1) / PIXELS - 8;
    uint rowWords = g.columnStep / PIXELS;
    uint rows = 8 * TILE_ROWS;
    uint tileRow = gl_LocalInvocationIndex / rowWords;
    uint inRow = gl_LocalInvocationIndex - tileRow * rowWords;
    uint rowsOn = gl_WorkGroupSize.x / rowWords;
    uint wordsOn = gl_WorkGroupSize.x - rowsOn * rowWords;
    [[dont_unroll]] while (tileRow < rows) {
        uint column = first + inRow;
        int row = begin.y + int(tileRow);
        if (column < g.words && row >= 0 && row < int(g.height)) {
            uint x = uint(int(column * PIXELS) - begin.x);
            uint word;
            if (PIXEL_BYTES == 1) {
                word = filteredSample(0, x, tileRow) | filteredSample(0, x + 1, tileRow) << 8
                    | filteredSample(0, x + 2, tileRow) << 16 | filteredSample(0, x + 3, tileRow) << 24;
            } else if (PIXEL_BYTES == 4) {
                word = filteredSample(0, x, tileRow) | filteredSample(1, x, tileRow) << 16;
            } else if (SAMPLE_BYTES == 2) {
                word = filteredSample(0, x, tileRow) | filteredSample(0, x + 1, tileRow) << 16;
            } else {
                word = filteredSample(0, x, tileRow) | filteredSample(1, x, tileRow) << 8
                    | filteredSample(0, x + 1, tileRow) << 16 | filteredSample(1, x + 1, tileRow) << 24;
            }
            uint at = (plane() == 0 ? g.destinationOffset[0] : g.destinationOffset[1])
                + uint(row) * (plane() == 0 ? g.destinationStride[0] : g.destinationStride[1])
                + (DESTINATION_IN_COLUMNS ? inColumns(column, g.destinationSkip) : column);
            destination[at] = column + 1 == g.words && g.tail != 0xffffffffu
                ? (word & g.tail) | (destination[at] & ~g.tail) : word;
        }
        tileRow += rowsOn;
        inRow += wordsOn;
        if (inRow >= rowWords) {
            inRow -= rowWords;
            tileRow++;
        }
    }
}

void main() {
    ivec2 begin = tileBegin();
    stage(begin);
    clearSums();
    meetOverShared();
    if (parameters.kinds[CHROMA ? 1 : 0].running != 0) {
        [[dont_unroll]] for (uint k = 0; k < 16; k += 1) {
            if (k >= SHIFTS) {
                break;
            }
            // The shifts in their order: 0,0 5,1 2,2 7,3 and so on, then the same four columns further on; of 4 shifts, every other one.
            uint number = SHIFTS == 4 ? 2 * k : k;
            uvec2 shift = uvec2(5 * number + (number >> 3) * 4 - uint(begin.x), number - uint(begin.y)) & 7u;
            [[dont_unroll]] for (uint item = gl_LocalInvocationIndex; item < ITEMS; item += gl_WorkGroupSize.x) {
                uvec3 block = itemPlace(item, BLOCK_COLUMNS, BLOCK_ROWS);
                shrinkBlock(block.z, block.xy, shift);
            }
            meetOverShared();
        }
    }
    finish();
    meetOverShared();
    if (parameters.kinds[CHROMA ? 1 : 0].bounded != 0) {
        bound(begin);
        meetOverShared();
    }
    store(begin);
}

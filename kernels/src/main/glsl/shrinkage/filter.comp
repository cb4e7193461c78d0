// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_basic : require

#include "common/barriers.glsl"
#include "common/columns.glsl"
#include "shrinkage/transform.glsl"

// Shrinkage of the luma plane or of the chroma planes (ShrinkageParameters). A workgroup goes down a strip of the plane. In shared memory it
// keeps the samples of some rows of blocks, and sums up there what every shift takes away from each sample. In a step it transforms
// STEP_ROWS rows of blocks at every shift, and finishes as many rows of the codec's blocks. An invocation transforms whole blocks. Blocks of a
// shift do not overlap; between shifts the workgroup meets.
//
// Samples and sums lie in a ring of RING_ROWS bands, which are rows of the codec's blocks. A step begins with the band above the rows that
// it adds. Blocks of a shift begin in all its bands but the last, whose sums the next step completes. The strip's first band lies above
// what it writes; it is there for the blocks that begin in it.
//
// The first column of blocks lies left of what the strip writes, for the same reason. Blocks that end right of the strip leave their last
// columns there, too; nobody reads these sums. In a line, sums lie at their place within the block first, then at their block: neighbouring
// invocations use neighbouring words.

layout(local_size_x_id = 0) in;

layout(constant_id = 2) const uint SAMPLE_BYTES = 1;
layout(constant_id = 3) const uint SAMPLE_SHIFT = 0;
// Components of the plane, whose samples alternate.
layout(constant_id = 4) const uint COMPONENTS = 1;
// Whether to take the thresholds of chroma.
layout(constant_id = 5) const bool CHROMA = false;
// 4, 8 or 16.
layout(constant_id = 6) const uint SHIFTS = 8;
// A power of two. The workgroup's size divides COMPONENTS * BLOCK_COLUMNS * STEP_ROWS.
layout(constant_id = 7) const uint BLOCK_COLUMNS = 16;
layout(constant_id = 8) const uint STEP_ROWS = 1;
// Whether the rows of a picture are cut into columns (common/columns.glsl).
layout(constant_id = 9) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 10) const bool DECODED_IN_COLUMNS = false;
layout(constant_id = 11) const bool DESTINATION_IN_COLUMNS = false;
// Whether an invocation puts what it does not need at the moment into shared memory, for devices with few registers.
layout(constant_id = 12) const bool PARKING = false;

const uint RING_ROWS = STEP_ROWS + 1;
const uint LINES = 8 * RING_ROWS;
const uint ITEMS = COMPONENTS * BLOCK_COLUMNS * STEP_ROWS;
const uint WORD_SAMPLES = 4 / SAMPLE_BYTES;
const uint STAGED_WORDS = (8 * BLOCK_COLUMNS + 8) / WORD_SAMPLES;
const uint STAGED_LINE = COMPONENTS * STAGED_WORDS;
const uint SUM_STEP = COMPONENTS * BLOCK_COLUMNS;
const uint SUM_LINE = 8 * SUM_STEP;
const uint PIXEL_BYTES = COMPONENTS * SAMPLE_BYTES;
const uint SAMPLE_BITS = SAMPLE_BYTES == 1 ? 8 : 10;
const uint SAMPLE_MASK = (1u << SAMPLE_BITS) - 1;
const int MOST_SAMPLE = int(SAMPLE_MASK);

#include "shrinkage/pairs.glsl"

// A sum and the weights of its blocks share a word: the sum plus 2^23 times the weights. With 8 shifts of 8 bits neither leaves its part: a
// block takes at most 5411 (of 32 parts of a sample value) from a sample, and a weight is at most 64, so the sum stays within 2^22. Of the
// weights, at most 512, the word has 9 bits. Longer sums have a word of their own for the weights.
const bool LONG = SAMPLE_BYTES == 2 || SHIFTS == 16;
const uint WEIGHTS_SHIFT = 23;
// From a sum to its weights, in words.
const uint WEIGHTS_AT = LINES * SUM_LINE;

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
    // Where the first strip begins, -7 to 0, and the distance of strips.
    int firstColumn, firstRow;
    uint columnStep, rowStep;
    // Steps of a strip. V3D's compiler takes loops that end by a number of the workgroup for loops of single invocations.
    uint steps;
    // 0, which compilers do not know. What one part of the kernel computes with an element of its own, no register keeps for another part.
    uint zero[4];
} g;

shared uint staged[LINES * STAGED_LINE];
shared uvec4 parked[PARKING ? 6 * gl_WorkGroupSize.x : 1];
shared uint sums[LINES * SUM_LINE * (LONG ? 2 : 1)];

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

// The sample of a word of a picture that lies "bits" into the word.
uint sampleOf(uint word, uint bits) {
    return (word >> bits + SAMPLE_SHIFT) & SAMPLE_MASK;
}

// The column and row where the strip begins. "nothing" is 0.
ivec2 stripBegin(uint nothing) {
    return ivec2(g.firstColumn, g.firstRow) + ivec2((gl_WorkGroupID.xy + nothing) * uvec2(g.columnStep, g.rowStep));
}

// The plane's row in which a band of a step begins.
int bandRow(ivec2 begin, uint step, uint band) {
    return begin.y - 8 + 8 * int(STEP_ROWS * step + band);
}

// The line of the ring in which a band of a step begins.
uint bandLine(uint step, uint band) {
    return 8 * (STEP_ROWS * step + band) % LINES;
}

// The component, block and row of blocks of an item of a step.
uvec3 itemPlace(uint i, uint nothing) {
    uint item = i * gl_WorkGroupSize.x + gl_LocalInvocationIndex + nothing;
    uint row = item / (COMPONENTS * BLOCK_COLUMNS);
    uint inRow = item & (COMPONENTS * BLOCK_COLUMNS - 1);
    return uvec3(inRow / BLOCK_COLUMNS, inRow & (BLOCK_COLUMNS - 1), row);
}

// A line of the ring, for a number below 2 * LINES.
uint inRing(uint line) {
    return min(line, line - LINES);
}

// A sample of the source; outside the plane the nearest one.
uint sampleAt(int x, uint row, uint component) {
    uint column = uint(clamp(x, 0, int(g.width) - 1));
    return sampleOf(wordOfSource(row, wordIndex(column, component)), bitsOf(column, component));
}

// Samples x, x + 1 ... of a component, all in the plane, as a word.
uint samplesAt(uint x, uint row, uint component) {
    uint first = wordIndex(x, 0);
    uint bits = bitsOf(x, 0);
    uint last = g.words - 1;
    uint a = wordOfSource(row, first);
    uint b = wordOfSource(row, min(first + 1, last));
    uint samples = (a >> bits) | ((b << 1) << (31 - bits));
    if (PIXEL_BYTES == SAMPLE_BYTES) {
        samples = SAMPLE_BYTES == 1 ? samples : (samples >> SAMPLE_SHIFT) & 0x03ff03ffu;
    } else if (SAMPLE_BYTES == 2) {
        samples = sampleOf(a, component * 16) | sampleOf(b, component * 16) << 16;
    } else {
        uint c = wordOfSource(row, min(first + 2, last));
        uint low = samples >> (component * 8) & 0x00ff00ffu;
        uint high = ((b >> bits) | ((c << 1) << (31 - bits))) >> (component * 8) & 0x00ff00ffu;
        samples = ((low | low >> 8) & 0xffffu) | (high | high >> 8) << 16;
    }
    return samples;
}

// Stages the bands that a step adds; the first step also stages the band above.
void stage(uint step, uint nothing) {
    uint invocation = gl_LocalInvocationIndex + nothing;
    ivec2 begin = stripBegin(nothing);
    uint firstBand = step == 0 ? 0 : 1;
    uint lines = 8 * (STEP_ROWS + 1 - firstBand);
    uint line = bandLine(step, firstBand);
    int row = bandRow(begin, step, firstBand);
    // A division by each invocation alone, not by each of its words.
    uint down = invocation / STAGED_LINE;
    uint across = invocation - down * STAGED_LINE;
    const uint LINES_ON = gl_WorkGroupSize.x / STAGED_LINE;
    const uint WORDS_ON = gl_WorkGroupSize.x % STAGED_LINE;
    [[dont_unroll]] while (down < lines) {
        uint component = COMPONENTS == 2 && across >= STAGED_WORDS ? 1 : 0;
        uint from = uint(clamp(row + int(down), 0, int(g.height) - 1));
        int x = begin.x - 8 + int((across - component * STAGED_WORDS) * WORD_SAMPLES);
        uint word = 0;
        if (x >= 0 && x + int(WORD_SAMPLES) <= int(g.width)) {
            word = samplesAt(uint(x), from, component);
        } else {
            [[dont_unroll]] for (int j = int(WORD_SAMPLES) - 1; j >= 0; j--) {
                word = word << (8 * SAMPLE_BYTES) | sampleAt(x + j, from, component);
            }
        }
        staged[inRing(line + down) * STAGED_LINE + across] = word;
        down += LINES_ON;
        across += WORDS_ON;
        if (across >= STAGED_LINE) {
            across -= STAGED_LINE;
            down++;
        }
    }
}

// The number with the other sign, as a subtraction: V3D subtracts beside other work, and negates in the unit that everything waits for.
int negative(int number) {
    return int(g.zero[0]) - number;
}

// What is taken away of a coefficient: it up to half of the threshold, less and less up to the threshold, then nothing.
int taken(int coefficient, int threshold, inout uint large) {
    int left = threshold - max(coefficient, negative(coefficient));
    large += uint(left) >> 31;
    int limit = max(left, 0);
    return max(min(coefficient, limit), negative(limit));
}

// Both numbers of a pair become (number * scale + 32) >> 6. The result carries UNIT. Products stay within 16 bits up to the largest
// threshold; for the scale 82 only its half does.
uint scaledPair(int low, int high, uint scale) {
    uint both = uint(low) + (uint(high) << 16);
    uint scaled;
    if (scale == 32) {
        scaled = halved(both + (2 * UNIT + 0x00010001u));
    } else if (scale == 82) {
        const uint ADDEND = SAMPLE_BYTES == 1 ? QUARTER : HALF;
        scaled = (both * 41 + (ADDEND + 0x00100010u) >> 5 & 0x07ff07ffu) + (UNIT - (ADDEND >> 5));
    } else {
        scaled = (both * scale + (HALF + 0x00200020u) >> 6 & 0x03ff03ffu) + (UNIT - 0x02000200u);
    }
    return scaled;
}

uint takenPair(int low, int high, int threshold, uint scale, inout uint large) {
    int first = taken(low, threshold, large);
    return scaledPair(first, taken(high, threshold, large), scale);
}

// As takenPair, for the mean and its neighbour in the word. Nothing is taken away of the mean.
uint takenMean(int mean, int high, int threshold, inout uint large) {
    large += uint(threshold - mean) >> 31;
    return scaledPair(0, taken(high, threshold, large), 32);
}

// Parts work: V3D's compiler moves nothing past a branch, and so needs fewer registers.
void apart() {
    if (g.zero[0] != 0) {
        subgroupMemoryBarrier();
    }
}

void park(uint place, uvec4 words) {
    if (PARKING) {
        parked[place * gl_WorkGroupSize.x + gl_LocalInvocationIndex] = words;
    }
}

// What was parked in a place; "words" are the same words.
uvec4 fetched(uint place, uvec4 words) {
    return PARKING ? parked[place * gl_WorkGroupSize.x + gl_LocalInvocationIndex] : words;
}

int thresholdOf(uint index) {
    return parameters.kinds[CHROMA ? 1 : 0].thresholds[index];
}

// The eight numbers of a row, which carry "addend".
void forwardRow(
    uvec4 row, uint addend, out int s0, out int s1, out int s2, out int s3, out int s4, out int s5, out int s6, out int s7) {
    s0 = int(row.x & 0xffffu);
    s4 = int(row.z & 0xffffu);
    if (SAMPLE_BYTES == 1) {
        s1 = int(row.y & 0xffffu);
        s2 = int(row.x >> 16);
        s3 = int(row.y >> 16);
        s5 = int(row.w & 0xffffu);
        s6 = int(row.z >> 16);
        s7 = int(row.w >> 16);
    } else {
        s1 = int(row.x >> 16);
        s2 = int(row.y & 0xffffu);
        s3 = int(row.y >> 16);
        s5 = int(row.z >> 16);
        s6 = int(row.w & 0xffffu);
        s7 = int(row.w >> 16);
    }
    forward8(s0, s1, s2, s3, s4, s5, s6, s7);
    s0 -= 8 * int(addend & 0xffffu);
}

// Rows "a" and "b" of coefficients of one class, whose addends are given. They become what is taken away, transformed back along the rows: words of
// a number of row "a" below one of row "b", columns 0 to 3 and 4 to 7. The words carry HALF.
void shrinkRowPair(
    bool hasMean, uint classOfRow, uint addendOfA, uint addendOfB, uvec3 scales, inout uint large, inout uvec4 a, inout uvec4 b) {
    int a0, a1, a2, a3, a4, a5, a6, a7;
    int b0, b1, b2, b3, b4, b5, b6, b7;
    forwardRow(a, addendOfA, a0, a1, a2, a3, a4, a5, a6, a7);
    forwardRow(b, addendOfB, b0, b1, b2, b3, b4, b5, b6, b7);
    int even = thresholdOf(classOfRow);
    int odd = thresholdOf(3 + classOfRow);
    int other = thresholdOf(6 + classOfRow);
    uint s0 = hasMean ? takenMean(a0, b0, even, large) : takenPair(a0, b0, even, scales.x, large);
    uint s1 = takenPair(a1, b1, odd, scales.y, large);
    uint s2 = takenPair(a2, b2, other, scales.z, large);
    uint s3 = takenPair(a3, b3, odd, scales.y, large);
    apart();
    uint s4 = takenPair(a4, b4, even, scales.x, large);
    uint s5 = takenPair(a5, b5, odd, scales.y, large);
    uint s6 = takenPair(a6, b6, other, scales.z, large);
    uint s7 = takenPair(a7, b7, odd, scales.y, large);
    inversePairs(s0, s1, s2, s3, s4, s5, s6, s7);
    a = uvec4(s0, s1, s2, s3);
    b = uvec4(s4, s5, s6, s7);
}

// Four samples of a staged row, from the sample on that lies "bits" into word "at": pairs of samples 0 and 2, 1 and 3; of samples of 16 bits,
// of neighbours. "above" multiplies the next word to the bits above.
uvec2 loadPairs(uint line, uint at, uint bits, uint above) {
    at += inRing(line) * STAGED_LINE;
    uint b = staged[at + 1];
    uint first = (staged[at] >> bits) + b * above;
    uvec2 pairs;
    if (SAMPLE_BYTES == 1) {
        uint even = first & 0x00ff00ffu;
        pairs = uvec2(even, (first - even) >> 8);
    } else {
        pairs = uvec2(first, (b >> bits) + staged[at + 2] * above);
    }
    return pairs;
}

// Transforms four columns of a block.
void forwardColumns(
    uint line, uint at, uint bits, uint above, out uvec2 r0, out uvec2 r1, out uvec2 r2, out uvec2 r3, out uvec2 r4, out uvec2 r5,
    out uvec2 r6, out uvec2 r7) {
    r0 = loadPairs(line, at, bits, above);
    r1 = loadPairs(line + 1, at, bits, above);
    r2 = loadPairs(line + 2, at, bits, above);
    r3 = loadPairs(line + 3, at, bits, above);
    r4 = loadPairs(line + 4, at, bits, above);
    r5 = loadPairs(line + 5, at, bits, above);
    r6 = loadPairs(line + 6, at, bits, above);
    r7 = loadPairs(line + 7, at, bits, above);
    forwardPairs(r0.x, r1.x, r2.x, r3.x, r4.x, r5.x, r6.x, r7.x);
    forwardPairs(r0.y, r1.y, r2.y, r3.y, r4.y, r5.y, r6.y, r7.y);
}

void addSample(uint at, int value, uint weight) {
    sums[at] += uint(value) * weight;
    if (LONG) {
        sums[at + WEIGHTS_AT] += weight;
    }
}

// Transforms a column of a block back, and adds it to the sums from "line" on. The words, each of two rows, carry HALF.
void addColumn(uint column, uint line, uint block, uint component, uint weight, uint rows04, uint rows26, uint rows13, uint rows57) {
    const int BIAS = 0x8000;
    int s0 = int(rows04 & 0xffffu) + ((LONG ? 0 : 1 << WEIGHTS_SHIFT) - BIAS);
    int s4 = int(rows04 >> 16) - BIAS;
    int s2 = int(rows26 & 0xffffu) - BIAS;
    int s6 = int(rows26 >> 16) - BIAS;
    int s1 = int(rows13 & 0xffffu) - BIAS;
    int s3 = int(rows13 >> 16) - BIAS;
    int s5 = int(rows57 & 0xffffu) - BIAS;
    int s7 = int(rows57 >> 16) - BIAS;
    inverse8(s0, s1, s2, s3, s4, s5, s6, s7);
    uint at = (column & 7) * SUM_STEP + component * BLOCK_COLUMNS + ((block + (column >> 3)) & (BLOCK_COLUMNS - 1));
    addSample(at + inRing(line) * SUM_LINE, s0, weight);
    addSample(at + inRing(line + 1) * SUM_LINE, s1, weight);
    addSample(at + inRing(line + 2) * SUM_LINE, s2, weight);
    addSample(at + inRing(line + 3) * SUM_LINE, s3, weight);
    addSample(at + inRing(line + 4) * SUM_LINE, s4, weight);
    addSample(at + inRing(line + 5) * SUM_LINE, s5, weight);
    addSample(at + inRing(line + 6) * SUM_LINE, s6, weight);
    addSample(at + inRing(line + 7) * SUM_LINE, s7, weight);
}

// Transforms a block of a step at shift number "k".
void shrinkBlock(uint step, uint k, uint i, uint nothing) {
    // The shifts in their order: 0,0 5,1 2,2 7,3 and so on, then the same four columns further on; of 4 shifts, every other one.
    uint number = SHIFTS == 4 ? 2 * k : k;
    ivec2 begin = stripBegin(nothing);
    uint across = 5 * number + (number >> 3) * 4 - uint(begin.x) & 7u;
    uint down = number - uint(begin.y) & 7u;
    uvec3 place = itemPlace(i, nothing);
    uint component = place.x;
    uint block = place.y;
    uint line = bandLine(step, place.z) + down;
    uint column = 8 * block + across;
    uint at = component * STAGED_WORDS + column / WORD_SAMPLES;
    uint bits = column % WORD_SAMPLES * 8 * SAMPLE_BYTES;
    // 2 to the power of (32 - bits); 0 for no bits.
    uint above = (0x40000000u >> (bits - 1 & 31u)) << 1 & (bits == 0 ? 0 : 0xffffffffu);
    uvec2 left0, left1, left2, left3, left4, left5, left6, left7;
    forwardColumns(line, at, bits, above, left0, left1, left2, left3, left4, left5, left6, left7);
    uvec4 left04 = uvec4(left0, left4);
    uvec4 left26 = uvec4(left2, left6);
    uvec4 left13 = uvec4(left1, left3);
    uvec4 left57 = uvec4(left5, left7);
    park(0, left04);
    park(1, left26);
    park(2, left13);
    park(3, left57);
    apart();
    uvec2 right0, right1, right2, right3, right4, right5, right6, right7;
    forwardColumns(
        line, at + 4 / WORD_SAMPLES, bits, above, right0, right1, right2, right3, right4, right5, right6, right7);
    uint large = 0;
    apart();
    left04 = fetched(0, left04);
    uvec4 r0 = uvec4(left04.xy, right0);
    uvec4 r4 = uvec4(left04.zw, right4);
    shrinkRowPair(true, 0, ADDEND_0, ADDEND_4, uvec3(32, 28, 51), large, r0, r4);
    park(0, r0);
    park(4, r4);
    apart();
    left26 = fetched(1, left26);
    uvec4 r2 = uvec4(left26.xy, right2);
    uvec4 r6 = uvec4(left26.zw, right6);
    shrinkRowPair(false, 2, ADDEND_2, ADDEND_6, uvec3(51, 45, 82), large, r2, r6);
    park(1, r2);
    park(5, r6);
    apart();
    left13 = fetched(2, left13);
    uvec4 r1 = uvec4(left13.xy, right1);
    uvec4 r3 = uvec4(left13.zw, right3);
    shrinkRowPair(false, 1, ADDEND_1, ADDEND_3, uvec3(28, 25, 45), large, r1, r3);
    apart();
    left57 = fetched(3, left57);
    uvec4 r5 = uvec4(left57.xy, right5);
    uvec4 r7 = uvec4(left57.zw, right7);
    shrinkRowPair(false, 1, ADDEND_5, ADDEND_7, uvec3(28, 25, 45), large, r5, r7);
    // One more than the large coefficients besides one, which is the mean in nearly all blocks. The half makes up for what a device's division may
    // be wrong by.
    uint parts = max(large, 1);
    uint weight = uint((float(64 + parts / 2) + 0.5) / float(parts));
    // The same line, of which the compiler does not know that, so that no register keeps what was computed of it before.
    line += g.zero[1];
    apart();
    r0 = fetched(0, r0);
    r2 = fetched(1, r2);
    addColumn(across, line, block, component, weight, r0.x, r2.x, r1.x, r5.x);
    apart();
    addColumn(across + 1, line, block, component, weight, r0.y, r2.y, r1.y, r5.y);
    apart();
    addColumn(across + 2, line, block, component, weight, r0.z, r2.z, r1.z, r5.z);
    apart();
    addColumn(across + 3, line, block, component, weight, r0.w, r2.w, r1.w, r5.w);
    apart();
    r4 = fetched(4, r4);
    r6 = fetched(5, r6);
    addColumn(across + 4, line, block, component, weight, r4.x, r6.x, r3.x, r7.x);
    apart();
    addColumn(across + 5, line, block, component, weight, r4.y, r6.y, r3.y, r7.y);
    apart();
    addColumn(across + 6, line, block, component, weight, r4.z, r6.z, r3.z, r7.z);
    apart();
    addColumn(across + 7, line, block, component, weight, r4.w, r6.w, r3.w, r7.w);
}

void clearSums() {
    [[dont_unroll]] for (uint at = gl_LocalInvocationIndex; at < LINES * SUM_LINE * (LONG ? 2 : 1); at += gl_WorkGroupSize.x) {
        sums[at] = 0;
    }
}

// The sample of a sum.
int finished(uint at, uint unfiltered) {
    uint word = sums[at];
    int sum;
    uint weights;
    if (LONG) {
        sum = int(word);
        weights = sums[at + WEIGHTS_AT];
    } else {
        // 512 has become 0.
        uint positive = word + (1u << WEIGHTS_SHIFT - 1);
        weights = ((positive - (1u << WEIGHTS_SHIFT)) >> WEIGHTS_SHIFT) + 1;
        sum = int(positive & (1u << WEIGHTS_SHIFT) - 1) - (1 << WEIGHTS_SHIFT - 1);
    }
    // 65536 / weights, rounded down. The half makes up for what a device's division may be wrong by.
    int reciprocal = int(65536.5 / float(weights));
    return clamp(int(unfiltered) - ((sum * reciprocal + (1 << 20)) >> 21), 0, MOST_SAMPLE);
}

// While a block is finished, a word of it has a sample in these lower bits, and a coefficient above.
const uint KEPT_BITS = 10;
const uint KEPT_MASK = (1u << KEPT_BITS) - 1;

// The largest excess over a bound that is taken away.
const int MOST_EXCESS = 390 << (SAMPLE_BITS - 8);

// A coefficient beside the sample that the word at "at" has.
void keep(uint at, int coefficient) {
    sums[at] = (sums[at] & KEPT_MASK) | uint(coefficient) << KEPT_BITS;
}

int kept(uint at) {
    return int(sums[at]) >> KEPT_BITS;
}

// Of coefficient number "index" of a row, what exceeds its bound, scaled for the inverse transform.
int excess(int coefficient, uint index, int scale) {
    int bound = parameters.kinds[CHROMA ? 1 : 0].bounds[index];
    int over = coefficient - clamp(coefficient, -bound, bound);
    return (clamp(over, -MOST_EXCESS, MOST_EXCESS) * scale + 32) >> 6;
}

// A row of kept coefficients, whose columns are transformed, becomes what exceeds the bounds, transformed back along the row.
void boundRow(uint at, uint v) {
    int c0 = kept(at);
    int c1 = kept(at + SUM_STEP);
    int c2 = kept(at + 2 * SUM_STEP);
    int c3 = kept(at + 3 * SUM_STEP);
    int c4 = kept(at + 4 * SUM_STEP);
    int c5 = kept(at + 5 * SUM_STEP);
    int c6 = kept(at + 6 * SUM_STEP);
    int c7 = kept(at + 7 * SUM_STEP);
    forward8(c0, c1, c2, c3, c4, c5, c6, c7);
    bool odd = (v & 1) != 0;
    bool other = (v & 3) == 2;
    int even = odd ? 28 : other ? 51 : 32;
    int odds = odd ? 25 : other ? 45 : 28;
    int others = odd ? 45 : other ? 82 : 51;
    c0 = excess(c0, v * 8, even);
    c1 = excess(c1, v * 8 + 1, odds);
    c2 = excess(c2, v * 8 + 2, others);
    c3 = excess(c3, v * 8 + 3, odds);
    c4 = excess(c4, v * 8 + 4, even);
    c5 = excess(c5, v * 8 + 5, odds);
    c6 = excess(c6, v * 8 + 6, others);
    c7 = excess(c7, v * 8 + 7, odds);
    inverse8(c0, c1, c2, c3, c4, c5, c6, c7);
    keep(at, c0);
    keep(at + SUM_STEP, c1);
    keep(at + 2 * SUM_STEP, c2);
    keep(at + 3 * SUM_STEP, c3);
    keep(at + 4 * SUM_STEP, c4);
    keep(at + 5 * SUM_STEP, c5);
    keep(at + 6 * SUM_STEP, c6);
    keep(at + 7 * SUM_STEP, c7);
}

// The sample at "at", less "beyond", as bits of a staged word. Clears the sum.
uint takeBack(uint at, int beyond, uint bits) {
    int value = int(sums[at] & KEPT_MASK);
    sums[at] = 0;
    if (LONG) {
        sums[at + WEIGHTS_AT] = 0;
    }
    return uint(clamp(value - ((beyond + 16) >> 5), 0, MOST_SAMPLE)) << bits;
}

// A sum becomes a sample. The difference to the decoded sample is the result.
int finishSample(uint at, uint stagedWord, uint bits, uint decodedWord, uint decodedBits) {
    int value = finished(at, (stagedWord >> bits) & SAMPLE_MASK);
    sums[at] = uint(value);
    return value - int(sampleOf(decodedWord, decodedBits));
}

// Sums of a block of the codec's grid become samples, bounded if the block lies in the plane as a whole. They replace the staged ones.
void finishBlock(uint step, uint i, uint nothing) {
    ivec2 begin = stripBegin(nothing);
    uvec3 place = itemPlace(i, nothing);
    uint component = place.x;
    uint block = place.y;
    uint line = bandLine(step, place.z);
    int column = begin.x - 8 + 8 * int(block);
    int row = bandRow(begin, step, place.z);
    bool bounded = parameters.kinds[CHROMA ? 1 : 0].bounded != 0;
    bool whole = bounded && column >= 0 && row >= 0 && column + 8 <= int(g.width) && row + 8 <= int(g.height);
    uint first = line * SUM_LINE + component * BLOCK_COLUMNS + block;
    uint stagedFirst = line * STAGED_LINE + component * STAGED_WORDS + 8 / WORD_SAMPLES * block;
    // The first sample of the plane stands for all samples of other blocks.
    uint decodedStep = whole ? (plane() == 0 ? g.decodedStride[0] : g.decodedStride[1]) : 0;
    uint decodedLine = (plane() == 0 ? g.decodedOffset[0] : g.decodedOffset[1]) + (whole ? uint(row) * decodedStep : 0);
    [[dont_unroll]] for (uint x = 0; x < 8; x++) {
        uint at = first + x * SUM_STEP;
        uint from = stagedFirst + x / WORD_SAMPLES;
        uint bits = x % WORD_SAMPLES * 8 * SAMPLE_BYTES;
        uint decodedColumn = whole ? uint(column) + x : 0;
        uint word = wordIndex(decodedColumn, component);
        uint decodedAt = decodedLine + (DECODED_IN_COLUMNS ? inColumns(word, g.decodedSkip) : word);
        uint decodedBits = bitsOf(decodedColumn, component);
        int d0 = finishSample(at, staged[from], bits, decoded[decodedAt], decodedBits);
        decodedAt += decodedStep;
        int d1 = finishSample(at + SUM_LINE, staged[from + STAGED_LINE], bits, decoded[decodedAt], decodedBits);
        decodedAt += decodedStep;
        int d2 = finishSample(at + 2 * SUM_LINE, staged[from + 2 * STAGED_LINE], bits, decoded[decodedAt], decodedBits);
        decodedAt += decodedStep;
        int d3 = finishSample(at + 3 * SUM_LINE, staged[from + 3 * STAGED_LINE], bits, decoded[decodedAt], decodedBits);
        decodedAt += decodedStep;
        int d4 = finishSample(at + 4 * SUM_LINE, staged[from + 4 * STAGED_LINE], bits, decoded[decodedAt], decodedBits);
        decodedAt += decodedStep;
        int d5 = finishSample(at + 5 * SUM_LINE, staged[from + 5 * STAGED_LINE], bits, decoded[decodedAt], decodedBits);
        decodedAt += decodedStep;
        int d6 = finishSample(at + 6 * SUM_LINE, staged[from + 6 * STAGED_LINE], bits, decoded[decodedAt], decodedBits);
        decodedAt += decodedStep;
        int d7 = finishSample(at + 7 * SUM_LINE, staged[from + 7 * STAGED_LINE], bits, decoded[decodedAt], decodedBits);
        forward8(d0, d1, d2, d3, d4, d5, d6, d7);
        keep(at, d0);
        keep(at + SUM_LINE, d1);
        keep(at + 2 * SUM_LINE, d2);
        keep(at + 3 * SUM_LINE, d3);
        keep(at + 4 * SUM_LINE, d4);
        keep(at + 5 * SUM_LINE, d5);
        keep(at + 6 * SUM_LINE, d6);
        keep(at + 7 * SUM_LINE, d7);
    }
    if (bounded) {
        [[dont_unroll]] for (uint v = 0; v < 8; v++) {
            boundRow(first + v * SUM_LINE, v);
        }
    }
    int used = whole ? -1 : 0;
    [[dont_unroll]] for (uint x = 0; x < 8; x += WORD_SAMPLES) {
        uint w0 = 0;
        uint w1 = 0;
        uint w2 = 0;
        uint w3 = 0;
        uint w4 = 0;
        uint w5 = 0;
        uint w6 = 0;
        uint w7 = 0;
        [[dont_unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
            uint at = first + (x + j) * SUM_STEP;
            int c0 = kept(at) & used;
            int c1 = kept(at + SUM_LINE) & used;
            int c2 = kept(at + 2 * SUM_LINE) & used;
            int c3 = kept(at + 3 * SUM_LINE) & used;
            int c4 = kept(at + 4 * SUM_LINE) & used;
            int c5 = kept(at + 5 * SUM_LINE) & used;
            int c6 = kept(at + 6 * SUM_LINE) & used;
            int c7 = kept(at + 7 * SUM_LINE) & used;
            inverse8(c0, c1, c2, c3, c4, c5, c6, c7);
            uint bits = j * 8 * SAMPLE_BYTES;
            w0 += takeBack(at, c0, bits);
            w1 += takeBack(at + SUM_LINE, c1, bits);
            w2 += takeBack(at + 2 * SUM_LINE, c2, bits);
            w3 += takeBack(at + 3 * SUM_LINE, c3, bits);
            w4 += takeBack(at + 4 * SUM_LINE, c4, bits);
            w5 += takeBack(at + 5 * SUM_LINE, c5, bits);
            w6 += takeBack(at + 6 * SUM_LINE, c6, bits);
            w7 += takeBack(at + 7 * SUM_LINE, c7, bits);
        }
        uint to = stagedFirst + x / WORD_SAMPLES;
        staged[to] = w0;
        staged[to + STAGED_LINE] = w1;
        staged[to + 2 * STAGED_LINE] = w2;
        staged[to + 3 * STAGED_LINE] = w3;
        staged[to + 4 * STAGED_LINE] = w4;
        staged[to + 5 * STAGED_LINE] = w5;
        staged[to + 6 * STAGED_LINE] = w6;
        staged[to + 7 * STAGED_LINE] = w7;
    }
}

// As many staged samples as a word holds, from column x on, which counts from the first staged column.
uint stagedFrom(uint lineWord, uint component, uint x) {
    uint at = lineWord + component * STAGED_WORDS + x / WORD_SAMPLES;
    uint bits = x % WORD_SAMPLES * 8 * SAMPLE_BYTES;
    return (staged[at] >> bits) | ((staged[at + 1] << 1) << (31 - bits));
}

// A word of the picture, of pixels from column x on.
uint pixelsFrom(uint lineWord, uint x) {
    uint pixels = stagedFrom(lineWord, 0, x);
    if (COMPONENTS == 1) {
        pixels <<= SAMPLE_SHIFT;
    } else {
        uint second = stagedFrom(lineWord, 1, x);
        pixels = SAMPLE_BYTES == 2 ? (pixels & SAMPLE_MASK) << SAMPLE_SHIFT | (second & SAMPLE_MASK) << (16 + SAMPLE_SHIFT)
            : (pixels & 0xffu) | (pixels & 0xff00u) << 8 | (second & 0xffu) << 8 | (second & 0xff00u) << 16;
    }
    return pixels;
}

// Stores the rows that a step finishes. Where the codec's blocks do not begin with a word,
// strips overlap, and each leaves out words that it has not as a whole.
void store(uint step, uint nothing) {
    uint invocation = gl_LocalInvocationIndex + nothing;
    ivec2 begin = stripBegin(nothing);
    int row = bandRow(begin, step, 0);
    uint line = bandLine(step, 0);
    const uint PIXELS = max(4 / PIXEL_BYTES, 1);
    uint first = uint(begin.x + 9 * int(PIXELS) - 1) / PIXELS - 8;
    uint rowWords = g.columnStep / PIXELS;
    uint down = invocation / rowWords;
    uint across = invocation - down * rowWords;
    uint rowsOn = gl_WorkGroupSize.x / rowWords;
    uint wordsOn = gl_WorkGroupSize.x - rowsOn * rowWords;
    int firstRow = max(begin.y, 0);
    [[dont_unroll]] while (down < 8 * STEP_ROWS) {
        uint column = first + across;
        int to = row + int(down);
        if (column < g.words && to >= firstRow && to < int(g.height)) {
            uint word = pixelsFrom(inRing(line + down) * STAGED_LINE, uint(int(column * PIXELS) - begin.x + 8));
            uint at = (plane() == 0 ? g.destinationOffset[0] : g.destinationOffset[1])
                + uint(to) * (plane() == 0 ? g.destinationStride[0] : g.destinationStride[1])
                + (DESTINATION_IN_COLUMNS ? inColumns(column, g.destinationSkip) : column);
            destination[at] = column + 1 == g.words && g.tail != 0xffffffffu
                ? (word & g.tail) | (destination[at] & ~g.tail) : word;
        }
        down += rowsOn;
        across += wordsOn;
        if (across >= rowWords) {
            across -= rowWords;
            down++;
        }
    }
}

void main() {
    bool running = parameters.kinds[CHROMA ? 1 : 0].running != 0;
    clearSums();
    [[dont_unroll]] for (uint step = 0; step < g.steps; step++) {
        stage(step, step & g.zero[0]);
        meetOverShared();
        if (running) {
            [[dont_unroll]] for (uint k = 0; k < SHIFTS; k++) {
                [[dont_unroll]] for (uint i = 0; i < ITEMS / gl_WorkGroupSize.x; i++) {
                    shrinkBlock(step, k, i, k & g.zero[1]);
                }
                meetOverShared();
            }
            [[dont_unroll]] for (uint i = 0; i < ITEMS / gl_WorkGroupSize.x; i++) {
                finishBlock(step, i, step & g.zero[2]);
            }
            meetOverShared();
        }
        store(step, step & g.zero[3]);
        meetOverShared();
    }
}

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
// weights, at most 512, the word has 9 bits. With 4 shifts of 10 bits it is at most 21500, a sum within 2^23, and weights of at most
// 256 in 8 bits. Longer sums, within 2^25, have a word, and the weights are kept by the block.
const bool LONG = SAMPLE_BYTES * SHIFTS == 16 || SHIFTS == 16;
const uint WEIGHTS_SHIFT = SAMPLE_BYTES == 2 ? 24 : 23;

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
// By line, and by place in the line.
shared uint sums[LINES][SUM_LINE];
// A byte for each shift, by the row of the ring in which a block begins, and by the block.
const uint WEIGHT_WORDS = LONG ? SHIFTS / 4 : 1;
shared uint weightsOfBlocks[LONG ? RING_ROWS * WEIGHT_WORDS * SUM_STEP : 1];

uint plane() {
    return gl_WorkGroupID.z;
}

// Where row 0 of the plane begins, and the distance of rows. "nothing" is 0.
uvec2 sourceRows(uint nothing) {
    return plane() + nothing == 0 ? uvec2(g.sourceOffset[0], g.sourceStride[0]) : uvec2(g.sourceOffset[1], g.sourceStride[1]);
}

uvec2 destinationRows(uint nothing) {
    return plane() + nothing == 0 ? uvec2(g.destinationOffset[0], g.destinationStride[0])
        : uvec2(g.destinationOffset[1], g.destinationStride[1]);
}

uint rowOf(uvec2 rows, int row) {
    return rows.x + uint(row) * rows.y;
}

uint sourceColumn(uint column) {
    return SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip) : column;
}

uint destinationColumn(uint column) {
    return DESTINATION_IN_COLUMNS ? inColumns(column, g.destinationSkip) : column;
}

uint wordOfSource(uint row, uint column) {
    return source[(plane() == 0 ? g.sourceOffset[0] : g.sourceOffset[1]) + row * (plane() == 0 ? g.sourceStride[0] : g.sourceStride[1])
        + (SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip) : column)];
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

// Stages a strip's lines from "line" on, which come from row "row" of the plane on. The words of a line may begin inside words of the plane, and
// some may lie outside it.
void stageAnywhere(uint invocation, int left, int row, uint line, uint lines) {
    // A division by each invocation alone, not by each of its words.
    uint down = invocation / STAGED_LINE;
    uint across = invocation - down * STAGED_LINE;
    const uint LINES_ON = gl_WorkGroupSize.x / STAGED_LINE;
    const uint WORDS_ON = gl_WorkGroupSize.x % STAGED_LINE;
    [[dont_unroll]] while (down < lines) {
        uint component = COMPONENTS == 2 && across >= STAGED_WORDS ? 1 : 0;
        uint from = uint(clamp(row + int(down), 0, int(g.height) - 1));
        int x = left + int((across - component * STAGED_WORDS) * WORD_SAMPLES);
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

// Samples of a component that begin with word "first" of the row at "row", as a word. "second" is the next word.
uint samplesOfWords(uint row, uint first, uint second, uint component) {
    uint a = source[row + first];
    if (PIXEL_BYTES == SAMPLE_BYTES) {
        return SAMPLE_BYTES == 1 ? a : (a >> SAMPLE_SHIFT) & 0x03ff03ffu;
    }
    uint b = source[row + second];
    uint low = a >> (component * 8) & 0x00ff00ffu;
    uint high = b >> (component * 8) & 0x00ff00ffu;
    return SAMPLE_BYTES == 2 ? sampleOf(a, component * 16) | sampleOf(b, component * 16) << 16
        : ((low | low >> 8) & 0xffffu) | (high | high >> 8) << 16;
}

// The same where all words begin with a word of the plane, and lie inside it. An invocation takes a word in each of four lines at a time, which
// share what depends on the column alone.
void stageInside(uint invocation, int left, int row, uint line, uint lines, uvec2 rows) {
    uint down = invocation / STAGED_LINE;
    uint across = invocation - down * STAGED_LINE;
    const uint FOURS_ON = gl_WorkGroupSize.x / STAGED_LINE;
    const uint WORDS_ON = gl_WorkGroupSize.x % STAGED_LINE;
    [[dont_unroll]] while (down < lines / 4) {
        uint component = COMPONENTS == 2 && across >= STAGED_WORDS ? 1 : 0;
        uint word = wordIndex(uint(left) + (across - component * STAGED_WORDS) * WORD_SAMPLES, 0);
        uint first = sourceColumn(word);
        uint second = sourceColumn(word + 1);
        int y = row + 4 * int(down);
        int last = int(g.height) - 1;
        uint words[4];
        [[unroll]] for (uint i = 0; i < 4; i++) {
            words[i] = samplesOfWords(rowOf(rows, clamp(y + int(i), 0, last)), first, second, component);
        }
        uint to = inRing(line + 4 * down) * STAGED_LINE + across;
        [[unroll]] for (uint i = 0; i < 4; i++) {
            staged[to + i * STAGED_LINE] = words[i];
        }
        down += FOURS_ON;
        across += WORDS_ON;
        if (across >= STAGED_LINE) {
            across -= STAGED_LINE;
            down++;
        }
    }
}

// Stages the bands that a step adds; the first step also stages the band above.
void stage(uint step, uint nothing) {
    uint invocation = gl_LocalInvocationIndex + nothing;
    ivec2 begin = stripBegin(nothing);
    uint firstBand = step == 0 ? 0 : 1;
    uint lines = 8 * (STEP_ROWS + 1 - firstBand);
    uint line = bandLine(step, firstBand);
    int row = bandRow(begin, step, firstBand);
    int left = begin.x - 8;
    int right = left + int(STAGED_WORDS * WORD_SAMPLES);
    if (left < 0 || right > int(g.width) || bitsOf(uint(left), 0) != 0) {
        stageAnywhere(invocation, left, row, line, lines);
    } else {
        stageInside(invocation, left, row, line, lines, sourceRows(nothing));
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
void forwardRow(uvec4 row, uint addend, out int s[8]) {
    s[0] = int(row.x & 0xffffu);
    s[4] = int(row.z & 0xffffu);
    if (SAMPLE_BYTES == 1) {
        s[1] = int(row.y & 0xffffu);
        s[2] = int(row.x >> 16);
        s[3] = int(row.y >> 16);
        s[5] = int(row.w & 0xffffu);
        s[6] = int(row.z >> 16);
        s[7] = int(row.w >> 16);
    } else {
        s[1] = int(row.x >> 16);
        s[2] = int(row.y & 0xffffu);
        s[3] = int(row.y >> 16);
        s[5] = int(row.z >> 16);
        s[6] = int(row.w & 0xffffu);
        s[7] = int(row.w >> 16);
    }
    forward8(s);
    s[0] -= 8 * int(addend & 0xffffu);
}

// Rows "a" and "b" of coefficients of one class, whose addends are given. They become what is taken away, transformed back along the rows: words of
// a number of row "a" below one of row "b", columns 0 to 3 and 4 to 7. The words carry LOW_HALF.
void shrinkRowPair(
    bool hasMean, uint classOfRow, uint addendOfA, uint addendOfB, uvec3 scales, inout uint large, inout uvec4 a, inout uvec4 b) {
    int x[8];
    int y[8];
    forwardRow(a, addendOfA, x);
    forwardRow(b, addendOfB, y);
    int even = thresholdOf(classOfRow);
    int odd = thresholdOf(3 + classOfRow);
    int other = thresholdOf(6 + classOfRow);
    uint s[8];
    s[0] = hasMean ? takenMean(x[0], y[0], even, large) : takenPair(x[0], y[0], even, scales.x, large);
    s[1] = takenPair(x[1], y[1], odd, scales.y, large);
    s[2] = takenPair(x[2], y[2], other, scales.z, large);
    s[3] = takenPair(x[3], y[3], odd, scales.y, large);
    apart();
    s[4] = takenPair(x[4], y[4], even, scales.x, large);
    s[5] = takenPair(x[5], y[5], odd, scales.y, large);
    s[6] = takenPair(x[6], y[6], other, scales.z, large);
    s[7] = takenPair(x[7], y[7], odd, scales.y, large);
    inversePairs(s);
    a = uvec4(s[0], s[1], s[2], s[3]);
    b = uvec4(s[4], s[5], s[6], s[7]);
}

// The same line for a word of its staged samples.
uint inStagedRing(uint at) {
    return min(at, at - LINES * STAGED_LINE);
}

// Four samples of a staged row, from the sample on that lies "bits" into word "at": pairs of samples 0 and 2, 1 and 3; of samples of 16 bits,
// of neighbours. "above" multiplies the next word to the bits above.
uvec2 loadPairs(uint at, uint bits, uint above) {
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

// Transforms four columns of a block, whose first sample lies "bits" into word "at".
void forwardColumns(uint at, uint bits, uint above, out uvec2 rows[8]) {
    uint even[8];
    uint odd[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        uvec2 pairs = loadPairs(inStagedRing(at + i * STAGED_LINE), bits, above);
        even[i] = pairs.x;
        odd[i] = pairs.y;
    }
    forwardPairs(even);
    forwardPairs(odd);
    [[unroll]] for (uint i = 0; i < 8; i++) {
        rows[i] = uvec2(even[i], odd[i]);
    }
}

// Adds to eight sums of a column. All are read before the first is written: the compiler cannot know that they lie in different places,
// and would wait for each before it reads the next.
void addToSums(uint at, uint lines[8], uint addends[8]) {
    [[unroll]] for (uint i = 0; i < 8; i++) {
        addends[i] += sums[lines[i]][at];
    }
    [[unroll]] for (uint i = 0; i < 8; i++) {
        sums[lines[i]][at] = addends[i];
    }
}

// Transforms a column of a block back, and adds it to the sums from "line" on. The words, each of two rows, carry LOW_HALF.
void addColumn(uint column, uint line, uint block, uint component, uint weight, uint rows04, uint rows26, uint rows13, uint rows57) {
    const int BIAS = 0x8000;
    int s[8];
    s[0] = int(rows04 & 0xffffu) + ((LONG ? 0 : 1 << WEIGHTS_SHIFT) - BIAS);
    s[4] = int(rows04) >> 16;
    s[2] = int(rows26 & 0xffffu) - BIAS;
    s[6] = int(rows26) >> 16;
    s[1] = int(rows13 & 0xffffu) - BIAS;
    s[3] = int(rows13) >> 16;
    s[5] = int(rows57 & 0xffffu) - BIAS;
    s[7] = int(rows57) >> 16;
    inverse8(s);
    uint at = (column & 7) * SUM_STEP + component * BLOCK_COLUMNS + ((block + (column >> 3)) & (BLOCK_COLUMNS - 1));
    uint lines[8];
    uint addends[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        lines[i] = inRing(line + i);
    }
    [[unroll]] for (uint i = 0; i < 8; i++) {
        addends[i] = uint(s[i]) * weight;
    }
    addToSums(at, lines, addends);
}

// The same for four neighbouring columns, whose rows the words' elements have.
void addColumns(
    uint first, uint line, uint block, uint component, uint weight, uvec4 rows04, uvec4 rows26, uvec4 rows13, uvec4 rows57) {
    [[unroll]] for (uint i = 0; i < 4; i++) {
        if (i > 0) {
            apart();
        }
        addColumn(first + i, line, block, component, weight, rows04[i], rows26[i], rows13[i], rows57[i]);
    }
}

// How far right of the codec's grid blocks of a shift begin. The shifts in their order: 0,0 5,1 2,2 7,3 and so on, then the same four columns
// further on; of 4 shifts, every other one.
uint acrossOf(uint number, ivec2 begin) {
    return 5 * number + (number >> 3) * 4 - uint(begin.x) & 7u;
}

// Where the weight of a block at shift number "k" is, of those that begin in a row of the ring.
uint weightPlace(uint row, uint k, uint component, uint block) {
    return (row * WEIGHT_WORDS + (k >> 2)) * SUM_STEP + component * BLOCK_COLUMNS + block;
}

// Transforms a block of a step at shift number "k".
void shrinkBlock(uint step, uint k, uint i, uint nothing) {
    uint number = SHIFTS == 4 ? 2 * k : k;
    ivec2 begin = stripBegin(nothing);
    uint across = acrossOf(number, begin);
    uint down = number - uint(begin.y) & 7u;
    uvec3 place = itemPlace(i, nothing);
    uint component = place.x;
    uint block = place.y;
    uint line = bandLine(step, place.z) + down;
    uint column = 8 * block + across;
    uint at = line * STAGED_LINE + component * STAGED_WORDS + column / WORD_SAMPLES;
    uint bits = column % WORD_SAMPLES * 8 * SAMPLE_BYTES;
    // 2 to the power of (32 - bits); 0 for no bits.
    uint above = 256u << (24u - bits);
    uvec2 left[8];
    forwardColumns(at, bits, above, left);
    uvec4 left04 = uvec4(left[0], left[4]);
    uvec4 left26 = uvec4(left[2], left[6]);
    uvec4 left13 = uvec4(left[1], left[3]);
    uvec4 left57 = uvec4(left[5], left[7]);
    park(0, left04);
    park(1, left26);
    park(2, left13);
    park(3, left57);
    apart();
    uvec2 right[8];
    forwardColumns(at + 4 / WORD_SAMPLES, bits, above, right);
    uint large = 0;
    apart();
    left04 = fetched(0, left04);
    uvec4 r0 = uvec4(left04.xy, right[0]);
    uvec4 r4 = uvec4(left04.zw, right[4]);
    shrinkRowPair(true, 0, ADDEND_0, ADDEND_4, uvec3(32, 28, 51), large, r0, r4);
    park(0, r0);
    park(4, r4);
    apart();
    left26 = fetched(1, left26);
    uvec4 r2 = uvec4(left26.xy, right[2]);
    uvec4 r6 = uvec4(left26.zw, right[6]);
    shrinkRowPair(false, 2, ADDEND_2, ADDEND_6, uvec3(51, 45, 82), large, r2, r6);
    park(1, r2);
    park(5, r6);
    apart();
    left13 = fetched(2, left13);
    uvec4 r1 = uvec4(left13.xy, right[1]);
    uvec4 r3 = uvec4(left13.zw, right[3]);
    shrinkRowPair(false, 1, ADDEND_1, ADDEND_3, uvec3(28, 25, 45), large, r1, r3);
    apart();
    left57 = fetched(3, left57);
    uvec4 r5 = uvec4(left57.xy, right[5]);
    uvec4 r7 = uvec4(left57.zw, right[7]);
    shrinkRowPair(false, 1, ADDEND_5, ADDEND_7, uvec3(28, 25, 45), large, r5, r7);
    // One more than the large coefficients besides one, which is the mean in nearly all blocks. The half makes up for what a device's division may
    // be wrong by.
    uint parts = max(large, 1);
    uint weight = uint((float(64 + parts / 2) + 0.5) / float(parts));
    if (LONG) {
        uint to = weightPlace(bandLine(step, place.z) / 8, k, component, block);
        uint bits = 8 * (k & 3);
        weightsOfBlocks[to] = (weightsOfBlocks[to] & ~(0xffu << bits)) | weight << bits;
    }
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
    [[dont_unroll]] for (uint at = gl_LocalInvocationIndex; at < LINES * SUM_LINE; at += gl_WorkGroupSize.x) {
        sums[at / SUM_LINE][at % SUM_LINE] = 0;
    }
}

// The weights of a short sum, which has this word.
uint weightsOf(uint word) {
    // The largest sum of weights has become 0.
    return ((word + (1u << WEIGHTS_SHIFT - 1) - (1u << WEIGHTS_SHIFT)) >> WEIGHTS_SHIFT) + 1;
}

// The sums of weights of a column of a block of the codec's grid, which is in a row of the ring: for each shift a sample has the weight of one
// of four blocks, those that begin in this block or left of it, in its row or in the one above. The samples of a block above begin with those
// of the next row where the block below begins, so from the last sample up one or two shifts change at a time. The row above the strip has no
// weights; the samples that would have them are not stored.
void sumWeights(uint row, uint component, uint block, uint x, ivec2 begin, out uint weights[8]) {
    uint above = min(row - 1, row + RING_ROWS - 1);
    uint all = 0;
    uint changes[8];
    [[unroll]] for (uint down = 0; down < 8; down++) {
        changes[down] = 0;
        [[unroll]] for (uint turn = 0; turn < SHIFTS / 8; turn++) {
            uint k = (down + uint(begin.y) & 7u) + 8 * turn;
            uint from = x < acrossOf(k, begin) ? block - 1 & BLOCK_COLUMNS - 1 : block;
            uint bits = 8 * (k & 3);
            uint below = weightsOfBlocks[weightPlace(row, k, component, from)] >> bits & 0xffu;
            all += below;
            changes[down] += (weightsOfBlocks[weightPlace(above, k, component, from)] >> bits & 0xffu) - below;
        }
    }
    weights[7] = all;
    [[unroll]] for (uint i = 7; i > 0; i--) {
        weights[i - 1] = weights[i] + changes[i];
    }
}

// What is added before a sample is rounded, in 1/2^21: half of it, or in luma where all blocks are flat, what its column and
// row ask for.
int rounding(uint weights, int ofFlat) {
    return !CHROMA && weights == 64 * SHIFTS ? ofFlat : 1 << 20;
}

// The sample of a sum.
int finished(uint word, uint weights, uint unfiltered, int ofFlat) {
    int sum = LONG ? int(word) : int(word + (1u << WEIGHTS_SHIFT - 1) & (1u << WEIGHTS_SHIFT) - 1) - (1 << WEIGHTS_SHIFT - 1);
    // 65536 / weights, rounded down. The half makes up for what a device's division may be wrong by.
    int reciprocal = int(65536.5 / float(weights));
    return clamp(int(unfiltered) - ((sum * reciprocal + rounding(weights, ofFlat)) >> 21), 0, MOST_SAMPLE);
}

// While a block is finished, a word of it has a sample in these lower bits, and a coefficient above.
const uint KEPT_BITS = 10;
const uint KEPT_MASK = (1u << KEPT_BITS) - 1;

// The largest excess over a bound that is taken away.
const int MOST_EXCESS = 390 << (SAMPLE_BITS - 8);

// A coefficient beside a sample.
uint keep(int coefficient, uint value) {
    return uint(coefficient) << KEPT_BITS | value;
}

int kept(uint word) {
    return int(word) >> KEPT_BITS;
}

// Of coefficient number "index" of a row, what exceeds its bound, scaled for the inverse transform.
int excess(int coefficient, uint index, int scale) {
    int bound = parameters.kinds[CHROMA ? 1 : 0].bounds[index];
    int over = coefficient - clamp(coefficient, -bound, bound);
    return (clamp(over, -MOST_EXCESS, MOST_EXCESS) * scale + 32) >> 6;
}

// A row of kept coefficients, whose columns are transformed, becomes what exceeds the bounds, transformed back along the row.
void boundRow(uint line, uint at, uint v) {
    line += v;
    uint words[8];
    int c[8];
    [[unroll]] for (uint i = 0; i < 8; i++) {
        words[i] = sums[line][at + i * SUM_STEP];
    }
    [[unroll]] for (uint i = 0; i < 8; i++) {
        c[i] = kept(words[i]);
    }
    forward8(c);
    bool odd = (v & 1) != 0;
    bool other = (v & 3) == 2;
    int even = odd ? 28 : other ? 51 : 32;
    int odds = odd ? 25 : other ? 45 : 28;
    int others = odd ? 45 : other ? 82 : 51;
    [[unroll]] for (uint i = 0; i < 8; i++) {
        c[i] = excess(c[i], v * 8 + i, (i & 1) != 0 ? odds : (i & 3) == 0 ? even : others);
    }
    inverse8(c);
    [[unroll]] for (uint i = 0; i < 8; i++) {
        sums[line][at + i * SUM_STEP] = keep(c[i], words[i] & KEPT_MASK);
    }
}

// The sample of a word, less "beyond", as bits of a staged word.
uint takeBack(uint word, int beyond, uint bits) {
    return uint(clamp(int(word & KEPT_MASK) - ((beyond + 16) >> 5), 0, MOST_SAMPLE)) << bits;
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
    uint first = component * BLOCK_COLUMNS + block;
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
        // Four values take turns in 2x2 samples: one half alone would make steps that are seen where a picture slowly becomes brighter.
        int even = (1 + 4 * (column + int(x) & 1)) << 18;
        int ofFlat = (row & 1) == 0 ? even : (8 << 18) - even;
        int ofFlatBelow = (8 << 18) - ofFlat;
        uint words[8];
        uint weights[8];
        int values[8];
        int changes[8];
        [[unroll]] for (uint i = 0; i < 8; i++) {
            words[i] = sums[line + i][at];
        }
        if (LONG) {
            sumWeights(line / 8, component, block, x, begin, weights);
        } else {
            [[unroll]] for (uint i = 0; i < 8; i++) {
                weights[i] = weightsOf(words[i]);
            }
        }
        [[unroll]] for (uint i = 0; i < 8; i++) {
            uint unfiltered = (staged[from + i * STAGED_LINE] >> bits) & SAMPLE_MASK;
            values[i] = finished(words[i], weights[i], unfiltered, (i & 1) == 0 ? ofFlat : ofFlatBelow);
        }
        [[unroll]] for (uint i = 0; i < 8; i++) {
            changes[i] = values[i] - int(sampleOf(decoded[decodedAt + i * decodedStep], decodedBits));
        }
        forward8(changes);
        [[unroll]] for (uint i = 0; i < 8; i++) {
            sums[line + i][at] = keep(changes[i], uint(values[i]));
        }
    }
    if (bounded) {
        [[dont_unroll]] for (uint v = 0; v < 8; v++) {
            boundRow(line, first, v);
        }
    }
    int used = whole ? -1 : 0;
    [[dont_unroll]] for (uint x = 0; x < 8; x += WORD_SAMPLES) {
        uint words[8] = uint[8](0, 0, 0, 0, 0, 0, 0, 0);
        [[dont_unroll]] for (uint j = 0; j < WORD_SAMPLES; j++) {
            uint at = first + (x + j) * SUM_STEP;
            uint values[8];
            int c[8];
            [[unroll]] for (uint i = 0; i < 8; i++) {
                values[i] = sums[line + i][at];
            }
            [[unroll]] for (uint i = 0; i < 8; i++) {
                c[i] = kept(values[i]) & used;
            }
            inverse8(c);
            uint bits = j * 8 * SAMPLE_BYTES;
            [[unroll]] for (uint i = 0; i < 8; i++) {
                words[i] += takeBack(values[i], c[i], bits);
                sums[line + i][at] = 0;
            }
        }
        uint to = stagedFirst + x / WORD_SAMPLES;
        [[unroll]] for (uint i = 0; i < 8; i++) {
            staged[to + i * STAGED_LINE] = words[i];
        }
    }
}

// As many staged samples as a word holds, from the sample on that lies "bits" into word "at".
uint stagedFrom(uint at, uint bits) {
    return (staged[at] >> bits) | ((staged[at + 1] << 1) << (31 - bits));
}

// A word of the picture, of pixels from that sample on.
uint pixelsFrom(uint at, uint bits) {
    uint pixels = stagedFrom(at, bits);
    if (COMPONENTS == 1) {
        pixels <<= SAMPLE_SHIFT;
    } else {
        uint second = stagedFrom(at + STAGED_WORDS, bits);
        pixels = SAMPLE_BYTES == 2 ? (pixels & SAMPLE_MASK) << SAMPLE_SHIFT | (second & SAMPLE_MASK) << (16 + SAMPLE_SHIFT)
            : (pixels & 0xffu) | (pixels & 0xff00u) << 8 | (second & 0xffu) << 8 | (second & 0xff00u) << 16;
    }
    return pixels;
}

// Stores a word in each of four rows, from row "y" on, of those that lie between two rows.
void storeWords(uvec2 rows, uint column, int y, int firstRow, int endRow, uvec4 words) {
    uint at = destinationColumn(column) + rowOf(rows, y);
    bool tail = g.tail != 0xffffffffu && column + 1 == g.words;
    if (tail || y < firstRow || y + 4 > endRow) {
        [[dont_unroll]] for (int end = y + 4; y < end; y++) {
            if (y >= firstRow && y < endRow) {
                destination[at] = tail ? (words.x & g.tail) | (destination[at] & ~g.tail) : words.x;
            }
            words = words.yzwx;
            at += rows.y;
        }
    } else {
        destination[at] = words.x;
        destination[at + rows.y] = words.y;
        destination[at + 2 * rows.y] = words.z;
        destination[at + 3 * rows.y] = words.w;
    }
}

// Stores the rows that a step finishes. Where the codec's blocks do not begin with a word,
// strips overlap, and each leaves out words that it has not as a whole. As in stage(), an invocation takes four rows at a time.
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
    uint foursOn = gl_WorkGroupSize.x / rowWords;
    uint wordsOn = gl_WorkGroupSize.x - foursOn * rowWords;
    [[dont_unroll]] while (down < 2 * STEP_ROWS) {
        uint column = first + across;
        if (column < g.words) {
            uint x = uint(int(column * PIXELS) - begin.x + 8);
            uint bits = x % WORD_SAMPLES * 8 * SAMPLE_BYTES;
            uint at = inRing(line + 4 * down) * STAGED_LINE + x / WORD_SAMPLES;
            uvec4 words = uvec4(pixelsFrom(at, bits), pixelsFrom(at + STAGED_LINE, bits), pixelsFrom(at + 2 * STAGED_LINE, bits),
                pixelsFrom(at + 3 * STAGED_LINE, bits));
            storeWords(destinationRows(nothing), column, row + 4 * int(down), max(begin.y, 0), int(g.height), words);
        }
        down += foursOn;
        across += wordsOn;
        if (across >= rowWords) {
            across -= rowWords;
            down++;
        }
    }
}

// The bits of a word that belong to samples.
const uint COPIED_BITS = SAMPLE_BYTES == 1 ? 0xffffffffu : 0x03ff03ffu << SAMPLE_SHIFT;

// Copies the strip. Loops end by numbers that are the same for all invocations; beyond the end of the strip these copy words that other
// workgroups copy, too.
void copyStrip() {
    ivec2 begin = stripBegin(0);
    const uint PIXELS = max(4 / PIXEL_BYTES, 1);
    uint first = uint(begin.x + 9 * int(PIXELS) - 1) / PIXELS - 8 + gl_LocalInvocationIndex;
    uint rowWords = g.columnStep / PIXELS;
    int last = int(g.height) - 1;
    uvec2 rows = sourceRows(0);
    [[dont_unroll]] for (uint row = 0; row < g.rowStep; row += 4) {
        int y = begin.y + int(row);
        uint rowsAt[4];
        [[unroll]] for (uint i = 0; i < 4; i++) {
            rowsAt[i] = rowOf(rows, clamp(y + int(i), 0, last));
        }
        [[dont_unroll]] for (uint begun = 0; begun < rowWords; begun += gl_WorkGroupSize.x) {
            uint column = min(first + begun, g.words - 1);
            uint at = sourceColumn(column);
            uvec4 words = uvec4(source[rowsAt[0] + at], source[rowsAt[1] + at], source[rowsAt[2] + at], source[rowsAt[3] + at]);
            storeWords(destinationRows(0), column, y, 0, int(g.height), words & COPIED_BITS);
        }
    }
}

// Filters the strip.
void filterStrip() {
    clearSums();
    [[dont_unroll]] for (uint step = 0; step < g.steps; step++) {
        stage(step, step & g.zero[0]);
        meetOverShared();
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
        store(step, step & g.zero[3]);
        meetOverShared();
    }
}

void main() {
    if (parameters.kinds[CHROMA ? 1 : 0].running != 0) {
        filterStrip();
    } else {
        copyStrip();
    }
}

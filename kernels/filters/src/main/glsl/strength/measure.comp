// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Fills the histograms of automatic strength. The first invocations take one 8x8 block each, of a sample of the picture's blocks, and
// count its coefficients on the codecs' grids and off them. The others take one column or row each and count the steps beside it
// along some lines. Most coefficients are below 1; an invocation sums these up and adds them to the histogram at once.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
// Bits of a sample below its 8 most significant ones.
layout(constant_id = 2) const uint SAMPLE_SHIFT = 0;

// Whether the source is in columns (common/columns.glsl).
layout(constant_id = 3) const bool SOURCE_IN_COLUMNS = false;

#include "common/columns.glsl"
#include "strength/histograms.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Source {
    uint source[];
};

layout(push_constant) uniform StrengthGeometry {
    uint sourceOffset, sourceStride;
    // Measured blocks of a row, and rows of them; one in blockStep blocks is measured, across and down.
    uint columns, rows, blockStep;
    uint sourceSkip;
    // Where the first block begins, and the size of the picture.
    uint gridColumn, gridRow;
    uint width, height;
} g;

// Lines along which steps are counted.
const uint LINES = 32;

// A larger step counts as one of this size.
const int MOST_STEP = 31;

// Rows of an orthonormal DCT in 1/256.
const int DC8 = 91;
const int DC4 = 128;

// The basis functions u = 1, 2, 3 of 8 samples, at a row. A word holds four rows of one function, because an array would lie in scratch
// memory. The other four rows mirror them.
ivec3 basis8(uint row) {
    const uvec3 PLUS_128 = uvec3(
        (126 + 128) | (106 + 128) << 8 | (71 + 128) << 16 | (25 + 128) << 24,
        (118 + 128) | (49 + 128) << 8 | (128 - 49) << 16 | (128 - 118) << 24,
        (106 + 128) | (128 - 25) << 8 | (128 - 126) << 16 | (128 - 71) << 24);
    bool mirrored = row > 3;
    uint shift = (mirrored ? 7 - row : row) * 8;
    ivec3 b = ivec3((PLUS_128 >> shift) & 0xffu) - 128;
    return mirrored ? ivec3(-b.x, b.y, -b.z) : b;
}

// The basis functions u = 1, 2 of 4 samples.
ivec2 basis4(uint row) {
    bool outer = row == 0 || row == 3;
    int first = outer ? 167 : 69;
    return ivec2(row < 2 ? first : -first, outer ? 128 : -128);
}

// The word of a row that holds a sample, and the bits before the sample in it.
uint wordOf(uint x) {
    uint column = SAMPLE_BYTES == 1 ? x >> 2 : x >> 1;
    return SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip) : column;
}

uint bitsBefore(uint x) {
    return SAMPLE_BYTES == 1 ? (x & 3) * 8 : (x & 1) * 16 + SAMPLE_SHIFT;
}

// Bits above the format's depth count for nothing: with them, a sum of samples would exceed the histogram.
int sampleIn(uint word, uint bits) {
    return int(source[word] >> bits & 0xffu);
}

int sampleAt(uint x, uint y) {
    return sampleIn(g.sourceOffset + y * g.sourceStride + wordOf(x), bitsBefore(x));
}

// Coefficients of the current kind below 1/2, and from 1/2 to 1, that are not in the histogram yet.
uint halves;
uint ones;

void count(uint kind, int coefficient) {
    uint size = uint(abs(coefficient)) >> 15;
    halves += size == 0 ? 1 : 0;
    ones += size == 1 ? 1 : 0;
    if (size > 1) {
        uint bin = size < 8 ? size : size < 32 ? 4 + (size >> 1) : size < 96 ? 12 + (size >> 2) : BINS - 1;
        atomicAdd(counts[kind + bin], 1);
    }
}

void countSmall(uint kind) {
    if (halves != 0) {
        atomicAdd(counts[kind], halves);
    }
    if (ones != 0) {
        atomicAdd(counts[kind + 1], ones);
    }
    halves = 0;
    ones = 0;
}

void measure8(uint x, uint y, bool shifted) {
    // c0 to c3 hold v = 0 to 3; their components hold the horizontal frequencies.
    ivec3 c0 = ivec3(0);
    ivec3 c1 = ivec3(0);
    ivec3 c2 = ivec3(0);
    ivec3 c3 = ivec3(0);
    int luma = 0;
    [[dont_unroll]] for (uint row = 0; row < 8; row++) {
        int p0 = sampleAt(x, y + row);
        int p1 = sampleAt(x + 1, y + row);
        int p2 = sampleAt(x + 2, y + row);
        int p3 = sampleAt(x + 3, y + row);
        int p4 = sampleAt(x + 4, y + row);
        int p5 = sampleAt(x + 5, y + row);
        int p6 = sampleAt(x + 6, y + row);
        int p7 = sampleAt(x + 7, y + row);
        int r0 = p0 + p1 + p2 + p3 + p4 + p5 + p6 + p7;
        ivec3 r = ivec3(
            126 * (p0 - p7) + 106 * (p1 - p6) + 71 * (p2 - p5) + 25 * (p3 - p4),
            118 * (p0 + p7 - p3 - p4) + 49 * (p1 + p6 - p2 - p5),
            106 * (p0 - p7) - 25 * (p1 - p6) - 126 * (p2 - p5) - 71 * (p3 - p4));
        ivec3 b = basis8(row);
        luma += r0;
        c0 += DC8 * r;
        c1 += b.x * ivec3(DC8 * r0, r.x, r.y);
        c2 += b.y * ivec3(DC8 * r0, r.x, r.z);
        c3 += b.z * ivec3(DC8 * r0, r.y, 0);
    }
    uint kind = shifted ? SHIFTED_8 : ALIGNED_8;
    count(kind, c0.x);
    count(kind, c0.y);
    count(kind, c0.z);
    count(kind, c1.x);
    count(kind, c1.y);
    count(kind, c1.z);
    count(kind, c2.x);
    count(kind, c2.y);
    count(kind, c3.x);
    countSmall(kind);
    uint textureKind = shifted ? TEXTURE : ALIGNED_TEXTURE;
    count(textureKind, c2.z);
    count(textureKind, c3.y);
    countSmall(textureKind);
    if (!shifted) {
        atomicAdd(counts[LUMA + (luma >> 10)], 1);
    }
}

void measure4(uint kind, uint x, uint y) {
    int c01 = 0;
    int c02 = 0;
    ivec3 c = ivec3(0);
    [[dont_unroll]] for (uint row = 0; row < 4; row++) {
        int p0 = sampleAt(x, y + row);
        int p1 = sampleAt(x + 1, y + row);
        int p2 = sampleAt(x + 2, y + row);
        int p3 = sampleAt(x + 3, y + row);
        int r0 = DC4 * (p0 + p1 + p2 + p3);
        int r1 = 167 * (p0 - p3) + 69 * (p1 - p2);
        ivec2 b = basis4(row);
        c01 += DC4 * r1;
        c02 += DC4 * (128 * (p0 - p1 - p2 + p3));
        c += ivec3(b.x * r0, b.x * r1, b.y * r0);
    }
    count(kind, c01);
    count(kind, c02);
    count(kind, c.x);
    count(kind, c.y);
    count(kind, c.z);
}

// Counts the wide steps around a column or row: on each grid, or half way between its edges.
void countOnGrids(uint at, bool down, uint steps) {
    uint direction = down ? 1 : 0;
    atomicAdd(counts[WIDE_STEPS + direction], steps);
    [[dont_unroll]] for (uint pitch = 0; pitch < PITCHES; pitch++) {
        uint frequency = frequencies[pitch];
        uint place = at * frequency + 3 * frequency / 2;
        if (place % (PLACES / 2) <= 2 * frequency) {
            atomicAdd(counts[ON_GRIDS + direction * PITCHES + pitch], place % PLACES < PLACES / 2 ? steps : -steps);
        }
    }
}

// How many words and bits a column or row lies behind the first sample of a line across it.
uvec2 behind(uint at, bool down) {
    return uvec2(down ? at * g.sourceStride : wordOf(at), bitsBefore(at));
}

// The sample of a line that begins at a word; of a column, with so many bits before it.
int sampleOf(uint line, uint bits, uvec2 behind, bool down) {
    return sampleIn(line + behind.x, down ? bits : behind.y);
}

// Counts, between this column or row and the one before, steps larger than those to both of the next ones together, and sums up how
// much larger they are. Counts such steps of samples two apart around it, too.
void countSteps(uint at, bool down) {
    uint found = 0;
    uint sizes = 0;
    uint wide = 0;
    bool inside = at > 2 && at + 3 < (down ? g.height : g.width);
    uvec2 near = behind(inside ? at - 3 : at - 2, down);
    uvec2 at0 = behind(at - 2, down);
    uvec2 at1 = behind(at - 1, down);
    uvec2 at2 = behind(at, down);
    uvec2 at3 = behind(at + 1, down);
    uvec2 far = behind(inside ? at + 3 : at + 1, down);
    [[dont_unroll]] for (uint line = 0; line < LINES; line++) {
        uint across = (2 * line + 1) * (down ? g.width : g.height) / (2 * LINES);
        uint first = g.sourceOffset + (down ? wordOf(across) : across * g.sourceStride);
        uint bits = bitsBefore(across);
        int before = sampleOf(first, bits, near, down);
        int p0 = sampleOf(first, bits, at0, down);
        int p1 = sampleOf(first, bits, at1, down);
        int p2 = sampleOf(first, bits, at2, down);
        int p3 = sampleOf(first, bits, at3, down);
        int after = sampleOf(first, bits, far, down);
        int size = clamp(abs(p2 - p1) - abs(p1 - p0) - abs(p3 - p2), 0, MOST_STEP);
        found += uint(min(size, 1));
        sizes += uint(size);
        wide += abs(p3 - p1) > abs(p1 - before) + abs(after - p3) ? 1 : 0;
    }
    uint phase = (down ? PHASES : 0) + at % PHASES;
    atomicAdd(counts[STEPS + phase], found);
    atomicAdd(counts[SIZES + phase], sizes);
    if (inside && wide > 0) {
        countOnGrids(at, down, wide);
    }
}

void main() {
    uint block = gl_GlobalInvocationID.x;
    if (block >= g.columns * g.rows) {
        uint at = block - g.columns * g.rows + 2;
        bool down = at >= g.width - 1;
        at = down ? at + 3 - g.width : at;
        if (!down || at < g.height - 1) {
            countSteps(at, down);
        }
        return;
    }
    uint x = block % g.columns * g.blockStep * 8 + g.gridColumn;
    uint y = block / g.columns * g.blockStep * 8 + g.gridRow;
    halves = 0;
    ones = 0;
    [[dont_unroll]] for (uint shift = 0; shift < 2; shift++) {
        measure8(x + 4 * shift, y + 4 * shift, shift != 0);
        uint kind = shift == 0 ? ALIGNED_4 : SHIFTED_4;
        [[dont_unroll]] for (uint quarter = 0; quarter < 4; quarter++) {
            measure4(kind, x + (quarter & 1) * 4 + 2 * shift, y + (quarter >> 1) * 4 + 2 * shift);
        }
        countSmall(kind);
    }
}

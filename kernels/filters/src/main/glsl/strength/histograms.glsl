// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The histograms of automatic strength, as StrengthHistograms has them: the sizes of coefficients, kind by kind; then the mean samples
// of the blocks; then the steps by phase, and their sizes; then wide steps, and how many more of them lie on each grid than half way
// between its edges.

const uint BINS = 37;
const uint ALIGNED_8 = 0;
const uint SHIFTED_8 = BINS;
const uint SHIFTED_4 = 2 * BINS;
const uint TEXTURE = 3 * BINS;
const uint ALIGNED_4 = 4 * BINS;
const uint ALIGNED_TEXTURE = 5 * BINS;
const uint LUMA = 6 * BINS;
const uint LUMA_BINS = 16;
const uint PHASES = 8;
// By phase: steps between columns, then steps between rows.
const uint STEPS = LUMA + LUMA_BINS;
const uint SIZES = STEPS + 2 * PHASES;
// Wide steps between columns, then between rows.
const uint WIDE_STEPS = SIZES + 2 * PHASES;
// Pitches of grids that are looked for, as GridPitch has them.
const uint PITCHES = 21;
const int UNSCALED = 3;
const uint ON_GRIDS = WIDE_STEPS + 2;
const uint COUNTED = ON_GRIDS + 2 * PITCHES;
// Places within one pitch.
const uint PLACES = 1u << 20;

// What strength/decide.comp keeps from one picture to the next. All 0 before the first picture.
struct StrengthMemory {
    uint begun;
    int combStep, comb8, combAge;
    int stepSize, stepBefore, bucketAge;
    int texture, drawing;
    int mean8, mean4, most4, intra, age;
    int isDrawing, level;
    uint shrankBefore;
    uint tier, generation;
    uint offsetBefore, foundOffset;
    uint picture;
    int luma[LUMA_BINS];
    // By phase: columns, then rows.
    int stepSums[2 * PHASES];
    int sizeSums[2 * PHASES];
    // Of columns, then of rows.
    int wideSums[2];
    int gridSums[2 * PITCHES];
};

layout(std430, set = 0, binding = 1) restrict buffer StrengthCounts {
    uint counts[COUNTED];
    StrengthMemory memory;
    // Places within each pitch that one sample takes.
    uint frequencies[PITCHES];
};

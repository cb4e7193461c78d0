// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// What the kernels of temporal fusion share: the memory of the last pictures, and how samples lie in it. Luma only.
//
// A history entry has the picture as it came from the stage before, at three sizes (the pyramid), and the result. Samples lie in words, in rows of
// whole words; those of 10 bits have 16. Around a plane, its border samples repeat.

layout(constant_id = 2) const uint SAMPLE_BYTES = 1;

// At most.
const uint REFERENCES = 4;
const uint ENTRIES = REFERENCES + 1;
const uint LEVELS = 3;

const uint WORD_SAMPLES = 4 / SAMPLE_BYTES;
const uint STORED_BITS = 8 * SAMPLE_BYTES;
const uint DEPTH_SHIFT = SAMPLE_BYTES == 1 ? 0 : 2;
const uint SAMPLE_MASK = SAMPLE_BYTES == 1 ? 0xffu : 0x3ffu;
const int MOST_SAMPLE = int(SAMPLE_MASK);

// Places of a sum over the picture: neighbouring workgroups add to different ones, and no place overflows.
const uint SUM_PLACES = 32;
// What is summed up for each reference: by how much blocks match worse than their guard allows, and the change of the mean.
const uint EXCESS_SUM = 0;
const uint MEAN_SUM = 1;
const uint SUMS = 2;

layout(std430, set = 0, binding = 0) restrict buffer TimePyramids {
    uint pyramids[];
};
layout(std430, set = 0, binding = 1) restrict buffer TimeResults {
    uint results[];
};
layout(std430, set = 0, binding = 2) restrict buffer TimeWork {
    // Of each entry: the table of its picture.
    int thresholds[ENTRIES];
    uint combs[ENTRIES];
    // By reference, kind and place: the lower 16 bits of the numbers added up, then the upper ones.
    uint sums[REFERENCES * SUMS * SUM_PLACES * 2];
    uint vectors[];
} work;
layout(std430, set = 0, binding = 3) readonly restrict buffer TimeTable {
    // In 1/16 of an 8-bit sample value; 0 where the picture stays as it is.
    int threshold;
    // Bit 0: coefficients of the stream's pictures stand on a comb. The others: the step of the comb on which those of this picture stand, or 0.
    uint combs;
} parameters;
layout(std430, set = 0, binding = 4) readonly restrict buffer TimePicture {
    // The table, unless automatic strength chooses that.
    uint table[2];
    // The entry of this picture, and how many others it is fused with.
    uint entry;
    uint count;
    // The entry of each, and AFTER for a picture that comes after this one, of which there is no result.
    uint references[REFERENCES];
} picture;

const uint AFTER = 8;

layout(push_constant) uniform TimeGeometry {
    // By level, from the whole picture to its quarter.
    uint width[LEVELS];
    uint height[LEVELS];
    // Where the planes of an entry begin.
    uint planeAt[LEVELS];
    uint pyramidWords;
    // Of a result, and of a prediction.
    uint planeWords;
    // Where the vectors of each level begin in those of a reference, and the words of these.
    uint vectorsAt[LEVELS];
    uint vectorWords;
    // Where the predictions begin behind the vectors.
    uint predictionsAt;
    // Where begins, behind the predictions, what they differ by from the picture around each corner of blocks.
    uint cornersAt;
    // Of the picture, which is read and then written, and of the decoded one.
    uint pictureOffset, pictureStride, pictureSkip;
    uint decodedOffset, decodedStride, decodedSkip;
    // The bits of the last word of a row that are samples.
    uint tail;
    // Of a plane of samples between samples.
    uint betweenStride, betweenWords;
    // Where the codec's blocks begin, -7 to 0, and the distance of tiles.
    int firstColumn, firstRow;
    uint columnStep;
} g;

// In 1/16 of an 8-bit sample value.
int threshold() {
    return work.thresholds[picture.entry];
}

// True if the picture is fused with a reference.
bool hasReference(uint reference) {
    return threshold() > 0 && reference < picture.count;
}

// The entry of a reference.
uint entryOf(uint reference) {
    return picture.references[reference] & (AFTER - 1);
}

uint strideOf(uint level) {
    return (g.width[level] + WORD_SAMPLES - 1) / WORD_SAMPLES;
}

// Blocks across and down.
uvec2 blocksOf(uint level) {
    return (uvec2(g.width[level], g.height[level]) + 7) / 8;
}

// Where a row of a pyramid's plane begins.
uint rowOf(uint entry, uint level, int y) {
    return entry * g.pyramidWords + g.planeAt[level] + uint(clamp(y, 0, int(g.height[level]) - 1)) * strideOf(level);
}

// The sample number "j" of a word.
int sampleIn(uint word, uint j) {
    return int((word >> (j * STORED_BITS)) & SAMPLE_MASK);
}

// A sample of a pyramid's row, whose last column is "last".
int sampleAt(uint row, int x, int last) {
    uint column = uint(clamp(x, 0, last));
    return sampleIn(pyramids[row + column / WORD_SAMPLES], column % WORD_SAMPLES);
}

// The samples of a word from "x" on.
uint samplesAt(uint row, int x, int last) {
    uint samples = 0;
    if (x >= 0 && x + int(WORD_SAMPLES) - 1 <= last) {
        uint at = row + uint(x) / WORD_SAMPLES;
        uint bits = uint(x) % WORD_SAMPLES * STORED_BITS;
        samples = pyramids[at];
        if (bits != 0) {
            samples = samples >> bits | pyramids[at + 1] << (32 - bits);
        }
    } else {
        for (uint j = 0; j < WORD_SAMPLES; j++) {
            samples |= uint(sampleAt(row, x + int(j), last)) << (j * STORED_BITS);
        }
    }
    return samples;
}

// Adds to a sum over the picture.
void addToSum(uint reference, uint kind, uint place, int number) {
    uint at = ((reference * SUMS + kind) * SUM_PLACES + place % SUM_PLACES) * 2;
    atomicAdd(work.sums[at], uint(number) & 0xffffu);
    atomicAdd(work.sums[at + 1], uint(number >> 16));
}

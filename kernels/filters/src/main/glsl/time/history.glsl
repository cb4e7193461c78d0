// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// What the kernels of temporal fusion share: the memory of the last pictures, and how samples lie in it.
//
// A history entry has the picture as it came from the stage before, each component by itself, luma at three sizes (the pyramid), and the result. Samples
// lie in words, in rows of whole words; those of 10 bits have 16. Around a plane, its border samples repeat.

layout(constant_id = 2) const uint SAMPLE_BYTES = 1;
// Luma alone, or chroma, too.
layout(constant_id = 3) const uint COMPONENTS = 3;
// Luma's samples for one of chroma, across and down.
layout(constant_id = 4) const uint SUB_WIDTH = 2;
layout(constant_id = 5) const uint SUB_HEIGHT = 2;

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
// Of each component of chroma: by how much the filters before this one changed it.
const uint CHANGES = 2;

layout(std430, set = 0, binding = 0) restrict buffer TimePyramids {
    uint pyramids[];
};
layout(std430, set = 0, binding = 1) restrict buffer TimeResults {
    uint results[];
};
layout(std430, set = 0, binding = 2) restrict buffer TimeWork {
    // Of each entry: the table of its picture.
    int thresholds[ENTRIES];
    int chromaThresholds[ENTRIES];
    uint combs[ENTRIES];
    // By reference, kind and place: the lower 16 bits of the numbers added up, then the upper ones.
    uint sums[(REFERENCES * SUMS + CHANGES) * SUM_PLACES * 2];
    uint vectors[];
} work;
layout(std430, set = 0, binding = 3) readonly restrict buffer TimeTable {
    // In 1/16 of an 8-bit sample value; 0 where the picture stays as it is, or chroma.
    int threshold;
    int chromaThreshold;
    // Bit 0: coefficients of the stream's pictures stand on a comb. The others: the step of the comb on which those of this picture stand, or 0.
    uint combs;
} parameters;
layout(std430, set = 0, binding = 4) readonly restrict buffer TimePicture {
    // The table, unless automatic strength chooses that.
    uint table[3];
    // The entry of this picture, and how many others it is fused with.
    uint entry;
    uint count;
    // The entry of each, and AFTER for a picture that comes after this one, of which there is no result.
    uint references[REFERENCES];
} picture;

const uint AFTER = 8;

layout(push_constant) uniform TimeGeometry {
    uint width, height;
    // Of an entry's pyramid, and where the half and the quarter begin in it, behind the components.
    uint pyramidWords;
    uint smallerAt[LEVELS - 1];
    // Of all components: a result, or a prediction.
    uint planesWords;
    // Of a reference: what is found and predicted. Vectors come first, and these are where the others begin: the half's vectors and the quarter's, the
    // predictions, what they differ by from the picture around each corner of blocks, and whether a block may be used.
    uint referenceWords;
    uint smallerVectorsAt[LEVELS - 1];
    uint predictionsAt, cornersAt, guardsAt;
    // By plane, of the picture, which is read and then written, and of the decoded one; and of luma and chroma.
    uint pictureOffset[3], pictureStride[3], pictureSkip[2];
    uint decodedOffset[3], decodedStride[3], decodedSkip[2];
    // Of a plane of samples between samples.
    uint betweenStride;
    // Where the codec's blocks begin, -7 to 0.
    int firstColumn, firstRow;
    // The first plane of a picture that is taken.
    uint plane;
} g;

// In 1/16 of an 8-bit sample value.
int threshold() {
    return work.thresholds[picture.entry];
}

int thresholdOf(uint component) {
    return component == 0 ? threshold() : work.chromaThresholds[picture.entry];
}

// True if the picture is fused with a reference.
bool hasReference(uint reference) {
    return threshold() > 0 && reference < picture.count;
}

// The entry of a reference.
uint entryOf(uint reference) {
    return picture.references[reference] & (AFTER - 1);
}

// Columns and rows of luma, of its half or of its quarter.
ivec2 sizeOf(uint level) {
    return ivec2((uvec2(g.width, g.height) + (1u << level) - 1) >> level);
}

ivec2 sizeOfComponent(uint component) {
    const uvec2 SUB = uvec2(SUB_WIDTH, SUB_HEIGHT);
    uvec2 luma = uvec2(g.width, g.height);
    return ivec2(component == 0 ? luma : luma + SUB - 1 >> SUB - 1);
}

// Words of a row of so many samples.
uint strideFor(int width) {
    return (uint(width) + WORD_SAMPLES - 1) / WORD_SAMPLES;
}

uint strideOf(uint level) {
    return strideFor(sizeOf(level).x);
}

// Blocks across and down.
uvec2 blocksIn(ivec2 size) {
    return (uvec2(size) + 7) / 8;
}

uvec2 blocksOf(uint level) {
    return blocksIn(sizeOf(level));
}

// Where a row of luma begins, of the picture, its half or its quarter.
uint rowOf(uint entry, uint level, int y) {
    uint begin = entry * g.pyramidWords + (level == 0 ? 0 : g.smallerAt[level - 1]);
    return begin + uint(clamp(y, 0, sizeOf(level).y - 1)) * strideOf(level);
}

// Where a component begins in an entry.
uint componentAt(uint component) {
    ivec2 chroma = sizeOfComponent(1);
    return component == 0 ? 0 : strideOf(0) * g.height + (component - 1) * strideFor(chroma.x) * uint(chroma.y);
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

// Which sum over the picture is that of a reference, and that of a component of chroma.
uint sumOf(uint reference, uint kind) {
    return reference * SUMS + kind;
}

uint changeOf(uint component) {
    return REFERENCES * SUMS + component - 1;
}

// Adds to a sum over the picture.
void addToSum(uint sum, uint place, int number) {
    uint at = (sum * SUM_PLACES + place % SUM_PLACES) * 2;
    atomicAdd(work.sums[at], uint(number) & 0xffffu);
    atomicAdd(work.sums[at + 1], uint(number >> 16));
}

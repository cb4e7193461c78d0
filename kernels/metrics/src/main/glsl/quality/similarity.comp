// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Squared error and SSIM of a component. Each invocation takes ROWS blocks of 4x4 samples, one below the other. For each it computes the
// squared error of the block and the SSIM of the window of two by two blocks that begins there.

layout(local_size_x_id = 0) in;

#include "quality/samples.glsl"

// Blocks of an invocation, and windows.
layout(constant_id = 4) const uint ROWS = 8;

const uint WORDS = SAMPLE_BYTES * SAMPLE_STEP;

layout(push_constant) uniform SimilarityGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    // In samples.
    uint width, height;
    uint firstBits;
    uint lastWord;
    uint windowsAcross, windowsDown;
    uint resultsAt;
    // The constants of SSIM, scaled for sums over the 64 samples of a window.
    float c1, c2;
} g;

uvec4 wordsOfReference(uint row, uint block) {
    uint start = g.referenceOffset + row * g.referenceStride;
    uint word = block * WORDS;
    uvec4 words = uvec4(reference[start + min(word, g.lastWord)], 0, 0, 0);
    if (WORDS >= 2) {
        words.y = reference[start + min(word + 1, g.lastWord)];
    }
    if (WORDS == 4) {
        words.z = reference[start + min(word + 2, g.lastWord)];
        words.w = reference[start + min(word + 3, g.lastWord)];
    }
    return words;
}

uvec4 wordsOfPicture(uint row, uint block) {
    uint start = g.pictureOffset + row * g.pictureStride;
    uint word = block * WORDS;
    uvec4 words = uvec4(picture[start + min(word, g.lastWord)], 0, 0, 0);
    if (WORDS >= 2) {
        words.y = picture[start + min(word + 1, g.lastWord)];
    }
    if (WORDS == 4) {
        words.z = picture[start + min(word + 2, g.lastWord)];
        words.w = picture[start + min(word + 3, g.lastWord)];
    }
    return words;
}

// Sums of a row of a block: samples of the reference and of the picture, squares of both, products.
uvec4 rowSums(uint row, uint block) {
    // Samples beyond the row count as 0 in both pictures.
    uvec4 inside = uvec4(lessThan(block * 4 + uvec4(0, 1, 2, 3), uvec4(g.width)));
    uvec4 r = unpackSamples(wordsOfReference(row, block), g.firstBits) * inside;
    uvec4 p = unpackSamples(wordsOfPicture(row, block), g.firstBits) * inside;
    return uvec4(
        r.x + r.y + r.z + r.w,
        p.x + p.y + p.z + p.w,
        r.x * r.x + r.y * r.y + r.z * r.z + r.w * r.w + p.x * p.x + p.y * p.y + p.z * p.z + p.w * p.w,
        r.x * p.x + r.y * p.y + r.z * p.z + r.w * p.w);
}

// 32 bits, which may wrap on the way. With samples of up to 10 bits, 64 times the sum of the variances is below 2^32 and 64 times the
// covariance is below 2^31 in size; so are the factors below.
float windowSimilarity(uvec4 sums) {
    uint squaredReference = sums.x * sums.x;
    uint squaredPicture = sums.y * sums.y;
    uint product = sums.x * sums.y;
    float variances = float(64 * sums.z - squaredReference - squaredPicture);
    float covariance = float(int(64 * sums.w - product));
    return (2.0 * float(product) + g.c1) * (2.0 * covariance + g.c2)
        / ((float(squaredReference) + float(squaredPicture) + g.c1) * (variances + g.c2));
}

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint columns = (g.width + 3) / 4;
    if (column >= columns) {
        return;
    }
    uint first = gl_WorkGroupID.y * ROWS;
    uint squaredError = 0;
    float similarity = 0.0;
    uvec4 above = uvec4(0);
    [[dont_unroll]] for (uint i = 0; i <= ROWS; i++) {
        uint blockRow = first + i;
        uvec4 own = uvec4(0);
        uvec4 both = uvec4(0);
        uint end = min(blockRow * 4 + 4, g.height);
        [[dont_unroll]] for (uint row = blockRow * 4; row < end; row++) {
            uvec4 sums = rowSums(row, column);
            own += sums;
            both += sums + rowSums(row, column + 1);
        }
        if (i < ROWS) {
            squaredError += own.z - 2 * own.w;
        }
        if (i > 0 && blockRow <= g.windowsDown && column < g.windowsAcross) {
            similarity += windowSimilarity(above + both);
        }
        above = both;
    }
    uint at = g.resultsAt + 2 * (gl_WorkGroupID.y * columns + column);
    results[at] = squaredError;
    results[at + 1] = floatBitsToUint(similarity);
}

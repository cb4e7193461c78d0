// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// One step of the wavelet transform of the additive detail metric, of the reference and of the picture. Each invocation computes one
// coefficient of each band of both.

layout(local_size_x_id = 0) in;
#include "quality/luma.glsl"
// The first scale reads the pictures; others read the low bands of the scale before.
layout(constant_id = 3) const bool FIRST = true;
layout(constant_id = 4) const uint COLUMN_SHIFT = 8;
layout(constant_id = 5) const uint ROW_SHIFT = 16;

// Low bands: the coefficients of the reference, then those of the picture.
layout(std430, set = 0, binding = 3) restrict buffer Low {
    int lowBands[];
};
// Horizontal, vertical and diagonal band of the reference, then of the picture.
layout(std430, set = 0, binding = 4) writeonly restrict buffer Bands {
    int bands[];
};

layout(push_constant) uniform AdmWaveletGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    uint sourceWidth, sourceHeight;
    uint width, height;
    uint sourceAt, lowAt;
    int lowRound;
    // 1 if the last coefficients of low-pass rows are made with the first high-pass sums.
    uint readsOn;
    int tap0, tap1, tap2, tap3;
} g;

int sourceSample(uint which, uint x, uint y) {
    if (FIRST) {
        uint word = sampleWord(x);
        return which == 0 ? int(sampleIn(reference[g.referenceOffset + y * g.referenceStride + word], x))
                          : int(sampleIn(picture[g.pictureOffset + y * g.pictureStride + word], x));
    }
    return lowBands[g.sourceAt + (which * g.sourceHeight + y) * g.sourceWidth + x];
}

// What stands for a coefficient beyond an end.
uint sourceIndex(int at, uint size) {
    if (at < 0) {
        return uint(-at);
    }
    return at < int(size) ? uint(at) : 2 * size - 1 - uint(at);
}

int lowSum(ivec4 s) {
    return g.tap0 * s.x + g.tap1 * s.y + g.tap2 * s.z + g.tap3 * s.w;
}

int highSum(ivec4 s) {
    return g.tap3 * s.x - g.tap2 * s.y + g.tap1 * s.z - g.tap0 * s.w;
}

// The low and the high halves of coefficients, both signed.
ivec4 lowHalf(ivec4 s) {
    return (s << 16) >> 16;
}

ivec4 highHalf(ivec4 s) {
    return (s >> 16) + ((s >> 15) & 1);
}

// A sum of 48 bits, rounded and scaled down.
int scaledDown(int high, int low, uint shift, int round) {
    return (high << (16 - shift)) + ((low + round) >> shift);
}

int columnLow(ivec4 s) {
    if (FIRST) {
        return (lowSum(s) + g.lowRound) >> COLUMN_SHIFT;
    }
    if (COLUMN_SHIFT == 0) {
        return lowSum(s);
    }
    return scaledDown(lowSum(highHalf(s)), lowSum(lowHalf(s)), COLUMN_SHIFT, 1 << (COLUMN_SHIFT - 1));
}

int columnHigh(ivec4 s) {
    if (FIRST) {
        return (highSum(s) + (1 << (COLUMN_SHIFT - 1))) >> COLUMN_SHIFT;
    }
    if (COLUMN_SHIFT == 0) {
        return highSum(s);
    }
    return scaledDown(highSum(highHalf(s)), highSum(lowHalf(s)), COLUMN_SHIFT, 1 << (COLUMN_SHIFT - 1));
}

int rowLow(ivec4 s) {
    if (FIRST) {
        return (lowSum(s) + (1 << (ROW_SHIFT - 1))) >> ROW_SHIFT;
    }
    return scaledDown(lowSum(highHalf(s)), lowSum(lowHalf(s)), ROW_SHIFT, 1 << (ROW_SHIFT - 1));
}

int rowHigh(ivec4 s) {
    if (FIRST) {
        return (highSum(s) + (1 << (ROW_SHIFT - 1))) >> ROW_SHIFT;
    }
    return scaledDown(highSum(highHalf(s)), highSum(lowHalf(s)), ROW_SHIFT, 1 << (ROW_SHIFT - 1));
}

void main() {
    uint x = gl_GlobalInvocationID.x;
    uint y = gl_WorkGroupID.y;
    uint which = gl_WorkGroupID.z;
    if (x >= g.width) {
        return;
    }
    uvec4 rows = uvec4(
        sourceIndex(2 * int(y) - 1, g.sourceHeight),
        2 * y,
        sourceIndex(2 * int(y) + 1, g.sourceHeight),
        sourceIndex(2 * int(y) + 2, g.sourceHeight));
    ivec4 low;
    ivec4 high;
    for (int i = 0; i < 4; i++) {
        int at = 2 * int(x) - 1 + i;
        uint column = sourceIndex(at, g.sourceWidth);
        ivec4 samples = ivec4(
            sourceSample(which, column, rows.x),
            sourceSample(which, column, rows.y),
            sourceSample(which, column, rows.z),
            sourceSample(which, column, rows.w));
        low[i] = columnLow(samples);
        high[i] = columnHigh(samples);
        if (g.readsOn != 0 && at >= int(g.sourceWidth)) {
            uint first = uint(at) - g.sourceWidth;
            low[i] = columnHigh(ivec4(
                sourceSample(which, first, rows.x),
                sourceSample(which, first, rows.y),
                sourceSample(which, first, rows.z),
                sourceSample(which, first, rows.w)));
        }
    }
    uint count = g.width * g.height;
    uint to = y * g.width + x;
    lowBands[g.lowAt + which * count + to] = rowLow(low);
    uint bandsTo = 3 * which * count + to;
    bands[bandsTo] = rowLow(high);
    bands[bandsTo + count] = rowHigh(low);
    bands[bandsTo + 2 * count] = rowHigh(high);
}

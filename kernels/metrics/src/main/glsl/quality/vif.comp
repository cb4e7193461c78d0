// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require

// Visual information fidelity of one scale, and the samples of the next scale. A workgroup takes COLUMNS x ROWS windows: it sums down the
// columns, then along the rows, in shared memory. Sums that need more than 32 bits are kept in two parts.

layout(local_size_x_id = 0) in;
#include "quality/luma.glsl"
layout(constant_id = 3) const uint INVOCATIONS = 128;
layout(constant_id = 4) const uint ROWS = 4;
// Distance of the outermost tap.
layout(constant_id = 5) const uint RADIUS = 8;
// The same for the samples of the next scale; 0 if there is none.
layout(constant_id = 6) const uint NEXT_RADIUS = 4;
layout(constant_id = 7) const uint COLUMN_SHIFT = 8;
layout(constant_id = 8) const uint PRODUCT_SHIFT = 0;
// The first scale reads the pictures; others read samples that the scale before left.
layout(constant_id = 9) const bool FIRST = true;

// Samples of the scales but the first: reference in the low half of a word, picture in the high half.
layout(std430, set = 0, binding = 3) restrict buffer Pyramid {
    uint pyramid[];
};
// Logarithms of 2^15 to 2^16 - 1, two a word.
layout(std430, set = 0, binding = 4) readonly restrict buffer Logarithms {
    uint logarithms[];
};

layout(push_constant) uniform VifGeometry {
    uint referenceOffset, referenceStride;
    uint pictureOffset, pictureStride;
    uint width, height;
    uint sourceAt;
    uint nextAt, nextWidth, nextHeight;
    uint resultsAt;
    // From the outermost to the centre.
    uint taps[9];
    uint nextTaps[5];
} g;

const uint COLUMNS = 64;
const uint WIDE = COLUMNS + 2 * RADIUS;
const uint HIGH = ROWS + 2 * RADIUS;
const uint NEXT_WIDE = COLUMNS + 2 * NEXT_RADIUS;
const uint MEANS = WIDE * ROWS;
const uint NOISE = 131072;
const int LOG_BITS = 11;
const int LOG_NOISE = 17 << LOG_BITS;
const uint GAIN_LIMIT = 100;
// 65536e-10 times 2^49.
const uint EPSILON = 3689348815u;

const uint RESULTS = 6;

shared uint samples[WIDE * HIGH];
// Means in the halves of a word, squares of the reference, of the picture, products.
shared uint column[4 * MEANS];
shared uint nextColumn[NEXT_WIDE * ROWS / 2];
shared uint sums[RESULTS];

uint sampleAt(uint x, uint y) {
    if (FIRST) {
        uint word = sampleWord(x);
        return sampleIn(reference[g.referenceOffset + y * g.referenceStride + word], x)
            | sampleIn(picture[g.pictureOffset + y * g.pictureStride + word], x) << 16;
    }
    return pyramid[g.sourceAt + y * g.width + x];
}

uvec2 halves(uint word) {
    return uvec2(word & 0xffffu, word >> 16);
}

uvec3 products(uint word) {
    uvec2 s = halves(word);
    return uvec3(s.x * s.x, s.y * s.y, s.x * s.y);
}

void sumColumn(uint at) {
    uvec2 means = uvec2(0);
    uvec3 high = uvec3(0);
    uvec3 low = uvec3(0);
    uint mask = (1u << PRODUCT_SHIFT) - 1;
    for (uint k = 0; k <= RADIUS; k++) {
        uint tap = g.taps[k];
        uint a = samples[at + k * WIDE];
        uvec2 mean = halves(a);
        uvec3 product = products(a);
        uvec3 productHigh = product >> PRODUCT_SHIFT;
        uvec3 productLow = product & mask;
        if (k < RADIUS) {
            uint b = samples[at + (2 * RADIUS - k) * WIDE];
            mean += halves(b);
            product = products(b);
            productHigh += product >> PRODUCT_SHIFT;
            productLow += product & mask;
        }
        means += tap * mean;
        high += tap * productHigh;
        low += tap * productLow;
    }
    means = (means + (1u << (COLUMN_SHIFT - 1))) >> COLUMN_SHIFT;
    if (PRODUCT_SHIFT > 0) {
        high += (low + (1u << (PRODUCT_SHIFT - 1))) >> PRODUCT_SHIFT;
    }
    column[at] = means.x | means.y << 16;
    column[MEANS + at] = high.x;
    column[2 * MEANS + at] = high.y;
    column[3 * MEANS + at] = high.z;
}

int logarithm(uint value) {
    int shift = findMSB(value) - 15;
    uint at = (value >> shift) - 32768;
    return int((logarithms[at >> 1] >> ((at & 1) * 16)) & 0xffffu) + (shift << LOG_BITS);
}

// The high word of a square or a product, rounded.
uint highProduct(uint a, uint b) {
    uint high;
    uint low;
    umulExtended(a, b, high, low);
    return high + (low >> 31);
}

// Noise and what is left of the reference, as VifGain has them.
void split(uint v, uint w, uint c, out uint noise, out uint gained) {
    uint high;
    uint low;
    uint squareHigh;
    uint squareLow;
    umulExtended(w, v, high, low);
    umulExtended(c, c, squareHigh, squareLow);
    bool negative = high < squareHigh || (high == squareHigh && low < squareLow);
    uint borrow;
    if (negative) {
        low = usubBorrow(squareLow, low, borrow);
        high = squareHigh - high - borrow;
    } else {
        low = usubBorrow(low, squareLow, borrow);
        high = high - squareHigh - borrow;
    }
    // A quotient that is at first a little too small, twice.
    uint quotient = 0;
    for (int i = 0; i < 2; i++) {
        uint part = uint((float(high) * 4294967296.0 + float(low)) / float(v) * 0.99999);
        uint partHigh;
        uint partLow;
        umulExtended(part, v, partHigh, partLow);
        low = usubBorrow(low, partLow, borrow);
        high = high - partHigh - borrow;
        quotient += part;
    }
    while (high != 0 || low >= v) {
        low = usubBorrow(low, v, borrow);
        high -= borrow;
        quotient++;
    }
    int whole = int(quotient);
    uint rest = low;
    if (negative) {
        whole = rest > 0 ? -whole - 1 : -whole;
        rest = rest > 0 ? v - rest : 0;
    }
    uint left = uint(int(w) - whole);
    uint more;
    uint unused;
    umulExtended(left, EPSILON, more, unused);
    noise = uint(max(whole + (rest + (more >> 17) >= v ? 1 : 0), 0));
    gained = left - 1 - (rest + (more >> 16) >= v ? 1 : 0);
}

void main() {
    uint id = gl_LocalInvocationID.x;
    if (id < RESULTS) {
        sums[id] = 0;
    }
    uint left = gl_WorkGroupID.x * COLUMNS;
    uint top = gl_WorkGroupID.y * ROWS;
    for (uint i = id; i < WIDE * HIGH; i += INVOCATIONS) {
        uint x = mirrored(int(left + i % WIDE) - int(RADIUS), g.width, RADIUS);
        uint y = mirrored(int(top + i / WIDE) - int(RADIUS), g.height, RADIUS);
        samples[i] = sampleAt(x, y);
    }
    barrier();
    for (uint i = id; i < MEANS; i += INVOCATIONS) {
        sumColumn(i);
    }
    if (NEXT_RADIUS > 0) {
        for (uint i = id; i < NEXT_WIDE * ROWS / 2; i += INVOCATIONS) {
            uint y = i / NEXT_WIDE;
            uint at = (2 * y + RADIUS - NEXT_RADIUS) * WIDE + (i - y * NEXT_WIDE) + RADIUS - NEXT_RADIUS;
            uvec2 sum = uvec2(0);
            for (uint k = 0; k <= NEXT_RADIUS; k++) {
                uvec2 pair = halves(samples[at + k * WIDE]);
                if (k < NEXT_RADIUS) {
                    pair += halves(samples[at + (2 * NEXT_RADIUS - k) * WIDE]);
                }
                sum += g.nextTaps[k] * pair;
            }
            sum = (sum + (1u << (COLUMN_SHIFT - 1))) >> COLUMN_SHIFT;
            nextColumn[i] = sum.x | sum.y << 16;
        }
    }
    barrier();
    int kept = 0;
    int keptLimited = 0;
    int all = 0;
    uint flatLow = 0;
    uint flatHigh = 0;
    uint flats = 0;
    for (uint i = id; i < COLUMNS * ROWS; i += INVOCATIONS) {
        uint x = i % COLUMNS;
        uint y = i / COLUMNS;
        if (left + x >= g.width || top + y >= g.height) {
            continue;
        }
        uint at = y * WIDE + x;
        uvec2 means = uvec2(0);
        uvec3 high = uvec3(0);
        uvec3 low = uvec3(0);
        for (uint k = 0; k <= RADIUS; k++) {
            uint tap = g.taps[k];
            uint a = at + k;
            uvec2 mean = halves(column[a]);
            uvec3 product = uvec3(column[MEANS + a], column[2 * MEANS + a], column[3 * MEANS + a]);
            uvec3 productHigh = product >> 16;
            uvec3 productLow = product & 0xffffu;
            if (k < RADIUS) {
                uint b = at + 2 * RADIUS - k;
                mean += halves(column[b]);
                product = uvec3(column[MEANS + b], column[2 * MEANS + b], column[3 * MEANS + b]);
                productHigh += product >> 16;
                productLow += product & 0xffffu;
            }
            means += tap * mean;
            high += tap * productHigh;
            low += tap * productLow;
        }
        high += (low + 32768) >> 16;
        int v = int(high.x - highProduct(means.x, means.x));
        int w = max(int(high.y - highProduct(means.y, means.y)), 0);
        if (v < int(NOISE)) {
            flatLow += uint(w) & 0xffffu;
            flatHigh += uint(w) >> 16;
            flats++;
            continue;
        }
        all += logarithm(NOISE + uint(v)) - LOG_NOISE;
        int c = int(high.z - highProduct(means.x, means.y));
        if (c > 0 && w > 0) {
            uint noise;
            uint gained;
            split(uint(v), uint(w), uint(c), noise, gained);
            if (uint(c - 1) / GAIN_LIMIT >= uint(v)) {
                gained = GAIN_LIMIT * GAIN_LIMIT * uint(v);
            }
            uint base = noise + NOISE;
            int baseLogarithm = logarithm(base);
            int own = logarithm(gained + base) - baseLogarithm;
            kept += own;
            keptLimited += c > v ? logarithm(uint(v) + base) - baseLogarithm : own;
        }
    }
    if (NEXT_RADIUS > 0) {
        for (uint i = id; i < COLUMNS * ROWS / 4; i += INVOCATIONS) {
            uint y = i / (COLUMNS / 2);
            uint x = i - y * (COLUMNS / 2);
            uvec2 sum = uvec2(32768);
            for (uint k = 0; k <= NEXT_RADIUS; k++) {
                uvec2 pair = halves(nextColumn[y * NEXT_WIDE + 2 * x + k]);
                if (k < NEXT_RADIUS) {
                    pair += halves(nextColumn[y * NEXT_WIDE + 2 * x + 2 * NEXT_RADIUS - k]);
                }
                sum += g.nextTaps[k] * pair;
            }
            uint toX = left / 2 + x;
            uint toY = top / 2 + y;
            if (toX < g.nextWidth && toY < g.nextHeight) {
                pyramid[g.nextAt + toY * g.nextWidth + toX] = (sum.x >> 16) | (sum.y >> 16) << 16;
            }
        }
    }
    atomicAdd(sums[0], uint(kept));
    atomicAdd(sums[1], uint(keptLimited));
    atomicAdd(sums[2], uint(all));
    atomicAdd(sums[3], flatLow);
    atomicAdd(sums[4], flatHigh);
    atomicAdd(sums[5], flats);
    barrier();
    if (id < RESULTS) {
        results[g.resultsAt + RESULTS * (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) + id] = sums[id];
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Samples packed into 32-bit words. A sample v below 1024 becomes a float by putting it into the bits of an f16 number: 0x6400 | v is
// 1024 + v. So no conversion is needed, but every float carries a bias of 1024. The bias cancels out in differences and stays the
// same in weighted means.
//
// Some bits are combined by addition and subtraction instead of "and" and "or". V3D has two units that can add, but only one of them
// does bit operations, and that one is the busier one.

const uint HALF_BIAS = 0x64006400u;
const uint EVEN_BYTES = 0x00ff00ffu;
const float BIAS = 1024.0;

// Bytes 0 and 2.
vec2 evenBytes(uint word) {
    return unpackHalf2x16((word & EVEN_BYTES) + HALF_BIAS);
}

// Bytes 1 and 3.
vec2 oddBytes(uint word) {
    return unpackHalf2x16(((word - (word & EVEN_BYTES)) >> 8) + HALF_BIAS);
}

// Packs biased samples 0..255 into bytes 0 and 2. The other bytes are 0.
uint packEvenBytes(vec2 samples) {
    return packHalf2x16(samples) & EVEN_BYTES;
}

uint packBytes(vec2 even, vec2 odd) {
    // Both terms carry the bias. The shift drops the highest byte of the odd samples' bias.
    return packHalf2x16(even) + (packHalf2x16(odd) << 8) - (HALF_BIAS + (HALF_BIAS << 8));
}

// Byte 0.
float lowByte(uint word) {
    return unpackHalf2x16((word & 0xffu) + HALF_BIAS).x;
}

// Replaces byte 0 by a biased sample, then rotates the word, so that the next byte becomes byte 0.
uint nextByte(uint word, float s) {
    word = (word & 0xffffff00u) | (packHalf2x16(vec2(s, 0.0)) & 0xffu);
    return (word >> 8) | (word << 24);
}

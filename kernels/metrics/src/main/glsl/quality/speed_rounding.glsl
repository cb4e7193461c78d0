// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Operations in single precision that round once, on devices that round division and roots otherwise, too. Includes fma.glsl; main()
// sets fmaRoundsOnce.

#include "quality/fma.glsl"

// What is less, beside the numbers around it, is taken for 0.
const float EPSILON = 1e-6;

const uint SIDE = 5;
const uint SAMPLES = SIDE * SIDE;
const uint ELEMENTS = SAMPLES * SAMPLES;

// What is known of a plane: eigenvalues, the orthogonal matrix, the triangular one, 1 if they have a meaning (each of both halves says so).
const uint ORTHOGONAL = SAMPLES;
const uint TRIANGULAR = ORTHOGONAL + ELEMENTS;
const uint REGULAR = TRIANGULAR + ELEMENTS;
const uint KNOWN = REGULAR + 2;

// The sum of a number in two parts and another one; the lower part is what rounding takes.
vec2 plus(vec2 sum, float more) {
    precise float high = sum.x + more;
    precise float added = high - sum.x;
    precise float rest = (sum.x - (high - added)) + (more - added);
    precise float low = sum.y + rest;
    return vec2(high, low);
}

float divided(float a, float b) {
    float quotient = a / b;
    float rest = rounded(-quotient, b, a);
    precise float result = quotient + rest / b;
    return quotient == 0.0 || isinf(quotient) ? quotient : result;
}

float root(float square) {
    float guess = sqrt(square);
    float rest = rounded(-guess, guess, square);
    precise float result = guess + rest / (guess + guess);
    return square == 0.0 ? 0.0 : result;
}

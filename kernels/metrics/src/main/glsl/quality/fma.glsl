// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Multiplication and addition with one rounding, on devices whose fma() rounds twice, too.

// Whether the device's fma() rounds once. main() sets it.
bool fmaRoundsOnce;

// The square of 1 + 2^-12 has one bit more than a float. "minus" is the rounded square, negative. Both come from memory, so that the
// compiler does not compute this as it likes.
bool roundsOnce(float factor, float minus) {
    precise float rest = fma(factor, factor, minus);
    return rest != 0.0;
}

float rounded(float a, float b, float c) {
    if (fmaRoundsOnce) {
        precise float result = fma(a, b, c);
        return result;
    }
    // The product and its error (Dekker), the sum and its error (Knuth).
    precise float scaledA = 4097.0 * a;
    precise float highA = scaledA - (scaledA - a);
    precise float lowA = a - highA;
    precise float scaledB = 4097.0 * b;
    precise float highB = scaledB - (scaledB - b);
    precise float lowB = b - highB;
    precise float product = a * b;
    precise float ofProduct = ((highA * highB - product) + highA * lowB + lowA * highB) + lowA * lowB;
    precise float sum = product + c;
    precise float added = sum - product;
    precise float ofSum = (product - (sum - added)) + (c - added);
    precise float result = sum + (ofSum + ofProduct);
    return result;
}

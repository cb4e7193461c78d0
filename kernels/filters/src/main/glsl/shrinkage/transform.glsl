// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// H.264's 8x8 transform in one dimension, on integers of 32 bits.

// The forward transform, of samples to coefficients.
void forward8(
    inout int s0, inout int s1, inout int s2, inout int s3, inout int s4, inout int s5, inout int s6, inout int s7) {
    int d07 = s0 - s7;
    int d16 = s1 - s6;
    int d25 = s2 - s5;
    int d34 = s3 - s4;
    int s07 = s0 + s7;
    int s16 = s1 + s6;
    int s25 = s2 + s5;
    int s34 = s3 + s4;
    int a0 = s07 + s34;
    int a1 = s16 + s25;
    int a2 = s07 - s34;
    int a3 = s16 - s25;
    int a4 = d16 + d25 + d07 + (d07 >> 1);
    int a5 = d07 - d34 - d25 - (d25 >> 1);
    int a6 = d07 + d34 - d16 - (d16 >> 1);
    int a7 = d16 - d25 + d34 + (d34 >> 1);
    s0 = a0 + a1;
    s1 = a4 + (a7 >> 2);
    s2 = a2 + (a3 >> 1);
    s3 = a5 + (a6 >> 2);
    s4 = a0 - a1;
    s5 = a6 - (a5 >> 2);
    s6 = (a2 >> 1) - a3;
    s7 = (a4 >> 2) - a7;
}

// The inverse transform (ITU-T H.264, 8.5.13).
void inverse8(
    inout int s0, inout int s1, inout int s2, inout int s3, inout int s4, inout int s5, inout int s6, inout int s7) {
    int a0 = s0 + s4;
    int a2 = s0 - s4;
    int a4 = (s2 >> 1) - s6;
    int a6 = (s6 >> 1) + s2;
    int b0 = a0 + a6;
    int b2 = a2 + a4;
    int b4 = a2 - a4;
    int b6 = a0 - a6;
    int a1 = s5 - s3 - s7 - (s7 >> 1);
    int a3 = s1 + s7 - s3 - (s3 >> 1);
    int a5 = s7 - s1 + s5 + (s5 >> 1);
    int a7 = s3 + s5 + s1 + (s1 >> 1);
    int b1 = (a7 >> 2) + a1;
    int b3 = a3 + (a5 >> 2);
    int b5 = (a3 >> 2) - a5;
    int b7 = a7 - (a1 >> 2);
    s0 = b0 + b7;
    s1 = b2 + b5;
    s2 = b4 + b3;
    s3 = b6 + b1;
    s4 = b6 - b1;
    s5 = b4 - b3;
    s6 = b2 - b5;
    s7 = b0 - b7;
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// H.264's 8x8 transform in one dimension, on integers of 32 bits.

// The forward transform, of samples to coefficients.
void forward8(inout int s[8]) {
    int d07 = s[0] - s[7];
    int d16 = s[1] - s[6];
    int d25 = s[2] - s[5];
    int d34 = s[3] - s[4];
    int s07 = s[0] + s[7];
    int s16 = s[1] + s[6];
    int s25 = s[2] + s[5];
    int s34 = s[3] + s[4];
    int a0 = s07 + s34;
    int a1 = s16 + s25;
    int a2 = s07 - s34;
    int a3 = s16 - s25;
    int a4 = d16 + d25 + d07 + (d07 >> 1);
    int a5 = d07 - d34 - d25 - (d25 >> 1);
    int a6 = d07 + d34 - d16 - (d16 >> 1);
    int a7 = d16 - d25 + d34 + (d34 >> 1);
    s[0] = a0 + a1;
    s[1] = a4 + (a7 >> 2);
    s[2] = a2 + (a3 >> 1);
    s[3] = a5 + (a6 >> 2);
    s[4] = a0 - a1;
    s[5] = a6 - (a5 >> 2);
    s[6] = (a2 >> 1) - a3;
    s[7] = (a4 >> 2) - a7;
}

// The inverse transform (ITU-T H.264, 8.5.13).
void inverse8(inout int s[8]) {
    int a0 = s[0] + s[4];
    int a2 = s[0] - s[4];
    int a4 = (s[2] >> 1) - s[6];
    int a6 = (s[6] >> 1) + s[2];
    int b0 = a0 + a6;
    int b2 = a2 + a4;
    int b4 = a2 - a4;
    int b6 = a0 - a6;
    int a1 = s[5] - s[3] - s[7] - (s[7] >> 1);
    int a3 = s[1] + s[7] - s[3] - (s[3] >> 1);
    int a5 = s[7] - s[1] + s[5] + (s[5] >> 1);
    int a7 = s[3] + s[5] + s[1] + (s[1] >> 1);
    int b1 = (a7 >> 2) + a1;
    int b3 = a3 + (a5 >> 2);
    int b5 = (a3 >> 2) - a5;
    int b7 = a7 - (a1 >> 2);
    s[0] = b0 + b7;
    s[1] = b2 + b5;
    s[2] = b4 + b3;
    s[3] = b6 + b1;
    s[4] = b6 - b1;
    s[5] = b4 - b3;
    s[6] = b2 - b5;
    s[7] = b0 - b7;
}

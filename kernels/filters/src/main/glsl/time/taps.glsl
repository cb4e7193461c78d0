// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// VP9's regular filter at quarters of a sample. The first tap belongs to the sample 3 before.

ivec4 firstTaps(int quarter) {
    return quarter == 0 ? ivec4(0, 0, 0, 128)
        : quarter == 1 ? ivec4(-1, 4, -16, 112)
        : quarter == 2 ? ivec4(-1, 6, -19, 78) : ivec4(-1, 4, -11, 37);
}

ivec4 lastTaps(int quarter) {
    return quarter == 0 ? ivec4(0)
        : quarter == 1 ? ivec4(37, -11, 4, -1)
        : quarter == 2 ? ivec4(78, -19, 6, -1) : ivec4(112, -16, 4, -1);
}

int filtered(ivec4 first, ivec4 last, int s0, int s1, int s2, int s3, int s4, int s5, int s6, int s7) {
    int sum = first.x * s0 + first.y * s1 + first.z * s2 + first.w * s3 + last.x * s4 + last.y * s5 + last.z * s6 + last.w * s7;
    return clamp((sum + 64) >> 7, 0, MOST_SAMPLE);
}

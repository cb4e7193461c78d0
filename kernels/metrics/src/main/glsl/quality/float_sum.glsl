// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Adds up a vector of each of 64 invocations, always in the same order.

shared vec3 partial[64];

// The sum is in the first invocation.
vec3 sumOfGroup(vec3 own) {
    uint lane = gl_LocalInvocationID.x;
    partial[lane] = own;
    for (uint half_ = 32; half_ > 0; half_ /= 2) {
        barrier();
        if (lane < half_) {
            partial[lane] += partial[lane + half_];
        }
    }
    barrier();
    return partial[0];
}

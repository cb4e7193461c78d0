// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// For kernels in a form for drivers that run shaders on the CPU, such as Mesa's lavapipe. Its compiler keeps the values of a subgroup
// in a vector register, and that shapes these forms:
//
// - Storage buffers are slow to read. The compiler makes a loop over the lanes, tests in each turn whether the lane is active and in
//   bounds, and writes the value into a vector in memory. Reading that vector back stalls. Texels are gathered by one instruction,
//   so these forms see buffers as texel buffers of 32-bit words.
// - Both sides of a branch run. A loop that tests its condition first runs its body once more than needed.
// - Texels are stored lane by lane as well, at a lower cost. These stores take two thirds of the time of deblocking.
// - Floats need conversions, rounding and, in each minimum, a test for NaN. Integers need none of these.

// Returns "word", and makes the compiler compute it before the loop over lanes that stores it. Otherwise the compiler would move the
// arithmetic into that loop and do it lane by lane. "positive" must be below 2 to the power of 31; the compiler does not know that.
uint beforeStore(uint word, uint positive) {
    return min(word, ~(positive >> 31));
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Exchange of values between neighbouring invocations: by subgroup operations, or through shared memory where PLAIN_EXCHANGE is
// defined, for devices without these operations. All invocations of the workgroup must call the functions below.
//
// The functions rely on this: neighbours in gl_LocalInvocationIndex are neighbours in their subgroup, and the size of a subgroup is
// a multiple of 8 (without WORKGROUP_BARRIERS, of 4).

#include "common/barriers.glsl"

#ifdef PLAIN_EXCHANGE
shared uint exchanged[gl_WorkGroupSize.x];

// The value of the invocation whose index in the workgroup is "from".
uint valueFrom(uint value, uint from) {
    meet();
    exchanged[gl_LocalInvocationIndex] = value;
    meet();
    return exchanged[from];
}

// The value of the invocation whose index differs from the own one in the bits of "mask".
uint valueAcross(uint value, uint mask) {
    return valueFrom(value, gl_LocalInvocationIndex ^ mask);
}

// The value of invocation "lane" of this group of 8.
uint valueOfLane(uint value, uint lane) {
    return valueFrom(value, (gl_LocalInvocationIndex & ~7u) + lane);
}

// Whether a computation has to run that "needed" invocations need: true if any invocation of the subgroup needs it.
bool isWorth(bool needed) {
    return true;
}
#else
uint valueAcross(uint value, uint mask) {
    return subgroupShuffleXor(value, mask);
}

uint valueOfLane(uint value, uint lane) {
    return subgroupShuffle(value, (gl_SubgroupInvocationID & ~7u) + lane);
}

bool isWorth(bool needed) {
    return subgroupAny(needed);
}
#endif

// Values handed from invocation to invocation inside groups of neighbours: by subgroup operations, or, where PLAIN_EXCHANGE
// is defined for devices without them, through shared memory. Every invocation of the workgroup must come by. Neighbours in
// gl_LocalInvocationIndex are neighbours in their subgroup, whose size is a multiple of 8; of 4 where they meet without
// WORKGROUP_BARRIERS.

#include "common/barriers.glsl"

#ifdef PLAIN_EXCHANGE
shared uint exchanged[gl_WorkGroupSize.x];

// The value of the invocation whose index is "from".
uint valueFrom(uint value, uint from) {
    meet();
    exchanged[gl_LocalInvocationIndex] = value;
    meet();
    return exchanged[from];
}

// The value of the invocation whose index differs in the bits of "mask".
uint valueAcross(uint value, uint mask) {
    return valueFrom(value, gl_LocalInvocationIndex ^ mask);
}

// The value of invocation "lane" of this group of 8.
uint valueOfLane(uint value, uint lane) {
    return valueFrom(value, (gl_LocalInvocationIndex & ~7u) + lane);
}

// Whether to do what only some invocations need.
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

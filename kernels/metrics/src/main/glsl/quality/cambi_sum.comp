// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Adds up the contrasts of a scale of the banding index that lie above the found bin, and counts each contrast in it. An invocation takes
// EACH contrasts, INVOCATIONS apart.

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint EACH = 16;

layout(std430, set = 0, binding = 2) writeonly restrict buffer Results {
    uint results[];
};
layout(std430, set = 0, binding = 4) readonly restrict buffer Contrasts {
    uint contrasts[];
};
layout(std430, set = 0, binding = 5) restrict buffer Bins {
    uint bins[];
};

layout(push_constant) uniform CambiSumGeometry {
    uint contrastsAt, count;
    uint foundAt;
    // Numbers of the contrasts in the bin.
    uint lowsAt;
    // Two words of each workgroup: the sums of the high halves of contrasts and of the low ones.
    uint sumsAt;
    uint leastBits, lowBits;
    // Makes contrasts integers.
    float scale;
} g;

shared uint highSum;
shared uint lowSum;

void main() {
    uint id = gl_LocalInvocationID.x;
    if (id == 0) {
        highSum = 0;
        lowSum = 0;
    }
    barrier();
    uint found = bins[g.foundAt];
    uint high = 0;
    uint low = 0;
    uint first = gl_WorkGroupID.x * INVOCATIONS * EACH + id;
    for (uint i = 0; i < EACH; i++) {
        uint at = first + i * INVOCATIONS;
        uint bits = at < g.count ? contrasts[g.contrastsAt + at] : 0;
        if (bits == 0) {
            continue;
        }
        uint bin = ((bits - g.leastBits) >> g.lowBits) + 1;
        if (bin > found) {
            uint value = uint(uintBitsToFloat(bits) * g.scale);
            high += value >> 16;
            low += value & 0xffffu;
        } else if (bin == found) {
            atomicAdd(bins[g.lowsAt + ((bits - g.leastBits) & ((1u << g.lowBits) - 1))], 1);
        }
    }
    atomicAdd(highSum, high);
    atomicAdd(lowSum, low);
    barrier();
    if (id == 0) {
        results[g.sumsAt + 2 * gl_WorkGroupID.x] = highSum;
        results[g.sumsAt + 2 * gl_WorkGroupID.x + 1] = lowSum;
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// AV1 CDEF: direction and variance of 8x8 luma blocks at any place of a plane (AV1 specification, 7.15.2). Each invocation takes one
// block.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
const uint EVEN_BYTES = 0x00ff00ffu;
const uint COEFFICIENT_SHIFT = 2;

// Nothing writes this buffer, but it must not be readonly: cdef/search.glsl tells why.
layout(std430, set = 0, binding = 0) buffer Picture {
    uint picture[];
};
struct CdefDirectionResult {
    uint direction, variance;
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer Results {
    CdefDirectionResult results[];
};
layout(std140, set = 0, binding = 2) readonly restrict buffer RunCount {
    uint count;
} run;
struct CdefDirectionRecord {
    uint offset;
};
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    CdefDirectionRecord records[];
};

layout(push_constant) uniform CdefBlockDirectionCall {
    // The stride is in words, the offset in bytes.
    uint stride;
    uint lastOffset;
} call;

// Each invocation first converts the rows of 10-bit samples to bytes and keeps them here. To convert them at each read would take more
// registers than small GPUs have.
const bool STAGED = SAMPLE_BYTES == 2;
shared uint staged[STAGED ? gl_WorkGroupSize.x * 16 : 1];

uint stagedAt(uint row) {
    return gl_LocalInvocationID.x * 16 + row * 2;
}

// Converts four samples to bytes.
uint bytesOf(uint left, uint right) {
    left = (left >> COEFFICIENT_SHIFT) & EVEN_BYTES;
    right = (right >> COEFFICIENT_SHIFT) & EVEN_BYTES;
    left |= left >> 8;
    right |= right >> 8;
    return (left & 0xffffu) | (right << 16);
}

void stage(uint from) {
    [[dont_unroll]] for (uint row = 0; row < 8; row++) {
        uint to = stagedAt(row);
        staged[to] = bytesOf(picture[from], picture[from + 1]);
        staged[to + 1] = bytesOf(picture[from + 2], picture[from + 3]);
        from += call.stride;
    }
}

// block.x is the index of the first word of the block.
uvec4 loadRow(uvec2 block, uint row) {
    uint a;
    uint b;
    if (STAGED) {
        uint from = stagedAt(row);
        a = staged[from];
        b = staged[from + 1];
    } else {
        uint from = block.x + row * call.stride;
        a = picture[from];
        b = picture[from + 1];
    }
    return uvec4(a, a >> 8, b, b >> 8) & EVEN_BYTES;
}

#include "cdef/search.glsl"

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= run.count) {
        return;
    }
    uint from = min(records[index].offset, call.lastOffset) >> 2;
    if (STAGED) {
        stage(from);
    }
    uvec2 found = findDirection(uvec2(from, 0));
    results[index] = CdefDirectionResult(found.x, found.y);
}

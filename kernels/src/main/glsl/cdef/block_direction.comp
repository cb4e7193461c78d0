#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// AV1 CDEF: direction and variance of 8x8 luma blocks anywhere in a plane (AV1 specification, 7.15.2), one block an
// invocation.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
const uint EVEN_BYTES = 0x00ff00ffu;
const uint COEFFICIENT_SHIFT = 2;

// Not readonly, though nothing writes it here: cdef/search.glsl says why.
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
    // In words; the offset in bytes.
    uint stride;
    uint lastOffset;
} call;

// Rows of 10-bit samples as bytes, kept by each invocation for itself: made anew at each read, they would not fit the
// registers of small GPUs.
const bool STAGED = SAMPLE_BYTES == 2;
shared uint staged[STAGED ? gl_WorkGroupSize.x * 16 : 1];

uint stagedAt(uint row) {
    return gl_LocalInvocationID.x * 16 + row * 2;
}

// Four samples as bytes.
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

// The block's first word is block.x.
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

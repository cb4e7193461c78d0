#version 450
#extension GL_GOOGLE_include_directive : require

// AV1 CDEF: direction and variance of 8x8 luma blocks anywhere in a plane (AV1 specification, 7.15.2), one block an
// invocation.

layout(local_size_x_id = 0) in;

layout(constant_id = 1) const uint SAMPLE_BYTES = 1;
const uint EVEN_BYTES = 0x00ff00ffu;
const uint COEFFICIENT_SHIFT = 2;

// Not readonly, though nothing writes it here: cdef_search.glsl says why.
layout(std430, set = 0, binding = 0) buffer Picture {
    uint picture[];
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer Results {
    uvec2 results[];
};
layout(std140, set = 0, binding = 2) uniform Run {
    uint count;
} run;
layout(std430, set = 0, binding = 3) readonly restrict buffer Records {
    uint records[];
};

layout(push_constant) uniform Call {
    // In words; the offset in bytes.
    uint stride;
    uint lastOffset;
} call;

// The block's first word is block.x.
uvec4 loadRow(uvec2 block, uint row) {
    uint from = block.x + row * call.stride;
    if (SAMPLE_BYTES == 1) {
        uint a = picture[from];
        uint b = picture[from + 1];
        return uvec4(a, a >> 8, b, b >> 8) & EVEN_BYTES;
    }
    uint a = picture[from] >> COEFFICIENT_SHIFT;
    uint b = picture[from + 1] >> COEFFICIENT_SHIFT;
    uint c = picture[from + 2] >> COEFFICIENT_SHIFT;
    uint d = picture[from + 3] >> COEFFICIENT_SHIFT;
    return uvec4((a & 0xffu) | (b << 16), (a >> 16) | (b & 0x00ff0000u), (c & 0xffu) | (d << 16), (c >> 16) | (d & 0x00ff0000u))
        & EVEN_BYTES;
}

#include "cdef_search.glsl"

void main() {
    uint index = gl_GlobalInvocationID.x;
    if (index >= run.count) {
        return;
    }
    results[index] = findDirection(uvec2(min(records[index], call.lastOffset) >> 2, 0));
}

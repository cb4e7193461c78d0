#version 450
#extension GL_GOOGLE_include_directive : require

// Puts the left part of a picture back over what the filters made of it, one word of a row an invocation; all planes, each in a
// buffer of its own or in one.

layout(local_size_x_id = 0) in;

// Whether rows are cut into columns.
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;

#include "columns.glsl"

layout(std430, set = 0, binding = 0) readonly buffer Source0 {
    uint source0[];
};
layout(std430, set = 0, binding = 1) readonly buffer Source1 {
    uint source1[];
};
layout(std430, set = 0, binding = 2) readonly buffer Source2 {
    uint source2[];
};
layout(std430, set = 0, binding = 3) buffer Destination0 {
    uint destination0[];
};
layout(std430, set = 0, binding = 4) buffer Destination1 {
    uint destination1[];
};
layout(std430, set = 0, binding = 5) buffer Destination2 {
    uint destination2[];
};
layout(std430, set = 0, binding = 6) readonly restrict buffer Parameters {
    // Of a row of each plane.
    uint keptBytes[3];
} parameters;

layout(push_constant) uniform Geometry {
    uint sourceOffset[3];
    uint sourceStride[3];
    uint destinationOffset[3];
    uint destinationStride[3];
    // Where rows are cut into columns, of luma and of chroma.
    uint sourceSkip[2];
    uint destinationSkip[2];
    uint chromaRows;
} g;

// One word of the source, where of another in the destination only the upper bytes stay.
uint joined(uint kept, uint filtered, uint bytes) {
    uint mask = (1u << (8 * bytes)) - 1;
    return (kept & mask) | (filtered & ~mask);
}

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    uint plane = gl_WorkGroupID.z;
    uint keptBytes = parameters.keptBytes[plane];
    if (column * 4 >= keptBytes || (plane > 0 && row >= g.chromaRows)) {
        return;
    }
    uint skips = min(plane, 1);
    uint from = g.sourceOffset[plane] + row * g.sourceStride[plane]
        + (SOURCE_IN_COLUMNS ? inColumns(column, g.sourceSkip[skips]) : column);
    uint to = g.destinationOffset[plane] + row * g.destinationStride[plane]
        + (DESTINATION_IN_COLUMNS ? inColumns(column, g.destinationSkip[skips]) : column);
    uint bytes = keptBytes - column * 4;
    bool whole = bytes >= 4;
    if (plane == 0) {
        destination0[to] = whole ? source0[from] : joined(source0[from], destination0[to], bytes);
    } else if (plane == 1) {
        destination1[to] = whole ? source1[from] : joined(source1[from], destination1[to], bytes);
    } else {
        destination2[to] = whole ? source2[from] : joined(source2[from], destination2[to], bytes);
    }
}

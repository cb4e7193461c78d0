#version 450
#extension GL_GOOGLE_include_directive : require

// Puts the left part of a picture back over what the filters made of it, one word of a row an invocation.

layout(local_size_x_id = 0) in;

// Whether rows are cut into columns.
layout(constant_id = 1) const bool SOURCE_IN_COLUMNS = false;
layout(constant_id = 2) const bool DESTINATION_IN_COLUMNS = false;

#define GEOMETRY KeepLeftGeometry
#define MORE_GEOMETRY uint chromaRows;
#include "picture/planes.glsl"

layout(std430, set = 0, binding = 6) readonly restrict buffer KeptColumns {
    // Of a row of each plane.
    uint keptBytes[3];
} parameters;

void main() {
    uint column = gl_GlobalInvocationID.x;
    uint row = gl_WorkGroupID.y;
    uint plane = gl_WorkGroupID.z;
    uint keptBytes = parameters.keptBytes[plane];
    if (column * 4 < keptBytes && (plane == 0 || row < g.chromaRows)) {
        storeBytes(plane, row, column, keptBytes - column * 4, sourceWord(plane, row, column));
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Copies the numbers of contrasts to the results: these are written only, as other kernels write theirs at the same time. An invocation
// copies one word.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 2) writeonly restrict buffer Results {
    uint results[];
};
layout(std430, set = 0, binding = 5) readonly restrict buffer Bins {
    uint bins[];
};

layout(push_constant) uniform CambiGiveGeometry {
    uint lowsAt, count;
    uint resultsAt;
} g;

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < g.count) {
        results[g.resultsAt + i] = bins[g.lowsAt + i];
    }
}

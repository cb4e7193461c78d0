// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Sets words to 0, for memory that must begin with 0 and that the CPU cannot reach. Each invocation sets one word.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 0) writeonly restrict buffer Words {
    uint words[];
};

layout(push_constant) uniform WordRange {
    uint count;
} range;

void main() {
    if (gl_GlobalInvocationID.x < range.count) {
        words[gl_GlobalInvocationID.x] = 0;
    }
}

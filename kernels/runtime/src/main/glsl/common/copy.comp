// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// Copies words between memory that the CPU can reach and the device's own memory. Each invocation copies one word.

layout(local_size_x_id = 0) in;

layout(std430, set = 0, binding = 0) readonly restrict buffer Source {
    uint source[];
};
layout(std430, set = 0, binding = 1) writeonly restrict buffer Destination {
    uint destination[];
};

layout(push_constant) uniform WordRange {
    uint count;
} range;

void main() {
    if (gl_GlobalInvocationID.x < range.count) {
        destination[gl_GlobalInvocationID.x] = source[gl_GlobalInvocationID.x];
    }
}

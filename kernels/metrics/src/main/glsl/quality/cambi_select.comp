// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

#version 450

// The coarse bin that holds the least of the greatest contrasts of a scale of the banding index, and how many of it are among them. One
// workgroup.

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint INVOCATIONS = 128;

layout(std430, set = 0, binding = 2) writeonly restrict buffer Results {
    uint results[];
};
layout(std430, set = 0, binding = 5) restrict buffer Bins {
    uint bins[];
};

layout(push_constant) uniform CambiSelectGeometry {
    uint binsAt, count;
    // Where the found bin goes: its number and 1, or 0 if all contrasts are among the greatest; then how many of it are.
    uint foundAt, resultsAt;
    uint greatest;
} g;

shared uint parts[INVOCATIONS];

void main() {
    uint id = gl_LocalInvocationID.x;
    uint each = (g.count + INVOCATIONS - 1) / INVOCATIONS;
    uint sum = 0;
    for (uint i = id * each; i < min((id + 1) * each, g.count); i++) {
        sum += bins[g.binsAt + i];
    }
    parts[id] = sum;
    barrier();
    if (id != 0) {
        return;
    }
    uint left = g.greatest;
    int part = int(INVOCATIONS) - 1;
    while (part >= 0 && parts[part] <= left) {
        left -= parts[part];
        part--;
    }
    uint found = 0;
    if (part >= 0) {
        found = min(uint(part + 1) * each, g.count);
        while (bins[g.binsAt + found - 1] <= left) {
            found--;
            left -= bins[g.binsAt + found];
        }
    }
    bins[g.foundAt] = found;
    results[g.resultsAt] = found;
    results[g.resultsAt + 1] = left;
}

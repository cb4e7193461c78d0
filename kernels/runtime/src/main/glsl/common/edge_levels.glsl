// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Defines main() for kernels that filter edges. Without a schedule each group of EDGE_INVOCATIONS invocations filters one edge. With a
// schedule (SCHEDULED) a dispatch filters the edges of one segment, level by level. The including file defines EDGE_INVOCATIONS and
// filterEdge(index, lane, inRange), which all invocations call.

// The part of a schedule that one dispatch filters.
struct EdgeSegment {
    // VkDispatchIndirectCommand.
    uint groups[3];
    uint firstLevel, levels;
    uint reserved[3];
};
layout(std430, set = 0, binding = 4) readonly restrict buffer EdgeTable {
    EdgeSegment segments[16];
    // The record at which each level begins, and the number of records.
    uint levelStarts[];
};

void main() {
    if (!SCHEDULED) {
        uint index = gl_GlobalInvocationID.x / EDGE_INVOCATIONS;
        filterEdge(index, gl_GlobalInvocationID.x % EDGE_INVOCATIONS, index < run.count);
        return;
    }
    uint firstLevel = segments[call.segment].firstLevel;
    uint levels = segments[call.segment].levels;
    for (uint level = firstLevel; level < firstLevel + levels; level++) {
        // Counted in invocations, because a workgroup may be smaller than an edge.
        uint end = levelStarts[level + 1] * EDGE_INVOCATIONS;
        uint base = levelStarts[level] * EDGE_INVOCATIONS + gl_WorkGroupID.x * gl_WorkGroupSize.x;
        for (; base < end; base += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
            uint at = base + gl_LocalInvocationID.x;
            filterEdge(at / EDGE_INVOCATIONS, at % EDGE_INVOCATIONS, at < end);
        }
        // The next level reads what this level wrote.
        meet();
    }
}

// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// The 8x8 blocks whose direction must be searched, and the size of the dispatch that searches them. Empty between pictures: the
// filter pass, which comes last, empties it.
layout(std430, set = 0, binding = 6) restrict buffer CdefBlockList {
    // VkDispatchIndirectCommand: workgroups of the search in x; y and z are 1.
    uint groups[3];
    uint count;
    // x | y << 16 of each block, in any order.
    uint blocks[];
} list;

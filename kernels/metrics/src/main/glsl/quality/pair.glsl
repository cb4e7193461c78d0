// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Two pictures as words, and the results of the invocations, which the CPU adds up in order.

layout(std430, set = 0, binding = 0) readonly restrict buffer Reference {
    uint reference[];
};
layout(std430, set = 0, binding = 1) readonly restrict buffer Picture {
    uint picture[];
};
layout(std430, set = 0, binding = 2) writeonly restrict buffer Results {
    uint results[];
};

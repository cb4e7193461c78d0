// Copyright (C) 2026 the gst-qpu authors
// SPDX-License-Identifier: LGPL-2.1-or-later

// Barriers between invocations. A kernel that includes this file needs GL_KHR_shader_subgroup_basic.

// True: the whole workgroup waits. False: each subgroup waits for itself. The latter is enough where a workgroup is one subgroup, or
// where only neighbours in a subgroup exchange data. Devices that run on the CPU want it (KernelTuning).
layout(constant_id = 1) const bool WORKGROUP_BARRIERS = true;

// Waits until all invocations have called this. Afterwards each sees what the others wrote to shared memory.
void meetOverShared() {
    if (WORKGROUP_BARRIERS) {
        barrier();
    } else {
        subgroupBarrier();
    }
}

// As meetOverShared(). Afterwards each invocation also sees what the others wrote to coherent buffers.
void meet() {
    if (WORKGROUP_BARRIERS) {
        memoryBarrierBuffer();
    }
    meetOverShared();
}

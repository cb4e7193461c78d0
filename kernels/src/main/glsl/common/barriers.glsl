// How invocations wait for each other. Included by kernels that say "#extension GL_KHR_shader_subgroup_basic".

// Whether the whole workgroup meets; else only each subgroup does, which is enough where a workgroup is no larger, or where
// only neighbours of a subgroup have something to tell each other. Devices that run on the CPU want the latter: KernelTuning.
layout(constant_id = 1) const bool WORKGROUP_BARRIERS = true;

// Returns when all have come by; what they wrote to shared memory is seen.
void meetOverShared() {
    if (WORKGROUP_BARRIERS) {
        barrier();
    } else {
        subgroupBarrier();
    }
}

// The same; what they wrote to coherent buffers is seen, too.
void meet() {
    if (WORKGROUP_BARRIERS) {
        memoryBarrierBuffer();
    }
    meetOverShared();
}

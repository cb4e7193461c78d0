/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

/** Which Vulkan objects are kept between dispatches. Each stage keeps those of the stage before it, and more. */
public enum DispatchStage {
    /** Only the pipeline is kept. Buffers, descriptor set, command buffer and fence are made for each dispatch. */
    FRESH_ALLOCATION("fresh allocation"),
    /** Buffers are taken from the pool and returned to it. */
    BUFFER_POOL("buffer pool"),
    /**
     * The command buffer is recorded once and submitted again. The descriptor set in it is kept, too: an update of the set would
     * invalidate the command buffer (Vulkan specification, vkUpdateDescriptorSets).
     */
    PERSISTENT_COMMAND_BUFFER("persistent command buffer"),
    /** Fence and descriptor set are made before the first dispatch. */
    PREMADE_FENCE_AND_SET("pre-made fences and sets"),
    /** The device works on the caller's destination. In the earlier stages, the destination is copied to the device and back. */
    IMPORTED_DESTINATION("imported destination");

    private final String title;

    DispatchStage(String title) {
        this.title = title;
    }

    /** The name of the stage in reports. */
    public String title() {
        return title;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

/** How much of a dispatch is kept from one to the next; each stage keeps all that the one before it keeps, and more. */
public enum DispatchStage {
    /** Nothing but the pipeline: buffers, descriptor set, command buffer and fence are made for each dispatch. */
    FRESH_ALLOCATION("fresh allocation"),
    /** The buffers come from the pool and go back to it. */
    BUFFER_POOL("buffer pool"),
    /**
     * The command buffer is recorded once and replayed; with it stays the descriptor set that it names, since writing that
     * would make the recording invalid (Vulkan specification, vkUpdateDescriptorSets).
     */
    PERSISTENT_COMMAND_BUFFER("persistent command buffer"),
    /** Fence and descriptor set are made before the first dispatch. */
    PREMADE_FENCE_AND_SET("pre-made fences and sets"),
    /** The device works on the caller's destination itself; before, it is copied to the device and back. */
    IMPORTED_DESTINATION("imported destination");

    private final String title;

    DispatchStage(String title) {
        this.title = title;
    }

    /** The stage in a few words. */
    public String title() {
        return title;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkEventCreateInfo;

/** Holds up recorded work until the test opens it: owns a VkEvent. */
final class Gate implements AutoCloseable {
    private final VulkanDevice device;
    private final long event;

    Gate(VulkanDevice device) {
        this.device = device;
        try (MemoryStack stack = MemoryStack.stackPush()) {
            LongBuffer made = stack.mallocLong(1);
            VkEventCreateInfo info = VkEventCreateInfo.calloc(stack).sType$Default();
            assertEquals(VK_SUCCESS, vkCreateEvent(device.handle(), info, null, made));
            event = made.get(0);
        }
    }

    /** Records that the work waits here. */
    void record(Commands commands) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            vkCmdWaitEvents(
                    commands.buffer,
                    stack.longs(event),
                    VK_PIPELINE_STAGE_HOST_BIT,
                    VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                    null,
                    null,
                    null);
        }
    }

    /** Lets all work through, from now on. */
    void open() {
        assertEquals(VK_SUCCESS, vkSetEvent(device.handle(), event));
    }

    /** Frees the event. No work may wait any more. */
    @Override
    public void close() {
        if (device.mayDestroy()) {
            vkDestroyEvent(device.handle(), event, null);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferViewCreateInfo;

/**
 * Owns the VkBufferView through which kernels see a whole buffer as texels, 32-bit words, on a device that wants it
 * ({@link VulkanDevice#viewsWords}); nothing on others. Belongs to the context's thread, and is closed before its buffer.
 */
public final class WordView implements AutoCloseable {
    private final VulkanDevice device;
    private long handle;

    private WordView(VulkanDevice device) {
        this.device = device;
    }

    /** What a buffer that may be viewed is used for, beside its other uses; 0 on devices that view none. */
    static int usage(VulkanDevice device) {
        return device.viewsWords() ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : 0;
    }

    /**
     * A view of a buffer made with {@link #usage}, bound to its memory.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device makes none
     */
    static WordView of(VulkanDevice device, long buffer) {
        WordView made = new WordView(device);
        if (device.viewsWords()) {
            try (MemoryStack stack = stackPush()) {
                LongBuffer result = stack.mallocLong(1);
                VkBufferViewCreateInfo info = VkBufferViewCreateInfo.calloc(stack)
                        .sType$Default()
                        .buffer(buffer)
                        .format(VK_FORMAT_R32_UINT)
                        .range(VK_WHOLE_SIZE);
                device.counters().countCreated();
                VulkanResult.check(vkCreateBufferView(device.handle(), info, null, result), "vkCreateBufferView");
                made.handle = result.get(0);
            }
        }
        return made;
    }

    /** 0 where there is none. */
    long handle() {
        return handle;
    }

    @Override
    public void close() {
        if (handle != VK_NULL_HANDLE && device.mayDestroy()) {
            vkDestroyBufferView(device.handle(), handle, null);
        }
        handle = VK_NULL_HANDLE;
    }
}

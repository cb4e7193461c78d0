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
 * Owns the VkBufferView through which kernels see a whole buffer as texels that are 32-bit words. Only some devices use such
 * views ({@link VulkanDevice#viewsWords}); on other devices it owns nothing. Belongs to the context's thread; closed before its
 * buffer.
 */
public final class WordView implements AutoCloseable {
    private final VulkanDevice device;
    private long handle;

    private WordView(VulkanDevice device) {
        this.device = device;
    }

    /** Returns the usage flags that a buffer needs for a view, beside its other usage flags; 0 on devices without views. */
    static int usage(VulkanDevice device) {
        return device.viewsWords() ? VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT : 0;
    }

    /**
     * Makes the view of a buffer. The buffer was made with {@link #usage} and is bound to memory.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the driver does not make the view
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

    /** Returns the VkBufferView; 0 if there is none. */
    long handle() {
        return handle;
    }

    /** Destroys the view. Later calls do nothing. */
    @Override
    public void close() {
        if (handle != VK_NULL_HANDLE && device.mayDestroy()) {
            vkDestroyBufferView(device.handle(), handle, null);
        }
        handle = VK_NULL_HANDLE;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.lwjgl.PointerBuffer;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryRequirements;

/**
 * Owns one VkBuffer and its memory, mapped for as long as it lives where the CPU uses it. Belongs to the context's thread.
 */
public final class DeviceBuffer implements AutoCloseable {
    static final int USAGE =
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

    private static final AtomicLong LAST_ID = new AtomicLong();

    private final VulkanDevice device;
    private final long id = nextId();
    private final MemoryKind kind;
    private final long sizeBytes;
    private long handle;
    private long memory;
    private long address;
    private WordView wordView;
    private BufferRange range;

    /**
     * A buffer that is never seen as texels.
     *
     * @throws DeviceException when the device has not the memory; nothing is left behind
     */
    public DeviceBuffer(VulkanDevice device, MemoryKind kind, long sizeBytes) {
        this(device, kind, sizeBytes, false);
    }

    /**
     * The same.
     *
     * @param viewed whether it has a {@link WordView} where the device wants one
     * @throws DeviceException when the device has not the memory; nothing is left behind
     */
    public DeviceBuffer(VulkanDevice device, MemoryKind kind, long sizeBytes, boolean viewed) {
        this.device = device;
        this.kind = kind;
        this.sizeBytes = sizeBytes;
        long limit = Math.min(
                device.capabilities().maxStorageBufferRangeBytes(),
                device.capabilities().maxAllocationBytes());
        if (sizeBytes > limit) {
            throw new DeviceException(
                    DeviceFailure.OUT_OF_MEMORY,
                    "a buffer of " + sizeBytes + " bytes is needed, the device's hold " + limit
                            + "; use substrate=cpu");
        }
        try (MemoryStack stack = stackPush()) {
            LongBuffer result = stack.mallocLong(1);
            VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                    .sType$Default()
                    .size(sizeBytes)
                    .usage(viewed ? USAGE | WordView.usage(device) : USAGE)
                    .sharingMode(VK_SHARING_MODE_EXCLUSIVE);
            device.counters().countCreated();
            VulkanResult.check(vkCreateBuffer(device.handle(), info, null, result), "vkCreateBuffer");
            handle = result.get(0);
            VkMemoryRequirements requirements = VkMemoryRequirements.malloc(stack);
            vkGetBufferMemoryRequirements(device.handle(), handle, requirements);
            VkMemoryAllocateInfo allocation = VkMemoryAllocateInfo.calloc(stack)
                    .sType$Default()
                    .allocationSize(requirements.size())
                    .memoryTypeIndex(device.memoryType(requirements.memoryTypeBits(), kind));
            device.counters().countAllocation();
            VulkanResult.check(
                    vkAllocateMemory(device.handle(), allocation, null, result),
                    "vkAllocateMemory of " + requirements.size() + " bytes");
            memory = result.get(0);
            VulkanResult.check(vkBindBufferMemory(device.handle(), handle, memory, 0), "vkBindBufferMemory");
            if (viewed) {
                wordView = WordView.of(device, handle);
            }
            range = new BufferRange(handle, 0, sizeBytes, viewed ? wordView.handle() : VK_NULL_HANDLE);
            if (kind.mapped()) {
                PointerBuffer pointer = stack.mallocPointer(1);
                VulkanResult.check(vkMapMemory(device.handle(), memory, 0, VK_WHOLE_SIZE, 0, pointer), "vkMapMemory");
                address = pointer.get(0);
            }
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    static long nextId() {
        return LAST_ID.incrementAndGet();
    }

    public long handle() {
        return handle;
    }

    /** The whole buffer. */
    public BufferRange range() {
        return range;
    }

    /** Unique in the process, other than the handle, which Vulkan may give out again. */
    public long id() {
        return id;
    }

    MemoryKind kind() {
        return kind;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** Where the CPU sees the first byte; 0 for {@link MemoryKind#DEVICE}. */
    public long address() {
        return address;
    }

    @Override
    public void close() {
        if (wordView != null) {
            wordView.close();
        }
        if (device.mayDestroy()) {
            if (handle != 0) {
                vkDestroyBuffer(device.handle(), handle, null);
            }
            if (memory != 0) {
                // Frees the mapping, too.
                vkFreeMemory(device.handle(), memory, null);
            }
        }
        handle = 0;
        memory = 0;
        address = 0;
    }
}

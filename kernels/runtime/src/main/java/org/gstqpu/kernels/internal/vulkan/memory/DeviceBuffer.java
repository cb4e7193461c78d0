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
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
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
 * Owns a VkBuffer and its memory. The memory of a {@linkplain MemoryKind#mapped kind that the CPU uses} stays mapped until
 * {@link #close}. Belongs to the context's thread; closed before the device, once no work uses the buffer.
 */
public final class DeviceBuffer implements AutoCloseable {
    /** What every buffer can be used for. */
    static final int USAGE =
            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

    /** What mmap returns when it fails. */
    private static final long MAP_FAILED = -1;

    private static final AtomicLong LAST_ID = new AtomicLong();

    private final VulkanDevice device;
    private final long id = nextId();
    private final MemoryKind kind;
    private final long sizeBytes;
    private long handle;
    private long memory;
    private long address;
    private BufferRange range;

    /**
     * Makes a buffer.
     *
     * @param device stays the caller's
     * @throws DeviceException if the device does not have the memory; all that was made is freed
     */
    public DeviceBuffer(VulkanDevice device, MemoryKind kind, long sizeBytes) {
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
                    .usage(USAGE)
                    .sharingMode(VK_SHARING_MODE_EXCLUSIVE);
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(vkCreateBuffer(device.handle(), info, null, result), "vkCreateBuffer");
            handle = result.get(0);
            VkMemoryRequirements requirements = VkMemoryRequirements.malloc(stack);
            vkGetBufferMemoryRequirements(device.handle(), handle, requirements);
            VkMemoryAllocateInfo allocation = VkMemoryAllocateInfo.calloc(stack)
                    .sType$Default()
                    .allocationSize(requirements.size())
                    .memoryTypeIndex(device.memoryType(requirements.memoryTypeBits(), kind));
            device.counters().add(Counted.ALLOCATIONS);
            VulkanResult.check(
                    vkAllocateMemory(device.handle(), allocation, null, result),
                    "vkAllocateMemory of " + requirements.size() + " bytes");
            memory = result.get(0);
            VulkanResult.check(vkBindBufferMemory(device.handle(), handle, memory, 0), "vkBindBufferMemory");
            range = new BufferRange(handle, 0, sizeBytes);
            if (kind.mapped()) {
                PointerBuffer pointer = stack.mallocPointer(1);
                VulkanResult.check(vkMapMemory(device.handle(), memory, 0, VK_WHOLE_SIZE, 0, pointer), "vkMapMemory");
                // lavapipe of Mesa 25 does not look whether its own mmap has failed, in a process that has no
                // descriptors left.
                if (pointer.get(0) == MAP_FAILED) {
                    throw VulkanResult.failure(VK_ERROR_MEMORY_MAP_FAILED, "vkMapMemory");
                }
                address = pointer.get(0);
            }
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    /** Returns an id that no other buffer of the process has. Any thread. */
    static long nextId() {
        return LAST_ID.incrementAndGet();
    }

    /** Returns the VkBuffer, which stays this object's; 0 after {@link #close}. */
    public long handle() {
        return handle;
    }

    /** Returns the whole buffer. */
    public BufferRange range() {
        return range;
    }

    /** Returns an id that no other buffer of the process ever has. Vulkan may reuse the handle of a destroyed buffer. */
    public long id() {
        return id;
    }

    MemoryKind kind() {
        return kind;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** Returns the address of the first byte for the CPU; 0 for {@link MemoryKind#DEVICE} and after {@link #close}. */
    public long address() {
        return address;
    }

    /** Destroys the buffer and frees its memory. Later calls do nothing. */
    @Override
    public void close() {
        if (device.mayDestroy()) {
            if (handle != 0) {
                vkDestroyBuffer(device.handle(), handle, null);
            }
            if (memory != 0) {
                // This also ends the mapping.
                vkFreeMemory(device.handle(), memory, null);
            }
        }
        handle = 0;
        memory = 0;
        address = 0;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.EXTExternalMemoryHost.*;
import static org.lwjgl.vulkan.VK11.*;

import java.io.IOException;
import java.lang.System.Logger;
import java.nio.LongBuffer;
import java.util.Optional;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkExternalMemoryBufferCreateInfo;
import org.lwjgl.vulkan.VkImportMemoryHostPointerInfoEXT;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryHostPointerPropertiesEXT;
import org.lwjgl.vulkan.VkMemoryRequirements;

/**
 * Owns the VkBuffer through which a device uses memory of this process. The memory stays that of its owner, who frees it after
 * this object is closed. Belongs to the context's thread; closed before the context.
 */
public final class HostImport implements ImportedMemory {
    private static final Logger LOG = System.getLogger(HostImport.class.getName());
    private static final int HANDLE_TYPE = VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;

    private final VulkanDevice device;
    private final long id = DeviceBuffer.nextId();
    /** The first byte that the user named. */
    private final long address;
    /** The number of bytes that the user named. */
    private final long sizeBytes;
    /** The first byte that is imported: {@link #address}, rounded down to the device's alignment. */
    private final long pagesAddress;
    /** How many bytes are imported, a multiple of the device's alignment. */
    private final long pagesBytes;

    private long handle;
    private long memory;
    private BufferRange range;

    private HostImport(VulkanDevice device, long address, long sizeBytes) {
        this.device = device;
        this.address = address;
        this.sizeBytes = sizeBytes;
        long alignment = device.capabilities().hostPointerAlignmentBytes();
        pagesAddress = address & -alignment;
        pagesBytes = ((address + sizeBytes + alignment - 1) & -alignment) - pagesAddress;
    }

    /**
     * Imports the pages that hold a range of memory. Returns empty if the device cannot import it; then the reason is logged,
     * unless the device imports no memory at all. The caller closes the result.
     *
     * @throws IllegalArgumentException if {@code address} is 0 or {@code sizeBytes} is less than 1
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device is lost or out of memory; all that was made is freed
     */
    public static Optional<DeviceMemory> tryImport(VulkanDevice device, long address, long sizeBytes) {
        if (address == 0 || sizeBytes < 1) {
            throw new IllegalArgumentException("no memory: address " + address + ", size " + sizeBytes);
        }
        if (!device.canImportHostPointers()) {
            return Optional.empty();
        }
        HostImport made = new HostImport(device, address, sizeBytes);
        boolean done = false;
        try {
            String obstacle = made.open();
            done = obstacle == null;
            if (!done) {
                LOG.log(
                        Logger.Level.INFO,
                        () -> "memory is copied instead of imported: " + obstacle + " (" + sizeBytes + " bytes at 0x"
                                + Long.toHexString(address) + ")");
            }
        } finally {
            if (!done) {
                made.close();
            }
        }
        return done ? Optional.of(made) : Optional.empty();
    }

    /** Makes the buffer. Returns the reason why that is not possible; null on success. */
    private String open() {
        if (pagesBytes > device.capabilities().maxStorageBufferRangeBytes()) {
            return "it is larger than the device's buffers, "
                    + device.capabilities().maxStorageBufferRangeBytes() + " bytes";
        }
        try {
            if (!device.capabilities().type().isGpu() && FileMappings.hold(pagesAddress, pagesBytes)) {
                return "it is a file's, and the driver's threads would die if that became shorter";
            }
        } catch (IOException e) {
            return "it cannot be told whether it is a file's (" + e.getMessage() + ")";
        }
        try (MemoryStack stack = stackPush()) {
            VkMemoryHostPointerPropertiesEXT pointer =
                    VkMemoryHostPointerPropertiesEXT.calloc(stack).sType$Default();
            int result = vkGetMemoryHostPointerPropertiesEXT(device.handle(), HANDLE_TYPE, pagesAddress, pointer);
            if (result != VK_SUCCESS) {
                return VulkanResult.refusal(result, "vkGetMemoryHostPointerPropertiesEXT");
            }
            LongBuffer made = stack.mallocLong(1);
            VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkExternalMemoryBufferCreateInfo.calloc(stack)
                            .sType$Default()
                            .handleTypes(HANDLE_TYPE))
                    .size(pagesBytes)
                    .usage(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
                    .sharingMode(VK_SHARING_MODE_EXCLUSIVE);
            device.counters().add(Counted.OBJECTS_CREATED);
            result = vkCreateBuffer(device.handle(), info, null, made);
            if (result != VK_SUCCESS) {
                return VulkanResult.refusal(result, "vkCreateBuffer");
            }
            handle = made.get(0);
            VkMemoryRequirements requirements = VkMemoryRequirements.malloc(stack);
            vkGetBufferMemoryRequirements(device.handle(), handle, requirements);
            int type = device.findMemoryType(
                    requirements.memoryTypeBits() & pointer.memoryTypeBits(), MemoryKind.DOWNLOAD);
            if (type < 0) {
                return "the device has no memory type for it";
            }
            if (requirements.size() > pagesBytes) {
                return "the device wants " + requirements.size() + " bytes for a buffer of " + pagesBytes;
            }
            VkMemoryAllocateInfo allocation = VkMemoryAllocateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkImportMemoryHostPointerInfoEXT.calloc(stack)
                            .sType$Default()
                            .handleType(HANDLE_TYPE)
                            .pHostPointer(pagesAddress))
                    .allocationSize(pagesBytes)
                    .memoryTypeIndex(type);
            device.counters().add(Counted.ALLOCATIONS);
            result = vkAllocateMemory(device.handle(), allocation, null, made);
            if (result != VK_SUCCESS) {
                return VulkanResult.refusal(result, "vkAllocateMemory");
            }
            memory = made.get(0);
            result = vkBindBufferMemory(device.handle(), handle, memory, 0);
            if (result != VK_SUCCESS) {
                return VulkanResult.refusal(result, "vkBindBufferMemory");
            }
        }
        range = new BufferRange(handle, 0, pagesBytes);
        return null;
    }

    @Override
    public boolean belongsTo(VulkanDevice other) {
        return device == other;
    }

    @Override
    public BufferRange range(int plane) {
        if (range == null) {
            throw new IllegalStateException("the imported memory is closed");
        }
        return range;
    }

    @Override
    public long id() {
        return id;
    }

    /** Returns the address of the first byte that the user named. */
    public long address() {
        return address;
    }

    @Override
    public long baseBytes() {
        return address - pagesAddress;
    }

    @Override
    public long sizeBytes() {
        return sizeBytes;
    }

    /** Destroys the buffer and ends the import. Later calls do nothing. */
    @Override
    public void close() {
        if (device.mayDestroy()) {
            if (handle != VK_NULL_HANDLE) {
                vkDestroyBuffer(device.handle(), handle, null);
            }
            if (memory != VK_NULL_HANDLE) {
                vkFreeMemory(device.handle(), memory, null);
            }
        }
        handle = VK_NULL_HANDLE;
        memory = VK_NULL_HANDLE;
        range = null;
    }
}

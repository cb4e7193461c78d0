/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.vulkan.EXTExternalMemoryDmaBuf.VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;
import static org.lwjgl.vulkan.KHRExternalMemoryFd.vkGetMemoryFdPropertiesKHR;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.picture.DmabufCheck;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkBufferCreateInfo;
import org.lwjgl.vulkan.VkBufferMemoryRequirementsInfo2;
import org.lwjgl.vulkan.VkExternalMemoryBufferCreateInfo;
import org.lwjgl.vulkan.VkImportMemoryFdInfoKHR;
import org.lwjgl.vulkan.VkMemoryAllocateInfo;
import org.lwjgl.vulkan.VkMemoryDedicatedAllocateInfo;
import org.lwjgl.vulkan.VkMemoryDedicatedRequirements;
import org.lwjgl.vulkan.VkMemoryFdPropertiesKHR;
import org.lwjgl.vulkan.VkMemoryRequirements2;

/**
 * Owns the VkBuffer through which a device uses a dmabuf, and a file descriptor of the dmabuf. The descriptor gives access to
 * the fences of other drivers, also after the producer has closed its own descriptor. Belongs to the context's thread; closed
 * before the context.
 */
public final class DmabufImport implements ImportedMemory {
    private static final int HANDLE_TYPE = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT;

    private final VulkanDevice device;
    private final long id = DeviceBuffer.nextId();
    private int descriptor = -1;
    private long realBytes;
    private long bufferBytes;
    private long handle;
    private long memory;
    private BufferRange range;
    private final List<DmabufImport> itself = List.of(this);

    private DmabufImport(VulkanDevice device) {
        this.device = device;
    }

    /**
     * Checks a dmabuf and imports it.
     *
     * @param given a file descriptor of the dmabuf, which stays the caller's; the caller has checked that it is a dmabuf's
     * @param planes true for each plane of the picture that lies in this dmabuf
     * @throws DmabufRefusedException if the device cannot use the dmabuf; all that was made is freed
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device is lost or out of memory; all that was made is freed
     */
    static DmabufImport open(VulkanDevice device, int given, PictureLayout layout, boolean[] planes)
            throws DmabufRefusedException {
        DmabufImport made = new DmabufImport(device);
        boolean done = false;
        try {
            made.take(given);
            made.makeBuffer(made.check(layout, planes));
            made.range = new BufferRange(made.handle, 0, made.bufferBytes);
            done = true;
            return made;
        } finally {
            if (!done) {
                made.close();
            }
        }
    }

    /** Duplicates the descriptor of the producer, and measures the dmabuf. */
    private void take(int given) throws DmabufRefusedException {
        descriptor = FileDescriptors.duplicate(given);
        realBytes = descriptor < 0 ? -1 : FileDescriptors.sizeBytes(descriptor);
        if (realBytes < 0) {
            throw new DmabufRefusedException(
                    DmabufCheck.DESCRIPTOR,
                    "file descriptor " + given + " cannot be "
                            + (descriptor < 0
                                    ? "duplicated: raise the limit of open files (ulimit -n)"
                                    : "measured: look at what its producer put there"));
        }
    }

    /** Checks alignment and size. Returns how many bytes the picture takes. */
    private long check(PictureLayout layout, boolean[] planes) throws DmabufRefusedException {
        if (!wordsOnly(layout)) {
            throw new DmabufRefusedException(
                    DmabufCheck.ALIGNMENT, obstacle(layout).orElseThrow());
        }
        long needed = 0;
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            if (planes[plane]) {
                needed = Math.max(needed, ImportedMemory.wordsEndBytes(layout, plane));
            }
        }
        if (needed > realBytes) {
            throw new DmabufRefusedException(
                    DmabufCheck.SIZE,
                    "the picture takes " + needed + " bytes and the dmabuf has " + realBytes + ": "
                            + ImportedMemory.describe(layout) + "; correct its producer's GstVideoMeta, or its size");
        }
        long limit = device.capabilities().maxStorageBufferRangeBytes();
        if (needed > limit) {
            throw new DmabufRefusedException(
                    DmabufCheck.LIMIT,
                    "the picture takes " + needed + " bytes and the device's buffers hold " + limit
                            + "; take a smaller one, or another device");
        }
        bufferBytes = Math.min(realBytes, limit) & -WORD_BYTES;
        return needed;
    }

    private void makeBuffer(long neededBytes) throws DmabufRefusedException {
        try (MemoryStack stack = stackPush()) {
            VkMemoryDedicatedRequirements dedicated =
                    VkMemoryDedicatedRequirements.calloc(stack).sType$Default();
            VkMemoryRequirements2 requirements =
                    VkMemoryRequirements2.calloc(stack).sType$Default().pNext(dedicated);
            createBuffer(requirements);
            long excess = requirements.memoryRequirements().size() - realBytes;
            if (excess > 0 && bufferBytes - excess >= neededBytes) {
                // The device reads beyond the end of a buffer and requires memory there. So the buffer is made shorter
                // than the dmabuf.
                bufferBytes = (bufferBytes - excess) & -WORD_BYTES;
                vkDestroyBuffer(device.handle(), handle, null);
                handle = VK_NULL_HANDLE;
                createBuffer(requirements);
            }
            long wanted = requirements.memoryRequirements().size();
            if (wanted > realBytes) {
                throw new DmabufRefusedException(
                        DmabufCheck.SIZE,
                        "for a picture of " + neededBytes + " bytes the device wants " + wanted
                                + ", since it reads ahead, and the dmabuf has " + realBytes
                                + ": its producer has to allocate a page more");
            }
            allocate(requirements, dedicated, stack);
            check(vkBindBufferMemory(device.handle(), handle, memory, 0), "vkBindBufferMemory");
        }
    }

    private void createBuffer(VkMemoryRequirements2 requirements) throws DmabufRefusedException {
        try (MemoryStack stack = stackPush()) {
            LongBuffer made = stack.mallocLong(1);
            VkBufferCreateInfo info = VkBufferCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkExternalMemoryBufferCreateInfo.calloc(stack)
                            .sType$Default()
                            .handleTypes(HANDLE_TYPE))
                    .size(bufferBytes)
                    .usage(VK_BUFFER_USAGE_STORAGE_BUFFER_BIT)
                    .sharingMode(VK_SHARING_MODE_EXCLUSIVE);
            device.counters().add(Counted.OBJECTS_CREATED);
            check(vkCreateBuffer(device.handle(), info, null, made), "vkCreateBuffer");
            handle = made.get(0);
            VkBufferMemoryRequirementsInfo2 asked = VkBufferMemoryRequirementsInfo2.calloc(stack)
                    .sType$Default()
                    .buffer(handle);
            vkGetBufferMemoryRequirements2(device.handle(), asked, requirements);
        }
    }

    private void allocate(
            VkMemoryRequirements2 requirements, VkMemoryDedicatedRequirements dedicated, MemoryStack stack)
            throws DmabufRefusedException {
        VkMemoryFdPropertiesKHR properties =
                VkMemoryFdPropertiesKHR.calloc(stack).sType$Default();
        check(
                vkGetMemoryFdPropertiesKHR(device.handle(), HANDLE_TYPE, descriptor, properties),
                "vkGetMemoryFdPropertiesKHR");
        int bufferTypes = requirements.memoryRequirements().memoryTypeBits();
        int type = device.findMemoryType(bufferTypes & properties.memoryTypeBits(), MemoryKind.DEVICE);
        if (type < 0) {
            throw new DmabufRefusedException(
                    DmabufCheck.MEMORY_TYPE,
                    "the device has buffers in memory types " + Integer.toBinaryString(bufferTypes)
                            + ", and this dmabuf's memory is of types "
                            + Integer.toBinaryString(properties.memoryTypeBits())
                            + "; let its producer take it elsewhere");
        }
        // If the allocation succeeds, Vulkan owns this descriptor. If it fails, this method still does.
        int handedOver = FileDescriptors.duplicate(descriptor);
        if (handedOver < 0) {
            throw new DmabufRefusedException(
                    DmabufCheck.DESCRIPTOR,
                    "its file descriptor cannot be duplicated: raise the limit of open files (ulimit -n)");
        }
        VkImportMemoryFdInfoKHR imported = VkImportMemoryFdInfoKHR.calloc(stack)
                .sType$Default()
                .handleType(HANDLE_TYPE)
                .fd(handedOver);
        VkMemoryAllocateInfo allocation = VkMemoryAllocateInfo.calloc(stack)
                .sType$Default()
                .pNext(imported)
                .allocationSize(requirements.memoryRequirements().size())
                .memoryTypeIndex(type);
        if (dedicated.prefersDedicatedAllocation() || dedicated.requiresDedicatedAllocation()) {
            allocation.pNext(
                    VkMemoryDedicatedAllocateInfo.calloc(stack).sType$Default().buffer(handle));
        }
        LongBuffer made = stack.mallocLong(1);
        device.counters().add(Counted.ALLOCATIONS);
        int result = vkAllocateMemory(device.handle(), allocation, null, made);
        if (result != VK_SUCCESS) {
            FileDescriptors.close(handedOver);
            check(
                    result,
                    "vkAllocateMemory of " + requirements.memoryRequirements().size() + " bytes");
        }
        memory = made.get(0);
    }

    private static void check(int result, String call) throws DmabufRefusedException {
        if (result != VK_SUCCESS) {
            throw new DmabufRefusedException(DmabufCheck.DRIVER, VulkanResult.refusal(result, call));
        }
    }

    /**
     * Returns true if the fences of the dmabuf say that another driver still writes it; if {@code toWrite}, that another driver
     * still reads or writes it. Does not wait.
     *
     * @throws IllegalStateException after {@link #close}
     */
    public boolean isBusy(boolean toWrite) {
        return !FileDescriptors.poll(openDescriptor(), event(toWrite), 0);
    }

    /**
     * Returns a sync file that signals when {@link #isBusy} becomes false. The caller owns it.
     *
     * @return a file descriptor; negative if the kernel does not give one
     * @throws IllegalStateException after {@link #close}
     */
    public int exportFence(boolean toWrite) {
        return FileDescriptors.exportSyncFile(openDescriptor(), toWrite);
    }

    /**
     * Adds a fence to the dmabuf: all who use the dmabuf from now on wait for it.
     *
     * @param syncFile the fence, which this method closes
     * @return false if the kernel cannot do so
     * @throws IllegalStateException after {@link #close}
     */
    public boolean attachFence(int syncFile) {
        boolean attached = FileDescriptors.attachSyncFile(openDescriptor(), syncFile);
        FileDescriptors.close(syncFile);
        return attached;
    }

    /**
     * Waits until {@link #isBusy} returns false. {@link VulkanDevice#hurry} shortens the wait.
     *
     * @throws DeviceException if that takes longer than {@code timeoutNanos}
     * @throws IllegalStateException after {@link #close}
     */
    public void awaitOthers(boolean toWrite, long timeoutNanos) {
        device.counters().add(Counted.FENCE_WAITS);
        if (!FileDescriptors.await(openDescriptor(), event(toWrite), device.patience(timeoutNanos))) {
            throw new DeviceException(
                    DeviceFailure.TIMED_OUT,
                    "another driver did not finish its work on a dmabuf in time: look at the elements around"
                            + " this one, and at dmesg");
        }
    }

    private static int event(boolean toWrite) {
        return toWrite ? FileDescriptors.POLL_OUT : FileDescriptors.POLL_IN;
    }

    private int openDescriptor() {
        if (descriptor < 0) {
            throw new IllegalStateException("the imported dmabuf is closed");
        }
        return descriptor;
    }

    @Override
    public List<DmabufImport> dmabufs() {
        return itself;
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

    @Override
    public long baseBytes() {
        return 0;
    }

    @Override
    public long sizeBytes() {
        return bufferBytes;
    }

    /** Destroys the buffer and closes the descriptor. Later calls do nothing. */
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
        if (descriptor >= 0) {
            FileDescriptors.close(descriptor);
        }
        handle = VK_NULL_HANDLE;
        memory = VK_NULL_HANDLE;
        descriptor = -1;
        range = null;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAllocInt;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.*;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.linux.UNISTD;
import org.lwjgl.vulkan.VkExportSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkImportSemaphoreFdInfoKHR;
import org.lwjgl.vulkan.VkSemaphoreCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreGetFdInfoKHR;

/**
 * Owns one binary VkSemaphore, which work waits for or signals through {@link SubmitDependencies}. It may be used any number
 * of times, and no use allocates. Belongs to its device's thread. Close it after all work that names it, and before the
 * device.
 */
public final class DeviceSemaphore implements AutoCloseable {
    private static final int SYNC_FD = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;

    private final VulkanDevice device;
    private final IntBuffer descriptor = memAllocInt(1);
    private final VkImportSemaphoreFdInfoKHR importInfo = VkImportSemaphoreFdInfoKHR.calloc();
    private final VkSemaphoreGetFdInfoKHR exportInfo = VkSemaphoreGetFdInfoKHR.calloc();
    private long handle;
    private boolean closed;

    /**
     * Makes a semaphore, which the device can export if it exports any.
     *
     * @throws DeviceException if the device is out of memory
     */
    DeviceSemaphore(VulkanDevice device) {
        this.device = device;
        try (MemoryStack stack = stackPush()) {
            VkSemaphoreCreateInfo info = VkSemaphoreCreateInfo.calloc(stack).sType$Default();
            if (device.capabilities().syncFdExport()) {
                info.pNext(VkExportSemaphoreCreateInfo.calloc(stack)
                        .sType$Default()
                        .handleTypes(SYNC_FD));
            }
            LongBuffer made = stack.mallocLong(1);
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(vkCreateSemaphore(device.handle(), info, null, made), "vkCreateSemaphore");
            handle = made.get(0);
        } catch (DeviceException e) {
            close();
            throw e;
        }
        // A sync file can only be imported temporarily, for the next wait (Vulkan specification, semaphore handle
        // types).
        importInfo.sType$Default().semaphore(handle).handleType(SYNC_FD).flags(VK_SEMAPHORE_IMPORT_TEMPORARY_BIT);
        exportInfo.sType$Default().semaphore(handle).handleType(SYNC_FD);
    }

    /**
     * Makes a semaphore that imports fences of other drivers ({@link #importFd}), exports its own ({@link #exportFd}), or does
     * both, as sync files. {@link DeviceCapabilities} says which of the two the device can do.
     *
     * @throws DeviceException if the device can do neither, or is out of memory
     */
    public static DeviceSemaphore syncFd(VulkanDevice device) {
        DeviceCapabilities capabilities = device.capabilities();
        if (!capabilities.syncFdImport() && !capabilities.syncFdExport()) {
            throw new DeviceException(
                    DeviceFailure.LIMIT_EXCEEDED,
                    capabilities.name()
                            + " has no SYNC_FD semaphores, or may not use them; take another device, or allow them");
        }
        return new DeviceSemaphore(device);
    }

    public long handle() {
        return handle;
    }

    /**
     * Takes a file descriptor and its fence. The next work that waits for this semaphore waits for that fence. No work
     * that names the semaphore may be pending.
     *
     * @param fd belongs to this object from now on, even if the call fails; -1 is a fence that is signalled already
     * @throws DeviceException if the driver refuses the descriptor
     */
    public void importFd(int fd) {
        int result = VK_ERROR_FEATURE_NOT_PRESENT;
        if (device.capabilities().syncFdImport()) {
            importInfo.fd(fd);
            result = nvkImportSemaphoreFdKHR(device.handle(), importInfo.address());
        }
        if (result != VK_SUCCESS) {
            // The driver owns the descriptor only if the call succeeds.
            if (fd >= 0) {
                UNISTD.nclose(0, fd);
            }
            throw VulkanResult.failure(result, "vkImportSemaphoreFdKHR of SYNC_FD");
        }
    }

    /**
     * Exports the semaphore as a file descriptor. Work that signals it must have been submitted, and no work may wait for it.
     * Afterwards it counts as unsignalled, so the next work may signal it again.
     *
     * @return belongs to the caller; -1 if the fence is signalled already
     * @throws DeviceException if the driver gives no descriptor
     */
    public int exportFd() {
        int result = device.capabilities().syncFdExport()
                ? nvkGetSemaphoreFdKHR(device.handle(), exportInfo.address(), memAddress(descriptor))
                : VK_ERROR_FEATURE_NOT_PRESENT;
        VulkanResult.check(result, "vkGetSemaphoreFdKHR of SYNC_FD");
        return descriptor.get(0);
    }

    /**
     * Frees the semaphore, after {@link VulkanDevice#awaitIdle}. A device that does not become idle has failed, and the semaphore
     * stays. A second call does nothing.
     */
    @Override
    public void close() {
        if (closed || !device.mayDestroy()) {
            return;
        }
        closed = true;
        // By the specification, a semaphore is no longer in use once it was seen signalled. But Mesa's queue thread
        // (22.3, lavapipe) still returns the submission's points to the semaphore after that. Only an idle
        // queue, or a lost device, has finished with it. No queue knows a semaphore that was never made.
        if (handle != VK_NULL_HANDLE) {
            try {
                device.awaitIdle();
            } catch (DeviceException e) {
                device.fail(e);
                device.declareHung();
                return;
            }
        }
        vkDestroySemaphore(device.handle(), handle, null);
        memFree(descriptor);
        importInfo.free();
        exportInfo.free();
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAllocInt;
import static org.lwjgl.system.MemoryUtil.memAllocLong;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.KHRExternalSemaphoreFd.*;
import static org.lwjgl.vulkan.KHRTimelineSemaphore.*;
import static org.lwjgl.vulkan.VK12.*;

import java.nio.IntBuffer;
import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
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
import org.lwjgl.vulkan.VkSemaphoreSignalInfo;
import org.lwjgl.vulkan.VkSemaphoreTypeCreateInfo;
import org.lwjgl.vulkan.VkSemaphoreWaitInfo;

/**
 * Owns one VkSemaphore, which work waits for or signals through {@link SubmitDependencies}. It may be used any number
 * of times, and no use allocates. Belongs to its device's thread. Close it after all work that names it, and before the
 * device.
 */
public final class DeviceSemaphore implements AutoCloseable {
    /** The kinds of semaphores. The factory methods say what each kind is for. */
    private enum Kind {
        BINARY(0),
        TIMELINE(0),
        SYNC_FD(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT),
        OPAQUE_FD(VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);

        private final int handleType;

        Kind(int handleType) {
            this.handleType = handleType;
        }
    }

    private final VulkanDevice device;
    private final Kind kind;
    private final LongBuffer handle = memAllocLong(1);
    private final LongBuffer value = memAllocLong(1);
    private final IntBuffer descriptor = memAllocInt(1);
    private final VkSemaphoreWaitInfo waitInfo = VkSemaphoreWaitInfo.calloc();
    private final VkSemaphoreSignalInfo signalInfo = VkSemaphoreSignalInfo.calloc();
    private final VkImportSemaphoreFdInfoKHR importInfo = VkImportSemaphoreFdInfoKHR.calloc();
    private final VkSemaphoreGetFdInfoKHR exportInfo = VkSemaphoreGetFdInfoKHR.calloc();
    private boolean closed;

    private DeviceSemaphore(VulkanDevice device, Kind kind, int exportTypes) {
        this.device = device;
        this.kind = kind;
        handle.put(0, VK_NULL_HANDLE);
        try (MemoryStack stack = stackPush()) {
            VkSemaphoreCreateInfo info = VkSemaphoreCreateInfo.calloc(stack).sType$Default();
            if (kind == Kind.TIMELINE) {
                info.pNext(VkSemaphoreTypeCreateInfo.calloc(stack)
                        .sType$Default()
                        .semaphoreType(VK_SEMAPHORE_TYPE_TIMELINE));
            } else if (exportTypes != 0) {
                info.pNext(VkExportSemaphoreCreateInfo.calloc(stack)
                        .sType$Default()
                        .handleTypes(exportTypes));
            }
            device.counters().countCreated();
            VulkanResult.check(vkCreateSemaphore(device.handle(), info, null, handle), "vkCreateSemaphore");
        } catch (DeviceException e) {
            close();
            throw e;
        }
        waitInfo.sType$Default().semaphoreCount(1).pSemaphores(handle).pValues(value);
        signalInfo.sType$Default().semaphore(handle());
        importInfo
                .sType$Default()
                .semaphore(handle())
                .handleType(kind.handleType)
                // A sync file can only be imported temporarily, for the next wait (Vulkan specification, semaphore
                // handle types).
                .flags(kind == Kind.SYNC_FD ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0);
        exportInfo.sType$Default().semaphore(handle()).handleType(kind.handleType);
    }

    /**
     * Makes a semaphore between works of one device. Each signal is waited for once.
     *
     * @throws DeviceException if the device is out of memory
     */
    static DeviceSemaphore binary(VulkanDevice device) {
        return new DeviceSemaphore(device, Kind.BINARY, 0);
    }

    /**
     * Makes a semaphore whose value only rises, from 0. Work and the CPU may wait for a value any number of times, also
     * before that value is signalled.
     *
     * @throws DeviceException if the device has no timeline semaphores, if its user has forbidden them, or if it is out
     *     of memory
     */
    static DeviceSemaphore timeline(VulkanDevice device) {
        require(device, device.canUseTimelines(), "timeline semaphores");
        return new DeviceSemaphore(device, Kind.TIMELINE, 0);
    }

    /**
     * Makes a binary semaphore that imports fences of other drivers ({@link #importFd}), exports its own
     * ({@link #exportFd}), or does both, as sync files. {@link DeviceCapabilities} says which of the two the device can
     * do.
     *
     * @throws DeviceException if the device can do neither, or is out of memory
     */
    public static DeviceSemaphore syncFd(VulkanDevice device) {
        DeviceCapabilities capabilities = device.capabilities();
        require(device, capabilities.syncFdImport() || capabilities.syncFdExport(), "SYNC_FD semaphores");
        return new DeviceSemaphore(
                device, Kind.SYNC_FD, capabilities.syncFdExport() ? VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT : 0);
    }

    /**
     * Makes a binary semaphore that two devices of one driver can share. A descriptor from {@link #exportFd} of one
     * object goes to {@link #importFd} of another, once. From then on both objects name one semaphore.
     *
     * @throws DeviceException if the device cannot share semaphores, or is out of memory
     */
    static DeviceSemaphore opaqueFd(VulkanDevice device) {
        require(device, device.capabilities().opaqueFdSemaphores(), "opaque-fd semaphores");
        return new DeviceSemaphore(device, Kind.OPAQUE_FD, VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT);
    }

    private static void require(VulkanDevice device, boolean offered, String what) {
        if (!offered) {
            throw new DeviceException(
                    DeviceFailure.LIMIT_EXCEEDED,
                    device.capabilities().name() + " has no " + what
                            + ", or may not use them; take another device, or allow them");
        }
    }

    public long handle() {
        return handle.get(0);
    }

    boolean isTimeline() {
        return kind == Kind.TIMELINE;
    }

    boolean belongsTo(VulkanDevice other) {
        return device == other;
    }

    /**
     * Takes a file descriptor and its fence. The next work that waits for this semaphore waits for that fence. No work
     * that names the semaphore may be pending.
     *
     * @param fd belongs to this object from now on, even if the call fails; for a SYNC_FD semaphore, -1 is a fence that
     *     is signalled already
     * @throws DeviceException if the driver refuses the descriptor
     */
    public void importFd(int fd) {
        int result;
        if (!takesFds()) {
            result = VK_ERROR_FEATURE_NOT_PRESENT;
        } else {
            importInfo.fd(fd);
            result = nvkImportSemaphoreFdKHR(device.handle(), importInfo.address());
        }
        if (result != VK_SUCCESS) {
            // The driver owns the descriptor only if the call succeeds.
            if (fd >= 0) {
                UNISTD.nclose(0, fd);
            }
            throw VulkanResult.failure(result, "vkImportSemaphoreFdKHR of " + kind);
        }
    }

    private boolean takesFds() {
        return kind == Kind.OPAQUE_FD
                || (kind == Kind.SYNC_FD && device.capabilities().syncFdImport());
    }

    private boolean givesFds() {
        return kind == Kind.OPAQUE_FD
                || (kind == Kind.SYNC_FD && device.capabilities().syncFdExport());
    }

    /**
     * Exports the semaphore as a file descriptor. For a SYNC_FD semaphore, work that signals it must have been
     * submitted, and no work may wait for it. Afterwards it counts as unsignalled, so the next work may signal it
     * again.
     *
     * @return belongs to the caller; for a SYNC_FD semaphore, -1 if the fence is signalled already
     * @throws DeviceException if the driver gives no descriptor
     */
    public int exportFd() {
        int result = givesFds()
                ? nvkGetSemaphoreFdKHR(device.handle(), exportInfo.address(), memAddress(descriptor))
                : VK_ERROR_FEATURE_NOT_PRESENT;
        VulkanResult.check(result, "vkGetSemaphoreFdKHR of " + kind);
        return descriptor.get(0);
    }

    /**
     * The current value of a timeline semaphore.
     *
     * @throws DeviceException if the device was lost
     */
    long value() {
        int result = readValue();
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkGetSemaphoreCounterValue"));
        }
        return value.get(0);
    }

    /** Asks whether a timeline semaphore has reached a value. Returns VK_SUCCESS, VK_NOT_READY or an error. */
    int status(long reached) {
        int result = readValue();
        return result != VK_SUCCESS ? result : value.get(0) >= reached ? VK_SUCCESS : VK_NOT_READY;
    }

    private int readValue() {
        // This call belongs to Vulkan 1.2 or to an extension. The version of the device does not decide: V3D's driver
        // lacks other calls of Vulkan 1.2.
        return device.handle().getCapabilities().vkGetSemaphoreCounterValue != 0
                ? nvkGetSemaphoreCounterValue(device.handle(), handle(), memAddress(value))
                : nvkGetSemaphoreCounterValueKHR(device.handle(), handle(), memAddress(value));
    }

    /** Waits until a timeline semaphore reaches a value. Returns VK_SUCCESS, VK_TIMEOUT or an error. */
    int await(long reached, long timeoutNanos) {
        value.put(0, reached);
        return device.handle().getCapabilities().vkWaitSemaphores != 0
                ? nvkWaitSemaphores(device.handle(), waitInfo.address(), timeoutNanos)
                : nvkWaitSemaphoresKHR(device.handle(), waitInfo.address(), timeoutNanos);
    }

    /**
     * Raises a timeline semaphore from the CPU.
     *
     * @param raised more than the current value, and less than any value that pending work will signal
     * @throws DeviceException if the device was lost
     */
    void signal(long raised) {
        signalInfo.value(raised);
        int result = device.handle().getCapabilities().vkSignalSemaphore != 0
                ? nvkSignalSemaphore(device.handle(), signalInfo.address())
                : nvkSignalSemaphoreKHR(device.handle(), signalInfo.address());
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkSignalSemaphore"));
        }
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
        // (22.3, lavapipe) still returns the submission's timeline points to the semaphore after that. Only an idle
        // queue, or a lost device, has finished with it. No queue knows a semaphore that was never made.
        if (handle() != VK_NULL_HANDLE) {
            try {
                device.awaitIdle();
            } catch (DeviceException e) {
                device.fail(e);
                device.declareHung();
                return;
            }
        }
        vkDestroySemaphore(device.handle(), handle(), null);
        memFree(handle);
        memFree(value);
        memFree(descriptor);
        waitInfo.free();
        signalInfo.free();
        importInfo.free();
        exportInfo.free();
    }
}

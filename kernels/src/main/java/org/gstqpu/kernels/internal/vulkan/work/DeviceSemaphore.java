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
 * Owns one VkSemaphore: work waits for it or signals it through {@link SubmitDependencies}. Made once and used any number
 * of times; no use allocates. Belongs to its device's thread; closed before the device and after all work that names it.
 */
public final class DeviceSemaphore implements AutoCloseable {
    /** What a semaphore is; the factories say what each kind is for. */
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
                // A sync file can be imported for the next wait only (Vulkan specification, handle types of
                // semaphores).
                .flags(kind == Kind.SYNC_FD ? VK_SEMAPHORE_IMPORT_TEMPORARY_BIT : 0);
        exportInfo.sType$Default().semaphore(handle()).handleType(kind.handleType);
    }

    /**
     * A semaphore for work of one device: each signal is waited for once.
     *
     * @throws DeviceException when the device has not the memory
     */
    static DeviceSemaphore binary(VulkanDevice device) {
        return new DeviceSemaphore(device, Kind.BINARY, 0);
    }

    /**
     * A semaphore whose value only rises, from 0: it may be waited for before it is signalled, any number of times, and by
     * the CPU.
     *
     * @throws DeviceException when the device has none or may not use it, or has not the memory
     */
    static DeviceSemaphore timeline(VulkanDevice device) {
        require(device, device.canUseTimelines(), "timeline semaphores");
        return new DeviceSemaphore(device, Kind.TIMELINE, 0);
    }

    /**
     * A binary semaphore that takes the fences of other drivers ({@link #importFd}), gives them its own ({@link
     * #exportFd}), or both, as sync files; which of the two the device can do {@link DeviceCapabilities} says.
     *
     * @throws DeviceException when the device can do neither, or has not the memory
     */
    public static DeviceSemaphore syncFd(VulkanDevice device) {
        DeviceCapabilities capabilities = device.capabilities();
        require(device, capabilities.syncFdImport() || capabilities.syncFdExport(), "SYNC_FD semaphores");
        return new DeviceSemaphore(
                device, Kind.SYNC_FD, capabilities.syncFdExport() ? VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT : 0);
    }

    /**
     * A binary semaphore that two devices of one driver can share: what {@link #exportFd} of one gives, {@link #importFd} of
     * another takes, once; from then on both name the same semaphore.
     *
     * @throws DeviceException when the device cannot, or has not the memory
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
     * Takes a file descriptor, and with it what its fence says; the next work that waits for this semaphore waits for that.
     * No work that names the semaphore may be pending.
     *
     * @param fd owned by this object from now on, whatever comes of the call; for a SYNC_FD semaphore -1 is a fence that was
     *     signalled already
     * @throws DeviceException when the driver does not take it
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
            // Only success hands it over.
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
     * Gives what this semaphore waits for as a file descriptor. Of a SYNC_FD semaphore, work that signals it must have been
     * submitted, and nothing waits for it; afterwards it is as if never signalled, so that the next work may signal it again.
     *
     * @return owned by the caller; for a SYNC_FD semaphore -1 where the fence is signalled already
     * @throws DeviceException when the driver gives none
     */
    public int exportFd() {
        int result = givesFds()
                ? nvkGetSemaphoreFdKHR(device.handle(), exportInfo.address(), memAddress(descriptor))
                : VK_ERROR_FEATURE_NOT_PRESENT;
        VulkanResult.check(result, "vkGetSemaphoreFdKHR of " + kind);
        return descriptor.get(0);
    }

    /**
     * The value of a timeline semaphore.
     *
     * @throws DeviceException when the device was lost
     */
    long value() {
        int result = readValue();
        if (result != VK_SUCCESS) {
            throw device.fail(VulkanResult.failure(result, "vkGetSemaphoreCounterValue"));
        }
        return value.get(0);
    }

    /** Whether a timeline semaphore has reached a value: VK_SUCCESS, VK_NOT_READY or an error. */
    int status(long reached) {
        int result = readValue();
        return result != VK_SUCCESS ? result : value.get(0) >= reached ? VK_SUCCESS : VK_NOT_READY;
    }

    private int readValue() {
        // The call of Vulkan 1.2 or the extension's; V3D's driver lacks other calls of 1.2, so its version does not
        // tell.
        return device.handle().getCapabilities().vkGetSemaphoreCounterValue != 0
                ? nvkGetSemaphoreCounterValue(device.handle(), handle(), memAddress(value))
                : nvkGetSemaphoreCounterValueKHR(device.handle(), handle(), memAddress(value));
    }

    /** Waits until a timeline semaphore reaches a value: VK_SUCCESS, VK_TIMEOUT or an error. */
    int await(long reached, long timeoutNanos) {
        value.put(0, reached);
        return device.handle().getCapabilities().vkWaitSemaphores != 0
                ? nvkWaitSemaphores(device.handle(), waitInfo.address(), timeoutNanos)
                : nvkWaitSemaphoresKHR(device.handle(), waitInfo.address(), timeoutNanos);
    }

    /**
     * Has the CPU raise a timeline semaphore.
     *
     * @param raised more than its value and than what pending work signals before
     * @throws DeviceException when the device was lost
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

    /** Frees the semaphore; a second call does nothing. */
    @Override
    public void close() {
        if (closed || !device.mayDestroy()) {
            return;
        }
        closed = true;
        // That the semaphore was seen signalled ends its use by the specification. Mesa's queue thread (22.3, lavapipe)
        // still puts the submission's points of a timeline back into it afterwards: only an idle queue has let go of
        // it.
        // A device that was lost has.
        vkDeviceWaitIdle(device.handle());
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

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import java.util.LinkedHashMap;
import java.util.Map;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.device.ValidationMessages;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.DeviceSemaphore;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.lwjgl.vulkan.VKCapabilitiesDevice;

/**
 * A program that makes the calls by which dmabufs and fences come and go, on the best device, as far as that is possible without
 * either. Says for each thing that the zero-copy path is built on whether the device has it; ends with 0 when it has all of
 * them, and the validation layer was silent.
 */
final class DmabufCalls {
    private DmabufCalls() {}

    public static void main(String[] arguments) throws Exception {
        Map<String, Boolean> found = new LinkedHashMap<>();
        try (VulkanFilterContext context = VulkanFilterContext.open(VulkanOptions.bestDevice())) {
            VulkanDevice device = context.runtime().device();
            VKCapabilitiesDevice functions = device.handle().getCapabilities();
            System.out.println("device: " + context.deviceName());
            found.put("dmabufs as storage buffers", device.canImportDmabufs());
            found.put("vkGetMemoryFdPropertiesKHR", functions.vkGetMemoryFdPropertiesKHR != 0);
            found.put("buffers that change hands with other drivers", device.canOwnForeign());
            found.put("SYNC_FD into semaphores", device.canImportSyncFds());
            found.put("vkImportSemaphoreFdKHR", functions.vkImportSemaphoreFdKHR != 0);
            found.put("semaphores into SYNC_FD", device.canExportSyncFds());
            found.put("vkGetSemaphoreFdKHR", functions.vkGetSemaphoreFdKHR != 0);
            // Made as the path makes it; what a fence would be handed to.
            try (DeviceSemaphore semaphore = DeviceSemaphore.syncFd(device)) {
                found.put("a semaphore for a SYNC_FD", semaphore.handle() != 0);
            }
            found.put("an import that is refused for the memory, not for the call", refusesOrTakes(device));
        }
        found.forEach((what, there) -> System.out.println((there ? "has " : "lacks ") + what));
        long messages = ValidationMessages.count();
        System.out.println("validation messages: " + messages);
        System.exit(found.containsValue(false) || messages > 0 ? 1 : 0);
    }

    /** Imports memory that is no dmabuf, past the check that finds that out: a driver can take it for one, or say no. */
    private static boolean refusesOrTakes(VulkanDevice device) {
        PictureLayout layout = PictureLayout.packed(PixelFormat.NV12, 64, 64, 64);
        try (TestDmabuf memory = TestDmabuf.plainMemory(4 * TestDmabuf.PAGE_BYTES)) {
            DmabufImport.open(device, memory.descriptor(), layout, new boolean[] {true, true, false})
                    .close();
            System.out.println("import: taken");
            return true;
        } catch (DmabufRefusedException e) {
            System.out.println("import: " + e.check() + ": " + e.getMessage());
            return e.getMessage().contains("VK_ERROR_INVALID_EXTERNAL_HANDLE");
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import org.gstqpu.kernels.internal.cache.LwjglLibrary;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.system.Configuration;
import org.lwjgl.vulkan.VK;

/** Loads libvulkan, once for the process. Any thread. */
final class VulkanLoader {
    private static final String MISSING = "no Vulkan loader: apt install libvulkan1 mesa-vulkan-drivers";

    private static boolean loaded;

    private VulkanLoader() {}

    /**
     * Loads libvulkan at the first call. Later calls try again if it was missing, and do nothing otherwise.
     *
     * @throws SubstrateUnavailableException if there is no libvulkan
     */
    static synchronized void load() throws SubstrateUnavailableException {
        if (loaded) {
            return;
        }
        LwjglLibrary.prepare();
        // Otherwise the class initialiser of VK loads libvulkan. If that failed, it would be an Error at each later
        // use.
        Configuration.VULKAN_EXPLICIT_INIT.set(true);
        try {
            VK.create();
        } catch (UnsatisfiedLinkError | IllegalStateException e) {
            throw new SubstrateUnavailableException(MISSING + " (" + firstLine(e.getMessage()) + ")", e);
        }
        loaded = true;
    }

    private static String firstLine(String message) {
        return message == null
                ? "no further cause"
                : message.lines().findFirst().orElse("no further cause");
    }
}

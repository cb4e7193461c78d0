/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.lwjgl.system.Configuration;
import org.lwjgl.vulkan.VK;

/** Holds the process's one libvulkan, loaded at first use; safe for every thread. */
final class VulkanLoader {
    private static final String MISSING = "no Vulkan loader: apt install libvulkan1 mesa-vulkan-drivers";

    private static boolean loaded;

    private VulkanLoader() {}

    /** Loads libvulkan unless that was done before. */
    static synchronized void load() throws SubstrateUnavailableException {
        if (loaded) {
            return;
        }
        // Otherwise the class initialiser of VK loads by itself, and a failure there is an Error, for ever.
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

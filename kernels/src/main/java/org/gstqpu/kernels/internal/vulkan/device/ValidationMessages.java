/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.vulkan.EXTDebugUtils.*;

import java.lang.System.Logger;
import java.util.concurrent.atomic.AtomicLong;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackDataEXT;
import org.lwjgl.vulkan.VkDebugUtilsMessengerCallbackEXT;

/** Counts and logs what the validation layer says, over the whole process and from any thread. */
public final class ValidationMessages {
    private static final Logger LOG = System.getLogger(ValidationMessages.class.getName());
    private static final AtomicLong COUNT = new AtomicLong();

    /** Lives as long as the process, since a driver thread may still be in it when an instance goes. */
    private static final VkDebugUtilsMessengerCallbackEXT CALLBACK =
            VkDebugUtilsMessengerCallbackEXT.create((severity, types, data, user) -> {
                COUNT.incrementAndGet();
                LOG.log(
                        (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0
                                ? Logger.Level.ERROR
                                : Logger.Level.WARNING,
                        () -> "Vulkan validation: "
                                + VkDebugUtilsMessengerCallbackDataEXT.create(data)
                                        .pMessageString());
                return 0;
            });

    private ValidationMessages() {}

    /** Whether the user wants the validation layer: GST_QPU_VALIDATION=1 or -Dorg.gstqpu.validation=true. */
    static boolean wanted() {
        return "1".equals(System.getenv("GST_QPU_VALIDATION")) || Boolean.getBoolean("org.gstqpu.validation");
    }

    static VkDebugUtilsMessengerCallbackEXT callback() {
        return CALLBACK;
    }

    /** Warnings and errors since the process began. */
    public static long count() {
        return COUNT.get();
    }
}

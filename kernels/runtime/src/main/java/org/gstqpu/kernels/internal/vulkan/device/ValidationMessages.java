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

/** Counts and logs the messages of the validation layer in this process. Any thread. */
public final class ValidationMessages {
    private static final Logger LOG = System.getLogger(ValidationMessages.class.getName());
    private static final AtomicLong COUNT = new AtomicLong();

    /**
     * "The semaphore was signalled before and nobody has waited since". Layers before 1.4.341 say so of a semaphore that was exported as a
     * sync file, which resets it, if another thread had seen by then that the queue had passed the signal
     * (Khronos, Vulkan-ValidationLayers, "Fix sync-fd semaphore export"). {@code DmabufFences} checks the same itself.
     */
    private static final String SIGNALLED_TWICE = "VUID-vkQueueSubmit-pSignalSemaphores-00067";

    /** Never freed: a thread of a driver may still run it when an instance is destroyed. */
    private static final VkDebugUtilsMessengerCallbackEXT CALLBACK =
            VkDebugUtilsMessengerCallbackEXT.create((severity, types, data, user) -> {
                VkDebugUtilsMessengerCallbackDataEXT message = VkDebugUtilsMessengerCallbackDataEXT.create(data);
                if (SIGNALLED_TWICE.equals(message.pMessageIdNameString())) {
                    return 0;
                }
                COUNT.incrementAndGet();
                LOG.log(
                        (severity & VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT) != 0
                                ? Logger.Level.ERROR
                                : Logger.Level.WARNING,
                        () -> "Vulkan validation: " + message.pMessageString());
                return 0;
            });

    private ValidationMessages() {}

    /** Returns true if the user asks for the validation layer, by GST_QPU_VALIDATION=1 or -Dorg.gstqpu.validation=true. */
    static boolean wanted() {
        return "1".equals(System.getenv("GST_QPU_VALIDATION")) || Boolean.getBoolean("org.gstqpu.validation");
    }

    /** Returns the callback for an instance's messenger. It stays this class's. */
    static VkDebugUtilsMessengerCallbackEXT callback() {
        return CALLBACK;
    }

    /** Returns the number of warnings and errors since the process began. */
    public static long count() {
        return COUNT.get();
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * Ends a process that has Vulkan drivers before the destructors of its libraries run. Threads that are in a driver then, and threads of
 * NVIDIA's driver itself, would still use what these destroy, and crash. For programs of which nothing waits to be written by C.
 * Stateless but for the process; any thread.
 */
public final class DriverExit {
    /** Whether drivers were loaded. */
    private static volatile boolean loaded;

    private DriverExit() {}

    /** Has the process end so when the JVM shuts down, with the status that it would have had. */
    public static void skipDestructors() {
        Runtime.getRuntime().addShutdownHook(new Thread(DriverExit::register, "qpu-vulkan-exit"));
    }

    /** To be called before drivers are loaded. */
    static void driversAreLoaded() {
        loaded = true;
    }

    private static void register() {
        // LWJGL's own library would be loaded for nothing.
        if (!loaded) {
            return;
        }
        long onExit = symbol("on_exit");
        long end = symbol("_exit");
        if (onExit != MemoryUtil.NULL && end != MemoryUtil.NULL) {
            // The function that was registered last comes first. It gets the status.
            JNI.invokePPI(end, MemoryUtil.NULL, onExit);
        }
    }

    /** The address of a function of C's library; NULL if it has none of this name. */
    static long symbol(String name) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return DynamicLinkLoader.ndlsym(MemoryUtil.NULL, MemoryUtil.memAddress(stack.ASCII(name)));
        }
    }
}

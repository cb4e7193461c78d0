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
 * NVIDIA's driver itself, would still use what these destroy, and crash. For programs of which nothing waits to be written by C; what
 * runs in another's process {@linkplain #watch watches} drivers, and closes devices first. Stateless but for the process; any thread.
 */
public final class DriverExit {
    /** Whether drivers were loaded. */
    private static volatile boolean loaded;

    private static volatile Watch watch = new Watch() {
        @Override
        public void deviceIsOpen() {}

        @Override
        public void driversAreGone() {}
    };

    /** Told of drivers, in turn. */
    public interface Watch {
        /** A device is open: its driver has registered what it does at the end of the process. */
        void deviceIsOpen();

        /** All drivers are unloaded, and with them what they had registered. */
        void driversAreGone();
    }

    private DriverExit() {}

    /** Has the process end so when the JVM shuts down, with the status that it would have had. */
    public static void skipDestructors() {
        Runtime.getRuntime().addShutdownHook(new Thread(DriverExit::register, "qpu-vulkan-exit"));
    }

    /** Has {@code watch} told of drivers from now on. */
    public static void watch(Watch watch) {
        DriverExit.watch = watch;
    }

    static void deviceIsOpen() {
        watch.deviceIsOpen();
    }

    static void driversAreGone() {
        watch.driversAreGone();
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

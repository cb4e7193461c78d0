/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import org.lwjgl.system.JNI;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.system.linux.DynamicLinkLoader;

/**
 * Lets threads into the Vulkan drivers, in a process that has asked for it until the JVM shuts down. Then whoever comes waits for the end of the
 * process, and the process ends once nobody is inside: at its end the drivers destroy what a thread inside still uses, and crash. Holds for
 * the calls that take long: those that make or destroy instances, devices and pipelines, submit work, and wait for it. Such calls do not
 * nest. Any thread; nothing is allocated.
 */
public final class DriverGate {
    /** How long the end of the process waits for those inside. A device that hangs must not keep the process. */
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(5);

    /** For how long nobody may have been inside, in nanoseconds: short calls, which pass no gate, take less. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final DriverGate PROCESS = new DriverGate();

    /** True once the process's gate is to be shut at its end. */
    private static boolean shutsAtExit;

    private final AtomicInteger inside = new AtomicInteger();
    private volatile boolean shut;

    /** Whether anyone was ever inside. */
    private volatile boolean passed;

    DriverGate() {}

    /** Has the process's gate shut when the JVM shuts down. Not for programs that let pictures under way come to their end then. */
    public static synchronized void shutAtExit() {
        if (!shutsAtExit) {
            shutsAtExit = true;
            Runtime.getRuntime().addShutdownHook(new Thread(DriverGate::endProcess, "qpu-vulkan-exit"));
        }
    }

    private static void endProcess() {
        PROCESS.shut();
        if (PROCESS.passed) {
            skipDestructors();
        }
    }

    /**
     * Has the process end, with its status, before the destructors of its libraries run: threads of NVIDIA's driver still use what these
     * destroy. What C has to write to its files is written by others: nothing here writes by C's buffers.
     */
    private static void skipDestructors() {
        long onExit = symbol("on_exit");
        long end = symbol("_exit");
        if (onExit != MemoryUtil.NULL && end != MemoryUtil.NULL) {
            // The one that was registered last comes first, and gets the status.
            JNI.invokePPI(end, MemoryUtil.NULL, onExit);
        }
    }

    /** The address of a function of C's library; NULL if it has none of this name. */
    private static long symbol(String name) {
        try (MemoryStack stack = MemoryStack.stackPush()) {
            return DynamicLinkLoader.ndlsym(MemoryUtil.NULL, MemoryUtil.memAddress(stack.ASCII(name)));
        }
    }

    /** Before a call of a driver. Does not return once the process ends. */
    public static void enterProcess() {
        PROCESS.enter();
    }

    /** After it. */
    public static void leaveProcess() {
        PROCESS.leave();
    }

    /** Makes a call of a driver that returns a number. */
    public static int call(IntSupplier call) {
        PROCESS.enter();
        try {
            return call.getAsInt();
        } finally {
            PROCESS.leave();
        }
    }

    void enter() {
        inside.incrementAndGet();
        if (!passed) {
            passed = true;
        }
        if (shut) {
            // Shut before or after the line above: whoever shuts sees that nobody is inside, or this one, which leaves.
            inside.decrementAndGet();
            while (true) {
                LockSupport.park(this);
            }
        }
    }

    void leave() {
        inside.decrementAndGet();
    }

    /** Lets nobody in any more, and waits until all have left, or for a while. */
    void shut() {
        shut = true;
        long now = System.nanoTime();
        long end = now + LIMIT_NANOS;
        long quietSince = now;
        while (now - end < 0 && now - quietSince < QUIET_NANOS) {
            LockSupport.parkNanos(STEP_NANOS);
            now = System.nanoTime();
            if (inside.get() > 0) {
                quietSince = now;
            }
        }
    }
}

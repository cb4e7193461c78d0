/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import java.util.concurrent.TimeUnit;

/**
 * The time that a wait for a device, or for the driver of another one, may take. It is taken in parts, so that {@link
 * VulkanDevice#hurry} shortens a wait that is under way. A device has one of these, since its thread waits for one thing at a time.
 * Allocates nothing. Belongs to the device's thread.
 */
public final class Patience {
    /**
     * How long a wait may take where nobody says otherwise. No picture takes nearly this long, on a loaded CPU's driver neither.
     * Where that CPU is emulated, the driver's compiler may: {@code org.gstqpu.patience} then gives more seconds.
     */
    public static final long USUAL_NANOS = seconds(60);

    /** The same for a device that is the CPU: a busy machine may let it wait for minutes, and such a device does not hang. */
    private static final long CPU_NANOS = seconds(1800);

    /** The longest part, and so the time until a hurry is seen. Almost all work ends within the first part. */
    private static final long PART_NANOS = 100_000_000;

    /**
     * A hurried wait takes at most one part of so many of its time, from then on: two seconds, and a minute for a device that is the
     * CPU. Threads of this process do that one's work, and would crash if the process ended meanwhile.
     */
    private static final int HURRIED_PART = 30;

    private final VulkanDevice device;
    private long beginNanos;
    private long timeoutNanos;
    private long limitNanos;
    private boolean hurried;

    Patience(VulkanDevice device) {
        this.device = device;
    }

    private static long seconds(long usual) {
        return TimeUnit.SECONDS.toNanos(Long.getLong("org.gstqpu.patience", usual));
    }

    /** How long a wait for the work of a device of this type may take where nobody says otherwise. */
    public static long usualNanos(DeviceType type) {
        return type == DeviceType.CPU ? CPU_NANOS : USUAL_NANOS;
    }

    /** Begins a wait that may take so long. */
    void begin(long nanos) {
        beginNanos = System.nanoTime();
        timeoutNanos = nanos;
        limitNanos = nanos;
        hurried = false;
    }

    /**
     * Returns how many nanoseconds the next part of the wait may take. 0 when the time is over: the caller then asks a last time,
     * without waiting.
     */
    public long nextPart() {
        long waitedNanos = System.nanoTime() - beginNanos;
        if (!hurried && device.isHurried()) {
            hurried = true;
            limitNanos = Math.min(limitNanos, waitedNanos + timeoutNanos / HURRIED_PART);
        }
        return Math.max(0, Math.min(limitNanos - waitedNanos, PART_NANOS));
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.function.LongConsumer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;

/**
 * Has the device measure the work of a ring's slots, and reads what it measured once that work is seen to have ended, so that
 * nobody ever waits for a measurement. Belongs to the context's thread; only recording allocates.
 */
sealed interface SlotMeter extends AutoCloseable permits SlotMeter.None, GpuTimer, PerformanceQueries {
    /** Records what begins the measurement of a slot's work, before that. */
    void begin(Commands commands, int slot);

    /** Records what ends it, after the work. */
    void end(Commands commands, int slot);

    /** Gets ready for one more submission of a slot, whose work is not pending. */
    void prepare(int slot);

    /** Reads what was measured of a slot's work, which has ended. */
    void collect(int slot);

    @Override
    void close();

    /**
     * What the device may measure, and can.
     *
     * @param slots of the ring
     * @param times is told how many nanoseconds each submission took on the device, where timestamps are taken
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not the memory
     */
    static SlotMeter of(VulkanDevice device, int slots, LongConsumer times) {
        if (device.canTime()) {
            return new GpuTimer(device, slots, times);
        }
        return device.performanceCounters()
                .<SlotMeter>map(counters -> new PerformanceQueries(device, counters, slots))
                .orElseGet(None::new);
    }

    /** Measures nothing. */
    record None() implements SlotMeter {
        @Override
        public void begin(Commands commands, int slot) {}

        @Override
        public void end(Commands commands, int slot) {}

        @Override
        public void prepare(int slot) {}

        @Override
        public void collect(int slot) {}

        @Override
        public void close() {}
    }
}

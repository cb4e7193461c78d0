/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.function.LongConsumer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;

/**
 * Lets the device measure the work of a ring's slots. Results are read when the work is seen to have ended, so nobody
 * ever waits for a measurement. Belongs to the context's thread. Only recording allocates.
 */
sealed interface SlotMeter extends AutoCloseable permits SlotMeter.None, GpuTimer, PerformanceQueries {
    /** Records the begin of a measurement, before the slot's work. */
    void begin(Commands commands, int slot);

    /** Records the end of a measurement, after the slot's work. */
    void end(Commands commands, int slot);

    /** Prepares for the next submission of a slot. The slot's work must not be pending. */
    void prepare(int slot);

    /** Reads the measurement of a slot whose work has ended. */
    void collect(int slot);

    @Override
    void close();

    /**
     * Makes the meter that the device's user has asked for, if the device has it.
     *
     * @param slots number of slots of the ring
     * @param times receives the nanoseconds that each submission took on the device, if timestamps are taken
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device is out of memory
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

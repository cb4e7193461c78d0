/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.system.MemoryUtil.memPutLong;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;

/**
 * Owns two timestamp queries for each slot, and the mapped buffer that receives their results. The slot's command
 * buffer contains the reset, both timestamps and the copy. Results are read when the
 * work is seen to have ended, so nobody ever waits for one. Belongs to the context's thread. Only recording allocates.
 */
final class GpuTimer implements AutoCloseable {
    private static final int QUERIES = 2;
    /** Bytes of a query's result: a value of 8 bytes, then 8 bytes that say whether the value is there. */
    private static final int QUERY_BYTES = 16;

    private static final int SLOT_BYTES = QUERIES * QUERY_BYTES;

    private final VulkanDevice device;
    private final DeviceBuffer results;
    private final long mask;
    private final double periodNanos;
    private final SlotTimes times;
    private long pool;

    /**
     * Makes the queries.
     *
     * @param times receives the nanoseconds that each submission took
     * @throws DeviceException if the device is out of memory; nothing is left behind
     */
    GpuTimer(VulkanDevice device, int slots, SlotTimes times) {
        this.device = device;
        this.times = times;
        int validBits = device.capabilities().timestampValidBits();
        mask = -1L >>> (Long.SIZE - validBits);
        periodNanos = device.capabilities().timestampPeriodNanos();
        results = new DeviceBuffer(device, MemoryKind.DOWNLOAD, (long) slots * SLOT_BYTES);
        try (MemoryStack stack = stackPush()) {
            LongBuffer made = stack.mallocLong(1);
            VkQueryPoolCreateInfo info = VkQueryPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .queryType(VK_QUERY_TYPE_TIMESTAMP)
                    .queryCount(slots * QUERIES);
            device.counters().add(Counted.OBJECTS_CREATED);
            VulkanResult.check(vkCreateQueryPool(device.handle(), info, null, made), "vkCreateQueryPool");
            pool = made.get(0);
        } catch (DeviceException e) {
            results.close();
            throw e;
        }
    }

    /** Records the first timestamp, before the slot's work. */
    void begin(Commands commands, int slot) {
        commands.resetQueries(pool, slot * QUERIES, QUERIES);
        commands.timestamp(VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, pool, slot * QUERIES);
    }

    /** Records the second timestamp, after the slot's work. */
    void end(Commands commands, int slot) {
        commands.timestamp(VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, slot * QUERIES + 1);
        // The device waits for the second timestamp here; the CPU does not.
        commands.copyQueries(
                pool,
                slot * QUERIES,
                QUERIES,
                results.handle(),
                (long) slot * SLOT_BYTES,
                QUERY_BYTES,
                VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WITH_AVAILABILITY_BIT | VK_QUERY_RESULT_WAIT_BIT);
    }

    /** Prepares for the next submission of a slot. The slot's work must not be pending. */
    void prepare(int slot) {
        // Clears the result, so that the times of the previous submission are not taken for those of the next.
        long at = results.address() + (long) slot * SLOT_BYTES;
        memPutLong(at + 8, 0);
        memPutLong(at + QUERY_BYTES + 8, 0);
    }

    /** Reads the times of a slot whose work has ended. */
    void collect(int slot) {
        long at = results.address() + (long) slot * SLOT_BYTES;
        if (memGetLong(at + 8) != 0 && memGetLong(at + QUERY_BYTES + 8) != 0) {
            long ticks = (memGetLong(at + QUERY_BYTES) - memGetLong(at)) & mask;
            long nanos = (long) (ticks * periodNanos);
            device.counters().add(Counted.MEASURED_SUBMITS);
            device.counters().add(Counted.GPU_NANOS, nanos);
            times.add(slot, nanos);
        }
    }

    @Override
    public void close() {
        if (device.mayDestroy()) {
            vkDestroyQueryPool(device.handle(), pool, null);
        }
        pool = VK_NULL_HANDLE;
        results.close();
    }
}

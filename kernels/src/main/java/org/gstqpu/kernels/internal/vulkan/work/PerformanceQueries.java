/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAlloc;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.KHRPerformanceQuery.VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR;
import static org.lwjgl.vulkan.VK12.*;

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.PerformanceCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkQueryPoolCreateInfo;
import org.lwjgl.vulkan.VkQueryPoolPerformanceCreateInfoKHR;

/**
 * Owns one performance query for each slot. The CPU resets a query before each submission, because no command buffer
 * may both reset and begin such a query (Vulkan specification, vkCmdBeginQuery). Belongs to the context's thread.
 */
final class PerformanceQueries implements SlotMeter {
    private final VulkanDevice device;
    private final PerformanceCounters counters;
    private final ByteBuffer results;
    private long pool;

    /**
     * Makes the queries.
     *
     * @throws DeviceException if the device is out of memory; nothing is left behind
     */
    PerformanceQueries(VulkanDevice device, PerformanceCounters counters, int slots) {
        this.device = device;
        this.counters = counters;
        results = memAlloc(counters.count() * PerformanceCounters.RESULT_BYTES);
        try (MemoryStack stack = stackPush()) {
            LongBuffer made = stack.mallocLong(1);
            VkQueryPoolCreateInfo info = VkQueryPoolCreateInfo.calloc(stack)
                    .sType$Default()
                    .pNext(VkQueryPoolPerformanceCreateInfoKHR.calloc(stack)
                            .sType$Default()
                            .queueFamilyIndex(device.capabilities().computeQueueFamily())
                            .pCounterIndices(counters.indices()))
                    .queryType(VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR)
                    .queryCount(slots);
            device.counters().countCreated();
            VulkanResult.check(vkCreateQueryPool(device.handle(), info, null, made), "vkCreateQueryPool");
            pool = made.get(0);
        } catch (DeviceException e) {
            memFree(results);
            throw e;
        }
    }

    @Override
    public void begin(Commands commands, int slot) {
        commands.beginQuery(pool, slot);
    }

    @Override
    public void end(Commands commands, int slot) {
        commands.endQuery(pool, slot);
    }

    @Override
    public void prepare(int slot) {
        vkResetQueryPool(device.handle(), pool, slot, 1);
    }

    @Override
    public void collect(int slot) {
        // Without VK_QUERY_RESULT_WAIT_BIT, a driver that has no result yet says so. That measurement is then left out.
        int result = nvkGetQueryPoolResults(
                device.handle(), pool, slot, 1, results.capacity(), memAddress(results), results.capacity(), 0);
        if (result == VK_SUCCESS) {
            counters.add(memAddress(results));
            device.counters().countMeasured();
        } else if (result != VK_NOT_READY) {
            throw device.fail(VulkanResult.failure(result, "vkGetQueryPoolResults"));
        }
    }

    @Override
    public void close() {
        if (device.mayDestroy()) {
            vkDestroyQueryPool(device.handle(), pool, null);
        }
        pool = VK_NULL_HANDLE;
        memFree(results);
    }
}

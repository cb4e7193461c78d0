/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAllocInt;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.system.MemoryUtil.memGetDouble;
import static org.lwjgl.system.MemoryUtil.memGetFloat;
import static org.lwjgl.system.MemoryUtil.memGetInt;
import static org.lwjgl.system.MemoryUtil.memGetLong;
import static org.lwjgl.vulkan.KHRPerformanceQuery.*;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkAcquireProfilingLockInfoKHR;
import org.lwjgl.vulkan.VkDevice;
import org.lwjgl.vulkan.VkPerformanceCounterDescriptionKHR;
import org.lwjgl.vulkan.VkPerformanceCounterKHR;
import org.lwjgl.vulkan.VkPhysicalDevice;
import org.lwjgl.vulkan.VkQueryPoolPerformanceCreateInfoKHR;

/**
 * Owns the profiling lock of a device, and the totals of its performance counters over all rings of a context. Of the counters
 * that the device offers, those are used that one pass can read together. Belongs to the context's thread.
 */
public final class PerformanceCounters implements AutoCloseable {
    /** The size of a VkPerformanceCounterResultKHR. */
    public static final int RESULT_BYTES = 8;

    private static final long LOCK_TIMEOUT_NANOS = 1_000_000_000L;

    private final VkDevice device;
    private final List<String> names = new ArrayList<>();
    private final List<String> descriptions = new ArrayList<>();
    /** VkPerformanceCounterStorageKHR of each chosen counter. */
    private final int[] storages;
    /** The driver's number of each chosen counter. */
    private final IntBuffer indices;

    private final double[] totals;

    /**
     * Chooses the counters and takes the profiling lock.
     *
     * @param device stays the caller's, and is destroyed after this object is closed
     * @param offered the number of counters that the device offers
     * @throws DeviceException if another process holds the lock for longer than a second, or the driver fails; all that was
     *     made is freed
     */
    PerformanceCounters(VkDevice device, int queueFamily, int offered) {
        this.device = device;
        indices = memAllocInt(offered);
        try (MemoryStack stack = stackPush();
                VkPerformanceCounterKHR.Buffer counters = VkPerformanceCounterKHR.calloc(offered);
                VkPerformanceCounterDescriptionKHR.Buffer texts = VkPerformanceCounterDescriptionKHR.calloc(offered)) {
            for (int i = 0; i < offered; i++) {
                counters.get(i).sType$Default();
                texts.get(i).sType$Default();
            }
            VkPhysicalDevice physical = device.getPhysicalDevice();
            IntBuffer count = stack.ints(offered);
            VulkanResult.checkList(
                    vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
                            physical, queueFamily, count, counters, texts),
                    "vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");
            int[] storage = new int[offered];
            for (int i = 0; i < count.get(0); i++) {
                // With counters of other scopes, a query must cover a whole command buffer or a whole render pass.
                if (counters.get(i).scope() == VK_PERFORMANCE_COUNTER_SCOPE_COMMAND_KHR
                        && inOnePass(physical, queueFamily, i, stack)) {
                    storage[names.size()] = counters.get(i).storage();
                    names.add(texts.get(i).nameString());
                    descriptions.add(texts.get(i).descriptionString());
                }
            }
            indices.flip();
            storages = Arrays.copyOf(storage, names.size());
            totals = new double[names.size()];
            VkAcquireProfilingLockInfoKHR lock =
                    VkAcquireProfilingLockInfoKHR.calloc(stack).sType$Default().timeout(LOCK_TIMEOUT_NANOS);
            VulkanResult.check(vkAcquireProfilingLockKHR(device, lock), "vkAcquireProfilingLockKHR");
        } catch (DeviceException e) {
            memFree(indices);
            throw e;
        }
    }

    /** Adds a counter to {@link #indices} and returns true; returns false if the counter would take a second pass. */
    private boolean inOnePass(VkPhysicalDevice physical, int queueFamily, int index, MemoryStack stack) {
        indices.put(index);
        IntBuffer chosen = indices.duplicate().flip();
        IntBuffer passes = stack.mallocInt(1);
        vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR(
                physical,
                VkQueryPoolPerformanceCreateInfoKHR.calloc(stack)
                        .sType$Default()
                        .queueFamilyIndex(queueFamily)
                        .pCounterIndices(chosen),
                passes);
        if (passes.get(0) == 1) {
            return true;
        }
        indices.position(indices.position() - 1);
        return false;
    }

    /** Returns the driver's numbers of the chosen counters. The buffer stays this object's. */
    public IntBuffer indices() {
        return indices;
    }

    /** Returns the number of chosen counters. */
    public int count() {
        return names.size();
    }

    /**
     * Adds the results of one query to the totals.
     *
     * @param address of {@link #count()} results, {@link #RESULT_BYTES} apart
     */
    public void add(long address) {
        for (int i = 0; i < totals.length; i++) {
            totals[i] += value(address + (long) i * RESULT_BYTES, storages[i]);
        }
    }

    /**
     * Reads one result.
     *
     * @param address of the result
     * @param storage the VkPerformanceCounterStorageKHR of its counter
     * @throws IllegalArgumentException if Vulkan has no such storage
     */
    public static double value(long address, int storage) {
        return switch (storage) {
            case VK_PERFORMANCE_COUNTER_STORAGE_INT32_KHR -> memGetInt(address);
            case VK_PERFORMANCE_COUNTER_STORAGE_INT64_KHR -> memGetLong(address);
            case VK_PERFORMANCE_COUNTER_STORAGE_UINT32_KHR -> Integer.toUnsignedLong(memGetInt(address));
            case VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR -> unsigned(memGetLong(address));
            case VK_PERFORMANCE_COUNTER_STORAGE_FLOAT32_KHR -> memGetFloat(address);
            case VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR -> memGetDouble(address);
            default -> throw new IllegalArgumentException("counter storage " + storage);
        };
    }

    private static double unsigned(long value) {
        return value >= 0 ? value : (double) (value >>> 1) * 2;
    }

    /** Returns the totals up to now. */
    public List<PerformanceCounter> read() {
        List<PerformanceCounter> read = new ArrayList<>();
        for (int i = 0; i < totals.length; i++) {
            read.add(new PerformanceCounter(names.get(i), descriptions.get(i), totals[i]));
        }
        return List.copyOf(read);
    }

    /** Releases the profiling lock, so that other processes can measure. The rings are closed before. */
    @Override
    public void close() {
        vkReleaseProfilingLockKHR(device);
        memFree(indices);
    }
}

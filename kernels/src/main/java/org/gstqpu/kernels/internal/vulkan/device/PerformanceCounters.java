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
 * Owns the device's profiling lock, and what the counters of all rings have counted: as many of the device's counters as one
 * pass reads. Belongs to the context's thread.
 */
public final class PerformanceCounters implements AutoCloseable {
    /** Bytes of a VkPerformanceCounterResultKHR. */
    public static final int RESULT_BYTES = 8;

    private static final long LOCK_TIMEOUT_NANOS = 1_000_000_000L;

    private final VkDevice device;
    private final List<String> names = new ArrayList<>();
    private final List<String> descriptions = new ArrayList<>();
    private final int[] storages;
    private final IntBuffer indices;
    private final double[] totals;

    /**
     * @throws DeviceException when another process measures; nothing is left behind
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
            VulkanResult.check(
                    vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR(
                            physical, queueFamily, count, counters, texts),
                    "vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");
            int[] storage = new int[offered];
            for (int i = 0; i < count.get(0); i++) {
                // Counters of other scopes want the query to be all that its command buffer holds, or a render pass.
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

    /** Adds a counter to those that are chosen, unless that would take a second pass. */
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

    /** Indices of the chosen counters, as the driver numbers them. */
    public IntBuffer indices() {
        return indices;
    }

    /** How many counters were chosen. */
    public int count() {
        return names.size();
    }

    /** Adds the results of one query, which lie at {@code address}. */
    public void add(long address) {
        for (int i = 0; i < totals.length; i++) {
            totals[i] += value(address + (long) i * RESULT_BYTES, storages[i]);
        }
    }

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

    /** What was counted up to now. */
    public List<PerformanceCounter> read() {
        List<PerformanceCounter> read = new ArrayList<>();
        for (int i = 0; i < totals.length; i++) {
            read.add(new PerformanceCounter(names.get(i), descriptions.get(i), totals[i]));
        }
        return List.copyOf(read);
    }

    /** Lets others measure; the rings are closed before. */
    @Override
    public void close() {
        vkReleaseProfilingLockKHR(device);
        memFree(indices);
    }
}

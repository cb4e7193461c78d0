/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.lwjgl.system.MemoryStack.stackPush;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.memAllocLong;
import static org.lwjgl.system.MemoryUtil.memFree;
import static org.lwjgl.vulkan.VK11.*;

import java.nio.LongBuffer;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.device.VulkanResult;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.system.MemoryStack;
import org.lwjgl.vulkan.VkFenceCreateInfo;

/**
 * How a slot learns that its work is done: by a fence of its own, or by a value of the ring's timeline semaphore. No
 * method allocates. Belongs to the context's thread.
 */
sealed interface Completion extends AutoCloseable {
    /** Prepares for one submission; no other may be pending. Returns VK_SUCCESS or an error. */
    int prepare();

    /** The fence that the submission signals. VK_NULL_HANDLE if it signals the timeline semaphore. */
    long fence();

    /** The timeline semaphore that the submission signals. VK_NULL_HANDLE if it signals a fence. */
    long timeline();

    /** The value that the submission gives to the timeline semaphore. */
    long value();

    /** Waits for the submission. Returns VK_SUCCESS, VK_TIMEOUT or an error. */
    int await(long timeoutNanos);

    /** Name of the Vulkan call that {@link #await} makes. */
    String awaitCall();

    /** Asks for the state of the submission. Returns VK_SUCCESS if it is done, VK_NOT_READY or an error. */
    int status();

    /** Name of the Vulkan call that {@link #status} makes. */
    String statusCall();

    @Override
    void close();

    /** Owns the fence of one slot. */
    final class ByFence implements Completion {
        private final VulkanDevice device;
        private final LongBuffer fence = memAllocLong(1);

        /**
         * Makes the fence.
         *
         * @throws DeviceException if the device is out of memory; nothing is left behind
         */
        ByFence(VulkanDevice device) {
            this.device = device;
            fence.put(0, VK_NULL_HANDLE);
            try (MemoryStack stack = stackPush()) {
                VkFenceCreateInfo info = VkFenceCreateInfo.calloc(stack).sType$Default();
                device.counters().countCreated();
                VulkanResult.check(vkCreateFence(device.handle(), info, null, fence), "vkCreateFence");
            } catch (DeviceException e) {
                memFree(fence);
                throw e;
            }
        }

        @Override
        public int prepare() {
            return nvkResetFences(device.handle(), 1, memAddress(fence));
        }

        @Override
        public long fence() {
            return fence.get(0);
        }

        @Override
        public long timeline() {
            return VK_NULL_HANDLE;
        }

        @Override
        public long value() {
            return 0;
        }

        @Override
        public int await(long timeoutNanos) {
            return nvkWaitForFences(device.handle(), 1, memAddress(fence), VK_TRUE, timeoutNanos);
        }

        @Override
        public String awaitCall() {
            return "vkWaitForFences";
        }

        @Override
        public int status() {
            return vkGetFenceStatus(device.handle(), fence());
        }

        @Override
        public String statusCall() {
            return "vkGetFenceStatus";
        }

        @Override
        public void close() {
            vkDestroyFence(device.handle(), fence(), null);
            memFree(fence);
        }
    }

    /** The place of one slot on its ring's timeline. The ring owns the timeline. */
    final class ByTimeline implements Completion {
        private final RingTimeline ring;
        private long value;

        ByTimeline(RingTimeline ring) {
            this.ring = ring;
        }

        @Override
        public int prepare() {
            value = ring.nextValue();
            return VK_SUCCESS;
        }

        @Override
        public long fence() {
            return VK_NULL_HANDLE;
        }

        @Override
        public long timeline() {
            return ring.semaphore().handle();
        }

        @Override
        public long value() {
            return value;
        }

        @Override
        public int await(long timeoutNanos) {
            return ring.semaphore().await(value, timeoutNanos);
        }

        @Override
        public String awaitCall() {
            return "vkWaitSemaphores";
        }

        @Override
        public int status() {
            return ring.semaphore().status(value);
        }

        @Override
        public String statusCall() {
            return "vkGetSemaphoreCounterValue";
        }

        @Override
        public void close() {
            // The ring closes the timeline, which all its slots share.
        }
    }
}

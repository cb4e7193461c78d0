/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;

/**
 * Owns the timeline semaphore of a {@link SubmitRing} and gives out its values: submissions to one queue end in their order,
 * so one semaphore tells of all of them. Belongs to the context's thread.
 */
final class RingTimeline implements AutoCloseable {
    private final DeviceSemaphore semaphore;
    private long last;

    /**
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has no timeline semaphores, or not the memory
     */
    RingTimeline(VulkanDevice device) {
        semaphore = DeviceSemaphore.timeline(device);
    }

    DeviceSemaphore semaphore() {
        return semaphore;
    }

    /** The value of the next submission. */
    long nextValue() {
        return ++last;
    }

    @Override
    public void close() {
        semaphore.close();
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;

/**
 * Owns the timeline semaphore of a {@link SubmitRing}, and hands out the semaphore's values. Submissions to one queue
 * end in order, so one semaphore suffices for all. Belongs to the context's thread.
 */
final class RingTimeline implements AutoCloseable {
    private final DeviceSemaphore semaphore;
    private long last;

    /**
     * Makes the semaphore.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device has no timeline semaphores, or is out of
     *     memory
     */
    RingTimeline(VulkanDevice device) {
        semaphore = DeviceSemaphore.timeline(device);
    }

    DeviceSemaphore semaphore() {
        return semaphore;
    }

    /** The value that the next submission signals. */
    long nextValue() {
        return ++last;
    }

    @Override
    public void close() {
        semaphore.close();
    }
}

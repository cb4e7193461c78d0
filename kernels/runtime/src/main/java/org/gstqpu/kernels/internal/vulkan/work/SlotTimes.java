/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

/** Receives how long the submissions of a ring's slots took on the device. */
@FunctionalInterface
public interface SlotTimes {
    /**
     * Takes the time of a slot's last submission, when that is known to have ended.
     *
     * @param slot its {@linkplain SubmitSlot#index number}
     */
    void add(int slot, long nanos);
}

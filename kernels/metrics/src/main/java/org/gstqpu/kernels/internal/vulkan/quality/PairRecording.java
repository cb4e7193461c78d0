/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;

/**
 * What an extractor gets to record its dispatches.
 *
 * @param commands where they go
 * @param slot the slot that is recorded
 * @param firstSet number of the extractor's first descriptor set in that slot
 * @param reference where the reference lies
 * @param picture where the measured picture lies
 * @param resultsAt number of the extractor's first word in the results
 */
record PairRecording(
        Commands commands, SubmitSlot slot, int firstSet, PicturePlace reference, PicturePlace picture, int resultsAt) {
    /** Binds one of the extractor's descriptor sets, numbered as in {@link DeviceExtractor#sets}. */
    void bind(int set) {
        commands.bindDescriptorSet(slot.descriptorSet(firstSet + set));
    }
}

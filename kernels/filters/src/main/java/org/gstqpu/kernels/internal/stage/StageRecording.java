/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import java.util.List;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;

/**
 * What a stage has at hand while it is recorded. Valid until {@link DeviceStage#record} returns.
 *
 * @param commands the commands that are being recorded
 * @param source the picture that the stage before left
 * @param decoded the picture before all filters
 * @param destination where the stage leaves its picture; the source if it makes none
 * @param parameters the stage's parameters, or if it has none, any memory of the slot's parameters
 * @param own the stage's part of the slot's parameters, also if automatic strength gives {@code parameters}
 * @param maps the maps of all pictures in flight, or {@code parameters} if pictures of this form have none
 * @param slot the slot whose descriptor sets are written
 * @param firstSet the first of the slot's sets for this stage
 */
public record StageRecording(
        Commands commands,
        PicturePlace source,
        PicturePlace decoded,
        PicturePlace destination,
        BufferRange parameters,
        BufferRange own,
        BufferRange maps,
        SubmitSlot slot,
        int firstSet) {
    /**
     * Points a descriptor set of the stage at buffers, one for each binding, and returns the set. Vulkan needs a valid buffer at
     * every binding; one that a kernel does not use may have any.
     *
     * @param number the stage's number for the set, from 0
     */
    public long set(int number, List<BufferRange> bindings) {
        slot.writeDescriptors(firstSet + number, bindings);
        return slot.descriptorSet(firstSet + number);
    }
}

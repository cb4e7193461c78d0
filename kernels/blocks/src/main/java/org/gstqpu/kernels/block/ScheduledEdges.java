/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.block;

/**
 * Filters the edges of an {@link EdgeSchedule} in a picture: in parallel, with the result of decoding order. The count of a run is
 * {@link EdgeSchedule#count}. Immutable.
 *
 * @param schedule {@linkplain EdgeSchedule#arrange arranged} before each run
 * @param picture filtered in place; its planes lie as {@link EdgeSchedule#layout} says
 */
public record ScheduledEdges(EdgeSchedule schedule, KernelBuffer picture) implements BlockCall {
    /**
     * @throws IllegalArgumentException when the picture's buffer is too small
     */
    public ScheduledEdges {
        Checks.size("picture", picture, schedule.layout().sizeBytes());
    }

    @Override
    public String kernelName() {
        return schedule.codec() == EdgeSchedule.Codec.VP9 ? "vp9_lpf_scheduled_8bit" : "h264_deblock_scheduled_8bit";
    }

    @Override
    public int capacity() {
        return schedule.capacity();
    }

    @Override
    public void checkRecords(int count) {
        if (!schedule.isArranged() || count != schedule.count()) {
            throw new IllegalArgumentException("the schedule has " + schedule.count() + " edges, "
                    + (schedule.isArranged() ? "arranged" : "not arranged") + "; asked to run " + count);
        }
    }
}

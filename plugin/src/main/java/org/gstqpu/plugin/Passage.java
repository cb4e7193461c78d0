/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;

/**
 * A picture on its way through the filter: owns the two {@link FrameSide}s that hold its input buffer and its output buffer until it
 * is done. Serves one picture after the other, so that no picture allocates. Belongs to the streaming thread; closed by its {@link
 * PictureStream}.
 */
final class Passage implements AutoCloseable {
    /** What has become of a picture. Only a filter that has finished it makes it {@link #DONE}. */
    private enum Progress {
        /** No filter has begun with it, or there is no picture. */
        NOT_BEGUN,
        /** A filter works on it, or has failed to. */
        UNDER_WAY,
        /** Its output holds the result. */
        DONE,
        /** It was given up, and its output holds no result. */
        LEFT
    }

    private final FrameSide input;
    private final FrameSide output;

    /** The ticket by which C knows the picture; 0 while no picture is under way. */
    private long ticket;

    private Progress progress = Progress.NOT_BEGUN;

    /** The filter that works on the picture; null unless the picture is {@link Progress#UNDER_WAY}. */
    private PictureFilter filter;

    /** The ticket that {@link #filter} gave to the picture. */
    private long number;

    /** True if the output was passed on before the picture was done. */
    private boolean handedOver;

    private long inBuffer;
    private long outBuffer;
    private PicturePlan plan;
    private boolean decoded;
    private FilterSettings settings;
    private boolean keptForEver;

    Passage(ImportCache imports) {
        input = new FrameSide(GstVideoLibrary.MAP_READ, imports);
        output = new FrameSide(GstVideoLibrary.MAP_WRITE, imports);
    }

    FrameSide input() {
        return input;
    }

    FrameSide output() {
        return output;
    }

    /** The ticket of the picture; 0 if no picture is under way. */
    long ticket() {
        return ticket;
    }

    /** Notes the two buffers of the next picture. */
    void take(long in, long out) {
        inBuffer = in;
        outBuffer = out;
    }

    /** The GstBuffer of the picture. */
    long inBuffer() {
        return inBuffer;
    }

    /** The GstBuffer of the result. */
    long outBuffer() {
        return outBuffer;
    }

    /**
     * Notes what is to happen to the picture, so that it can be done again.
     *
     * @param plan the plan; if {@code decoded}, it is read again from the picture's side information
     * @param settings the settings that the plan was made from
     */
    void planned(PicturePlan plan, boolean decoded, FilterSettings settings) {
        this.plan = plan;
        this.decoded = decoded;
        this.settings = settings;
    }

    PicturePlan plan() {
        return plan;
    }

    /** True if the picture has side information that is followed. */
    boolean decoded() {
        return decoded;
    }

    FilterSettings settings() {
        return settings;
    }

    /**
     * Notes that a filter works on the picture.
     *
     * @param ticket the ticket by which C knows the picture
     * @param filter the filter
     * @param number the ticket that the filter gave to the picture
     */
    void begun(long ticket, PictureFilter filter, long number) {
        this.ticket = ticket;
        this.filter = filter;
        this.number = number;
        progress = Progress.UNDER_WAY;
        handedOver = filter.isHandedOver(number);
    }

    /** True if the output was passed on before the picture was done. */
    boolean isHandedOver() {
        return handedOver;
    }

    /** True if a filter works on the picture, or has failed to. */
    boolean isUnderWay() {
        return progress == Progress.UNDER_WAY;
    }

    /** True if the output holds the result, or was passed on before, so that nothing can be done about it. */
    boolean hasResult() {
        return progress == Progress.DONE || handedOver;
    }

    /** True if the picture was given up before it had a result, so that another filter has to do it again. */
    boolean isToBeDoneAgain() {
        return progress == Progress.LEFT && !handedOver;
    }

    /** Notes that another filter has done the picture, whose output holds the result now. */
    void doneAgain() {
        progress = Progress.DONE;
    }

    /** True if {@link #await} would not wait. Called while {@link ImportCache#contextLock} is held. */
    boolean isDone() {
        return filter == null || filter.isDone(number);
    }

    /**
     * Waits for the picture if the filter works on it. If that fails, {@link #giveUp} or {@link #leave} follows. Called while {@link
     * ImportCache#contextLock} is held.
     */
    void await() {
        if (filter != null) {
            filter.finish(number);
            filter = null;
            progress = Progress.DONE;
        }
    }

    /** Waits for a picture whose result does not count: {@link #giveUp} or {@link #leave} follows. */
    void settle() {
        if (filter != null) {
            filter.finish(number);
        }
    }

    /**
     * Ends a picture that failed; does nothing if no filter works on it. If the device has not ended its work, it may use the buffers
     * until the process ends: they are kept for ever then. Called while {@link ImportCache#contextLock} is held.
     */
    void giveUp() {
        if (leave()) {
            if (handedOver) {
                output.keepDmabufsForEver();
            } else {
                output.keepForEver();
            }
        }
    }

    /**
     * As {@link #giveUp}, but the output is not kept: if the device has not ended its work, the caller has to give the output other
     * memory before anybody uses it.
     *
     * @return true if the device has not ended its work
     */
    boolean leave() {
        PictureFilter working = filter;
        if (working == null) {
            return false;
        }
        filter = null;
        progress = Progress.LEFT;
        if (!stillUses(working)) {
            return false;
        }
        keptForEver = true;
        input.keepForEver();
        return true;
    }

    private boolean stillUses(PictureFilter working) {
        try {
            return !working.isDone(number);
        } catch (DeviceException e) {
            // So a lost device says that it has ended all work.
            return e.failure() != DeviceFailure.LOST;
        }
    }

    /** Takes the place of another passage, whose buffers are kept for ever: has its picture from now on. */
    void takePlaceOf(Passage other) {
        ticket = other.ticket;
        progress = other.progress;
        handedOver = other.handedOver;
        take(other.inBuffer, other.outBuffer);
        planned(other.plan, other.decoded, other.settings);
    }

    /** Releases the two buffers, unless the device still uses them; the picture is no longer under way. */
    void release() {
        ticket = 0;
        progress = Progress.NOT_BEGUN;
        letGo();
    }

    /** Releases the two buffers, unless the device still uses them. */
    void letGo() {
        if (keptForEver) {
            return;
        }
        try {
            output.release();
        } finally {
            input.release();
        }
    }

    /** True if the device still uses the buffers, so that this passage takes no other picture. */
    boolean isKeptForEver() {
        return keptForEver;
    }

    @Override
    public void close() {
        if (keptForEver) {
            return;
        }
        try (input) {
            output.close();
        }
    }
}

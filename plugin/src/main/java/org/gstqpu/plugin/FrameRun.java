/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;

/**
 * A picture on its way through the element: holds its input buffer and its output buffer, its side information, its plan and the run of
 * the filter that works on it. Serves one picture after the other, so that no picture allocates. Belongs to the streaming thread; owned
 * by its {@link FrameRuns}. Methods that use the filter are called while {@link ImportCache#contextLock} is held.
 */
final class FrameRun implements AutoCloseable {
    /** What has become of a picture. */
    private enum Progress {
        /** No filter has begun with it, or there is no picture. */
        NOT_BEGUN,
        /** A filter works on it, or has failed to. */
        UNDER_WAY,
        /** Its output holds the result. */
        DONE,
        /** It was abandoned, and its output holds no result. */
        ABANDONED
    }

    private final ImportCache imports;
    private final SideInformation sideInformation;
    private FrameSide input;
    private FrameSide output;
    private long inBuffer;
    private long outBuffer;
    private PicturePlan plan;

    /** The last plan that followed side information; null before the first. */
    private PicturePlan decodedPlan;

    /** The filter that worked on the last picture, and its run; null before the first picture. */
    private PictureFilter filter;

    private PictureRun run;
    private Progress progress = Progress.NOT_BEGUN;

    /** True if the output was passed on before the picture was done. */
    private boolean handedOver;

    /** True if the device still writes to the output, and there is no memory for another result. */
    private boolean lacksMemory;

    FrameRun(ImportCache imports, boolean onDevice) {
        this.imports = imports;
        sideInformation = new SideInformation(onDevice);
        makeSides();
    }

    private void makeSides() {
        input = new FrameSide(GstVideoLibrary.MAP_READ, imports);
        output = new FrameSide(GstVideoLibrary.MAP_WRITE, imports);
    }

    FrameSide input() {
        return input;
    }

    FrameSide output() {
        return output;
    }

    SideInformation sideInformation() {
        return sideInformation;
    }

    /** The GstBuffer of the picture. */
    long inBuffer() {
        return inBuffer;
    }

    /**
     * Holds both buffers of a picture, until {@link #unholdBuffers}.
     *
     * @param info describes the stream that the picture belongs to
     * @param unmapped true if a device filters the picture, so that the buffers need not be mapped
     * @param inColumns column height of the input, as {@link DmabufFrame#locate} takes it
     * @param outColumns column height of the output
     * @return false if the input does not hold a picture of the stream: {@link FrameSide#problem} says why
     * @throws ElementException if the output does not fit the picture, or pictures in columns cannot be imported
     */
    boolean hold(VideoInfo info, boolean unmapped, int inColumns, int outColumns, long in, long out)
            throws ElementException {
        inBuffer = in;
        outBuffer = out;
        if (!input.hold(info, in, unmapped, inColumns)) {
            return false;
        }
        if (!output.hold(info, out, unmapped, outColumns)) {
            throw new ElementException(
                    ElementHost.ErrorCode.STREAM_FORMAT,
                    "The buffer for the filtered picture does not fit: " + output.problem()
                            + "; the element after qpuloopfilter provided it: try without that element");
        }
        return true;
    }

    /** Holds the buffers once more, as rows in mapped memory, for the CPU. */
    boolean holdMapped(VideoInfo info) throws ElementException {
        unholdBuffers();
        return hold(info, false, DmabufFrame.WHOLE_ROWS, DmabufFrame.WHOLE_ROWS, inBuffer, outBuffer);
    }

    /** Notes the plan of a picture without side information. */
    void follow(PicturePlan settled) {
        plan = settled;
    }

    /** Makes the plan of a picture whose side information was read; the plan before serves if nothing has changed. */
    void followSideInformation(PicturePlans plans) {
        decodedPlan = plans.decoded(sideInformation.parameters(), decodedPlan);
        plan = decodedPlan;
    }

    /**
     * Begins to filter the picture, by its plan.
     *
     * @return true if the picture is under way, false if it is done
     */
    boolean begin(PictureFilter by) {
        if (by != filter) {
            filter = by;
            run = by.newRun();
        }
        if (!run.begin(input, output, plan)) {
            return false;
        }
        progress = Progress.UNDER_WAY;
        handedOver = run.isHandedOver();
        return true;
    }

    /** Filters the picture, by its plan, after it was abandoned or could not begin. */
    void beginAgain(PictureFilter by) {
        by.filter(input, output, plan);
        if (progress != Progress.NOT_BEGUN) {
            progress = Progress.DONE;
        }
    }

    /** True from {@link #begin}, if it returns true, until {@link #recycle}. */
    boolean hasBegun() {
        return progress != Progress.NOT_BEGUN;
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

    /** True if the picture was abandoned before it had a result, so that another filter has to filter it again. */
    boolean isToBeDoneAgain() {
        return progress == Progress.ABANDONED && !handedOver;
    }

    /** True if there is no memory for the result of a picture that is to be done again. */
    boolean lacksMemory() {
        return lacksMemory;
    }

    /** True if {@link #await} would not wait. */
    boolean isDone() {
        return !isUnderWay() || run.isDone();
    }

    /** Waits for the picture if it is under way. If that fails, {@link #abandon} or {@link #abandonForRedo} follows. */
    void await() {
        if (isUnderWay()) {
            run.finish();
            progress = Progress.DONE;
        }
    }

    /**
     * Waits for a picture whose result does not count.
     *
     * @throws DeviceException that is of no interest: the picture's device has failed before
     */
    void awaitIgnoringResult() {
        if (!isDone()) {
            run.finish();
        }
    }

    /**
     * Ends a picture that failed; does nothing if none is under way. If the device has not ended its work, it may use the buffers until
     * the process ends: they are kept for ever then.
     *
     * @return true if the device has not ended its work
     */
    boolean abandon() {
        if (!abandonKeepingOutput()) {
            return false;
        }
        if (handedOver) {
            output.keepDmabufsForEver();
        } else {
            output.keepForEver();
        }
        makeSides();
        return true;
    }

    /**
     * As {@link #abandon}, for a picture that another filter does again: where the device has not ended its work, the output buffer gets
     * other memory, and only its old memory is kept for ever.
     *
     * @return true if the device has not ended its work
     */
    boolean abandonForRedo() {
        if (!abandonKeepingOutput()) {
            return false;
        }
        lacksMemory = GstQpuLibrary.gst_qpu_replace_memory_leaking(outBuffer) == 0;
        if (lacksMemory) {
            output.keepForEver();
        }
        makeSides();
        return true;
    }

    /** Ends a picture that failed. Keeps the input for ever, and leaves the output to the caller, if this returns true. */
    private boolean abandonKeepingOutput() {
        if (!isUnderWay()) {
            return false;
        }
        progress = Progress.ABANDONED;
        if (!deviceUsesBuffers()) {
            return false;
        }
        input.keepForEver();
        // That run never ends.
        filter = null;
        return true;
    }

    private boolean deviceUsesBuffers() {
        try {
            return !run.isDone();
        } catch (DeviceException e) {
            // By this a lost device says that it has ended all work.
            return e.failure() != DeviceFailure.LOST;
        }
    }

    /** Ends the picture, and releases its buffers; the run takes another picture. */
    void recycle() {
        progress = Progress.NOT_BEGUN;
        handedOver = false;
        lacksMemory = false;
        unholdBuffers();
    }

    /** Releases the two buffers. */
    void unholdBuffers() {
        try {
            output.release();
        } finally {
            input.release();
        }
    }

    @Override
    public void close() {
        try (sideInformation) {
            try {
                output.close();
            } finally {
                input.close();
            }
        }
    }
}

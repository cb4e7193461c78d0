/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * Puts the CPU in the place of a device that has failed, and the device in the CPU's place once it is open again. Owns nothing; belongs
 * to the streaming thread.
 */
final class Takeover {
    private final ElementHost host;
    private final ServingSubstrate serving;
    private final ImportCache imports;
    private final ElementStatistics statistics;
    private final FrameRuns runs;

    Takeover(
            ElementHost host,
            ServingSubstrate serving,
            ImportCache imports,
            ElementStatistics statistics,
            FrameRuns runs) {
        this.host = host;
        this.serving = serving;
        this.imports = imports;
        this.statistics = statistics;
        this.runs = runs;
    }

    /**
     * Puts the CPU in the place of a device that has failed, and abandons the pictures under way; {@link #redoAll} follows. A picture
     * that the device seems to have finished is abandoned, too: what a lost device says of its work means nothing. If this method or
     * {@link #redoAll} throws, the pictures that were not done again have no result. This exception reports the failure; {@code finish}
     * returns {@link Flow#ERROR} for these pictures and posts nothing.
     *
     * @param inColumns true if the stream's pictures are cut into columns, which the CPU cannot filter
     * @throws DeviceException {@code failure}, if the device was asked for by name, or if the CPU cannot take its place
     */
    void toCpu(DeviceException failure, boolean inColumns) {
        if (!serving.takesOver() || !serving.onDevice()) {
            runs.abandonAll();
            throw failure;
        }
        if (inColumns) {
            runs.abandonAll();
            throw new DeviceException(
                    failure.getMessage()
                            + "; the CPU cannot filter in its place, because the pictures are in columns (SAND128)",
                    failure);
        }
        int again = 0;
        int passedOn = 0;
        boolean hung = false;
        synchronized (imports.contextLock) {
            for (FrameRun run : runs.begun()) {
                if (!run.isUnderWay()) {
                    continue;
                }
                runs.awaitIgnoringResult(run);
                if (run.isHandedOver()) {
                    passedOn++;
                    hung |= run.abandon();
                } else {
                    again++;
                    hung |= run.abandonForRedo();
                }
            }
            runs.dropFilter();
        }
        imports.forget();
        ServingSubstrate.Loss loss;
        synchronized (imports.contextLock) {
            loss = replaceDevice(failure, hung);
        }
        tell(loss, again, passedOn);
    }

    private ServingSubstrate.Loss replaceDevice(DeviceException failure, boolean hung) {
        try {
            return serving.replaceDevice(failure, hung || failure.failure() == DeviceFailure.TIMED_OUT);
        } catch (SubstrateUnavailableException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    private void tell(ServingSubstrate.Loss loss, int again, int passedOn) {
        String line = loss.cause() + ". The CPU filters in its place"
                + (again > 0 ? ", and does the " + again + " pictures under way again" : "")
                + (passedOn > 0 ? "; pictures that were passed on before and may be damaged: " + passedOn : "")
                + (loss.pause() > 0
                        ? "; the device is tried again after " + loss.pause() + " pictures"
                        : "; the device is not tried again before the element is opened anew");
        if (loss.news()) {
            host.warning(ErrorCode.RESOURCE_FAILED, line);
        } else {
            host.log(LogLevel.INFO, line);
        }
    }

    /**
     * Filters all pictures again that {@link #toCpu} has abandoned, in their order.
     *
     * @throws ElementException if a picture cannot be filtered again
     */
    void redoAll(VideoInfo info) throws ElementException {
        for (FrameRun run : runs.begun()) {
            if (run.isToBeDoneAgain()) {
                redo(run, info);
            }
        }
    }

    /**
     * Filters a picture on the CPU that a device has begun, or was to begin.
     *
     * @throws ElementException if the picture cannot be filtered again
     */
    void redo(FrameRun run, VideoInfo info) throws ElementException {
        if (run.lacksMemory()) {
            throw new ElementException(
                    ErrorCode.RESOURCE_FAILED,
                    "The device hangs, and there is no memory for another result; close other programs");
        }
        if (!run.holdMapped(info)) {
            throw new ElementException(
                    ErrorCode.RESOURCE_FAILED,
                    "A picture of a device that failed cannot be filtered by the CPU: "
                            + run.input().problem());
        }
        synchronized (imports.contextLock) {
            PictureFilter working = runs.filter(run.input().layout());
            run.input().place();
            run.output().place();
            run.beginAgain(working);
        }
        statistics.countRedone();
    }

    /** Lets the device filter again that had failed, if it is open again. Counts a picture that is about to begin. */
    void toDeviceIfBack() {
        if (!serving.isBack()) {
            return;
        }
        runs.closeFilter();
        imports.forget();
        synchronized (imports.contextLock) {
            serving.adopt();
        }
    }

    /** Tells the user that a device has finished its first picture after a failure. */
    void tellOfReturn() {
        String line =
                "The device that had failed filters again: " + serving.current().deviceName();
        host.log(LogLevel.INFO, line);
        host.info(ErrorCode.RESOURCE_FAILED, line);
    }
}

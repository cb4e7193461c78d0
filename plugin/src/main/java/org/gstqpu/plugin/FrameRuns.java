/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * The pictures under way of a stream, and the filter that they go through: owns both. C chooses the place of each picture, and knows
 * it by that number alone. Belongs to the streaming thread; methods that any thread may call say so.
 */
final class FrameRuns implements AutoCloseable {
    private final ElementHost host;
    private final ServingSubstrate serving;
    private final ImportCache imports;
    private final boolean onDevice;

    /** The run of each place; a place gets it when it is first used. */
    private final FrameRun[] runs = new FrameRun[ElementProperty.MAX_QUEUE_DEPTH];

    /** The runs whose picture has begun and is not finished, in the order in which they began. */
    private final List<FrameRun> begun = new ArrayList<>(ElementProperty.MAX_QUEUE_DEPTH);

    /** The filter for the format and size of {@link #filteredLayout}; null while there is none. */
    @GuardedBy("imports.contextLock")
    private PictureFilter filter;

    /** A layout with the format and size that {@link #filter} is for. */
    @GuardedBy("imports.contextLock")
    private PictureLayout filteredLayout;

    /** True if the last picture without side information had automatic strength. */
    @GuardedBy("imports.contextLock")
    private boolean automatic;

    /** What automatic strength had found when the last filter was closed. */
    @GuardedBy("imports.contextLock")
    private Optional<StrengthEstimate> lastEstimate = Optional.empty();

    /** What temporal fusion did in the filters that were closed. */
    @GuardedBy("imports.contextLock")
    private FusionCounts closedFusion = FusionCounts.NONE;

    FrameRuns(ElementHost host, ServingSubstrate serving, ImportCache imports) {
        this.host = host;
        this.serving = serving;
        this.imports = imports;
        onDevice = serving.onDevice();
    }

    /** The run of a place: 0 to {@link ElementProperty#MAX_QUEUE_DEPTH} - 1. */
    FrameRun at(int place) {
        if (runs[place] == null) {
            runs[place] = new FrameRun(imports, onDevice);
        }
        return runs[place];
    }

    /** The runs whose picture has begun and is not finished, in the order in which they began. */
    List<FrameRun> begun() {
        return begun;
    }

    /**
     * Begins to filter a run's picture, which is held, placed and planned.
     *
     * @return true if the picture is under way, false if it is done
     */
    boolean begin(FrameRun run, PictureFilter by) {
        synchronized (imports.contextLock) {
            boolean underWay = run.begin(by);
            if (underWay) {
                begun.add(run);
            }
            return underWay;
        }
    }

    /** Ends a run's picture, whatever has become of it: the place is free. */
    void recycle(FrameRun run) {
        synchronized (imports.contextLock) {
            run.abandon();
        }
        begun.remove(run);
        run.recycle();
    }

    /** The filter for pictures with this layout's format and size; replaces the filter if they have changed. */
    PictureFilter filter(PictureLayout layout) {
        synchronized (imports.contextLock) {
            if (filter == null
                    || layout.format() != filteredLayout.format()
                    || layout.width() != filteredLayout.width()
                    || layout.height() != filteredLayout.height()) {
                // If one fails, this filter stays until the CPU has taken over.
                begun.forEach(FrameRun::await);
                closeFilter();
                filter = serving.current().newPictureFilter(layout.format(), layout.width(), layout.height());
                filteredLayout = layout;
                if (host.logs(LogLevel.DEBUG)) {
                    host.log(
                            LogLevel.DEBUG,
                            "made a filter for " + layout.format() + " " + layout.width() + "x" + layout.height());
                }
            }
            return filter;
        }
    }

    /** Awaits the pictures under way, so that their outputs hold the results, and closes the filter even if one of them failed. */
    void closeFilter() {
        synchronized (imports.contextLock) {
            if (filter == null) {
                return;
            }
            Throwable failure = null;
            for (FrameRun run : begun) {
                try {
                    run.await();
                } catch (RuntimeException | Error e) {
                    run.abandon();
                    if (failure == null) {
                        failure = e;
                    } else {
                        failure.addSuppressed(e);
                    }
                }
            }
            lastEstimate = estimated();
            PictureFilter closing = taken();
            closing.close();
            if (failure instanceof Error error) {
                throw error;
            } else if (failure != null) {
                throw (RuntimeException) failure;
            }
        }
    }

    /** Closes the filter of a device that has failed, whose pictures were abandoned. */
    void dropFilter() {
        synchronized (imports.contextLock) {
            if (filter == null) {
                return;
            }
            PictureFilter closing = taken();
            try {
                closing.close();
            } catch (DeviceException e) {
                host.log(LogLevel.DEBUG, "the device's filter could not be closed: " + e.getMessage());
            }
        }
    }

    /** Takes the filter away, to be closed. */
    @GuardedBy("imports.contextLock")
    private PictureFilter taken() {
        PictureFilter closing = filter;
        closedFusion = closedFusion.plus(closing.fusion()).released();
        filter = null;
        return closing;
    }

    /** Waits for a picture whose result does not count, because its device has failed. */
    void awaitIgnoringResult(FrameRun run) {
        synchronized (imports.contextLock) {
            try {
                run.awaitIgnoringResult();
            } catch (DeviceException e) {
                host.log(LogLevel.DEBUG, "a picture failed with the device: " + e.getMessage());
            }
        }
    }

    /** Abandons all pictures under way: the filter that works on them has failed. */
    void abandonAll() {
        synchronized (imports.contextLock) {
            for (FrameRun run : begun) {
                awaitIgnoringResult(run);
                run.abandon();
            }
        }
    }

    /** Adopts whether the next picture, which has no side information, has automatic strength. */
    void setAutomatic(boolean automatic) {
        synchronized (imports.contextLock) {
            this.automatic = automatic;
        }
    }

    /**
     * What automatic strength has found in this stream, or in the last one if no filter is open. Empty if the last picture's strength
     * was not automatic. Any thread.
     */
    Optional<StrengthEstimate> estimate() {
        synchronized (imports.contextLock) {
            return filter == null ? lastEstimate : estimated();
        }
    }

    /** What temporal fusion has done. Any thread. */
    FusionCounts fusion() {
        synchronized (imports.contextLock) {
            return filter == null ? closedFusion : closedFusion.plus(filter.fusion());
        }
    }

    @GuardedBy("imports.contextLock")
    private Optional<StrengthEstimate> estimated() {
        return automatic ? filter.estimate() : Optional.empty();
    }

    /** Releases everything; a second call does nothing. */
    @Override
    public void close() {
        // Each part is closed even if closing the part before it failed.
        try {
            closeFilter();
        } finally {
            for (FrameRun run : runs) {
                if (run != null) {
                    run.close();
                }
            }
        }
    }
}

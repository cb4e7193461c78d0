/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * Filters the pictures of a stream, from input buffers to output buffers: owns the filter for the stream's picture size, and the
 * pictures under way. Belongs to the streaming thread; methods that any thread may call say so.
 */
final class PictureStream implements AutoCloseable {
    /** Largest number of pictures that have begun and are not finished: the greatest queue depth. */
    static final int MAX_UNDER_WAY = 8;

    /** The format that most software decoders give, and that is made ready before the caps are known. */
    private static final PixelFormat LIKELY_FORMAT = PixelFormat.I420;

    private final ElementHost host;
    private final FilterContext context;
    private final ImportCache imports;
    private final ElementStatistics statistics;
    private final PicturePlans plans;
    private final DegradeControl control = new DegradeControl();
    private final SideInformation sideInformation;
    private final boolean onDevice;
    private final boolean requireZeroCopy;
    private final VideoInfo info = new VideoInfo();

    /**
     * The pictures under way and the places for more; a place is made when it is first needed. A picture takes the first free place,
     * so that a stream with one picture at a time always uses the first place and its buffers.
     */
    private final Passage[] passages = new Passage[MAX_UNDER_WAY];

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

    /** True once the user was warned of a buffer that holds no picture. */
    private boolean warnedRefused;

    /** Causes of unusable side information that the user was warned of. */
    private final Set<String> warnedParams = new HashSet<>();

    /** The step of the last picture. */
    private int lastStep;

    /** The last ticket that was given to a picture. */
    private long lastTicket;

    /** Column height of input pictures, as {@link DmabufFrame#locate} takes it. */
    private int inColumns = DmabufFrame.WHOLE_ROWS;

    /** Column height of output pictures. */
    private int outColumns = DmabufFrame.WHOLE_ROWS;

    PictureStream(
            ElementHost host,
            FilterContext context,
            ImportCache imports,
            ElementStatistics statistics,
            ElementSettings settings,
            boolean requireZeroCopy) {
        this.host = host;
        this.context = context;
        this.imports = imports;
        this.statistics = statistics;
        this.requireZeroCopy = requireZeroCopy;
        onDevice = context.substrate() == Substrate.QPU;
        plans = new PicturePlans(settings, onDevice);
        sideInformation = new SideInformation(onDevice);
        expect(LIKELY_FORMAT);
    }

    /**
     * Adopts the caps of the stream. New caps may come at any time.
     *
     * @param caps a GstCaps; no reference to it is kept
     * @param outputDmabufs true if the output was negotiated as dmabufs
     * @param inColumns column height of the input, as {@link DmabufFrame#locate} takes it
     * @param outColumns column height of the output
     * @throws ElementException if video with these caps cannot be filtered
     */
    void setCaps(long caps, boolean outputDmabufs, int inColumns, int outColumns) throws ElementException {
        info.set(caps);
        this.inColumns = inColumns;
        this.outColumns = outColumns;
        warnedRefused = false;
        warnedParams.clear();
        plans.setCaps(
                info.isInterleaved(),
                outputDmabufs,
                inColumns != DmabufFrame.WHOLE_ROWS || outColumns != DmabufFrame.WHOLE_ROWS);
        expect(info.format());
        control.restart();
        synchronized (imports.contextLock) {
            imports.retry();
            if (plans.filters()) {
                filter(PictureLayout.packed(info.format(), info.width(), info.height(), 1));
            }
        }
    }

    /** Lets the substrate make ready what pictures of this format will need. */
    private void expect(PixelFormat format) {
        plans.update();
        if (plans.filters()) {
            context.expect(format, plans.plan(0));
        }
    }

    /** The filter for pictures with this layout's format and size; replaces the filter if they have changed. */
    @GuardedBy("imports.contextLock")
    private PictureFilter filter(PictureLayout layout) {
        if (filter == null
                || layout.format() != filteredLayout.format()
                || layout.width() != filteredLayout.width()
                || layout.height() != filteredLayout.height()) {
            closeFilter();
            filter = context.newPictureFilter(layout.format(), layout.width(), layout.height());
            filteredLayout = layout;
            if (host.logs(LogLevel.DEBUG)) {
                host.log(
                        LogLevel.DEBUG,
                        "made a filter for " + layout.format() + " " + layout.width() + "x" + layout.height());
            }
        }
        return filter;
    }

    /** Awaits the pictures under way, so that their outputs hold the results, and closes the filter even if one of them failed. */
    @GuardedBy("imports.contextLock")
    private void closeFilter() {
        if (filter == null) {
            return;
        }
        RuntimeException failure = null;
        for (Passage passage : passages) {
            try {
                if (passage != null) {
                    passage.await();
                }
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        lastEstimate = estimated();
        PictureFilter closing = filter;
        filter = null;
        closing.close();
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Begins to filter the picture of one GstBuffer into another GstBuffer. Pictures are filtered in the order in which they begin.
     * Nothing is allocated in the steady state.
     *
     * @param runningTime of the picture in nanoseconds, by which QoS events name it; {@link DegradeControl#NO_TIME} if they do not
     * @param ticketAt address of a gint64, to which the picture's ticket is written as soon as the device works on the picture. Once
     *     a ticket is written, the caller keeps both buffers until {@link #finish} with this ticket, even if this method throws
     * @return {@link LoopFilterElement#FILTERED} if the picture is done; {@link LoopFilterElement#PENDING} or {@link
     *     LoopFilterElement#HANDED_OVER} if it is under way; or a GstFlowReturn
     * @throws ElementException if the output buffer does not fit the picture, or the picture cannot be filtered as the properties ask
     */
    int begin(long inBuffer, long outBuffer, long runningTime, long ticketAt) throws ElementException {
        Passage passage = freePassage();
        long entered = statistics.allocations().enter();
        try {
            return beginPicture(passage, inBuffer, outBuffer, runningTime, ticketAt);
        } finally {
            sideInformation.release();
            if (passage.ticket() == 0) {
                passage.release();
            }
            statistics.allocations().leave(entered);
        }
    }

    private Passage freePassage() {
        for (int place = 0; place < MAX_UNDER_WAY; place++) {
            if (passages[place] == null || passages[place].isKeptForEver()) {
                passages[place] = new Passage(imports);
            }
            if (passages[place].ticket() == 0) {
                return passages[place];
            }
        }
        throw new IllegalStateException(MAX_UNDER_WAY + " pictures are under way");
    }

    private Passage passage(long ticket) {
        for (Passage passage : passages) {
            if (passage != null && ticket != 0 && passage.ticket() == ticket) {
                return passage;
            }
        }
        throw new IllegalArgumentException("no picture with the ticket " + ticket + " is under way");
    }

    private int beginPicture(Passage passage, long inBuffer, long outBuffer, long runningTime, long ticketAt)
            throws ElementException {
        FrameSide input = passage.input();
        FrameSide output = passage.output();
        plans.update();
        boolean unmapped = onDevice && plans.filters();
        if (!input.hold(info, inBuffer, unmapped, inColumns)) {
            return refuse(input);
        }
        if (!output.hold(info, outBuffer, unmapped, outColumns)) {
            throw new ElementException(
                    ErrorCode.STREAM_FORMAT,
                    "The buffer for the filtered picture does not fit: " + output.problem()
                            + "; the element after qpuloopfilter provided it: try without that element");
        }
        PictureLayout layout = input.layout();
        checkSize(layout, output.layout());
        if (input.mergedBytes() > 0) {
            statistics.countMerged(input.mergedBytes());
        }
        boolean decoded = plans.filters() && readSideInformation(inBuffer, layout);
        PicturePlan plan = decoded ? decodedPlan() : plans.plan(step(runningTime));
        synchronized (imports.contextLock) {
            PictureFilter working = filter(layout);
            place(input, "filter's input");
            place(output, "filter's output");
            if (!decoded) {
                automatic = plans.isAutomatic();
            }
            long number = working.begin(input, output, plan);
            if (number == PictureFilter.DONE) {
                statistics.countFrame();
                return LoopFilterElement.FILTERED;
            }
            lastTicket++;
            passage.begun(lastTicket, working, number);
            GstQpuLibrary.gst_qpu_set_ticket(ticketAt, lastTicket);
            return working.isHandedOver(number) ? LoopFilterElement.HANDED_OVER : LoopFilterElement.PENDING;
        }
    }

    private PicturePlan decodedPlan() {
        control.nextIsExact();
        return plans.decoded(sideInformation.parameters());
    }

    /** The step of the next picture. If it is another one than that of the picture before, tells the application and the log. */
    private int step(long runningTime) {
        List<DegradeStep> steps = plans.steps();
        int step = control.next(runningTime, steps.size());
        Degradation lost = steps.get(step).lost();
        statistics.countStep(lost);
        if (step != lastStep) {
            lastStep = step;
            host.degraded(control.lateNanos(), step, steps.size() - 1, statistics.frames());
            if (host.logs(LogLevel.INFO)) {
                String running = RunningFilters.of(steps.get(step).settings()).names();
                host.log(
                        LogLevel.INFO,
                        step == 0
                                ? "pictures are filtered in full again: " + running
                                : "pictures are filtered less, so that they come in time: step " + step + " of "
                                        + (steps.size() - 1) + ", " + running);
            }
        }
        return step;
    }

    /** What is given up so that pictures come in time; any thread. */
    DegradeControl control() {
        return control;
    }

    private static void checkSize(PictureLayout in, PictureLayout out) throws ElementException {
        if (in.width() != out.width() || in.height() != out.height()) {
            throw new ElementException(
                    ErrorCode.STREAM_FORMAT,
                    "The buffer for the filtered picture is for " + out.width() + "x" + out.height()
                            + ", the picture has " + in.width() + "x" + in.height()
                            + "; the element after qpuloopfilter provided it: try without that element");
        }
    }

    /** True if the buffer has side information, which then replaces the settings for its picture. */
    private boolean readSideInformation(long buffer, PictureLayout layout) {
        SideInformation.Finding finding =
                sideInformation.read(buffer, plans.settings(), layout.format(), layout.width(), layout.height());
        switch (finding) {
            case NONE -> {
                return false;
            }
            case TAKEN -> statistics.countFrameWithParams();
            case UNFIT -> {
                statistics.countBadParams();
                warnOfParams();
            }
        }
        return true;
    }

    private void warnOfParams() {
        String line =
                "The side information of a frame (qpu-filter-params) cannot be used, and the frame passes unfiltered: "
                        + sideInformation.problem();
        if (warnedParams.add(sideInformation.cause())) {
            host.warning(ErrorCode.STREAM_FORMAT, line + "; correct the element or application that attaches it");
        } else if (host.logs(LogLevel.DEBUG)) {
            host.log(LogLevel.DEBUG, line);
        }
    }

    /**
     * Finishes a picture under way: the output then holds the result, and the picture's buffers are no longer used. Pictures may be
     * finished in any order.
     *
     * @param ticket of the picture
     * @param wait true to wait until the picture is done
     * @return {@link LoopFilterElement#FILTERED}; or {@link LoopFilterElement#PENDING} if {@code wait} is false and the picture is
     *     still under way
     * @throws IllegalArgumentException if no picture under way has this ticket
     */
    int finish(long ticket, boolean wait) {
        Passage passage = passage(ticket);
        long entered = statistics.allocations().enter();
        boolean finished = true;
        try {
            synchronized (imports.contextLock) {
                // Ask first: await() of a picture that is done would count as a wait of the CPU.
                if (!passage.isDone() && !wait) {
                    finished = false;
                    return LoopFilterElement.PENDING;
                }
                passage.await();
            }
            statistics.countFrame();
            return LoopFilterElement.FILTERED;
        } finally {
            if (finished) {
                passage.release();
            }
            statistics.allocations().leave(entered);
        }
    }

    /**
     * Finds the memory in which the device uses a picture, and reports a copy.
     *
     * @throws ElementException if the picture has to be copied and {@code require-zero-copy} is set
     */
    private void place(FrameSide side, String which) throws ElementException {
        side.place();
        if (requireZeroCopy) {
            Optional<String> obstacle = Optional.empty();
            if (side.mergedBytes() > 0) {
                obstacle = Optional.of("GStreamer merged its several memories into one");
            } else if (onDevice && plans.filters()) {
                obstacle = side.copyReason();
            }
            if (obstacle.isPresent()) {
                throw new ElementException(
                        ErrorCode.RESOURCE_FAILED,
                        "require-zero-copy is set and the " + which + " would be copied: " + obstacle.get()
                                + "; set require-zero-copy=false to allow the copy");
            }
        }
        side.copies();
    }

    private int refuse(FrameSide input) {
        statistics.countDropped();
        String line = "A buffer does not hold a picture and is dropped: " + input.problem();
        if (warnedRefused) {
            host.log(LogLevel.WARNING, line);
        } else {
            warnedRefused = true;
            host.warning(ErrorCode.STREAM_FORMAT, line + "; look at the element before qpuloopfilter");
        }
        return LoopFilterElement.FLOW_DROPPED;
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

    @GuardedBy("imports.contextLock")
    private Optional<StrengthEstimate> estimated() {
        return automatic ? filter.estimate() : Optional.empty();
    }

    /** Closes the filter. Called after the streaming thread has ended. */
    void stop() {
        synchronized (imports.contextLock) {
            closeFilter();
        }
    }

    /** Releases everything; a second call does nothing. */
    @Override
    public void close() {
        // Each part is closed even if closing the part before it failed.
        try (info;
                sideInformation) {
            stop();
            for (Passage passage : passages) {
                if (passage != null) {
                    passage.close();
                }
            }
        }
    }
}

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
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
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
    private final ServingSubstrate serving;
    private final ImportCache imports;
    private final ElementStatistics statistics;
    private final PicturePlans plans;
    private final DegradeControl control = new DegradeControl();
    private final SideInformation sideInformation;
    /** True if a device was opened. Its plans are also the CPU's where that takes its place: they give the same bytes. */
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

    /** The format for which {@link #expectLess} was done; null if it was for none. */
    private PixelFormat lessExpectedFor;

    /** How long the last picture took to begin, which on the CPU is all of it, in nanoseconds. */
    private long lastNanos;

    /** The last ticket that was given to a picture. */
    private long lastTicket;

    /** Column height of input pictures, as {@link DmabufFrame#locate} takes it. */
    private int inColumns = DmabufFrame.WHOLE_ROWS;

    /** Column height of output pictures. */
    private int outColumns = DmabufFrame.WHOLE_ROWS;

    PictureStream(
            ElementHost host,
            ServingSubstrate serving,
            ImportCache imports,
            ElementStatistics statistics,
            ElementSettings settings,
            boolean requireZeroCopy) {
        this.host = host;
        this.serving = serving;
        this.imports = imports;
        this.statistics = statistics;
        this.requireZeroCopy = requireZeroCopy;
        onDevice = serving.onDevice();
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
        }
        if (plans.filters()) {
            makeFilter(PictureLayout.packed(info.format(), info.width(), info.height(), 1));
        }
    }

    private void makeFilter(PictureLayout layout) throws ElementException {
        try {
            synchronized (imports.contextLock) {
                filter(layout);
            }
        } catch (DeviceException e) {
            takeOver(e);
            synchronized (imports.contextLock) {
                filter(layout);
            }
        }
    }

    /** Lets the substrate make ready what pictures of this format will need. */
    private void expect(PixelFormat format) {
        plans.update();
        if (plans.filters()) {
            serving.current().expect(format, plans.plan(0));
        }
    }

    /** Lets the substrate make ready what pictures need that are filtered less. Once a format, because it allocates. */
    private void expectLess() {
        if (lessExpectedFor != info.format()) {
            lessExpectedFor = info.format();
            for (int step = 1; step < plans.steps().size(); step++) {
                serving.current().expect(info.format(), plans.plan(step));
            }
        }
    }

    /** The filter for pictures with this layout's format and size; replaces the filter if they have changed. */
    @GuardedBy("imports.contextLock")
    private PictureFilter filter(PictureLayout layout) {
        if (filter == null
                || layout.format() != filteredLayout.format()
                || layout.width() != filteredLayout.width()
                || layout.height() != filteredLayout.height()) {
            // If one fails, this filter stays until the CPU has taken over.
            awaitAll();
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

    /** Awaits the pictures under way, up to the first that fails. */
    @GuardedBy("imports.contextLock")
    private void awaitAll() {
        for (Passage passage : passages) {
            if (passage != null) {
                passage.await();
            }
        }
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
                passage.giveUp();
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
        long began = System.nanoTime();
        try {
            return beginPicture(passage, inBuffer, outBuffer, runningTime, ticketAt);
        } finally {
            sideInformation.release();
            if (passage.ticket() == 0) {
                passage.release();
            }
            lastNanos = System.nanoTime() - began;
            statistics.allocations().leave(entered);
        }
    }

    private Passage freePassage() {
        for (int place = 0; place < MAX_UNDER_WAY; place++) {
            if (passages[place] != null && passages[place].ticket() != 0) {
                continue;
            }
            if (passages[place] == null || passages[place].isKeptForEver()) {
                passages[place] = new Passage(imports);
            }
            return passages[place];
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
        if (serving.isBack()) {
            returnToDevice();
        }
        boolean held;
        try {
            held = hold(passage, inBuffer, outBuffer);
        } catch (DeviceException e) {
            takeOver(e);
            passage.letGo();
            held = hold(passage, inBuffer, outBuffer);
        }
        if (!held) {
            return drop(
                    "A buffer does not hold a picture and is dropped: " + input.problem(),
                    "; look at the element before qpuloopfilter");
        }
        PictureLayout layout = input.layout();
        checkSize(layout, output.layout());
        if (input.mergedBytes() > 0) {
            statistics.countMerged(input.mergedBytes());
        }
        boolean decoded = plans.filters() && readSideInformation(inBuffer, layout);
        PicturePlan plan = decoded ? decodedPlan() : plans.plan(step(runningTime));
        if (!decoded) {
            synchronized (imports.contextLock) {
                automatic = plans.isAutomatic();
            }
        }
        passage.planned(plan, decoded, plans.settings());
        try {
            return start(passage, plan, ticketAt);
        } catch (DeviceException e) {
            takeOver(e);
            redo(passage);
            statistics.countFrame();
            return LoopFilterElement.FILTERED;
        } catch (InternalError | IllegalStateException e) {
            // A device may have begun before Java told.
            boolean begun = passage.ticket() != 0 || (serving.onDevice() && ShortenedMemory.causesLate(e));
            if (begun || !ShortenedMemory.causes(e)) {
                throw e;
            }
            return drop("A picture is dropped: " + ShortenedMemory.PROBLEM, "");
        }
    }

    /** Holds both buffers of a picture. False if the input does not hold a picture of the stream. */
    private boolean hold(Passage passage, long inBuffer, long outBuffer) throws ElementException {
        boolean unmapped = serving.onDevice() && plans.filters();
        passage.take(inBuffer, outBuffer);
        if (!passage.input().hold(info, inBuffer, unmapped, inColumns)) {
            return false;
        }
        if (!passage.output().hold(info, outBuffer, unmapped, outColumns)) {
            throw new ElementException(
                    ErrorCode.STREAM_FORMAT,
                    "The buffer for the filtered picture does not fit: "
                            + passage.output().problem()
                            + "; the element after qpuloopfilter provided it: try without that element");
        }
        return true;
    }

    /** Begins a picture whose buffers are held. */
    private int start(Passage passage, PicturePlan plan, long ticketAt) throws ElementException {
        synchronized (imports.contextLock) {
            PictureFilter working = filter(passage.input().layout());
            place(passage.input(), "filter's input");
            place(passage.output(), "filter's output");
            long number = working.begin(passage.input(), passage.output(), plan);
            if (number == PictureFilter.DONE) {
                if (control.isAwaitingKernels()) {
                    serving.current().rehearse(passage.input(), plans.plan(0));
                }
                statistics.countFrame();
                return LoopFilterElement.FILTERED;
            }
            lastTicket++;
            passage.begun(lastTicket, working, number);
            GstQpuLibrary.gst_qpu_set_ticket(ticketAt, lastTicket);
            return passage.isHandedOver() ? LoopFilterElement.HANDED_OVER : LoopFilterElement.PENDING;
        }
    }

    /**
     * Puts the CPU in the place of a device that has failed, and does the pictures under way again, in their order. A picture that the
     * device seems to have finished is done again, too: what a lost device says of its work means nothing. If this method throws, the
     * pictures that were not done again have no result, and the failure is told: {@link #finish} fails for them without a word.
     *
     * @throws DeviceException {@code failure}, if the device was asked for by name, or if the CPU cannot take its place
     * @throws ElementException if a picture cannot be done again
     */
    private void takeOver(DeviceException failure) throws ElementException {
        if (!serving.takesOver() || !serving.onDevice()) {
            giveUpAll();
            throw failure;
        }
        if (inColumns != DmabufFrame.WHOLE_ROWS || outColumns != DmabufFrame.WHOLE_ROWS) {
            giveUpAll();
            throw new DeviceException(
                    failure.getMessage()
                            + "; the CPU cannot filter in its place, because the pictures are in columns (SAND128)",
                    failure);
        }
        int again = 0;
        int passedOn = 0;
        boolean hung = false;
        synchronized (imports.contextLock) {
            for (int place = 0; place < MAX_UNDER_WAY; place++) {
                Passage passage = passages[place];
                if (passage == null || !passage.isUnderWay()) {
                    continue;
                }
                settle(passage);
                if (passage.isHandedOver()) {
                    passedOn++;
                    passage.giveUp();
                    hung |= passage.isKeptForEver();
                    continue;
                }
                again++;
                if (passage.leave()) {
                    hung = true;
                    passages[place] = anew(passage);
                }
            }
            dropFilter();
        }
        imports.forget();
        ServingSubstrate.Loss loss;
        synchronized (imports.contextLock) {
            loss = giveUp(failure, hung);
        }
        tell(loss, again, passedOn);
        expect(info.format());
        redoAll();
    }

    /** Gives up all pictures under way: the filter that works on them has failed. */
    private void giveUpAll() {
        synchronized (imports.contextLock) {
            for (Passage passage : passages) {
                if (passage != null && passage.isUnderWay()) {
                    settle(passage);
                    passage.giveUp();
                }
            }
        }
    }

    private ServingSubstrate.Loss giveUp(DeviceException failure, boolean hung) {
        try {
            return serving.giveUp(failure, hung || failure.failure() == DeviceFailure.TIMED_OUT);
        } catch (SubstrateUnavailableException e) {
            failure.addSuppressed(e);
            throw failure;
        }
    }

    /** Waits for a picture whose result does not count. */
    @GuardedBy("imports.contextLock")
    private void settle(Passage passage) {
        try {
            if (!passage.isDone()) {
                passage.settle();
            }
        } catch (DeviceException e) {
            host.log(LogLevel.DEBUG, "a picture failed with the device: " + e.getMessage());
        }
    }

    /** Closes the filter of a device that has failed. */
    @GuardedBy("imports.contextLock")
    private void dropFilter() {
        if (filter == null) {
            return;
        }
        PictureFilter closing = filter;
        filter = null;
        try {
            closing.close();
        } catch (DeviceException e) {
            host.log(LogLevel.DEBUG, "the device's filter could not be closed: " + e.getMessage());
        }
    }

    /**
     * A passage for the picture of another one, whose buffers a device that hangs may use until the process ends. The other one if there
     * is no memory for the result: that picture cannot be done again.
     */
    private Passage anew(Passage left) {
        if (GstQpuLibrary.gst_qpu_leave_memory(left.outBuffer()) == 0) {
            left.output().keepForEver();
            return left;
        }
        Passage passage = new Passage(imports);
        passage.takePlaceOf(left);
        return passage;
    }

    /** Does all pictures again that a device has left, in their order. */
    private void redoAll() throws ElementException {
        for (Passage next = firstLeft(); next != null; next = firstLeft()) {
            redo(next);
        }
        sideInformation.release();
    }

    /** The first picture that a device has left; null if there is none. */
    private Passage firstLeft() {
        Passage first = null;
        for (Passage passage : passages) {
            if (passage != null && passage.isToBeDoneAgain() && (first == null || passage.ticket() < first.ticket())) {
                first = passage;
            }
        }
        return first;
    }

    /** Filters a picture on the CPU that a device has begun. */
    private void redo(Passage passage) throws ElementException {
        if (passage.isKeptForEver()) {
            throw new ElementException(
                    ErrorCode.RESOURCE_FAILED,
                    "The device hangs, and there is no memory for another result; close other programs");
        }
        long inBuffer = passage.inBuffer();
        long outBuffer = passage.outBuffer();
        passage.letGo();
        if (!hold(passage, inBuffer, outBuffer)) {
            throw new ElementException(
                    ErrorCode.RESOURCE_FAILED,
                    "A picture of a device that failed cannot be filtered by the CPU: "
                            + passage.input().problem());
        }
        PictureLayout layout = passage.input().layout();
        PicturePlan plan = passage.plan();
        if (passage.decoded()) {
            // The parameters that the plan refers to may be another picture's by now.
            sideInformation.release();
            sideInformation.read(inBuffer, passage.settings(), layout.format(), layout.width(), layout.height());
            plan = plans.decodedAgain(sideInformation.parameters(), passage.settings());
        }
        synchronized (imports.contextLock) {
            PictureFilter working = filter(layout);
            passage.input().place();
            passage.output().place();
            working.finish(working.begin(passage.input(), passage.output(), plan));
        }
        passage.doneAgain();
        statistics.countRedone();
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

    /** Lets the device filter again that had failed and is open again. */
    private void returnToDevice() {
        synchronized (imports.contextLock) {
            closeFilter();
        }
        imports.forget();
        synchronized (imports.contextLock) {
            serving.adopt();
        }
    }

    private PicturePlan decodedPlan() {
        control.nextIsExact();
        return plans.decoded(sideInformation.parameters());
    }

    /** The step of the next picture. If it is another one than that of the picture before, tells the application and the log. */
    private int step(long runningTime) {
        List<DegradeStep> steps = plans.steps();
        int step = control.next(runningTime, steps.size(), serving.current().isWarmingUp(), lastNanos);
        Degradation lost = steps.get(step).lost();
        statistics.countStep(lost);
        if (step != lastStep) {
            lastStep = step;
            expectLess();
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

    /**
     * Adopts what is known of the stream's timing; any thread.
     *
     * @param keepsTime whether downstream shows pictures at their time, and says how late they come
     */
    void setTiming(boolean live, boolean keepsTime) {
        plans.setPrompt(live || keepsTime);
        control.setKeepsTime(keepsTime);
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
     * @return {@link LoopFilterElement#FILTERED}; {@link LoopFilterElement#PENDING} if {@code wait} is false and the picture is still
     *     under way; or {@link LoopFilterElement#FLOW_ERROR} if the picture was lost with another one, for which this class has thrown
     * @throws IllegalArgumentException if no picture under way has this ticket
     * @throws DeviceException if the device failed, and the CPU does not take its place
     * @throws ElementException if the device failed, and the CPU cannot filter the picture either
     */
    int finish(long ticket, boolean wait) throws ElementException {
        Passage passage = passage(ticket);
        long entered = statistics.allocations().enter();
        int result = LoopFilterElement.FLOW_ERROR;
        try {
            result = end(passage, wait);
            if (result == LoopFilterElement.FILTERED) {
                statistics.countFrame();
            }
            return result;
        } finally {
            if (result != LoopFilterElement.PENDING) {
                // Another passage, if the device hangs.
                release(passage(ticket));
            }
            statistics.allocations().leave(entered);
        }
    }

    private void release(Passage passage) {
        synchronized (imports.contextLock) {
            passage.giveUp();
        }
        passage.release();
    }

    /** Ends a picture, on the CPU if the device fails; returns what {@link #finish} does. */
    private int end(Passage passage, boolean wait) throws ElementException {
        long ticket = passage.ticket();
        boolean back = false;
        try {
            synchronized (imports.contextLock) {
                // Ask first: await() of a picture that is done would count as a wait of the CPU.
                if (!passage.isDone() && !wait) {
                    return LoopFilterElement.PENDING;
                }
                if (passage.isUnderWay()) {
                    passage.await();
                    back = serving.finished();
                }
            }
        } catch (DeviceException e) {
            takeOver(e);
        }
        if (back) {
            String line = "The device that had failed filters again: "
                    + serving.current().deviceName();
            host.log(LogLevel.INFO, line);
            host.info(ErrorCode.RESOURCE_FAILED, line);
        }
        return passage(ticket).hasResult() ? LoopFilterElement.FILTERED : LoopFilterElement.FLOW_ERROR;
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
            } else if (serving.onDevice() && plans.filters()) {
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

    private int drop(String line, String cure) {
        statistics.countDropped();
        if (warnedRefused) {
            host.log(LogLevel.WARNING, line);
        } else {
            warnedRefused = true;
            host.warning(ErrorCode.STREAM_FORMAT, line + cure);
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

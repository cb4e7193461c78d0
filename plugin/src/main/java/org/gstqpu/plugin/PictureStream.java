/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Optional;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.plugin.ElementHost.ErrorCode;
import org.gstqpu.plugin.ElementHost.LogLevel;

/**
 * Filters the pictures of a stream, from input buffers to output buffers: owns the {@link FrameRuns} and what is known of the stream.
 * Belongs to the streaming thread; methods that any thread may call say so.
 */
final class PictureStream implements AutoCloseable {
    /** The format that most software decoders give, and that is made ready before the caps are known. */
    private static final PixelFormat LIKELY_FORMAT = PixelFormat.I420;

    private static final int UNDECIDED = -1;

    private final ElementHost host;
    private final ServingSubstrate serving;
    private final ImportCache imports;
    private final ElementStatistics statistics;
    private final PicturePlans plans;
    private final FrameRuns runs;
    private final Takeover takeover;
    private final Degrading degrading;
    private final ElementSettings settings;
    private final AutomaticTemporal automaticTemporal;
    private final SideInformationReport sideInformation;
    private final boolean requireZeroCopy;
    private final VideoInfo info = new VideoInfo();

    /** True once the user was warned of a buffer that holds no picture. */
    private boolean warnedRefused;

    /** Column height of input pictures, as {@link DmabufFrame#locate} takes it. */
    private int inColumns = DmabufFrame.WHOLE_ROWS;

    /** Column height of output pictures. */
    private int outColumns = DmabufFrame.WHOLE_ROWS;

    /** The step of the picture that begins next, as {@link #passes} has decided; {@link #UNDECIDED} if it was not asked. */
    private int decidedStep = UNDECIDED;

    /** True if what temporal fusion takes of these pictures is to be asked for. */
    private boolean asksFusionTimes;

    /** True if the next picture does not continue the one that was filtered last; any thread. */
    private volatile boolean cut;

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
        // Plans for a device are also the CPU's where that takes its place: they give the same bytes.
        plans = new PicturePlans(settings, serving.onDevice());
        runs = new FrameRuns(host, serving, imports);
        takeover = new Takeover(host, serving, imports, statistics, runs);
        this.settings = settings;
        automaticTemporal = new AutomaticTemporal(settings);
        degrading = new Degrading(host, serving, statistics, plans);
        sideInformation = new SideInformationReport(host, statistics);
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
        sideInformation.restart();
        plans.setCaps(info.isInterleaved(), outputDmabufs, isInColumns());
        expect(info.format());
        degrading.control().restart();
        cut = true;
        synchronized (imports.contextLock) {
            imports.retry();
        }
        asksFusionTimes = true;
        askFusionTimes();
        if (plans.filters()) {
            makeFilter(PictureLayout.packed(info.format(), info.width(), info.height(), 1));
        }
    }

    private boolean isInColumns() {
        return inColumns != DmabufFrame.WHOLE_ROWS || outColumns != DmabufFrame.WHOLE_ROWS;
    }

    /** Asks what temporal fusion takes, once for these pictures, if the element chooses by that. */
    private void askFusionTimes() throws ElementException {
        if (!asksFusionTimes || !settings.current().choosesTemporal()) {
            return;
        }
        asksFusionTimes = false;
        Optional<FusionTimes> times;
        try {
            synchronized (imports.contextLock) {
                times = serving.fusionTimes(info.format(), info.width(), info.height());
            }
        } catch (DeviceException e) {
            takeOver(e);
            times = Optional.empty();
        }
        automaticTemporal.setPictures(times, info.frameNanos());
        plans.update();
    }

    private void makeFilter(PictureLayout layout) throws ElementException {
        try {
            runs.filter(layout);
        } catch (DeviceException e) {
            takeOver(e);
            runs.filter(layout);
        }
    }

    /** Lets the substrate make ready what pictures of this format will need. */
    private void expect(PixelFormat format) {
        plans.update();
        if (plans.filters()) {
            serving.warming().expect(format, plans.plan(0));
        }
    }

    /** Puts the CPU in the place of a device that has failed, and has it filter the pictures under way: see {@link Takeover#toCpu}. */
    private void takeOver(DeviceException failure) throws ElementException {
        takeover.toCpu(failure, isInColumns());
        expect(info.format());
        takeover.redoAll(info);
    }

    /**
     * Begins to filter the picture of one GstBuffer into another GstBuffer. Pictures are filtered in the order in which they begin.
     * Nothing is allocated in the steady state.
     *
     * @param place by which {@link #finish} knows the picture, 0 to {@link ElementProperty#MAX_QUEUE_DEPTH} - 1. The caller keeps both buffers
     *     until {@link #finish} with this place, if this method returns {@link Flow#PENDING} or {@link Flow#HANDED_OVER}, or throws
     * @param runningTime of the picture in nanoseconds, by which QoS events name it; {@link DegradeControl#NO_TIME} if they do not
     * @return {@link Flow#FILTERED} if the picture is done; {@link Flow#PENDING} or {@link Flow#HANDED_OVER} if it is under way; or
     *     another GstFlowReturn
     * @throws ElementException if the output buffer does not fit the picture, or the picture cannot be filtered as the properties ask
     */
    int begin(int place, long inBuffer, long outBuffer, long runningTime) throws ElementException {
        FrameRun run = runs.at(place);
        if (run.hasBegun()) {
            throw new IllegalStateException("a picture is under way at place " + place);
        }
        long entered = statistics.allocations().enter();
        long began = System.nanoTime();
        try {
            return beginPicture(run, inBuffer, outBuffer, runningTime);
        } finally {
            run.sideInformation().release();
            if (!run.hasBegun()) {
                run.unholdBuffers();
            }
            degrading.took(System.nanoTime() - began);
            statistics.allocations().leave(entered);
        }
    }

    /**
     * Decides whether the next picture, which has no side information, goes on as it is, because all filters are given up so that it
     * comes in time. It is counted then, and does not begin. Nothing is allocated in the steady state.
     *
     * @param runningTime as of {@link #begin}
     */
    boolean passes(long runningTime) {
        long entered = statistics.allocations().enter();
        long began = System.nanoTime();
        try {
            plans.update();
            decidedStep = degrading.step(runningTime, info.format());
            // While the kernels warm up, they work on pictures that are copied.
            boolean passes = decidedStep > 0
                    && plans.passes(decidedStep)
                    && !degrading.control().isAwaitingKernels();
            if (passes) {
                decidedStep = UNDECIDED;
                cut = true;
                statistics.countFrame();
                degrading.took(System.nanoTime() - began);
            }
            return passes;
        } finally {
            statistics.allocations().leave(entered);
        }
    }

    private int beginPicture(FrameRun run, long inBuffer, long outBuffer, long runningTime) throws ElementException {
        askFusionTimes();
        plans.update();
        takeover.toDeviceIfBack();
        boolean held;
        try {
            boolean unmapped = serving.onDevice() && plans.filters();
            held = run.hold(info, unmapped, inColumns, outColumns, inBuffer, outBuffer);
        } catch (DeviceException e) {
            takeOver(e);
            held = run.holdMapped(info);
        }
        if (!held) {
            return drop(
                    "A buffer does not hold a picture and is dropped: "
                            + run.input().problem(),
                    "; look at the element before qpuloopfilter");
        }
        checkSize(run.input().layout(), run.output().layout());
        if (run.input().mergedBytes() > 0) {
            statistics.countMerged(run.input().mergedBytes());
        }
        plan(run, runningTime);
        try {
            return start(run);
        } catch (DeviceException e) {
            takeOver(e);
            takeover.redo(run, info);
            statistics.countFrame();
            return Flow.FILTERED;
        } catch (InternalError | IllegalStateException e) {
            // A device may have begun before Java reports the error.
            boolean begun = run.hasBegun() || (serving.onDevice() && ShortenedMemory.causesLate(e));
            if (begun || !ShortenedMemory.causes(e)) {
                throw e;
            }
            return drop("A picture is dropped: " + ShortenedMemory.PROBLEM, "");
        }
    }

    /** Gives a run its plan: from the picture's side information, or else from the settings. */
    private void plan(FrameRun run, long runningTime) {
        int decided = decidedStep;
        decidedStep = UNDECIDED;
        if (plans.filters()
                && sideInformation.read(
                        run.sideInformation(),
                        run.inBuffer(),
                        plans.settings(),
                        run.input().layout())) {
            degrading.control().nextIsExact();
            run.followSideInformation(plans);
        } else {
            int step = decided == UNDECIDED ? degrading.step(runningTime, info.format()) : decided;
            // Settings that have changed since may have fewer steps.
            int taken = Math.min(step, plans.steps().size() - 1);
            run.follow(info.isTwoFields(run.inBuffer()) ? plans.fieldPlan(taken) : plans.plan(taken));
            runs.setAutomatic(plans.isAutomatic());
        }
    }

    /** Begins a picture whose buffers are held, and whose plan is made. */
    private int start(FrameRun run) throws ElementException {
        synchronized (imports.contextLock) {
            PictureFilter working = runs.filter(run.input().layout());
            place(run.input(), "filter's input");
            place(run.output(), "filter's output");
            if (cut || VideoInfo.isDiscontinuous(run.inBuffer())) {
                cut = false;
                working.forgetPast();
            }
            boolean underWay = runs.begin(run, working);
            if (degrading.control().isAwaitingKernels()) {
                serving.warming().rehearse(run.input(), plans.plan(0));
            }
            if (!underWay) {
                statistics.countFrame();
                return Flow.FILTERED;
            }
            return run.isHandedOver() ? Flow.HANDED_OVER : Flow.PENDING;
        }
    }

    /**
     * Adopts what is known of the stream's timing; any thread.
     *
     * @param keepsTime whether downstream shows pictures at their time, and says how late they come
     */
    void setTiming(boolean live, boolean keepsTime) {
        plans.setPrompt(live || keepsTime);
        automaticTemporal.setAwaited(live || keepsTime);
        control().setKeepsTime(keepsTime);
    }

    /** The next picture does not continue the one before, which it is not fused with; any thread. */
    void cut() {
        cut = true;
    }

    /** What is given up so that pictures come in time; any thread. */
    DegradeControl control() {
        return degrading.control();
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

    /**
     * Finishes a picture under way: the output then holds the result, and the picture's buffers are no longer used. Pictures may be
     * finished in any order.
     *
     * @param place of the picture
     * @param wait true to wait until the picture is done
     * @return {@link Flow#FILTERED}; {@link Flow#PENDING} if {@code wait} is false and the picture is still under way; or {@link
     *     Flow#ERROR} if no picture is under way there, or if it was lost with another one, for which this class has thrown
     * @throws DeviceException if the device failed, and the CPU does not take its place
     * @throws ElementException if the device failed, and the CPU cannot filter the picture either
     */
    int finish(int place, boolean wait) throws ElementException {
        FrameRun run = runs.at(place);
        if (!run.hasBegun()) {
            return Flow.ERROR;
        }
        long entered = statistics.allocations().enter();
        int result = Flow.ERROR;
        try {
            result = end(run, wait);
            if (result == Flow.FILTERED) {
                statistics.countFrame();
            }
            return result;
        } finally {
            if (result != Flow.PENDING) {
                runs.recycle(run);
            }
            statistics.allocations().leave(entered);
        }
    }

    /** Ends a picture, on the CPU if the device fails; returns what {@link #finish} does. */
    private int end(FrameRun run, boolean wait) throws ElementException {
        boolean back = false;
        try {
            synchronized (imports.contextLock) {
                // Ask first: await() of a picture that is done would count as a wait of the CPU.
                if (!run.isDone() && !wait) {
                    return Flow.PENDING;
                }
                if (run.isUnderWay()) {
                    run.await();
                    back = serving.onDevice() && serving.finished();
                }
            }
        } catch (DeviceException e) {
            takeOver(e);
        }
        if (back) {
            takeover.tellOfReturn();
        }
        return run.hasResult() ? Flow.FILTERED : Flow.ERROR;
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
        cut = true;
        if (warnedRefused) {
            host.log(LogLevel.WARNING, line);
        } else {
            warnedRefused = true;
            host.warning(ErrorCode.STREAM_FORMAT, line + cure);
        }
        return Flow.DROPPED;
    }

    /** What automatic strength has found: see {@link FrameRuns#estimate}; any thread. */
    Optional<StrengthEstimate> estimate() {
        return runs.estimate();
    }

    /** What temporal fusion has done; any thread. */
    FusionCounts fusion() {
        return runs.fusion();
    }

    /** Closes the filter. Called after the streaming thread has ended. */
    void stop() {
        runs.closeFilter();
    }

    /** Releases everything; a second call does nothing. */
    @Override
    public void close() {
        // Each part is closed even if closing the part before it failed.
        try (info) {
            runs.close();
        }
    }
}

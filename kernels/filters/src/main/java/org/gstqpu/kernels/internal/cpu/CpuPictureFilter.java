/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memCopy;
import static org.lwjgl.system.MemoryUtil.nmemAlignedAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.internal.cpu.work.PictureJob;
import org.gstqpu.kernels.internal.cpu.work.WorkerPool;
import org.gstqpu.kernels.internal.memory.PictureKind;
import org.gstqpu.kernels.internal.picture.FrameFilter;
import org.gstqpu.kernels.internal.picture.LookAhead;
import org.gstqpu.kernels.internal.row.Row;
import org.gstqpu.kernels.internal.stage.CpuPlace;
import org.gstqpu.kernels.internal.stage.CpuStage;
import org.gstqpu.kernels.internal.stage.SampleCopy;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.internal.stage.strength.PackedEstimate;
import org.gstqpu.kernels.internal.stage.strength.StrengthMeter;
import org.gstqpu.kernels.internal.stage.strength.StrengthState;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns the row of filters for pictures of one format and size, and the pictures between them. Only pictures that temporal fusion lets
 * wait for others are in flight when their run has begun. Belongs to its caller's thread, one thread at a time.
 */
public final class CpuPictureFilter implements FrameFilter {
    private static final int SCRATCH_ALIGNMENT_BYTES = 64;

    /** For this time after the first picture, others wait for the JVM's compiler: about as long as they take if they wait in vain. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1200);

    private final WorkerPool pool;
    private final WarmUp warmUp;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureKind kind;
    private final SampleCopy samples;
    private final AtomicLong scratchBytes;

    /** The filters, in the order in which they run. */
    private final CpuStage[] stages;

    /** Layout of the pictures between stages. */
    private final PictureLayout betweenLayout;

    /** The pictures between stages, which take turns. Null before the first picture that needs them. */
    private final CpuPlace[] between = new CpuPlace[2];

    /** Runs a job on as many workers as it is to have. Made once: a picture allocates nothing. */
    private final CpuStage.Workers workers = this::run;

    private final LookAhead lookAhead = new LookAhead();
    private int sequence;

    /** Measures pictures for automatic strength. Null before the first picture with automatic strength. */
    private StrengthMeter meter;

    private final StrengthState strength = new StrengthState();

    /** Strength that the stages are configured for. Null if it was decoded with its picture, or was refused. */
    private PictureStrength configured;

    /** True if {@link #configured} is automatic and deblocks on the grid that was found in the pictures. */
    private boolean followsGrid;

    /** Tier of the last picture with automatic strength. */
    private int tier;

    /** True if {@link #strength} has seen a picture. */
    private boolean estimates;

    /** Where the macroblock grid begins in the picture, column | row &lt;&lt; 3. */
    private int offset;

    /** True once a filter has changed a picture. */
    private boolean begun;

    /** Until when pictures wait, by {@link System#nanoTime}; set by the first one. */
    private long waitEnd;

    private boolean closed;

    CpuPictureFilter(
            WorkerPool pool, WarmUp warmUp, AtomicLong scratchBytes, PixelFormat format, int width, int height) {
        this.pool = pool;
        this.warmUp = warmUp;
        VectorUse vectors = warmUp.vectors();
        this.scratchBytes = scratchBytes;
        this.format = format;
        this.width = width;
        this.height = height;
        kind = new PictureKind("filter", format, width, height);
        samples = new SampleCopy(format);
        int threads = pool.threads();
        stages = Row.FILTERS.stream()
                .map(filter -> filter.onCpu(format, width, height, threads, vectors, scratchBytes))
                .toArray(CpuStage[]::new);
        betweenLayout = PictureLayout.packed(format, width, height, SCRATCH_ALIGNMENT_BYTES);
    }

    @Override
    public PictureRun newRun() {
        return new Run();
    }

    private boolean begin(Run run, Picture from, Picture to, PicturePlan plan) {
        check(run, from, to);
        PictureStrength wanted = plan.strength();
        if (lookAhead.set(wanted.ahead())) {
            forgetPast();
        }
        if (wanted instanceof PictureStrength.Automatic automatic) {
            follow(run.source, automatic);
        } else if (wanted instanceof PictureStrength.Fixed fixed) {
            if (!fixed.equals(configured)) {
                // If the parameters are refused with an exception, nothing that the next plan relies on has changed.
                configured = null;
                apply(fixed.parameters());
                configured = fixed;
            }
            offset = PackedEstimate.packOffset(fixed.gridColumn(), fixed.gridRow());
        } else if (wanted instanceof PictureStrength.Decoded decoded) {
            configured = null;
            offset = 0;
            decoded.parameters().checkFor(format, width, height);
            for (CpuStage stage : stages) {
                stage.configure(decoded.parameters());
            }
        }
        boolean changes = changing(stages.length) >= 0;
        if (changes) {
            giveWay(plan.prompt());
        }
        try {
            run(run, wanted.filters());
        } finally {
            if (changes && !begun) {
                begun = true;
                waitEnd = System.nanoTime() + WAIT_NANOS;
                warmUp.start();
            }
        }
        run.keptColumns = format.cut(plan.keptLeft(), width);
        if (lookAhead.waits()) {
            run.waits(offset);
            lookAhead.add(run, sequence);
        } else {
            run.keep();
        }
        return run.waits;
    }

    /** Does what is left to do with a picture that has waited for those after it. */
    private void complete(Run run) {
        // Fusion is the last filter, and the only one that lets pictures wait.
        CpuStage fusion = stages[stages.length - 1];
        fusion.setSequence(run.of);
        try {
            fusion.complete(workers, run.source, run.destination, run.offset);
        } finally {
            fusion.setSequence(sequence);
        }
        run.keep();
    }

    /**
     * Shares the processors with the JVM's compiler: the first picture goes before it, and those that follow soon wait for it, if
     * nobody awaits them. In that time it compiles what then saves more.
     */
    private void giveWay(boolean prompt) {
        if (!begun) {
            warmUp.pause();
        } else if (!prompt && warmUp.isOnTrial()) {
            warmUp.awaitTrials(waitEnd - System.nanoTime());
        }
    }

    @Override
    public void setSequence(int sequence) {
        this.sequence = sequence;
        for (CpuStage stage : stages) {
            stage.setSequence(sequence);
        }
    }

    @Override
    public void forgetPast() {
        lookAhead.completeAll();
        for (CpuStage stage : stages) {
            stage.forgetPast();
        }
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return estimates
                ? Optional.of(PackedEstimate.unpack(strength.estimate(), strength.foundOffset()))
                : Optional.empty();
    }

    @Override
    public FusionCounts fusion() {
        FusionCounts counts = FusionCounts.NONE;
        for (CpuStage stage : stages) {
            counts = counts.plus(stage.fusion());
        }
        return counts;
    }

    private void apply(FilterParameters wanted) {
        for (CpuStage stage : stages) {
            stage.configure(wanted);
        }
    }

    /** The last stage before this one that changes pictures; less than 0 if there is none. */
    private int changing(int end) {
        int stage = end - 1;
        while (stage >= 0 && !stages[stage].changesPictures()) {
            stage--;
        }
        return stage;
    }

    /** A whole number of alignments, as C's aligned_alloc asks. */
    private long betweenBytes() {
        return (betweenLayout.sizeBytes() + SCRATCH_ALIGNMENT_BYTES - 1) & -SCRATCH_ALIGNMENT_BYTES;
    }

    private CpuPlace between(int index) {
        if (between[index] == null) {
            between[index] =
                    new CpuPlace().set(nmemAlignedAllocChecked(SCRATCH_ALIGNMENT_BYTES, betweenBytes()), betweenLayout);
            scratchBytes.addAndGet(betweenBytes());
        }
        return between[index];
    }

    @Override
    public void checkUsable() {
        if (closed) {
            throw new IllegalStateException("the picture filter is closed");
        }
    }

    private void check(Run run, Picture from, Picture to) {
        checkUsable();
        CpuPlace source = run.source;
        CpuPlace destination = run.destination;
        source.set(kind.address("source", from.memory(), from.layout()), from.layout());
        destination.set(kind.address("destination", to.memory(), to.layout()), to.layout());
        PictureKind.checkApart(source.address(), source.layout(), destination.address(), destination.layout());
    }

    /** Runs a pass on as many workers as it is to have. */
    private void run(PictureJob pass) {
        pool.run(pass, begun ? warmUp.workers(pool.threads()) : pool.threads());
    }

    /**
     * Runs the filters, or copies the picture.
     *
     * @param asResult whether the plan names a filter. Then samples alone are copied where none changes the picture: a device runs it
     *     all the same
     */
    private void run(Run run, boolean asResult) {
        CpuPlace source = run.source;
        CpuPlace destination = run.destination;
        int last = changing(stages.length);
        int turn = 0;
        CpuPlace from = source;
        for (int i = 0; i <= last; i++) {
            if (stages[i].changesPictures()) {
                CpuPlace to = stages[i].ownPlace(offset);
                if (to == null) {
                    to = i == last ? destination : between(turn++ % between.length);
                }
                stages[i].run(workers, from, source, to, offset);
                from = to;
            }
        }
        if (from != destination) {
            copy(from, destination, width, asResult);
        }
    }

    /** Measures a picture, and sets its tier and the offset of its macroblock grid. */
    private void follow(CpuPlace source, PictureStrength.Automatic automatic) {
        if (meter == null) {
            meter = new StrengthMeter(format, width, height, pool.threads());
        }
        int measuredAt = strength.nextOffset();
        meter.prepare(source.address(), source.layout(), measuredAt);
        run(meter);
        int next = strength.next(meter.histograms(), automatic.shifts() > 0);
        estimates = true;
        if (!automatic.equals(configured)) {
            configured = automatic;
            followsGrid = automatic.ladder().followsGrid();
            tier = -1;
        }
        if (next != tier) {
            apply(automatic.ladder().tiers().get(next));
            tier = next;
        }
        for (CpuStage stage : stages) {
            stage.measured(strength.comb(), strength.hasCombs());
        }
        offset = followsGrid ? measuredAt : 0;
    }

    /**
     * Copies the leftmost luma columns, and the chroma samples that belong to them, to the destination.
     *
     * @param samplesAlone whether bits that belong to no sample become 0
     */
    private void copy(CpuPlace picture, CpuPlace destination, int columns, boolean samplesAlone) {
        for (int plane = 0; plane < format.planes(); plane++) {
            int bytes = format.planeRowSamples(plane, columns) * format.sampleBytes();
            for (int row = 0; row < picture.layout().rows(plane); row++) {
                long from = picture.row(plane, row);
                long to = destination.row(plane, row);
                if (samplesAlone) {
                    samples.copy(from, to, bytes);
                } else {
                    memCopy(from, to, bytes);
                }
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            lookAhead.completeAll();
        }
        closed = true;
        for (int i = 0; i < between.length; i++) {
            if (between[i] != null) {
                nmemAlignedFree(between[i].address());
                scratchBytes.addAndGet(-betweenBytes());
                between[i] = null;
            }
        }
        for (CpuStage stage : stages) {
            stage.close();
        }
    }

    /** A picture on its way. */
    private final class Run implements PictureRun, LookAhead.Waiting {
        private final CpuPlace source = new CpuPlace();
        private final CpuPlace destination = new CpuPlace();
        private int keptColumns;

        /** True if the picture waits for those after it. */
        private boolean waits;

        /** Where the grid of macroblocks begins in it, and its sequence. */
        private int offset;

        private int of;

        @Override
        public boolean begin(Picture from, Picture to, PicturePlan plan) {
            finish();
            return CpuPictureFilter.this.begin(this, from, to, plan);
        }

        private void waits(int offset) {
            waits = true;
            this.offset = offset;
            of = sequence;
        }

        @Override
        public void complete() {
            waits = false;
            CpuPictureFilter.this.complete(this);
        }

        /** Takes over the columns that are not filtered. */
        private void keep() {
            if (keptColumns > 0) {
                copy(source, destination, keptColumns, false);
            }
        }

        @Override
        public boolean isHandedOver() {
            return false;
        }

        @Override
        public boolean isDone() {
            return !waits;
        }

        @Override
        public void finish() {
            while (waits) {
                lookAhead.completeFirst(of);
            }
        }
    }
}

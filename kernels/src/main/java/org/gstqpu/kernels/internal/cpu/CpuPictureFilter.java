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
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.internal.picture.PictureKind;
import org.gstqpu.kernels.internal.strength.StrengthState;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/** Owns the passes over pictures of one format and size. Belongs to its caller's thread, one thread at a time. */
final class CpuPictureFilter implements PictureFilter {
    private static final int SCRATCH_ALIGNMENT_BYTES = 64;

    /** For this time after the first picture, others wait for the JVM's compiler: about as long as they take if they wait in vain. */
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1200);

    private final WorkerPool pool;
    private final VectorUse vectors;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureKind kind;
    private final SampleCopy samples;
    private final AtomicLong scratchBytes;
    private final H264PictureDeblock deblock;
    private final CdefPicture cdef;

    /** Layout of a picture that one filter writes and the next one reads. */
    private final PictureLayout scratchLayout;

    private long scratch;

    /** Memory of the picture after CDEF that shrinkage reads, laid out as {@link #scratchLayout}. 0 before the first one. */
    private long shrinkageScratch;

    /** Null before the first picture that shrinkage filters. */
    private ShrinkagePicture shrinkage;

    /** Measures pictures for automatic strength. Null before the first picture with automatic strength. */
    private StrengthMeter meter;

    private final StrengthState strength = new StrengthState();

    /** Strength that the passes are configured for. Null if it was decoded with its picture, or was refused. */
    private PictureStrength configured;

    /** Parameters of the passes. With automatic strength, those of the last picture's tier. */
    private FilterParameters parameters = new FilterParameters(Optional.empty(), Optional.empty(), Optional.empty());

    /** True if deblocking runs, and changes pictures. Automatic strength often leaves it out. */
    private boolean deblocks;

    /** True if CDEF runs, and changes pictures. */
    private boolean runsCdef;

    /** True if {@link #configured} is automatic and deblocks on the grid that was found in the pictures. */
    private boolean followsGrid;

    /** Tier of the last picture with automatic strength. */
    private int tier;

    /** True if {@link #strength} has seen a picture. */
    private boolean estimates;

    /** Where the macroblock grid begins in the picture, column | row &lt;&lt; 3. */
    private int offset;

    /** Null before the first offset that is not 0. */
    private OffsetDeblock offsetDeblock;

    /** CDEF decisions of {@link #parameters}. */
    private final CdefDecisions decisions;

    /** True once a filter has changed a picture. */
    private boolean begun;

    /** Until when pictures wait, by {@link System#nanoTime}; set by the first one. */
    private long waitEnd;

    private boolean closed;

    CpuPictureFilter(
            WorkerPool pool, VectorUse vectors, AtomicLong scratchBytes, PixelFormat format, int width, int height) {
        this.pool = pool;
        this.vectors = vectors;
        this.scratchBytes = scratchBytes;
        this.format = format;
        this.width = width;
        this.height = height;
        kind = new PictureKind("filter", format, width, height);
        samples = new SampleCopy(format);
        this.deblock = new H264PictureDeblock(format, width, height, pool.threads(), vectors);
        this.cdef = new CdefPicture(format, width, height, pool.threads(), vectors);
        this.decisions = new CdefDecisions(width, height);
        this.scratchLayout = PictureLayout.packed(format, width, height, SCRATCH_ALIGNMENT_BYTES);
    }

    @Override
    public long begin(Picture source, Picture destination, PicturePlan plan) {
        check(source, destination);
        PictureStrength wanted = plan.strength();
        if (wanted instanceof PictureStrength.Automatic automatic) {
            follow(automatic, source);
        } else if (wanted instanceof PictureStrength.Fixed fixed) {
            if (!fixed.equals(configured)) {
                // If the parameters are refused with an exception, nothing that the next plan relies on has changed.
                configured = null;
                apply(fixed.parameters());
                configured = fixed;
            }
            offset = StrengthEstimate.packOffset(fixed.gridColumn(), fixed.gridRow());
        } else if (wanted instanceof PictureStrength.Decoded decoded) {
            configured = null;
            offset = 0;
            apply(decoded.parameters());
        }
        boolean shrinks = wanted.shifts() > 0;
        boolean changes = deblocks || runsCdef || shrinks;
        if (changes) {
            giveWay(plan.prompt());
        }
        try {
            boolean asResult = shrinks || wanted.deblocks() || wanted.runsCdef();
            run(source, destination, shrinks, asResult);
        } finally {
            if (changes && !begun) {
                begun = true;
                waitEnd = System.nanoTime() + WAIT_NANOS;
                vectors.start();
            }
        }
        int keptColumns = format.cut(plan.keptLeft(), width);
        if (keptColumns > 0) {
            copy(address(source), source.layout(), address(destination), destination.layout(), keptColumns, false);
        }
        return DONE;
    }

    /**
     * Shares the processors with the JVM's compiler: the first picture goes before it, and those that follow soon wait for it, if
     * nobody awaits them. In that time it compiles what then saves more.
     */
    private void giveWay(boolean prompt) {
        if (!begun) {
            vectors.pause();
        } else if (!prompt && vectors.isOnTrial()) {
            vectors.awaitTrials(waitEnd - System.nanoTime());
        }
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return estimates
                ? Optional.of(StrengthEstimate.unpack(strength.estimate(), strength.foundOffset()))
                : Optional.empty();
    }

    private void apply(FilterParameters wanted) {
        if (wanted.cdef().isPresent()) {
            // Refuses a map of another size, before anything else is changed.
            decisions.set(wanted.cdef().get());
        }
        parameters = wanted;
        deblocks = wanted.deblock().isPresent() && !wanted.deblock().get().changesNothing();
        runsCdef = wanted.cdef().isPresent() && !wanted.cdef().get().changesNothing();
        if (wanted.deblock().isPresent()) {
            deblock.configure(wanted.deblock().get());
            if (offsetDeblock != null) {
                offsetDeblock.configure(wanted.deblock().get());
            }
        }
        if (wanted.cdef().isPresent()) {
            cdef.configure(decisions);
        }
        if (wanted.shrinkage().isPresent()) {
            if (shrinkage == null) {
                shrinkage = new ShrinkagePicture(format, width, height, pool.threads(), vectors);
            }
            shrinkage.configure(wanted.shrinkage().get());
        }
    }

    private void apply(PictureParameters own) {
        own.checkFor(format, width, height);
        deblocks = own.deblocks();
        runsCdef = own.runsCdef();
        if (own.deblocksByEdge()) {
            deblock.configure(own.edges());
        } else if (own.deblocks()) {
            deblock.configure(own.uniform());
        }
        if (own.runsCdef()) {
            cdef.configure(own.cdef());
        }
    }

    /** A whole number of alignments, as C's aligned_alloc asks. */
    private long scratchPictureBytes() {
        return (scratchLayout.sizeBytes() + SCRATCH_ALIGNMENT_BYTES - 1) & -SCRATCH_ALIGNMENT_BYTES;
    }

    private long newScratch() {
        long memory = nmemAlignedAllocChecked(SCRATCH_ALIGNMENT_BYTES, scratchPictureBytes());
        scratchBytes.addAndGet(scratchPictureBytes());
        return memory;
    }

    private void freeScratch(long memory) {
        if (memory != 0) {
            nmemAlignedFree(memory);
            scratchBytes.addAndGet(-scratchPictureBytes());
        }
    }

    private void check(Picture source, Picture destination) {
        if (closed) {
            throw new IllegalStateException("the picture filter is closed");
        }
        long from = kind.address("source", source.memory(), source.layout());
        long to = kind.address("destination", destination.memory(), destination.layout());
        if (overlap(from, source.layout(), to, destination.layout())) {
            throw new IllegalArgumentException("source and destination overlap");
        }
    }

    private static long address(Picture picture) {
        return ((HostMemory) picture.memory()).address();
    }

    /** Runs a pass on as many workers as it is to have. */
    private void run(PictureJob pass) {
        pool.run(pass, begun ? vectors.workers(pool.threads()) : pool.threads());
    }

    /**
     * Runs the filters, or copies the picture.
     *
     * @param asResult whether the plan names a filter. Then samples alone are copied where none changes the picture: a device runs it
     *     all the same
     */
    private void run(Picture source, Picture destination, boolean shrinks, boolean asResult) {
        long from = address(source);
        long to = address(destination);
        PictureLayout sourceLayout = source.layout();
        PictureLayout destinationLayout = destination.layout();
        // What the last filter that has run wrote.
        long result = from;
        PictureLayout resultLayout = sourceLayout;
        if (deblocks && offset != 0) {
            deblockAtOffset(from, sourceLayout);
            result = offsetDeblock.address();
            resultLayout = offsetDeblock.layout();
        } else if (deblocks) {
            boolean last = !runsCdef && !shrinks;
            if (!last && scratch == 0) {
                scratch = newScratch();
            }
            result = last ? to : scratch;
            resultLayout = last ? destinationLayout : scratchLayout;
            deblock.prepare(from, sourceLayout, result, resultLayout);
            run(deblock);
        }
        if (runsCdef) {
            if (shrinks && shrinkageScratch == 0) {
                shrinkageScratch = newScratch();
            }
            long filtered = shrinks ? shrinkageScratch : to;
            PictureLayout filteredLayout = shrinks ? scratchLayout : destinationLayout;
            cdef.prepare(result, resultLayout, filtered, filteredLayout);
            run(cdef);
            result = filtered;
            resultLayout = filteredLayout;
        }
        if (shrinks) {
            shrinkage.prepare(result, resultLayout, from, sourceLayout, to, destinationLayout, offset);
            run(shrinkage);
        } else if (result != to) {
            copy(result, resultLayout, to, destinationLayout, width, asResult);
        }
    }

    private void deblockAtOffset(long source, PictureLayout sourceLayout) {
        if (offsetDeblock == null) {
            offsetDeblock = new OffsetDeblock(pool, vectors, scratchBytes, format, width, height);
            offsetDeblock.configure(parameters.deblock().orElseThrow());
        }
        offsetDeblock.run(source, sourceLayout, offset);
    }

    /** Measures a picture, and sets its tier and the offset of its macroblock grid. */
    private void follow(PictureStrength.Automatic automatic, Picture source) {
        if (meter == null) {
            meter = new StrengthMeter(format, width, height, pool.threads());
        }
        int measuredAt = strength.nextOffset();
        meter.prepare(address(source), source.layout(), measuredAt);
        run(meter);
        int next = strength.next(meter.histograms(), automatic.shifts() > 0);
        estimates = true;
        if (!automatic.equals(configured)) {
            configured = automatic;
            followsGrid = automatic.ladder().followsGrid();
            tier = -1;
        }
        if (next != tier) {
            tier = next;
            apply(automatic.ladder().tiers().get(next));
        }
        offset = followsGrid ? measuredAt : 0;
    }

    @Override
    public boolean isHandedOver(long ticket) {
        return false;
    }

    @Override
    public boolean isDone(long ticket) {
        return true;
    }

    @Override
    public void finish(long ticket) {
        // begin() has returned, so the worker threads are done.
    }

    /**
     * Copies the leftmost luma columns, and the chroma samples that belong to them.
     *
     * @param samplesAlone whether bits that belong to no sample become 0
     */
    private void copy(
            long from, PictureLayout fromLayout, long to, PictureLayout toLayout, int columns, boolean samplesAlone) {
        for (int plane = 0; plane < format.planes(); plane++) {
            int bytes = format.planeRowSamples(plane, columns) * format.sampleBytes();
            long source = from + fromLayout.offsetBytes(plane);
            long destination = to + toLayout.offsetBytes(plane);
            for (int row = 0; row < fromLayout.rows(plane); row++) {
                if (samplesAlone) {
                    samples.copy(source, destination, bytes);
                } else {
                    memCopy(source, destination, bytes);
                }
                source += fromLayout.strideBytes(plane);
                destination += toLayout.strideBytes(plane);
            }
        }
    }

    /**
     * True if a plane of one picture overlaps a plane of the other. Pictures as a whole may interleave, because the
     * planes of a picture may lie anywhere.
     */
    private static boolean overlap(long from, PictureLayout source, long to, PictureLayout destination) {
        for (int a = 0; a < source.format().planes(); a++) {
            long sourceFirst = from + source.offsetBytes(a);
            for (int b = 0; b < destination.format().planes(); b++) {
                long destinationFirst = to + destination.offsetBytes(b);
                if (sourceFirst < destinationFirst + planeBytes(destination, b)
                        && destinationFirst < sourceFirst + planeBytes(source, a)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static long planeBytes(PictureLayout layout, int plane) {
        return (long) (layout.rows(plane) - 1) * layout.strideBytes(plane) + layout.rowBytes(plane);
    }

    @Override
    public void close() {
        closed = true;
        freeScratch(scratch);
        scratch = 0;
        freeScratch(shrinkageScratch);
        shrinkageScratch = 0;
        if (offsetDeblock != null) {
            offsetDeblock.close();
            offsetDeblock = null;
        }
    }
}

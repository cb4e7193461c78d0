package org.gstqpu.kernels.internal.cpu;

import static org.lwjgl.system.MemoryUtil.memCopy;
import static org.lwjgl.system.MemoryUtil.nmemAlignedAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.internal.picture.PictureKind;
import org.gstqpu.kernels.internal.strength.StrengthState;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;

/** Owns the passes over pictures of one format and size; belongs to one thread at a time, the user's. */
final class CpuPictureFilter implements PictureFilter {
    private static final int SCRATCH_ALIGNMENT_BYTES = 64;

    private final WorkerPool pool;
    private final VectorUse vectors;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureKind kind;
    private final AtomicLong scratchBytes;
    private final H264PictureDeblock deblock;
    private final CdefPicture cdef;

    /** Layout of the deblocked picture that CDEF reads when both run. */
    private final PictureLayout scratchLayout;

    private final int threads;

    private long scratch;

    /** What follows the pictures themselves, where it does; made with the first ladder. */
    private StrengthMeter meter;

    private final StrengthState strength = new StrengthState();

    /** Empty where the parameters are fixed. */
    private Optional<StrengthLadder> ladder = Optional.empty();

    private boolean followsGrid;

    private int tier;

    /** Where macroblocks begin, column | row &lt;&lt; 3: as it was set, and of this picture. */
    private int fixedOffset;

    private int offset;

    /** Made when an offset is first used. */
    private OffsetDeblock offsetDeblock;

    /** Luma columns that are left as they are. */
    private int keptColumns;

    private FilterParameters parameters = new FilterParameters(Optional.empty(), Optional.empty());

    /** The same for CDEF. */
    private final CdefDecisions decisions;

    /** Whether the passes are configured for a picture of its own parameters. */
    private boolean borrowed;

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
        this.threads = pool.threads();
        this.deblock = new H264PictureDeblock(format, width, height, pool.threads(), vectors);
        this.cdef = new CdefPicture(format, width, height, pool.threads(), vectors);
        this.decisions = new CdefDecisions(width, height);
        this.scratchLayout = PictureLayout.packed(format, width, height, SCRATCH_ALIGNMENT_BYTES);
    }

    @Override
    public void configure(FilterParameters parameters) {
        checkOpen();
        ladder = Optional.empty();
        apply(parameters);
    }

    @Override
    public void configure(StrengthLadder ladder) {
        checkOpen();
        if (meter == null) {
            meter = new StrengthMeter(format, width, height, threads);
        }
        this.ladder = Optional.of(ladder);
        followsGrid = ladder.followsGrid();
        tier = -1;
        apply(ladder.tiers().get(0));
    }

    @Override
    public void keepLeft(double share) {
        checkOpen();
        keptColumns = format.cut(share, width);
    }

    @Override
    public void deblockFrom(int column, int row) {
        checkOpen();
        fixedOffset = StrengthEstimate.packOffset(column, row);
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return ladder.isPresent()
                ? Optional.of(StrengthEstimate.unpack(strength.estimate(), strength.foundOffset()))
                : Optional.empty();
    }

    private void apply(FilterParameters parameters) {
        parameters.cdef().ifPresent(decisions::set);
        this.parameters = parameters;
        configurePasses();
    }

    private void configurePasses() {
        borrowed = false;
        if (parameters.deblock().isPresent()) {
            deblock.configure(parameters.deblock().get());
            if (offsetDeblock != null) {
                offsetDeblock.configure(parameters.deblock().get());
            }
        }
        if (parameters.cdef().isPresent()) {
            cdef.configure(decisions);
        }
        if (parameters.deblock().isPresent() && parameters.cdef().isPresent()) {
            makeScratch();
        }
    }

    private void makeScratch() {
        if (scratch == 0) {
            scratch = nmemAlignedAllocChecked(SCRATCH_ALIGNMENT_BYTES, scratchLayout.sizeBytes());
            scratchBytes.addAndGet(scratchLayout.sizeBytes());
        }
    }

    @Override
    public long begin(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean handOver) {
        check(source, sourceLayout, destination, destinationLayout);
        if (borrowed) {
            configurePasses();
        }
        offset = fixedOffset;
        if (ladder.isPresent()) {
            follow(((HostMemory) source).address(), sourceLayout);
        }
        run(
                source,
                sourceLayout,
                destination,
                destinationLayout,
                parameters.deblock().isPresent(),
                parameters.cdef().isPresent());
        return 0;
    }

    @Override
    public long begin(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean handOver,
            PictureParameters own) {
        check(source, sourceLayout, destination, destinationLayout);
        own.checkFor(format, width, height);
        borrowed = true;
        offset = 0;
        if (own.deblocksByEdge()) {
            deblock.configure(own.edges());
        } else if (own.deblocks()) {
            deblock.configure(own.uniform());
        }
        if (own.runsCdef()) {
            cdef.configure(own.cdef());
        }
        run(source, sourceLayout, destination, destinationLayout, own.deblocks(), own.runsCdef());
        return 0;
    }

    private void check(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout) {
        checkOpen();
        long from = kind.address("source", source, sourceLayout);
        long to = kind.address("destination", destination, destinationLayout);
        if (overlap(from, sourceLayout, to, destinationLayout)) {
            throw new IllegalArgumentException("source and destination overlap");
        }
    }

    private void run(
            PictureMemory source,
            PictureLayout sourceLayout,
            PictureMemory destination,
            PictureLayout destinationLayout,
            boolean deblocks,
            boolean filters) {
        long from = ((HostMemory) source).address();
        long to = ((HostMemory) destination).address();
        if (deblocks && offset != 0) {
            deblockAtOffset(from, sourceLayout);
            if (filters) {
                cdef.prepare(offsetDeblock.address(), offsetDeblock.layout(), to, destinationLayout);
                pool.run(cdef);
            } else {
                copy(offsetDeblock.address(), offsetDeblock.layout(), to, destinationLayout, width);
            }
        } else if (deblocks && filters) {
            makeScratch();
            deblock.prepare(from, sourceLayout, scratch, scratchLayout);
            pool.run(deblock);
            cdef.prepare(scratch, scratchLayout, to, destinationLayout);
            pool.run(cdef);
        } else if (deblocks) {
            deblock.prepare(from, sourceLayout, to, destinationLayout);
            pool.run(deblock);
        } else if (filters) {
            cdef.prepare(from, sourceLayout, to, destinationLayout);
            pool.run(cdef);
        } else {
            copy(from, sourceLayout, to, destinationLayout, width);
        }
        if (keptColumns > 0) {
            copy(from, sourceLayout, to, destinationLayout, keptColumns);
        }
    }

    private void deblockAtOffset(long source, PictureLayout sourceLayout) {
        if (offsetDeblock == null) {
            offsetDeblock = new OffsetDeblock(pool, vectors, scratchBytes, format, width, height);
            offsetDeblock.configure(parameters.deblock().orElseThrow());
        }
        offsetDeblock.run(source, sourceLayout, offset);
    }

    /** Takes the tier of this picture, and where its blocks begin. */
    private void follow(long source, PictureLayout sourceLayout) {
        int found = strength.nextOffset();
        offset = followsGrid ? found : 0;
        meter.prepare(source, sourceLayout, found);
        pool.run(meter);
        int next = strength.next(meter.histograms());
        if (next != tier) {
            tier = next;
            apply(ladder.get().tiers().get(next));
        }
    }

    @Override
    public boolean isHandedOver(long picture) {
        return false;
    }

    @Override
    public boolean isDone(long picture) {
        return true;
    }

    @Override
    public void await(long picture) {
        // The CPU's threads were done when the picture had begun.
    }

    /** Copies the leftmost columns. */
    private void copy(long from, PictureLayout fromLayout, long to, PictureLayout toLayout, int columns) {
        for (int plane = 0; plane < format.planes(); plane++) {
            int bytes = format.planeRowSamples(plane, columns) * format.sampleBytes();
            long source = from + fromLayout.offsetBytes(plane);
            long destination = to + toLayout.offsetBytes(plane);
            for (int row = 0; row < fromLayout.rows(plane); row++) {
                memCopy(source, destination, bytes);
                source += fromLayout.strideBytes(plane);
                destination += toLayout.strideBytes(plane);
            }
        }
    }

    /** By planes, since each may lie in memory of its own, with a plane of the other picture between two of them. */
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

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the picture filter is closed");
        }
    }

    @Override
    public void close() {
        closed = true;
        if (scratch != 0) {
            nmemAlignedFree(scratch);
            scratch = 0;
            scratchBytes.addAndGet(-scratchLayout.sizeBytes());
        }
        if (offsetDeblock != null) {
            offsetDeblock.close();
            offsetDeblock = null;
        }
    }
}

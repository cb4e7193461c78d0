/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthRule;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * Owns the counts of an open element, and makes the value of its property {@code stats} from them. The streaming thread counts; any
 * thread reads.
 */
final class ElementStatistics {
    private final FilterContext context;
    private final ImportCache imports;
    private final AllocationCounter allocations = new AllocationCounter();
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong framesWithParams = new AtomicLong();
    private final AtomicLong badParams = new AtomicLong();
    private final AtomicLong merged = new AtomicLong();
    private final AtomicLong mergedBytes = new AtomicLong();

    ElementStatistics(FilterContext context, ImportCache imports) {
        this.context = context;
        this.imports = imports;
    }

    /** Counts the Java bytes that the streaming thread allocates. */
    AllocationCounter allocations() {
        return allocations;
    }

    /** Counts a picture that was filtered. */
    void countFrame() {
        frames.incrementAndGet();
    }

    /** Counts a buffer that was dropped because it held no picture. */
    void countDropped() {
        dropped.incrementAndGet();
    }

    /** Counts a picture whose side information was followed. */
    void countFrameWithParams() {
        framesWithParams.incrementAndGet();
    }

    /** Counts a picture whose side information cannot be used. */
    void countBadParams() {
        badParams.incrementAndGet();
    }

    /** Counts a buffer of several memories, which GStreamer copied in order to map it as one. */
    void countMerged(long bytes) {
        merged.incrementAndGet();
        mergedBytes.addAndGet(bytes);
    }

    /**
     * A new GstStructure with all counts; any thread.
     *
     * @param estimate what automatic strength has found; empty if no strength is automatic
     */
    long structure(FilterSettings settings, Optional<StrengthEstimate> estimate) {
        allocations.begin();
        long stats = GstQpuLibrary.gst_qpu_stats_new(
                nick(context.substrate()), context.deviceName(), context.reason(), settings.filters());
        boolean timed = context.timesPictures();
        for (ElementCounter counter : ElementCounter.values()) {
            if (timed || !counter.timed()) {
                long value = counter.estimated() ? estimated(counter, estimate) : count(counter);
                GstQpuLibrary.gst_qpu_stats_add(stats, counter.gstName(), value, counter.signed() ? 1 : 0);
            }
        }
        return stats;
    }

    /** The substrate's name as the property {@code substrate} spells it. */
    static String nick(Substrate substrate) {
        return substrate.name().toLowerCase(Locale.ROOT);
    }

    private long count(ElementCounter counter) {
        return switch (counter) {
            case FRAMES -> frames.get();
            case DROPPED -> dropped.get();
            case FRAMES_WITH_PARAMS -> framesWithParams.get();
            case BAD_PARAMS -> badParams.get();
            case SUBMITS -> context.submits();
            case BYTES_COPIED -> context.bytesCopied() + mergedBytes.get();
            case COPIES -> context.copies() + merged.get();
            case RE_RECORDS -> context.reRecords();
            case POOL_BYTES -> context.poolBytes();
            case IMPORTS_DMABUF -> imports.dmabufImports();
            case IMPORTS_POOL -> imports.poolImports();
            case IMPORTS_HOST -> imports.hostImports();
            case IMPORT_CACHE_HITS -> imports.hits();
            case FENCES_IMPORTED -> context.fencesImported();
            case FENCES_EXPORTED -> context.fencesExported();
            case CPU_WAITS -> context.cpuWaits();
            case JAVA_BYTES -> allocations.bytes();
            case JAVA_BYTES_FRAMES -> allocations.frames();
            case GPU_TIME_LAST -> context.lastGpuNanos();
            case GPU_TIME_MEDIAN -> context.medianGpuNanos();
            default -> throw new IllegalArgumentException(counter + " is no count");
        };
    }

    private static long estimated(ElementCounter counter, Optional<StrengthEstimate> estimate) {
        if (estimate.isEmpty()) {
            return 0;
        }
        return switch (counter) {
            case ESTIMATED_COMB -> estimate.get().comb() ? 1 : 0;
            case ESTIMATED_STEP -> Math.round(estimate.get().step() * StrengthRule.UNIT);
            case ESTIMATED_DRAWING -> estimate.get().drawing() ? 1 : 0;
            case ESTIMATED_TEXTURE -> estimate.get().texture();
            case ESTIMATED_TIER -> estimate.get().tier();
            case ESTIMATED_OFFSET_X -> estimate.get().gridColumn();
            case ESTIMATED_OFFSET_Y -> estimate.get().gridRow();
            default -> throw new IllegalArgumentException(counter + " is no estimate");
        };
    }
}

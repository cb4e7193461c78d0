/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ToLongFunction;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.filter.StrengthRule;
import org.gstqpu.kernels.substrate.DeviceCounters;
import org.gstqpu.kernels.substrate.Substrate;

/**
 * Owns the counts of an open element, and makes the value of its property {@code stats} from them. The streaming thread counts; any
 * thread reads.
 */
final class ElementStatistics {
    /** What the statistics are made from at one moment. */
    private record Seen(
            FilterSettings settings,
            int steps,
            int step,
            DegradeControl control,
            AppliedStrength applied,
            Optional<StrengthEstimate> estimate,
            FusionCounts fusion) {
        static Seen of(
                FilterSettings settings,
                DegradeControl control,
                Optional<StrengthEstimate> estimate,
                FusionCounts fusion) {
            List<DegradeStep> steps = DegradeStep.of(settings);
            int step = Math.min(control.step(), steps.size() - 1);
            return new Seen(
                    settings,
                    steps.size(),
                    step,
                    control,
                    AppliedStrength.of(steps.get(step).settings(), estimate),
                    estimate,
                    fusion);
        }

        String degradeReason() {
            if (!settings.is(ElementProperty.DEGRADE)) {
                return "off";
            }
            if (steps == 1) {
                return settings.running().none() ? "no filter runs" : "set";
            }
            if (control.isAwaitingKernels()) {
                return "the kernels are not compiled yet";
            }
            return step == 0 ? "in time" : "late by " + TimeUnit.NANOSECONDS.toMillis(control.lateNanos()) + " ms";
        }
    }

    private final ServingSubstrate serving;
    private final ImportCache imports;
    private final AllocationCounter allocations = new AllocationCounter();
    private final AtomicLong frames = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong framesWithParams = new AtomicLong();
    private final AtomicLong badParams = new AtomicLong();
    private final AtomicLong redone = new AtomicLong();
    private final AtomicLongArray degraded = new AtomicLongArray(Degradation.values().length);
    private final AtomicLong merged = new AtomicLong();
    private final AtomicLong mergedBytes = new AtomicLong();

    ElementStatistics(ServingSubstrate serving, ImportCache imports) {
        this.serving = serving;
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

    /** The number of pictures that were filtered. */
    long frames() {
        return frames.get();
    }

    /** Counts a picture that is filtered at a step. */
    // The array has an element for each constant.
    @SuppressWarnings("EnumOrdinal")
    void countStep(Degradation lost) {
        degraded.incrementAndGet(lost.ordinal());
    }

    @SuppressWarnings("EnumOrdinal")
    private long pictures(Degradation lost) {
        return degraded.get(lost.ordinal());
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

    /** Counts a picture that the CPU filters in the place of a device that failed. */
    void countRedone() {
        redone.incrementAndGet();
    }

    /** Counts a buffer of several memories, which GStreamer copied in order to map it as one. */
    void countMerged(long bytes) {
        merged.incrementAndGet();
        mergedBytes.addAndGet(bytes);
    }

    /**
     * A new GstStructure with all counts; any thread.
     *
     * @param settings the settings in force
     * @param control what is given up of them
     * @param estimate what automatic strength has found; empty if no strength is automatic
     * @param fusion what temporal fusion has done
     */
    long structure(
            FilterSettings settings, DegradeControl control, Optional<StrengthEstimate> estimate, FusionCounts fusion) {
        allocations.begin();
        FilterContext context = serving.current();
        DeviceCounters counts = serving.counts();
        Seen seen = Seen.of(settings, control, estimate, fusion);
        long stats = GstQpuLibrary.gst_qpu_stats_new();
        for (ElementText text : ElementText.values()) {
            GstQpuLibrary.gst_qpu_stats_add_text(stats, text.gstName(), text(text, context, seen));
        }
        boolean timed = context.timesPictures();
        for (ElementCounter counter : ElementCounter.values()) {
            if (timed || !counter.timed()) {
                GstQpuLibrary.gst_qpu_stats_add(
                        stats, counter.gstName(), value(counter, context, counts, seen), counter.signed() ? 1 : 0);
            }
        }
        return stats;
    }

    private String text(ElementText text, FilterContext context, Seen seen) {
        return switch (text) {
            case SUBSTRATE -> nick(context.substrate());
            case DEVICE -> context.deviceName();
            case REASON -> serving.reason();
            case FILTERS -> seen.applied.running().names();
            case QUALITY -> seen.settings.qualityInForce().nick();
            case QUALITY_REASON -> seen.settings.qualityReason();
            case TEMPORAL -> seen.settings.temporal().nick();
            case TEMPORAL_REASON -> seen.settings.temporalReason();
            case STRENGTH_REASON ->
                StrengthReason.of(seen.settings, seen.estimate).words();
            case DEGRADE_REASON -> seen.degradeReason();
        };
    }

    /** The substrate's name as the property {@code substrate} spells it. */
    static String nick(Substrate substrate) {
        return substrate.name().toLowerCase(Locale.ROOT);
    }

    private long value(ElementCounter counter, FilterContext context, DeviceCounters counts, Seen seen) {
        return switch (counter) {
            case FRAMES -> frames.get();
            case DROPPED -> dropped.get();
            case FRAMES_WITH_PARAMS -> framesWithParams.get();
            case BAD_PARAMS -> badParams.get();
            case SUBMITS -> counts.submits();
            case BYTES_COPIED -> counts.bytesCopied() + mergedBytes.get();
            case COPIES -> counts.copies() + merged.get();
            case RE_RECORDS -> counts.reRecords();
            case POOL_BYTES -> context.poolBytes();
            case IMPORTS_DMABUF -> imports.dmabufImports();
            case IMPORTS_POOL -> imports.poolImports();
            case IMPORTS_HOST -> imports.hostImports();
            case IMPORT_CACHE_HITS -> imports.hits();
            case FENCES_IMPORTED -> counts.fencesImported();
            case FENCES_EXPORTED -> counts.fencesExported();
            case CPU_WAITS -> counts.cpuWaits();
            case DEVICE_LOSSES -> serving.losses();
            case DEVICE_RETRIES -> serving.tries();
            case FRAMES_REDONE -> redone.get();
            case WARM_UP_TIME -> serving.warming().warmUpNanos();
            case JAVA_BYTES -> allocations.bytes();
            case JAVA_BYTES_FRAMES -> allocations.frames();
            case GPU_TIME_LAST -> context.lastGpuNanos();
            case GPU_TIME_MEDIAN -> context.medianGpuNanos();
            case DEGRADE_STEP -> seen.step;
            case DEGRADE_STEPS -> seen.steps - 1;
            case FRAMES_LATE -> seen.control.latePictures();
            case FRAMES_WITHOUT_TIME -> pictures(Degradation.TIME);
            case FRAMES_FEWER_SHIFTS -> pictures(Degradation.SHIFTS);
            case FRAMES_WITHOUT_SHRINKAGE -> pictures(Degradation.SHRINKAGE);
            case FRAMES_WITHOUT_CDEF -> pictures(Degradation.CDEF);
            case FRAMES_WITHOUT_DEBLOCK -> pictures(Degradation.DEBLOCK);
            case HELD -> seen.fusion.held();
            case REFERENCES -> seen.fusion.references();
            case DROPPED_REFERENCES -> seen.fusion.dropped();
            case SHIFTS -> seen.applied.running().shifts();
            case APPLIED_ALPHA_INDEX -> seen.applied.alphaIndex();
            case APPLIED_BETA_INDEX -> seen.applied.betaIndex();
            case APPLIED_CDEF_PRIMARY -> seen.applied.cdefPrimary();
            case APPLIED_CDEF_SECONDARY -> seen.applied.cdefSecondary();
            case APPLIED_CDEF_DAMPING -> seen.applied.cdefDamping();
            case APPLIED_THRESHOLD -> seen.applied.threshold();
            case APPLIED_CHROMA_THRESHOLD -> seen.applied.chromaThreshold();
            case ESTIMATED_COMB -> found(seen.estimate, one -> one.comb() ? 1 : 0);
            case ESTIMATED_STEP -> found(seen.estimate, one -> Math.round(one.step() * StrengthRule.UNIT));
            case ESTIMATED_DRAWING -> found(seen.estimate, one -> one.drawing() ? 1 : 0);
            case ESTIMATED_TEXTURE -> found(seen.estimate, StrengthEstimate::texture);
            case ESTIMATED_TIER -> found(seen.estimate, StrengthEstimate::tier);
            case ESTIMATED_OFFSET_X -> found(seen.estimate, StrengthEstimate::gridColumn);
            case ESTIMATED_OFFSET_Y -> found(seen.estimate, StrengthEstimate::gridRow);
        };
    }

    private static long found(Optional<StrengthEstimate> estimate, ToLongFunction<StrengthEstimate> field) {
        return estimate.isEmpty() ? 0 : field.applyAsLong(estimate.get());
    }
}

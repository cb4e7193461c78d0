/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import java.lang.System.Logger;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.gstqpu.kernels.internal.cache.RunConditions;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Decides when the CPU kernels of one context use vectors, and makes the vector kernels. Any thread may ask.
 *
 * <p>The JVM must offer its Vector API (the module {@value #MODULE}). A kernel uses vectors once it has won the trial in its
 * warm-up. That begins when a plan is expected, or else after some thousand tiles of the kernel's work: a shorter run would end
 * before a warm-up pays off. What the JVM has compiled serves all contexts, so one warm-up in a process is enough. A kernel is
 * named by its {@link RowFilter}.
 */
public final class VectorUse {
    public static final String MODULE = "jdk.incubator.vector";

    /**
     * The options that switch vectors on. The default of the second, 100 traps per compiled method, is too few for vector
     * kernels.
     */
    private static final String FLAGS = "--add-modules=" + MODULE + ",jdk.management -XX:PerMethodTrapLimit=1000";

    private static final AtomicBoolean NOT_OFFERED_SAID = new AtomicBoolean();

    /** Tiles of about four pictures of 1920x1080. */
    private static final int TILES_BEFORE_TRIAL = 2000;

    /**
     * Time limit of a trial. Compiling a kernel takes the JVM up to 2 s; the rest is for a machine whose other threads use the
     * processors.
     */
    private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** A busy machine does not reach it. */
    private static final long PATIENT_TRIAL_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** What is known of the kernels in this process. */
    private static final Map<PixelFormat, Map<RowFilter, Use>> OF_PROCESS = perFormat();

    private final boolean offered;

    private final Map<PixelFormat, Map<RowFilter, Use>> uses;

    /** True if kernels of which nothing is known yet use vectors. */
    private final boolean always;

    /** After how many tiles a kernel's warm-up begins by itself; 0 if the form of every kernel is fixed. */
    private final int tilesBeforeTrial;

    private final long trialNanos;

    /** How many tiles are left of these. */
    private final Map<PixelFormat, Map<RowFilter, AtomicInteger>> tilesLeft = perFormat();

    private final Supplier<KernelRecord> record;

    private Trials trials = (kernel, format) -> {};

    /** Begins the warm-up of a kernel whose stream is not known. */
    public interface Trials {
        void begin(RowFilter kernel, PixelFormat format);
    }

    private VectorUse(
            boolean offered,
            Map<PixelFormat, Map<RowFilter, Use>> uses,
            boolean always,
            int tilesBeforeTrial,
            long trialNanos,
            Supplier<KernelRecord> record) {
        this.offered = offered;
        this.uses = uses;
        this.always = always;
        this.tilesBeforeTrial = tilesBeforeTrial;
        this.trialNanos = trialNanos;
        this.record = record;
    }

    private static <T> Map<PixelFormat, Map<RowFilter, T>> perFormat() {
        Map<PixelFormat, Map<RowFilter, T>> all = new EnumMap<>(PixelFormat.class);
        for (PixelFormat format : PixelFormat.values()) {
            all.put(format, new ConcurrentHashMap<>());
        }
        return all;
    }

    /** What is known of a filter's kernel. */
    public Use use(RowFilter kernel, PixelFormat format) {
        Map<RowFilter, Use> ofFormat = uses.get(format);
        Use use = ofFormat.get(kernel);
        return use != null ? use : ofFormat.computeIfAbsent(kernel, one -> new Use(always));
    }

    private static boolean isOfferedByJvm() {
        return RunConditions.vectors().isPresent();
    }

    /** Vectors are used once a trial has shown that they are faster. */
    public static VectorUse onceWarm() {
        return onceWarm(isOfferedByJvm());
    }

    /** As {@link #onceWarm()}, in a JVM that offers vectors or does not. Says once for each process how to get vectors. */
    public static VectorUse onceWarm(boolean offered) {
        if (!offered && NOT_OFFERED_SAID.compareAndSet(false, true)) {
            System.getLogger(VectorUse.class.getName())
                    .log(
                            Logger.Level.DEBUG,
                            "the CPU kernels work without vectors; start Java with " + FLAGS + " for them");
        }
        return new VectorUse(offered, OF_PROCESS, false, TILES_BEFORE_TRIAL, TRIAL_NANOS, KernelRecord::ofProcess);
    }

    /** As {@link #onceWarm()}, but each trial begins with the first tile, knows of no other trial, and has time on a busy machine. */
    public static VectorUse onceWarmWithoutDelay(KernelRecord record) {
        return new VectorUse(isOfferedByJvm(), perFormat(), false, 1, PATIENT_TRIAL_NANOS, () -> record);
    }

    /** Vectors are never used. */
    public static VectorUse never() {
        return new VectorUse(false, perFormat(), false, 0, 0, KernelRecord::ofProcess);
    }

    /**
     * Vectors are used from the first tile on, even while they are slow.
     *
     * @throws IllegalStateException if this JVM does not offer vectors
     */
    public static VectorUse always() {
        if (!isOfferedByJvm()) {
            throw new IllegalStateException(
                    "this JVM runs without its Vector API or jdk.management; start it with " + FLAGS);
        }
        return new VectorUse(true, perFormat(), true, 0, 0, KernelRecord::ofProcess);
    }

    /** Uses vectors where this does, and begins no warm-up. */
    public VectorUse settled() {
        return new VectorUse(offered, uses, always, 0, 0, KernelRecord::ofProcess);
    }

    /** True if vectors may be used, now or later. */
    public boolean isOffered() {
        return offered;
    }

    /** True if vectors may be used, now or later, by a kernel for samples of this format. */
    public boolean offers(RowFilter kernel, PixelFormat format) {
        return offered && kernel.hasVectors(format);
    }

    /** True if the next tile is to use the vector form of {@code kernel}. */
    public boolean inUse(RowFilter kernel, PixelFormat format) {
        return use(kernel, format).inVectors;
    }

    /** False if the form of every kernel is fixed. */
    public boolean tries() {
        return tilesBeforeTrial > 0;
    }

    /** How long a trial may take. */
    public long trialNanos() {
        return trialNanos;
    }

    /** Remembers the outcomes of trials. Reads files when it is asked for first. */
    public KernelRecord record() {
        return record.get();
    }

    /** Names who begins the warm-up of a kernel that has much to do. */
    public void setTrials(Trials trials) {
        this.trials = trials;
    }

    /**
     * Makes the vector form of a kernel. Call only if it {@linkplain #offers is offered}.
     *
     * @param type what the form implements; its package has the form, too
     * @param name of the class, which has one constructor
     */
    public <K> K newKernel(Class<K> type, String name, Object... arguments) {
        // The class is found by name, because it cannot be loaded without the module of vectors. The descriptor of this
        // library does not require that module, so this library must be allowed to read it. On the class path it always
        // may.
        VectorUse.class.getModule().addReads(RunConditions.vectors().orElseThrow());
        try {
            return type.cast(Class.forName(type.getPackageName() + "." + name)
                    .getConstructors()[0]
                    .newInstance(arguments));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the vector kernels are not complete: " + e, e);
        }
    }

    /**
     * Counts tiles of 64x64 samples that {@code kernel} is about to filter, and begins the kernel's warm-up when there were enough.
     * Allocates nothing but the warm-up.
     */
    public void expect(RowFilter kernel, PixelFormat format, int tiles) {
        if (!tries() || !offers(kernel, format)) {
            return;
        }
        Map<RowFilter, AtomicInteger> ofFormat = tilesLeft.get(format);
        AtomicInteger left = ofFormat.get(kernel);
        if (left == null) {
            left = ofFormat.computeIfAbsent(kernel, one -> new AtomicInteger(tilesBeforeTrial));
        }
        if (left.get() <= 0) {
            return;
        }
        int before = left.getAndAdd(-tiles);
        if (before > 0 && before <= tiles) {
            trials.begin(kernel, format);
        }
    }

    /** What is known of a kernel for the samples of a format. */
    public static final class Use {
        /** True once the vector form has won. */
        public volatile boolean inVectors;

        /** True once the form in use is compiled as well as it ever will be. */
        public volatile boolean ready;

        Use(boolean inVectors) {
            this.inVectors = inVectors;
        }
    }
}

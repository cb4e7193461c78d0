/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.lang.System.Logger;
import java.lang.reflect.Constructor;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.cache.RunConditions;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Decides when the CPU kernels of one context use vectors, and makes the vector kernels. Owns the context's {@link WarmUp}. Any
 * thread may ask.
 *
 * <p>The JVM must offer its Vector API (the module {@value #MODULE}). A kernel uses vectors once it has won the trial in its
 * warm-up. That begins when a plan {@linkplain #expect(PixelFormat, PicturePlan) is expected}, or else after some thousand tiles of
 * the kernel's work: a shorter run would end before a warm-up pays off. What the JVM has compiled serves all contexts, so one
 * warm-up in a process is enough.
 */
final class VectorUse implements AutoCloseable {
    static final String MODULE = "jdk.incubator.vector";

    /**
     * The options that switch vectors on. The default of the second, 100 traps per compiled method, is too few for vector
     * kernels.
     */
    private static final String FLAGS = "--add-modules=" + MODULE + ",jdk.management -XX:PerMethodTrapLimit=1000";

    private static final AtomicBoolean NOT_OFFERED_SAID = new AtomicBoolean();

    /** The kernels that exist both in plain Java and in vectors. */
    enum Kernel {
        CDEF,
        DEBLOCK,
        SHRINKAGE
    }

    /** Tiles of about four pictures of 1920x1080. */
    private static final int TILES_BEFORE_TRIAL = 2000;

    /** Processors that the JVM's compiler takes during a trial, if there are enough. */
    private static final int COMPILING = 2;

    /** What is known of the kernels in this process. */
    private static final Map<PixelFormat, Map<Kernel, Use>> OF_PROCESS = uses(false);

    private final boolean offered;

    private final Map<PixelFormat, Map<Kernel, Use>> uses;

    /** False if the form of every kernel is fixed. */
    private final boolean tries;

    /** How many tiles are left until a kernel's warm-up begins by itself. */
    private final Map<PixelFormat, Map<Kernel, AtomicInteger>> tilesLeft = new EnumMap<>(PixelFormat.class);

    private final WarmUp warmUp;

    private VectorUse(
            boolean offered,
            Map<PixelFormat, Map<Kernel, Use>> uses,
            int tilesBeforeTrial,
            Supplier<KernelRecord> record) {
        this.offered = offered;
        this.uses = uses;
        tries = tilesBeforeTrial > 0;
        for (PixelFormat format : PixelFormat.values()) {
            Map<Kernel, AtomicInteger> ofFormat = new EnumMap<>(Kernel.class);
            for (Kernel kernel : Kernel.values()) {
                ofFormat.put(kernel, new AtomicInteger(tilesBeforeTrial));
            }
            tilesLeft.put(format, ofFormat);
        }
        warmUp = new WarmUp(this, record);
    }

    private static Map<PixelFormat, Map<Kernel, Use>> uses(boolean inVectors) {
        Map<PixelFormat, Map<Kernel, Use>> uses = new EnumMap<>(PixelFormat.class);
        for (PixelFormat format : PixelFormat.values()) {
            Map<Kernel, Use> ofFormat = new EnumMap<>(Kernel.class);
            for (Kernel kernel : Kernel.values()) {
                ofFormat.put(kernel, new Use(inVectors));
            }
            uses.put(format, ofFormat);
        }
        return uses;
    }

    /** What is known of a kernel. */
    Use use(Kernel kernel, PixelFormat format) {
        return uses.get(format).get(kernel);
    }

    private static boolean isOfferedByJvm() {
        return RunConditions.vectors().isPresent();
    }

    /** Vectors are used once a trial has shown that they are faster. */
    static VectorUse onceWarm() {
        return onceWarm(isOfferedByJvm());
    }

    /** As {@link #onceWarm()}, in a JVM that offers vectors or does not. Says once for each process how to get vectors. */
    static VectorUse onceWarm(boolean offered) {
        if (!offered && NOT_OFFERED_SAID.compareAndSet(false, true)) {
            System.getLogger(VectorUse.class.getName())
                    .log(
                            Logger.Level.DEBUG,
                            "the CPU kernels work without vectors; start Java with " + FLAGS + " for them");
        }
        return new VectorUse(offered, OF_PROCESS, TILES_BEFORE_TRIAL, KernelRecord::ofProcess);
    }

    /** As {@link #onceWarm()}, but each trial begins with the first tile, and knows of no other trial. */
    static VectorUse onceWarmWithoutDelay(KernelRecord record) {
        return new VectorUse(isOfferedByJvm(), uses(false), 1, () -> record);
    }

    /** Vectors are never used. */
    static VectorUse never() {
        return new VectorUse(false, uses(false), 0, KernelRecord::ofProcess);
    }

    /**
     * Vectors are used from the first tile on, even while they are slow.
     *
     * @throws IllegalStateException if this JVM does not offer vectors
     */
    static VectorUse always() {
        if (!isOfferedByJvm()) {
            throw new IllegalStateException(
                    "this JVM runs without its Vector API or jdk.management; start it with " + FLAGS);
        }
        return new VectorUse(true, uses(true), 0, KernelRecord::ofProcess);
    }

    /** Uses vectors where this does, and begins no warm-up. */
    VectorUse settled() {
        return new VectorUse(offered, uses, 0, KernelRecord::ofProcess);
    }

    /** True if vectors may be used, now or later. */
    boolean isOffered() {
        return offered;
    }

    /** True if vectors may be used, now or later, by a kernel for samples of this format. */
    boolean offers(Kernel kernel, PixelFormat format) {
        return offered && (kernel != Kernel.DEBLOCK || format.sampleBytes() == 1 || CompiledAlone.isTold());
    }

    /** True if the next tile is to use the vector form of {@code kernel}. */
    boolean inUse(Kernel kernel, PixelFormat format) {
        return use(kernel, format).inVectors;
    }

    /**
     * How many workers the next picture is to have, of {@code threads}. While a trial runs, the JVM's compiler needs processors
     * too, and the sooner it is done the better.
     */
    int workers(int threads) {
        return warmUp.isOnTrial() ? Math.max(1, threads - COMPILING) : threads;
    }

    /** Says that the stream's first picture begins. */
    void pause() {
        warmUp.pause();
    }

    /** Says that the stream's first picture is done. */
    void start() {
        warmUp.start();
    }

    /** Waits until no trial runs, at most this long. */
    void awaitTrials(long nanos) {
        warmUp.awaitTrials(nanos);
    }

    /** True while a trial runs. */
    boolean isOnTrial() {
        return warmUp.isOnTrial();
    }

    /** True while kernels that were expected not long ago are not compiled. */
    boolean isWarmingUp() {
        return warmUp.isWarmingUp();
    }

    /** Nanoseconds from the opening of the context until all was ready that was expected; 0 until then. */
    long warmUpNanos() {
        return warmUp.readyNanos();
    }

    /**
     * Begins the warm-up of the kernels that most pictures of this plan run: with automatic strength, those of most tiers for footage.
     * Side information is not known before its picture.
     */
    void expect(PixelFormat format, PicturePlan plan) {
        if (!tries) {
            return;
        }
        PictureStrength strength = plan.strength();
        List<FilterParameters> tiers = strength instanceof PictureStrength.Automatic automatic
                ? automatic.ladder().tiers().subList(1, 1 + StrengthTier.LEVELS)
                : strength instanceof PictureStrength.Fixed fixed ? List.of(fixed.parameters()) : List.of();
        warmUp.only(format);
        for (Kernel kernel : Kernel.values()) {
            List<FilterParameters> running = tiers.stream()
                    .map(tier -> Exercise.alone(kernel, tier))
                    .flatMap(Optional::stream)
                    .toList();
            if (!running.isEmpty() && 2 * running.size() >= tiers.size()) {
                warmUp.begin(kernel, format, running.get(running.size() / 2), plan.isAutomatic());
            }
        }
    }

    /** Filters a copy of a stream's picture in the background, until the JVM has compiled all that such pictures need. */
    void rehearse(Picture picture, PicturePlan plan, int threads) {
        if (tries) {
            warmUp.rehearse(picture, plan, threads);
        }
    }

    /** Makes the vector kernel of CDEF, for samples of {@code bitDepth} bits. Call only if {@link #isOffered}. */
    CdefKernel newCdefKernel(int bitDepth) {
        try {
            return (CdefKernel) constructor("VectorCdefKernel", int.class).newInstance(bitDepth);
        } catch (ReflectiveOperationException e) {
            throw incomplete(e);
        }
    }

    /** Makes the vector kernel of deblocking for pictures of {@code format}. Call only if it {@linkplain #offers is offered}. */
    DeblockKernel newDeblockKernel(PixelFormat format) {
        String name = format.sampleBytes() == 1 ? "VectorDeblockKernel" : "VectorWideDeblockKernel";
        try {
            return (DeblockKernel) constructor(name, PixelFormat.class).newInstance(format);
        } catch (ReflectiveOperationException e) {
            throw incomplete(e);
        }
    }

    /** Makes the vector kernel of shrinkage. Call only if {@link #isOffered}. */
    ShrinkageKernel newShrinkageKernel() {
        try {
            return (ShrinkageKernel) constructor("VectorShrinkageKernel").newInstance();
        } catch (ReflectiveOperationException e) {
            throw incomplete(e);
        }
    }

    // The class is found by name, because it cannot be loaded without the module of vectors. The descriptor of this
    // library does not require that module, so this library must be allowed to read it. On the class path it always
    // may.
    private static Constructor<?> constructor(String name, Class<?>... parameters) throws ReflectiveOperationException {
        VectorUse.class.getModule().addReads(RunConditions.vectors().orElseThrow());
        return Class.forName("org.gstqpu.kernels.internal.cpu." + name).getDeclaredConstructor(parameters);
    }

    private static IllegalStateException incomplete(ReflectiveOperationException e) {
        return new IllegalStateException("the vector kernels are not complete: " + e, e);
    }

    /**
     * Counts tiles of 64x64 samples that {@code kernel} is about to filter, and begins the kernel's warm-up when there were enough.
     * Allocates nothing but the warm-up.
     */
    void expect(Kernel kernel, PixelFormat format, int tiles) {
        AtomicInteger left = tilesLeft.get(format).get(kernel);
        if (!tries || !offers(kernel, format) || left.get() <= 0) {
            return;
        }
        int before = left.getAndAdd(-tiles);
        if (before > 0 && before <= tiles) {
            warmUp.begin(kernel, format, Exercise.usual(kernel), false);
        }
    }

    /** Waits until every warm-up that has begun has ended. */
    void awaitWarmUp() throws InterruptedException {
        warmUp.await();
    }

    @Override
    public void close() {
        warmUp.close();
    }

    /** What is known of a kernel for the samples of a format. */
    static final class Use {
        /** True once the vector form has won. */
        volatile boolean inVectors;

        /** True once the form in use is compiled as well as it ever will be. */
        volatile boolean ready;

        Use(boolean inVectors) {
            this.inVectors = inVectors;
        }
    }
}

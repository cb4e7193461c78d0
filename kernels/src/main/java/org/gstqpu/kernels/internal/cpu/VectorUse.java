/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import com.sun.management.ThreadMXBean;
import java.lang.System.Logger;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Decides when the CPU kernels of one context use vectors. Owns one trial thread per kernel. Any thread may ask.
 *
 * <p>The JVM must offer its Vector API (the module {@value #MODULE}). A vector kernel is hundreds of times slower than
 * the plain kernel until the JVM has compiled it. So a trial thread runs the vector kernel on samples of its own until
 * it is faster than the plain one and allocates nothing. Both kernels give the same samples.
 *
 * <p>A trial begins only after some thousand tiles of its kernel's work: a shorter run would end before the trial pays
 * off.
 */
final class VectorUse implements AutoCloseable {
    static final String MODULE = "jdk.incubator.vector";

    /**
     * The options that switch vectors on. The default of the second, 100 traps per compiled method, is too few for vector
     * kernels.
     */
    private static final String FLAGS = "--add-modules=" + MODULE + " -XX:PerMethodTrapLimit=1000";

    private static final AtomicBoolean NOT_OFFERED_SAID = new AtomicBoolean();

    /** The kernels that exist both in plain Java and in vectors. */
    enum Kernel {
        CDEF,
        DEBLOCK,
        SHRINKAGE
    }

    /** Tiles of about four pictures of 1920x1080. */
    private static final int TILES_BEFORE_TRIAL = 2000;

    /**
     * Time limit of a trial. Compiling a kernel takes the JVM some 2 s; the rest is for a machine whose other threads
     * use the processors.
     */
    private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final int TIMED_RUNS = 16;

    private final boolean offered;
    private final Use cdef;
    private final Use deblock;
    private final Use shrinkage;

    /**
     * Lock that the running trial holds. Trials run one after the other, so that each has a processor to itself sooner.
     */
    private final Object trying = new Object();

    private volatile boolean closed;

    private VectorUse(boolean offered, boolean inUse, int tilesBeforeTrial) {
        this.offered = offered;
        this.cdef = new Use(inUse, tilesBeforeTrial);
        this.deblock = new Use(inUse, tilesBeforeTrial);
        this.shrinkage = new Use(inUse, tilesBeforeTrial);
    }

    private Use use(Kernel kernel) {
        return switch (kernel) {
            case CDEF -> cdef;
            case DEBLOCK -> deblock;
            case SHRINKAGE -> shrinkage;
        };
    }

    private static boolean isOfferedByJvm() {
        return ModuleLayer.boot().findModule(MODULE).isPresent();
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
        return new VectorUse(offered, false, TILES_BEFORE_TRIAL);
    }

    /** As {@link #onceWarm()}, but each trial begins with the first tile. */
    static VectorUse onceWarmWithoutDelay() {
        return new VectorUse(isOfferedByJvm(), false, 1);
    }

    /** Vectors are never used. */
    static VectorUse never() {
        return new VectorUse(false, false, 0);
    }

    /**
     * Vectors are used from the first tile on, even while they are slow.
     *
     * @throws IllegalStateException if this JVM does not offer vectors
     */
    static VectorUse always() {
        if (!isOfferedByJvm()) {
            throw new IllegalStateException(
                    "this JVM runs without its Vector API; start it with --add-modules=" + MODULE);
        }
        return new VectorUse(true, true, 0);
    }

    /** True if vectors may be used, now or later. */
    boolean isOffered() {
        return offered;
    }

    /** True if the next tile is to use the vector form of {@code kernel}. */
    boolean inUse(Kernel kernel) {
        return use(kernel).inUse;
    }

    /** Makes the vector kernel of CDEF, for samples of {@code bitDepth} bits. Call only if {@link #isOffered}. */
    CdefKernel newCdefKernel(int bitDepth) {
        try {
            return (CdefKernel) constructor("VectorCdefKernel", int.class).newInstance(bitDepth);
        } catch (ReflectiveOperationException e) {
            throw incomplete(e);
        }
    }

    /** Makes the vector kernel of deblocking, for pictures of a format of 8 bit. Call only if {@link #isOffered}. */
    DeblockKernel newDeblockKernel(PixelFormat format) {
        try {
            return (DeblockKernel)
                    constructor("VectorDeblockKernel", PixelFormat.class).newInstance(format);
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
    // library
    // does not require that module, so this library must be allowed to read it. On the class path it always may.
    private static Constructor<?> constructor(String name, Class<?>... parameters) throws ReflectiveOperationException {
        VectorUse.class
                .getModule()
                .addReads(ModuleLayer.boot().findModule(MODULE).orElseThrow());
        return Class.forName("org.gstqpu.kernels.internal.cpu." + name).getDeclaredConstructor(parameters);
    }

    private static IllegalStateException incomplete(ReflectiveOperationException e) {
        return new IllegalStateException("the vector kernels are not complete: " + e, e);
    }

    /**
     * Counts tiles of 64x64 samples that {@code kernel} is about to filter, and begins the kernel's trial when there
     * were enough. Allocates nothing but the trial.
     */
    void expect(Kernel kernel, int tiles) {
        Use use = use(kernel);
        if (!offered || use.tilesToTrial.get() <= 0) {
            return;
        }
        int before = use.tilesToTrial.getAndAdd(-tiles);
        if (before > 0 && before <= tiles) {
            Thread thread = new Thread(() -> tryOut(kernel, use), "qpu-cpu-vectors");
            thread.setDaemon(true);
            use.trial = thread;
            thread.start();
        }
    }

    private void tryOut(Kernel kernel, Use use) {
        synchronized (trying) {
            switch (kernel) {
                case CDEF -> tryOut(use, CdefTrial.plain(), CdefTrial.of(newCdefKernel(CdefTrial.BIT_DEPTH)));
                case DEBLOCK -> {
                    try (DeblockTrial plain = new DeblockTrial(new PlainDeblockKernel(DeblockTrial.FORMAT));
                            DeblockTrial vector = new DeblockTrial(newDeblockKernel(DeblockTrial.FORMAT))) {
                        tryOut(use, plain, vector);
                    }
                }
                case SHRINKAGE ->
                    tryOut(
                            use,
                            new ShrinkageTrial(new PlainShrinkageKernel()),
                            new ShrinkageTrial(newShrinkageKernel()));
            }
        }
    }

    private void tryOut(Use use, Runnable plain, Runnable vector) {
        LongSupplier allocatedBytes = allocationCounter();
        long start = System.nanoTime();
        while (!closed && System.nanoTime() - start < TRIAL_NANOS) {
            if (wins(vector, plain, allocatedBytes)) {
                use.inUse = true;
                return;
            }
        }
    }

    /**
     * Runs both a few times, and returns whether {@code vector} is faster and allocated nothing. The JVM's compiler
     * sometimes leaves vectors on the heap for good. Such code may be faster, but is refused because a filter must not
     * allocate.
     */
    static boolean wins(Runnable vector, Runnable plain, LongSupplier allocatedBytes) {
        long before = allocatedBytes.getAsLong();
        long nanos = bestNanos(vector);
        return allocatedBytes.getAsLong() == before && nanos < bestNanos(plain);
    }

    /**
     * Counts the bytes of Java heap that the calling thread has allocated so far. Always 0 if the JVM does not count.
     */
    static LongSupplier allocationCounter() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean counting
                        && counting.isThreadAllocatedMemorySupported()
                ? counting::getCurrentThreadAllocatedBytes
                : () -> 0;
    }

    /** The least time of several runs. */
    private static long bestNanos(Runnable trial) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TIMED_RUNS; i++) {
            long start = System.nanoTime();
            trial.run();
            best = Math.min(best, System.nanoTime() - start);
        }
        return best;
    }

    /** Waits until every trial that has begun has ended. */
    void awaitTrials() throws InterruptedException {
        for (Kernel kernel : Kernel.values()) {
            Thread thread = use(kernel).trial;
            if (thread != null) {
                thread.join();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Kernel kernel : Kernel.values()) {
            for (Thread thread = use(kernel).trial; thread != null && thread.isAlive(); ) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is known of one kernel: how many tiles are left until its trial, and whether it has won. */
    private static final class Use {
        final AtomicInteger tilesToTrial;
        volatile boolean inUse;
        volatile Thread trial;

        Use(boolean inUse, int tilesBeforeTrial) {
            this.inUse = inUse;
            this.tilesToTrial = new AtomicInteger(tilesBeforeTrial);
        }
    }
}

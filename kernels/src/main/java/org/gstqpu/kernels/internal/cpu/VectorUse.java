/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Says whether the CPU kernels work in vectors, for the filters of one context: where the JVM offers its Vector API (the
 * module {@value #MODULE}) and once that is faster and allocates nothing. Until the JVM has compiled a vector kernel, it is
 * hundreds of times slower than a plain one, so a thread of this class runs it on samples of its own until it wins. Both give
 * the same samples.
 *
 * <p>Owns those threads, one a kernel, which begin after some thousand tiles of the kernel's work: a short run is over
 * before it pays. Any thread may ask.
 */
final class VectorUse implements AutoCloseable {
    static final String MODULE = "jdk.incubator.vector";

    /** What there is both plainly and in vectors. */
    enum Kernel {
        CDEF,
        DEBLOCK
    }

    /** Four pictures of 1920x1080. */
    private static final int TILES_BEFORE_TRIAL = 2000;

    /** Enough for the JVM to compile a kernel while others use the processors; it takes some 2 s of its own. */
    private static final long TRIAL_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static final int TIMED_RUNS = 16;

    private final boolean offered;
    private final Use cdef;
    private final Use deblock;

    /** Held by the trial that is running, so that it has a processor of its own sooner. */
    private final Object trying = new Object();

    private volatile boolean closed;

    private VectorUse(boolean offered, boolean inUse, int tilesBeforeTrial) {
        this.offered = offered;
        this.cdef = new Use(inUse, tilesBeforeTrial);
        this.deblock = new Use(inUse, tilesBeforeTrial);
    }

    private Use use(Kernel kernel) {
        return kernel == Kernel.CDEF ? cdef : deblock;
    }

    private static boolean isOfferedByJvm() {
        return ModuleLayer.boot().findModule(MODULE).isPresent();
    }

    /** In use once that is faster, if ever. */
    static VectorUse onceWarm() {
        return new VectorUse(isOfferedByJvm(), false, TILES_BEFORE_TRIAL);
    }

    /** The same, with trials that begin at once. */
    static VectorUse onceWarmWithoutDelay() {
        return new VectorUse(isOfferedByJvm(), false, 1);
    }

    /** Not in use. */
    static VectorUse never() {
        return new VectorUse(false, false, 0);
    }

    /**
     * In use from the first tile on, fast or not.
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

    /** Whether vectors may come to be used. */
    boolean isOffered() {
        return offered;
    }

    /** Whether to take the vector form of {@code kernel} next. */
    boolean inUse(Kernel kernel) {
        return use(kernel).inUse;
    }

    /** CDEF in vectors, for samples of {@code bitDepth} bits; only where {@link #isOffered}. */
    CdefKernel newCdefKernel(int bitDepth) {
        try {
            return (CdefKernel) constructor("VectorCdefKernel", int.class).newInstance(bitDepth);
        } catch (ReflectiveOperationException e) {
            throw incomplete(e);
        }
    }

    /** Deblocking in vectors, for pictures of a format of 8 bit; only where {@link #isOffered}. */
    DeblockKernel newDeblockKernel(PixelFormat format) {
        try {
            return (DeblockKernel)
                    constructor("VectorDeblockKernel", PixelFormat.class).newInstance(format);
        } catch (ReflectiveOperationException e) {
            throw incomplete(e);
        }
    }

    // By name, since without its module the class cannot be loaded. The descriptor of this library does not require
    // that
    // module, so it is read from here on; on the class path all modules are.
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
     * Counts tiles of 64x64 samples that {@code kernel} is about to filter; begins its trial when there were enough.
     * Allocates nothing else.
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
     * Runs both a few times. The JVM's compiler sometimes puts vectors onto the heap for good: such code may be the faster, and
     * does not win.
     */
    static boolean wins(Runnable vector, Runnable plain, LongSupplier allocatedBytes) {
        long before = allocatedBytes.getAsLong();
        long nanos = bestNanos(vector);
        return allocatedBytes.getAsLong() == before && nanos < bestNanos(plain);
    }

    /** Gives the bytes of Java heap that the asking thread has allocated so far; always 0 where the JVM does not count. */
    static LongSupplier allocationCounter() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean counting
                        && counting.isThreadAllocatedMemorySupported()
                ? counting::getCurrentThreadAllocatedBytes
                : () -> 0;
    }

    /** The least time of a few runs. */
    private static long bestNanos(Runnable trial) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TIMED_RUNS; i++) {
            long start = System.nanoTime();
            trial.run();
            best = Math.min(best, System.nanoTime() - start);
        }
        return best;
    }

    /** Waits for the trials that have begun. */
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

    /** What is known of one kernel. */
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

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import com.sun.management.ThreadMXBean;
import java.lang.System.Logger;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.row.Row;
import org.gstqpu.kernels.internal.stage.KernelRecord;
import org.gstqpu.kernels.internal.stage.RowFilter;
import org.gstqpu.kernels.internal.stage.ScalableVectors;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Exercises the kernels of one context until the JVM has compiled them. Owns one thread ({@code qpu-cpu-warm-up}) for each kernel
 * and format, and one for each format's rehearsal, which ends when the kernel is ready or this is closed.
 *
 * <p>A vector kernel is hundreds of times slower than the plain kernel until the JVM has compiled it. So the stream's pictures run
 * the plain kernel, and the thread runs the vector kernel, until that is faster and allocates nothing: then it has won its trial,
 * and the pictures run it, too. Where a trial before has shown that the plain kernel wins, or where there are no vectors, the
 * thread exercises the plain kernel. Both kernels give the same samples.
 *
 * <p>No picture depends on it: where no thread can be started, the pictures run the plain kernel, which they make the JVM compile.
 */
public final class WarmUp implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WarmUp.class.getName());

    /** For this time, the stream's pictures leave processors to the JVM's compiler, or pass as they are if they would be late. */
    private static final long COMPILING_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Processors that the JVM's compiler takes during a trial, if there are enough. */
    private static final int COMPILING = 2;

    /** A kernel that did not become faster for this time is ready: the compiler has nothing more to do for it. */
    private static final long STEADY_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** How long a context that was just opened waits for a first picture. */
    private static final long HEAD_START_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

    /** How long closing waits for the threads. An exercise of compiled code takes less. */
    private static final long CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** From one exercise to the next. The compiler needs the processor more than the kernel that waits for it. */
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A time less than this part of the best one before is progress. */
    private static final double PROGRESS = 0.95;

    private static final int TIMED_RUNS = 4;

    private final VectorUse vectors;
    private final Consumer<Thread> starter;
    private final long opened = System.nanoTime();

    /** All that has begun and was not dropped. Guarded by this object's lock. */
    private final List<Task> tasks = new ArrayList<>();

    /** Tasks whose trial has begun less than {@link #COMPILING_NANOS} ago, and has not ended. */
    private final AtomicInteger onTrial = new AtomicInteger();

    /** Tasks whose kernel is not ready. */
    private final AtomicInteger unready = new AtomicInteger();

    /** Rehearsals that have not ended. */
    private final AtomicInteger rehearsals = new AtomicInteger();

    /** When the last kernel became ready, in nanoseconds since this was made. */
    private final AtomicLong readyNanos = new AtomicLong();

    /** When the last task began, by {@link System#nanoTime}. */
    private volatile long lastBegun = opened;

    private volatile boolean paused;
    private volatile boolean started;
    private volatile boolean closed;

    /** The exercises of one kernel, or a rehearsal, which has none. */
    private static final class Task {
        final RowFilter kernel;
        final PixelFormat format;
        Thread thread;

        /** True if this counts as {@link #onTrial}. Guarded by the warm-up's lock. */
        boolean onTrial;

        /** True if the thread is to end. */
        volatile boolean dropped;

        Task(RowFilter kernel, PixelFormat format) {
            this.kernel = kernel;
            this.format = format;
        }
    }

    /**
     * @param vectors whose kernels are exercised; their record is asked for by the threads alone, for it may read files
     */
    WarmUp(VectorUse vectors) {
        this(vectors, Thread::start);
    }

    /** A warm-up whose threads {@code starter} starts. */
    WarmUp(VectorUse vectors, Consumer<Thread> starter) {
        this.vectors = vectors;
        this.starter = starter;
        vectors.setTrials((kernel, format) -> begin(kernel, format, kernel.usual(), false));
    }

    /** Whose kernels are exercised. */
    VectorUse vectors() {
        return vectors;
    }

    /**
     * Begins the warm-up of the kernels that most pictures of this plan run: with automatic strength, those of most tiers for footage.
     * Side information is not known before its picture.
     */
    void expect(PixelFormat format, PicturePlan plan) {
        if (!vectors.tries()) {
            return;
        }
        PictureStrength strength = plan.strength();
        List<FilterParameters> tiers = strength instanceof PictureStrength.Automatic automatic
                ? automatic.ladder().tiers().subList(1, 1 + StrengthTier.LEVELS)
                : strength instanceof PictureStrength.Fixed fixed ? List.of(fixed.parameters()) : List.of();
        only(format);
        for (RowFilter kernel : Row.FILTERS) {
            List<FilterParameters> running = tiers.stream()
                    .map(tier -> kernel.alone(tier))
                    .flatMap(Optional::stream)
                    .toList();
            if (!running.isEmpty() && 2 * running.size() >= tiers.size()) {
                begin(kernel, format, running.get(running.size() / 2), plan.isAutomatic());
            }
        }
    }

    /**
     * Begins to exercise a kernel for a format. Does nothing if this has begun before, or the kernel is ready already.
     *
     * @param parameters for the kernel alone
     * @param measured whether the stream's pictures are measured, too
     */
    public synchronized void begin(
            RowFilter kernel, PixelFormat format, FilterParameters parameters, boolean measured) {
        if (closed || vectors.use(kernel, format).ready || hasBegun(kernel, format)) {
            return;
        }
        Task task = new Task(kernel, format);
        task.onTrial = true;
        onTrial.incrementAndGet();
        unready.incrementAndGet();
        if (!spawn(task, () -> exercise(task, parameters, measured))) {
            endTrial(task);
            unready.decrementAndGet();
        }
    }

    /**
     * Begins to filter a copy of a stream's picture again and again, once the kernels are ready, until that no longer becomes faster:
     * the stream's own pictures show the JVM what an exercise on small pictures does not. Does nothing if a rehearsal for the format
     * has begun before.
     *
     * @param picture in the process's memory; not used once this method has returned
     * @param threads that are to work on it
     */
    synchronized void rehearse(Picture picture, PicturePlan plan, int threads) {
        PixelFormat format = picture.layout().format();
        if (!vectors.tries() || closed || hasBegun(null, format)) {
            return;
        }
        Exercise exercise;
        try {
            exercise = Exercise.ofPicture(picture, plan, vectors.settled(), threads);
        } catch (OutOfMemoryError e) {
            // The stream can do without.
            LOG.log(Logger.Level.DEBUG, () -> "no rehearsal: " + e.getMessage());
            return;
        }
        Task task = new Task(null, format);
        rehearsals.incrementAndGet();
        if (!spawn(task, () -> rehearse(task, exercise))) {
            rehearsals.decrementAndGet();
            exercise.close();
        }
    }

    private boolean hasBegun(RowFilter kernel, PixelFormat format) {
        return tasks.stream().anyMatch(task -> !task.dropped && task.kernel == kernel && task.format == format);
    }

    /** Starts a task's thread. False if no thread can be started; the task has not begun then. */
    private synchronized boolean spawn(Task task, Runnable work) {
        lastBegun = System.nanoTime();
        task.thread = new Thread(work, "qpu-cpu-warm-up");
        task.thread.setDaemon(true);
        try {
            starter.accept(task.thread);
        } catch (OutOfMemoryError e) {
            LOG.log(Logger.Level.DEBUG, () -> "no warm-up: " + e.getMessage());
            return false;
        }
        tasks.add(task);
        return true;
    }

    /** Drops the exercises for all formats but one: they would only delay its own. */
    private synchronized void only(PixelFormat format) {
        for (Task task : tasks) {
            task.dropped |= task.format != format;
        }
        tasks.removeIf(task -> task.dropped && !task.thread.isAlive());
    }

    /** Stops the exercises: the stream's first picture comes, and is to have the processors to itself. */
    void pause() {
        paused = true;
    }

    /** Says that the stream's first picture is done. */
    public void start() {
        started = true;
        paused = false;
    }

    /**
     * Exercises the plain form until the stream's first picture is done, which runs it. A vector kernel that is not compiled takes
     * more of the processors and of the compiler than all else, and would delay that picture. But the picture may be far.
     */
    private void awaitStart(Task task, Exercise plain) {
        while (!started && !isOver(task) && (paused || System.nanoTime() - opened < HEAD_START_NANOS)) {
            if (!paused) {
                plain.run();
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    /** Waits until no trial runs, at most this long. */
    synchronized void awaitTrials(long nanos) {
        long end = System.nanoTime() + nanos;
        try {
            for (long left = nanos; left > 0 && isOnTrial() && !closed; left = end - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Gives the processors back to the pictures. A second call does nothing. */
    private synchronized void endTrial(Task task) {
        if (task.onTrial) {
            task.onTrial = false;
            onTrial.decrementAndGet();
            notifyAll();
        }
    }

    /** True while a trial is young: the JVM compiles, and the processors that it takes are not the pictures' alone. */
    boolean isOnTrial() {
        return onTrial.get() > 0;
    }

    /**
     * How many workers the next picture is to have, of {@code threads}. While a trial runs, the JVM's compiler needs processors
     * too, and the sooner it is done the better.
     */
    int workers(int threads) {
        return isOnTrial() ? Math.max(1, threads - COMPILING) : threads;
    }

    /**
     * True while a recently started kernel still compiles, or a rehearsal lasts. Where that takes longer, on a busy machine, the
     * stream's own pictures make the JVM compile the plain kernel.
     */
    boolean isWarmingUp() {
        return unready.get() + rehearsals.get() > 0 && System.nanoTime() - lastBegun < COMPILING_NANOS;
    }

    /** Nanoseconds from the beginning until the last kernel became ready; 0 while there are kernels that are not. */
    long readyNanos() {
        return unready.get() > 0 ? 0 : readyNanos.get();
    }

    private void exercise(Task task, FilterParameters parameters, boolean measured) {
        VectorUse.Use use = vectors.use(task.kernel, task.format);
        try {
            try {
                if (vectors.offers(task.kernel, task.format) && !use.inVectors) {
                    ScalableVectors.tellOnce();
                    tryOut(task, use, parameters, measured);
                }
            } finally {
                endTrial(task);
            }
            try (Exercise exercise = Exercise.ofKernel(
                    task.format, parameters, measured, use.inVectors ? VectorUse.always() : VectorUse.never())) {
                long steadySince = untilSteady(task, exercise);
                if (!isOver(task)) {
                    use.ready = true;
                    readyNanos.accumulateAndGet(steadySince - opened, Math::max);
                }
            }
        } finally {
            unready.decrementAndGet();
        }
    }

    private void rehearse(Task task, Exercise exercise) {
        try (exercise) {
            while (unready.get() > 0 && isWarmingUp() && !isOver(task)) {
                LockSupport.parkNanos(NAP_NANOS);
            }
            if (isWarmingUp()) {
                lastBegun = System.nanoTime();
                untilSteady(task, exercise);
            }
        } finally {
            rehearsals.decrementAndGet();
        }
    }

    private boolean isOver(Task task) {
        return closed || task.dropped;
    }

    private void tryOut(Task task, VectorUse.Use use, FilterParameters parameters, boolean measured) {
        RowFilter kernel = task.kernel;
        PixelFormat format = task.format;
        try (Exercise plain = Exercise.ofKernel(format, parameters, measured, VectorUse.never())) {
            awaitStart(task, plain);
            Optional<KernelRecord.Winner> known = vectors.record().find(kernel, format);
            if (isOver(task) || known.equals(Optional.of(KernelRecord.Winner.PLAIN))) {
                return;
            }
            try (Exercise vector = Exercise.ofKernel(format, parameters, measured, VectorUse.always())) {
                long start = System.nanoTime();
                boolean won = wins(task, plain, vector, known.isPresent());
                if (won || !isOver(task)) {
                    use.inVectors = won;
                    vectors.record().add(kernel, format, won ? KernelRecord.Winner.VECTOR : KernelRecord.Winner.PLAIN);
                    LOG.log(Logger.Level.DEBUG, () -> told(task, won, System.nanoTime() - start));
                }
            }
        }
    }

    private static String told(Task task, boolean won, long nanos) {
        return task.kernel.name() + " of " + task.format
                + (won ? " in vectors" : " without vectors, which lost their trial") + ", after "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms";
    }

    /**
     * Runs the vector form until it has won, or its time is over.
     *
     * @param wonBefore if vectors won a trial before, it is not measured again that they are faster. They only must allocate nothing,
     *     which says that the compiler is done: without it every vector lies on the heap. So the plain form is not compiled in vain.
     */
    private boolean wins(Task task, Exercise plain, Exercise vector, boolean wonBefore) {
        LongSupplier allocatedBytes = allocationCounter();
        // This thread has made the exercises. If it allocated nothing, the JVM does not count.
        boolean counted = allocatedBytes.getAsLong() > 0;
        long bar = wonBefore && counted ? Long.MAX_VALUE : bestNanos(plain);
        long start = System.nanoTime();
        long spent = 0;
        while (!isOver(task) && spent < vectors.trialNanos()) {
            if (spent > COMPILING_NANOS) {
                endTrial(task);
            }
            if (nanos(vector) / 2 < bar) {
                // The plain form may have become faster, too.
                bar = bar == Long.MAX_VALUE ? bar : bestNanos(plain);
                if (wins(vector, bar, allocatedBytes)) {
                    return true;
                }
            }
            LockSupport.parkNanos(NAP_NANOS);
            spent = System.nanoTime() - start;
        }
        return false;
    }

    /** Runs an exercise until it no longer becomes faster. Returns when it last did, by {@link System#nanoTime}. */
    private long untilSteady(Task task, Exercise exercise) {
        long best = Long.MAX_VALUE;
        long since = System.nanoTime();
        while (!isOver(task) && System.nanoTime() - since < STEADY_NANOS) {
            long nanos = bestNanos(exercise);
            if (nanos < PROGRESS * best) {
                best = nanos;
                since = System.nanoTime();
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
        return since;
    }

    /**
     * Runs a kernel a few times, and returns whether it is faster than {@code barNanos} and allocated nothing. The JVM's compiler
     * sometimes leaves vectors on the heap for good. Such code may be faster, but is refused because a filter must not allocate.
     */
    static boolean wins(Runnable vector, long barNanos, LongSupplier allocatedBytes) {
        long before = allocatedBytes.getAsLong();
        long nanos = bestNanos(vector);
        return allocatedBytes.getAsLong() == before && nanos < barNanos;
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
    static long bestNanos(Runnable exercise) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < TIMED_RUNS; i++) {
            best = Math.min(best, nanos(exercise));
        }
        return best;
    }

    private static long nanos(Runnable exercise) {
        long start = System.nanoTime();
        exercise.run();
        return System.nanoTime() - start;
    }

    /** Waits until every kernel that has begun is ready. */
    void await() throws InterruptedException {
        for (Task task : begun()) {
            task.thread.join();
        }
    }

    private synchronized List<Task> begun() {
        return List.copyOf(tasks);
    }

    /**
     * Ends the threads, each after the exercise that it runs. In vectors that the JVM has not compiled an exercise takes up to 0.3 s,
     * for which nobody is to wait: such a thread ends by itself, soon after this has returned. It uses nothing but its exercise,
     * which it closes. A second call does nothing.
     */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        long end = System.nanoTime() + CLOSE_NANOS;
        try {
            for (Task task : begun()) {
                LockSupport.unpark(task.thread);
                TimeUnit.NANOSECONDS.timedJoin(task.thread, Math.max(1, end - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

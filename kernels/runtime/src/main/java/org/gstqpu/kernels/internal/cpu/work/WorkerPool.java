/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.work;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Owns daemon threads ({@code qpu-cpu-1} …) that run a {@link PictureJob} together with the thread that starts the job.
 * The starting thread is worker 0. One thread at a time may start a job, and only one job runs at a time. Starting a
 * job allocates nothing.
 *
 * <p>Where the process may not start as many threads as it was asked for, the pool has those that it got, at least the
 * starting thread: a job takes longer then.
 */
public final class WorkerPool implements AutoCloseable {
    private static final Logger LOG = System.getLogger(WorkerPool.class.getName());

    /** More than the number of workers of any pool. */
    private static final int MOST_WORKERS = 1 << 16;

    /** How long the caller waits before it looks again, should nobody have woken it. */
    private static final long LOOK_NANOS = 10_000_000;

    private final Helper[] helpers;

    /**
     * Changes with each job: the job's number, times {@link #MOST_WORKERS}, plus the number of helpers that run the job. One number
     * says both, so that a helper that takes no part never mistakes one job for another.
     */
    private final AtomicInteger generation = new AtomicInteger();

    // Written before `generation`, which publishes it. Unchanged until every helper that takes part has finished.
    private PictureJob job;
    private volatile Thread caller;
    private volatile boolean closed;
    private volatile Throwable failure;

    /**
     * Starts the threads of a context.
     *
     * @param threads workers, the calling thread included; 0 for one per processor
     * @throws IllegalArgumentException if {@code threads} is negative
     */
    public static WorkerPool of(int threads) {
        if (threads < 0) {
            throw new IllegalArgumentException("threads is 0 (one a processor) or more, given " + threads);
        }
        return new WorkerPool(threads == 0 ? Runtime.getRuntime().availableProcessors() : threads);
    }

    public WorkerPool(int threads) {
        this(threads, Thread::start);
    }

    /** A pool whose threads {@code starter} starts. */
    public WorkerPool(int threads, Consumer<Thread> starter) {
        List<Helper> started = new ArrayList<>();
        try {
            for (int i = 1; i < threads; i++) {
                Helper helper = new Helper(i);
                starter.accept(helper.thread);
                started.add(helper);
            }
        } catch (OutOfMemoryError e) {
            // So Java says that a limit of threads is reached, too.
            LOG.log(
                    Logger.Level.WARNING,
                    () -> "the CPU filters on " + (started.size() + 1) + " of " + threads + " threads ("
                            + e.getMessage() + "): raise the limit of processes (ulimit -u, or systemd's TasksMax)");
        }
        helpers = started.toArray(Helper[]::new);
    }

    /** Number of workers, the calling thread included. */
    public int threads() {
        return helpers.length + 1;
    }

    /** {@code "CPU, N threads"}, as users are told. */
    public String name() {
        return "CPU, " + threads() + (threads() == 1 ? " thread" : " threads");
    }

    /** Runs {@code next} on all workers. Returns when every worker has returned. */
    public void run(PictureJob next) {
        run(next, threads());
    }

    /** Runs {@code next} on the first {@code workers} workers, 1 or more. Returns when each of them has returned. */
    public void run(PictureJob next, int workers) {
        if (closed) {
            throw new IllegalStateException("the CPU context is closed");
        }
        int called = workers - 1;
        if (called == 0) {
            next.work(0);
            return;
        }
        job = next;
        failure = null;
        caller = Thread.currentThread();
        int jobs = generation.get() / MOST_WORKERS;
        generation.set((jobs + 1) % (Integer.MAX_VALUE / MOST_WORKERS) * MOST_WORKERS + called);
        for (int i = 0; i < called; i++) {
            LockSupport.unpark(helpers[i].thread);
        }
        try {
            next.work(0);
        } finally {
            awaitHelpers();
        }
        if (failure != null) {
            throw new IllegalStateException("a CPU worker failed: " + failure, failure);
        }
    }

    private void awaitHelpers() {
        boolean interrupted = false;
        InternalError late = null;
        boolean waits = true;
        while (waits) {
            try {
                waits = !haveFinished();
                if (waits) {
                    LockSupport.parkNanos(this, LOOK_NANOS);
                    // While the thread is interrupted, parkNanos returns at once and this loop would spin. The
                    // interrupt
                    // is restored below.
                    interrupted |= Thread.interrupted();
                }
            } catch (InternalError e) {
                // Helpers still work on the memory that the caller is about to let go.
                late = e;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (late != null) {
            throw late;
        }
    }

    /** Whether all helpers that take part in the last job have finished it. */
    private boolean haveFinished() {
        int last = generation.get();
        for (int i = 0; i < last % MOST_WORKERS; i++) {
            if (helpers[i].finished != last) {
                return false;
            }
        }
        return true;
    }

    /**
     * The loop of one helper thread. It survives exceptions thrown almost anywhere: Java 17 reports a touch of memory that is gone some
     * time after it, perhaps when the job is over. A loop that such an exception ended begins anew, from what its fields say.
     */
    private final class Helper implements Runnable {
        private final int worker;
        private final Thread thread;
        /** The job that it has seen last, by {@link #generation}. */
        private int seen;
        /** The last job of which it has done its part, or in which it has failed. */
        private volatile int finished;

        private Helper(int worker) {
            this.worker = worker;
            thread = new Thread(this, "qpu-cpu-" + worker);
            thread.setDaemon(true);
        }

        @Override
        public void run() {
            while (true) {
                try {
                    serve();
                    return;
                } catch (Throwable thrown) {
                    failure = thrown;
                }
            }
        }

        /** Returns when the pool is closed. */
        private void serve() {
            while (true) {
                finish();
                while (generation.get() == seen && !closed) {
                    LockSupport.park(WorkerPool.this);
                }
                if (generation.get() == seen) {
                    return;
                }
                seen = generation.get();
                if (worker <= seen % MOST_WORKERS) {
                    job.work(worker);
                }
            }
        }

        private void finish() {
            if (finished != seen) {
                Thread waiting = caller;
                boolean takesPart = worker <= seen % MOST_WORKERS;
                finished = seen;
                if (takesPart && haveFinished()) {
                    LockSupport.unpark(waiting);
                }
            }
        }
    }

    /** Ends the threads, after a job in progress. A second call does nothing. */
    @Override
    public void close() {
        closed = true;
        boolean interrupted = false;
        for (Helper helper : helpers) {
            LockSupport.unpark(helper.thread);
            while (helper.thread.isAlive()) {
                try {
                    helper.thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Owns daemon threads ({@code qpu-cpu-1} …) that run a {@link PictureJob} together with the thread that starts the job.
 * The starting thread is worker 0. One thread at a time may start a job, and only one job runs at a time. Starting a
 * job allocates nothing.
 */
final class WorkerPool implements AutoCloseable {
    private final Thread[] helpers;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger generation = new AtomicInteger();

    // Written before `generation`, which publishes it. Unchanged until every helper has counted down `running`.
    private PictureJob job;
    private volatile Thread caller;
    private volatile boolean closed;
    private volatile Throwable failure;

    WorkerPool(int threads) {
        helpers = new Thread[threads - 1];
        for (int i = 0; i < helpers.length; i++) {
            int worker = i + 1;
            helpers[i] = new Thread(() -> serve(worker), "qpu-cpu-" + worker);
            helpers[i].setDaemon(true);
        }
        for (Thread helper : helpers) {
            helper.start();
        }
    }

    /** Number of workers, the calling thread included. */
    int threads() {
        return helpers.length + 1;
    }

    /** Runs {@code next} on all workers. Returns when every worker has returned. */
    void run(PictureJob next) {
        if (closed) {
            throw new IllegalStateException("the CPU context is closed");
        }
        if (helpers.length == 0) {
            next.work(0);
            return;
        }
        job = next;
        failure = null;
        caller = Thread.currentThread();
        running.set(helpers.length);
        generation.incrementAndGet();
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
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
        while (running.get() != 0) {
            LockSupport.park(this);
            // While the thread is interrupted, park returns at once and this loop would spin. The interrupt is restored
            // below.
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(int worker) {
        int seen = 0;
        while (true) {
            while (generation.get() == seen && !closed) {
                LockSupport.park(this);
            }
            if (generation.get() == seen) {
                return;
            }
            seen = generation.get();
            try {
                job.work(worker);
            } catch (Throwable thrown) {
                failure = thrown;
            } finally {
                Thread waiting = caller;
                if (running.decrementAndGet() == 0) {
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
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
            while (helper.isAlive()) {
                try {
                    helper.join();
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

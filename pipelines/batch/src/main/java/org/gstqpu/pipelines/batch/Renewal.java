/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Renews a lease in a thread of its own while a task is done, and finds out when the lease is lost. Any thread. */
final class Renewal implements AutoCloseable {
    private final Lease lease;
    private final long lifeNanos;
    private final long start = System.nanoTime();
    private final ScheduledExecutorService thread;
    private final Future<?> renewals;
    private volatile long pictures;
    private volatile boolean lost;

    /** Of the last renewal that succeeded. */
    private volatile long renewed = start;

    Renewal(Lease lease, int seconds) {
        this.lease = lease;
        lifeNanos = TimeUnit.SECONDS.toNanos(seconds);
        thread = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread daemon = new Thread(task, "lease");
            daemon.setDaemon(true);
            return daemon;
        });
        long period = lifeNanos / Lease.RENEWALS;
        renewals = thread.scheduleAtFixedRate(this::renew, period, period, TimeUnit.NANOSECONDS);
    }

    /** Says how far the work has come. */
    void pictures(long number) {
        pictures = number;
    }

    /**
     * Whether the work may go on.
     *
     * @param last whether the work is done, so that the output would be put into its place next: then the file is looked at
     */
    boolean isHeld(boolean last) {
        if (last && !lost) {
            try {
                lost = !lease.isMine();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return !lost;
    }

    private void renew() {
        try {
            if (lease.renew(pictures, System.nanoTime() - start)) {
                renewed = System.nanoTime();
            } else {
                lost = true;
            }
        } catch (IOException e) {
            // A file server that is away for a moment costs nothing; one that is away for longer has let the lease die.
            lost = System.nanoTime() - renewed > lifeNanos;
        }
    }

    /** Ends the renewing; returns when no renewal runs any more, so that none makes a freed lease again. */
    @Override
    public void close() {
        renewals.cancel(false);
        thread.shutdown();
        try {
            if (!thread.awaitTermination(lifeNanos, TimeUnit.NANOSECONDS)) {
                throw new IllegalStateException("a lease is being renewed for longer than it lives");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Has the process give memory back to the system some seconds after the last element was closed: until it collects garbage, a JVM keeps
 * what closed elements had. A host that starts its elements again meanwhile is not disturbed. Any thread.
 */
final class MemoryGiver {
    static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(3);

    private final BooleanSupplier idle;
    private final Runnable give;
    private final long pauseNanos;

    private long closedAt;
    private boolean waiting;

    /**
     * Makes a giver.
     *
     * @param idle whether no element is open; any thread
     * @param give gives the memory back; a thread of this object
     * @param pauseNanos how long no element is open before that
     */
    MemoryGiver(BooleanSupplier idle, Runnable give, long pauseNanos) {
        this.idle = idle;
        this.give = give;
        this.pauseNanos = pauseNanos;
    }

    /** An element was closed. Starts a thread, unless one waits already. */
    synchronized void elementClosed() {
        closedAt = System.nanoTime();
        if (waiting || !idle.getAsBoolean()) {
            return;
        }
        Thread thread = new Thread(this::await, "qpu-memory");
        thread.setDaemon(true);
        try {
            thread.start();
            waiting = true;
        } catch (OutOfMemoryError e) {
            // The process has no thread to spare, and keeps its memory.
            waiting = false;
        }
    }

    private void await() {
        long left = pauseNanos;
        while (left > 0) {
            try {
                TimeUnit.NANOSECONDS.sleep(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            synchronized (this) {
                left = idle.getAsBoolean() ? closedAt + pauseNanos - System.nanoTime() : 0;
                if (left <= 0) {
                    waiting = false;
                }
            }
        }
        if (idle.getAsBoolean()) {
            give.run();
        }
    }
}

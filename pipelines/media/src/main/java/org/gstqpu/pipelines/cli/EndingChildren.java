/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Programs that are killed when this process ends, by a signal, too. SIGTERM goes to one process and not to its children; what has just
 * begun would find only later that nobody reads its output. Any thread.
 */
public final class EndingChildren {
    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger COMPLETING = new AtomicInteger();
    private static volatile boolean ending;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(EndingChildren::end, "end children"));
    }

    private EndingChildren() {}

    /** Begins work that comes to its end before this process does: the programs that are started until {@link #completed} belong to it. */
    public static void completing() {
        COMPLETING.incrementAndGet();
    }

    /** Ends such work. */
    public static void completed() {
        COMPLETING.decrementAndGet();
    }

    /**
     * Starts a program, which stays the caller's.
     *
     * @throws IOException if there is no such program
     */
    public static Process start(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        if (COMPLETING.get() > 0) {
            return process;
        }
        RUNNING.removeIf(before -> !before.isAlive());
        RUNNING.add(process);
        if (ending) {
            process.destroyForcibly();
        }
        return process;
    }

    private static void end() {
        ending = true;
        RUNNING.forEach(Process::destroyForcibly);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class WorkerPoolTest {
    @Test
    void everyWorkerRunsEveryJobOnceOnItsOwnThread() {
        try (WorkerPool pool = new WorkerPool(4)) {
            AtomicIntegerArray calls = new AtomicIntegerArray(4);
            Set<String> names = ConcurrentHashMap.newKeySet();
            int jobs = 500;
            for (int i = 0; i < jobs; i++) {
                pool.run(worker -> {
                    calls.incrementAndGet(worker);
                    names.add(Thread.currentThread().getName());
                });
                for (int worker = 0; worker < 4; worker++) {
                    assertEquals(i + 1, calls.get(worker), "run returned before worker " + worker + " was done");
                }
            }
            assertEquals(
                    Set.of(
                            "qpu-cpu-1",
                            "qpu-cpu-2",
                            "qpu-cpu-3",
                            Thread.currentThread().getName()),
                    names);
        }
    }

    @Test
    void aJobMayRunOnSomeWorkersOnly() {
        try (WorkerPool pool = new WorkerPool(4)) {
            AtomicIntegerArray calls = new AtomicIntegerArray(4);
            int jobs = 2000;
            int[] expected = new int[4];
            for (int i = 0; i < jobs; i++) {
                int workers = 1 + i * 7 % 4;
                pool.run(calls::incrementAndGet, workers);
                for (int worker = 0; worker < workers; worker++) {
                    expected[worker]++;
                }
                for (int worker = 0; worker < 4; worker++) {
                    assertEquals(expected[worker], calls.get(worker), "worker " + worker + " of " + workers);
                }
            }
        }
    }

    @Test
    void oneThreadMeansTheCallerAlone() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (WorkerPool pool = new WorkerPool(1)) {
            Set<String> added = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> !before.contains(thread))
                    .map(Thread::getName)
                    .filter(name -> name.startsWith("qpu-"))
                    .collect(Collectors.toSet());
            assertEquals(Set.of(), added);
            Thread[] ran = new Thread[1];
            pool.run(worker -> ran[0] = Thread.currentThread());
            assertSame(Thread.currentThread(), ran[0]);
        }
    }

    @Test
    void aPoolThatMayNotStartAllItsThreadsWorksWithThoseItHas() {
        for (int limit = 0; limit < 3; limit++) {
            int allowed = limit;
            List<Thread> started = new ArrayList<>();
            try (WorkerPool pool = new WorkerPool(4, helper -> {
                if (started.size() == allowed) {
                    throw new OutOfMemoryError("unable to create native thread");
                }
                helper.start();
                started.add(helper);
            })) {
                assertEquals(allowed + 1, pool.threads());
                AtomicIntegerArray calls = new AtomicIntegerArray(4);
                pool.run(calls::incrementAndGet);
                for (int worker = 0; worker < 4; worker++) {
                    assertEquals(worker <= allowed ? 1 : 0, calls.get(worker), "worker " + worker + " of " + allowed);
                }
            }
            for (Thread helper : started) {
                assertEquals(Thread.State.TERMINATED, helper.getState());
            }
        }
    }

    @Test
    void aFailureInAWorkerReachesTheCallerAndThePoolStaysUsable() {
        try (WorkerPool pool = new WorkerPool(3)) {
            RuntimeException failure = new RuntimeException("worker 2 fails");
            IllegalStateException thrown = assertThrows(
                    IllegalStateException.class,
                    () -> pool.run(worker -> {
                        if (worker == 2) {
                            throw failure;
                        }
                    }));
            assertSame(failure, thrown.getCause());
            AtomicIntegerArray calls = new AtomicIntegerArray(3);
            pool.run(calls::incrementAndGet);
            assertEquals("[1, 1, 1]", calls.toString());
        }
    }

    @Test
    void anInterruptOfTheCallerSurvivesARun() {
        try (WorkerPool pool = new WorkerPool(2)) {
            Thread.currentThread().interrupt();
            AtomicIntegerArray calls = new AtomicIntegerArray(2);
            pool.run(worker -> {
                if (worker == 1) {
                    // Long enough for the caller to be waiting when the interrupt is seen.
                    LockSupport.parkNanos(30_000_000);
                }
                calls.incrementAndGet(worker);
            });
            assertTrue(Thread.interrupted(), "the interrupt was lost");
            assertEquals("[1, 1]", calls.toString());
        }
    }

    @Test
    void closingEndsTheThreadsAndTheSecondCloseDoesNothing() {
        WorkerPool pool = new WorkerPool(3);
        Thread[] helpers = new Thread[3];
        pool.run(worker -> helpers[worker] = Thread.currentThread());
        pool.close();
        pool.close();
        for (int worker = 1; worker < 3; worker++) {
            assertTrue(helpers[worker].isDaemon());
            assertEquals(Thread.State.TERMINATED, helpers[worker].getState());
        }
        assertThrows(IllegalStateException.class, () -> pool.run(worker -> {}));
    }
}

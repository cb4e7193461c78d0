/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Nobody is in a driver once the gate is shut. */
class DriverGateTest {
    private final DriverGate gate = new DriverGate();

    private static Thread start(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void awaitParked(Thread thread) throws InterruptedException {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
    }

    @Test
    void shuttingWaitsForWhoIsInside() throws InterruptedException {
        AtomicBoolean left = new AtomicBoolean();
        AtomicBoolean leftBeforeShut = new AtomicBoolean();
        gate.enter();
        Thread shutting = start(() -> {
            gate.shut();
            leftBeforeShut.set(left.get());
        });
        shutting.join(200);
        left.set(true);
        gate.leave();
        shutting.join();
        assertTrue(leftBeforeShut.get());
    }

    @Test
    void whoComesAfterwardsIsNotLetIn() throws InterruptedException {
        gate.shut();
        AtomicBoolean entered = new AtomicBoolean();
        Thread late = start(() -> {
            gate.enter();
            entered.set(true);
        });
        awaitParked(late);
        // Parked threads may wake up for no reason.
        late.interrupt();
        late.join(50);
        assertEquals(false, entered.get());
    }

    @Test
    void aThreadThatNeverLeavesDoesNotKeepTheProcess() throws InterruptedException {
        gate.enter();
        CountDownLatch shut = new CountDownLatch(1);
        start(() -> {
            gate.shut();
            shut.countDown();
        });
        assertTrue(shut.await(60, TimeUnit.SECONDS));
    }
}

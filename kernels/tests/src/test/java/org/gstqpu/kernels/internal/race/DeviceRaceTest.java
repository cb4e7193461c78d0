/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.race;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.junit.jupiter.api.Test;

class DeviceRaceTest {
    private static final SubstrateTimes TIMES = SubstrateTimes.of("a test", 1, 2, 1);
    private static final long LONG_NANOS = TimeUnit.MINUTES.toNanos(10);

    /** What was done to the device, in order. */
    private final List<String> done = new ArrayList<>();

    private final List<SubstrateTimes> late = new ArrayList<>();

    private final DeviceRace.Racer device = new DeviceRace.Racer() {
        @Override
        public String deviceName() {
            return "a device";
        }

        @Override
        public void hurry(boolean hurried) {
            note("hurry");
        }

        @Override
        public void close() {
            note("close");
        }

        private void note(String what) {
            synchronized (done) {
                done.add(what);
            }
        }
    };

    private static SubstrateTimes after(CountDownLatch latch, SubstrateTimes times) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return times;
    }

    @Test
    void theDeviceComesBackWithTheResult() {
        DeviceRace race = new DeviceRace(device, () -> TIMES);
        assertEquals(Optional.of(TIMES), race.await(LONG_NANOS, late::add));
        race.end(LONG_NANOS);
        assertEquals(List.of(), done);
        assertEquals(List.of(), late);
    }

    @Test
    void theDeviceComesBackWithWhatTheRaceThrows() {
        for (Throwable failure : List.of(new OutOfMemoryError("a test"), new DeviceException("a test"))) {
            DeviceRace race = new DeviceRace(device, () -> {
                if (failure instanceof Error error) {
                    throw error;
                }
                throw (DeviceException) failure;
            });
            assertSame(failure, assertThrows(Throwable.class, () -> race.await(LONG_NANOS, late::add)));
        }
        assertEquals(List.of(), done);
    }

    @Test
    void aRaceThatTakesLongTellsItsResultAndClosesTheDevice() {
        CountDownLatch latch = new CountDownLatch(1);
        DeviceRace race = new DeviceRace(device, () -> after(latch, TIMES));
        assertEquals(Optional.empty(), race.await(1, late::add));
        latch.countDown();
        race.end(LONG_NANOS);
        assertEquals(List.of(TIMES), late);
        assertTrue(done.contains("close") && done.contains("hurry") && done.size() == 2, done::toString);
    }

    @Test
    void aRaceThatFailsLateClosesTheDevice() {
        CountDownLatch latch = new CountDownLatch(1);
        DeviceRace race = new DeviceRace(device, () -> {
            after(latch, TIMES);
            throw new AssertionError("a test");
        });
        assertEquals(Optional.empty(), race.await(1, late::add));
        latch.countDown();
        race.end(LONG_NANOS);
        assertEquals(List.of(), late);
        assertTrue(done.contains("close"), done::toString);
    }

    @Test
    void anInterruptDoesNotEndTheWait() {
        CountDownLatch latch = new CountDownLatch(1);
        DeviceRace race = new DeviceRace(device, () -> after(latch, TIMES));
        Thread releaser = new Thread(latch::countDown);
        Thread.currentThread().interrupt();
        releaser.start();
        assertEquals(Optional.of(TIMES), race.await(LONG_NANOS, late::add));
        assertTrue(Thread.interrupted());
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryGiverTest {
    private static final long LIMIT_SECONDS = 60;

    private final AtomicBoolean idle = new AtomicBoolean();
    private final AtomicInteger asked = new AtomicInteger();
    private final Semaphore given = new Semaphore(0);

    private boolean isIdle() {
        asked.incrementAndGet();
        return idle.get();
    }

    @Test
    void memoryIsGivenBackOnceAfterTheLastElement() throws InterruptedException {
        MemoryGiver giver = new MemoryGiver(this::isIdle, given::release, 1);
        giver.elementClosed();
        idle.set(true);
        giver.elementClosed();
        assertTrue(given.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS));
        giver.elementClosed();
        assertTrue(given.tryAcquire(LIMIT_SECONDS, TimeUnit.SECONDS), "each time that the last one is closed");
        assertEquals(0, given.availablePermits());
    }

    @Test
    void itIsKeptIfAnElementIsOpenedMeanwhile() throws InterruptedException {
        idle.set(true);
        // Once by the closing itself, and then by who waits.
        MemoryGiver giver = new MemoryGiver(() -> isIdle() && asked.get() == 1, given::release, 1);
        giver.elementClosed();
        while (asked.get() < 3) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
        assertFalse(given.tryAcquire(100, TimeUnit.MILLISECONDS));
    }
}

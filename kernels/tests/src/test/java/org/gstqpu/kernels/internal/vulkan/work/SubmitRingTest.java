/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which slot gets which work, and what a ring makes. */
class SubmitRingTest {
    private static final long TIMEOUT_NANOS = 600_000_000_000L;
    private static final int SLOTS = 3;

    private TestDevice test;
    private VulkanDevice device;
    private KernelPipelines pipelines;
    private SubmitRing ring;

    @BeforeEach
    void open() throws Exception {
        test = VulkanTestContexts.device();
        device = test.device();
        pipelines = test.newPipelines();
        ring = new SubmitRing(device, pipelines.setLayout(), SLOTS, 2);
    }

    @AfterEach
    void close() {
        ring.drain(TIMEOUT_NANOS);
        ring.close();
        pipelines.close();
        test.close();
    }

    private static WorkKey key(long sourceId, int width) {
        PictureLayout layout = PictureLayout.packed(PixelFormat.GRAY8, width, 8, 4);
        WorkKey key = new WorkKey();
        key.set(new PicturePlace().set(sourceId, null, 0, layout), new PicturePlace().set(77, null, 0, layout), 1, 0);
        return key;
    }

    private SubmitSlot run(WorkKey key) {
        SubmitSlot slot = ring.acquire(key, TIMEOUT_NANOS);
        if (!slot.holds(key)) {
            slot.recorded(slot.record(key, pipelines.layout()));
        }
        slot.submit();
        return slot;
    }

    @Test
    void theSameWorkIsRecordedOnceAndMakesNothingAgain() {
        SubmitSlot first = run(key(1, 64));
        long calls = device.counters().get(Counted.OBJECTS_CREATED)
                + device.counters().get(Counted.ALLOCATIONS);
        for (int i = 0; i < 100; i++) {
            assertSame(first, run(key(1, 64)));
        }
        assertEquals(
                calls,
                device.counters().get(Counted.OBJECTS_CREATED)
                        + device.counters().get(Counted.ALLOCATIONS));
        assertEquals(0, device.counters().get(Counted.RE_RECORDS));
        assertEquals(101, device.counters().get(Counted.SUBMITS));
    }

    @Test
    void otherBuffersAndOtherLayoutsHaveSlotsOfTheirOwn() {
        SubmitSlot a = run(key(1, 64));
        SubmitSlot b = run(key(2, 64));
        SubmitSlot c = run(key(1, 32));
        assertNotSame(a, b);
        assertNotSame(a, c);
        assertNotSame(b, c);
        assertEquals(0, device.counters().get(Counted.RE_RECORDS));
        assertSame(a, run(key(1, 64)));
    }

    @Test
    void whenAllAreTakenTheOneIdleLongestIsRecordedAgain() {
        run(key(1, 64));
        SubmitSlot second = run(key(2, 64));
        run(key(3, 64));
        run(key(1, 64));
        ring.drain(TIMEOUT_NANOS);
        assertSame(second, run(key(4, 64)));
        assertEquals(1, device.counters().get(Counted.RE_RECORDS));
        ring.drain(TIMEOUT_NANOS);
        assertFalse(second.holds(key(2, 64)));
        assertTrue(second.holds(key(4, 64)));
    }

    @Test
    void drainingLeavesNothingPending() {
        run(key(1, 64));
        run(key(2, 64));
        ring.drain(TIMEOUT_NANOS);
        assertFalse(ring.pending());
    }

    @Test
    void pollingTellsTheEndWithoutWaiting() {
        SubmitSlot slot = run(key(1, 64));
        long waits = device.counters().get(Counted.WAITS);
        long deadline = System.nanoTime() + TIMEOUT_NANOS;
        while (!slot.poll()) {
            assertTrue(System.nanoTime() < deadline, "the work does not end");
            Thread.onSpinWait();
        }
        assertFalse(ring.pending());
        assertEquals(waits, device.counters().get(Counted.WAITS));
        assertTrue(slot.poll(), "nothing is pending");
    }

    @Test
    void aSlotThatIsDoneButNotAwaitedIsTakenBeforeABusyOne() {
        SubmitSlot first = run(key(1, 64));
        while (!first.poll()) {
            Thread.onSpinWait();
        }
        run(key(2, 64));
        run(key(3, 64));
        assertSame(first, run(key(4, 64)));
    }

    @Test
    void closingTwiceIsHarmless() {
        ring.close();
        ring.close();
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK11.*;

import org.gstqpu.kernels.internal.vulkan.FaultLayer;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Waits and polls that fail while the work that they ask about runs: it waits for a gate that the test opens.
 */
@Tag("thorough")
class UnfinishedWorkTest {
    private static final long LONG_NANOS = 100_000_000_000L;
    private static final long SHORT_NANOS = 20_000_000L;
    private static final int SLOTS = 3;
    private static final int ALWAYS = 65535;

    private FaultLayer layer;
    private TestDevice test;
    private VulkanDevice device;
    private KernelPipelines pipelines;
    private SubmitRing ring;
    private Gate gate;

    @BeforeEach
    void open() throws Exception {
        layer = FaultLayer.open();
        test = VulkanTestContexts.device();
        device = test.device();
        pipelines = test.newPipelines();
        ring = new SubmitRing(device, pipelines.setLayout(), SLOTS, 1);
        for (int i = 0; i < SLOTS; i++) {
            ring.slot(i).recorded(ring.slot(i).record(pipelines.layout()));
        }
        gate = new Gate(device);
    }

    @AfterEach
    void close() {
        if (gate == null) {
            return;
        }
        layer.failNone();
        gate.open();
        ring.settle(LONG_NANOS);
        ring.close();
        gate.close();
        pipelines.close();
        test.close();
        layer.close();
    }

    private SubmitSlot blocked(int index) {
        SubmitSlot slot = ring.slot(index);
        Commands commands = slot.record(pipelines.layout());
        gate.record(commands);
        slot.recorded(commands);
        slot.submit();
        return slot;
    }

    @Test
    void aWaitThatFailsOnceIsWaitedAgain() {
        for (int failure : new int[] {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_OUT_OF_DEVICE_MEMORY}) {
            SubmitSlot slot = ring.slot(0);
            slot.submit();
            layer.failUnmade("vkWaitForFences", failure, 2);
            slot.await(LONG_NANOS);
            assertFalse(layer.failNone(), "both waits have failed");
            assertFalse(slot.pending());
            device.checkAlive();
            assertTrue(device.mayDestroy());
        }
    }

    @Test
    void workWhoseWaitsAllFailStaysPendingAndNothingIsDestroyed() {
        SubmitSlot slot = blocked(0);
        layer.failUnmade("vkWaitForFences", VK_ERROR_OUT_OF_HOST_MEMORY, ALWAYS);
        DeviceException failure = assertThrows(DeviceException.class, () -> slot.await(SHORT_NANOS));
        assertEquals(DeviceFailure.OUT_OF_MEMORY, failure.failure(), failure.getMessage());
        assertTrue(slot.pending(), "it runs");
        assertFalse(device.mayDestroy());
        assertThrows(DeviceException.class, device::checkAlive);
        // Closing frees nothing that the work uses: it is let go only now, and ends.
        ring.close();
        layer.failNone();
        ends(slot);
    }

    /** Lets the work end; a device that was declared hung is not waited for. */
    private void ends(SubmitSlot slot) {
        gate.open();
        long deadline = System.nanoTime() + LONG_NANOS;
        while (!slot.poll()) {
            assertTrue(System.nanoTime() < deadline, "the work does not end");
            Thread.onSpinWait();
        }
    }

    @Test
    void aHungDeviceIsNotWaitedForAgain() {
        SubmitSlot slot = blocked(0);
        blocked(1);
        DeviceException failure = assertThrows(DeviceException.class, () -> slot.await(SHORT_NANOS));
        assertEquals(DeviceFailure.TIMED_OUT, failure.failure(), failure.getMessage());
        long begin = System.nanoTime();
        ring.settle(3600 * LONG_NANOS);
        assertTrue(System.nanoTime() - begin < LONG_NANOS);
        assertFalse(device.mayDestroy());
    }

    @Test
    void aHurriedWaitIsShort() throws InterruptedException {
        SubmitSlot slot = blocked(0);
        Thread hurry = new Thread(() -> device.hurry(true));
        long begin = System.nanoTime();
        hurry.start();
        DeviceException failure = assertThrows(DeviceException.class, () -> slot.await(LONG_NANOS));
        hurry.join();
        assertEquals(DeviceFailure.TIMED_OUT, failure.failure(), failure.getMessage());
        assertTrue(System.nanoTime() - begin < LONG_NANOS);
        assertFalse(device.mayDestroy());
    }

    @Test
    void aPollThatFailsSaysThatTheWorkMayStillRun() {
        SubmitSlot slot = blocked(0);
        layer.failUnmade("vkGetFenceStatus", VK_ERROR_OUT_OF_DEVICE_MEMORY, 1);
        assertFalse(slot.poll());
        assertFalse(layer.failNone(), "the poll has failed");
        assertTrue(slot.pending(), "it runs");
        device.checkAlive();
        gate.open();
        slot.await(LONG_NANOS);
    }

    @Test
    void aLostDeviceEndsWork() {
        SubmitSlot waited = ring.slot(0);
        waited.submit();
        SubmitSlot polled = ring.slot(1);
        polled.submit();
        vkDeviceWaitIdle(device.handle());
        layer.failUnmade("vkWaitForFences", VK_ERROR_DEVICE_LOST, 1);
        assertEquals(
                DeviceFailure.LOST,
                assertThrows(DeviceException.class, () -> waited.await(LONG_NANOS))
                        .failure());
        layer.failUnmade("vkGetFenceStatus", VK_ERROR_DEVICE_LOST, 1);
        assertEquals(
                DeviceFailure.LOST,
                assertThrows(DeviceException.class, polled::poll).failure());
        assertFalse(ring.pending());
        assertTrue(device.mayDestroy());
    }

    @Test
    void drainingGoesOnAfterAFailure() {
        for (int i = 0; i < SLOTS; i++) {
            ring.slot(i).submit();
        }
        vkDeviceWaitIdle(device.handle());
        layer.failUnmade("vkWaitForFences", VK_ERROR_DEVICE_LOST, 1);
        assertThrows(DeviceException.class, () -> ring.drain(LONG_NANOS));
        assertFalse(ring.pending(), "those after it were awaited, too");
    }

    @Test
    void aRingThatIsClosedWhileWorkRunsDestroysNothing() {
        SubmitSlot slot = blocked(0);
        ring.close();
        assertFalse(device.mayDestroy());
        ends(slot);
    }

    @Test
    void aSemaphoreStaysIfTheDeviceDoesNotSayThatItIsIdle() {
        DeviceSemaphore other = new DeviceSemaphore(device);
        layer.failUnmade("vkWaitForFences", VK_ERROR_OUT_OF_HOST_MEMORY, 100);
        other.close();
        assertFalse(device.mayDestroy());
    }

    /** Closed while work of others runs, as when one of two filters is closed. */
    @Test
    void aSemaphoreStaysIfTheDeviceDoesNotBecomeIdle() {
        SubmitSlot slot = blocked(0);
        DeviceSemaphore other = new DeviceSemaphore(device);
        device.hurry(true);
        other.close();
        assertTrue(slot.pending());
        assertFalse(device.mayDestroy());
        assertEquals(
                DeviceFailure.TIMED_OUT,
                assertThrows(DeviceException.class, device::checkAlive).failure());
    }

    @Test
    void aSemaphoreThatWasNotMadeWaitsForNothing() {
        SubmitSlot slot = blocked(0);
        layer.failNext("vkCreateSemaphore", VK_ERROR_OUT_OF_HOST_MEMORY);
        assertThrows(DeviceException.class, () -> new DeviceSemaphore(device));
        assertTrue(slot.pending());
        assertTrue(device.mayDestroy());
        device.checkAlive();
    }

    @Test
    void aLostDeviceIsIdle() {
        layer.failNext("vkQueueSubmit", VK_ERROR_DEVICE_LOST);
        device.awaitIdle();
        layer.failNext("vkWaitForFences", VK_ERROR_DEVICE_LOST);
        device.awaitIdle();
        // A driver may say so of any call.
        layer.failNext("vkCreateFence", VK_ERROR_DEVICE_LOST);
        device.awaitIdle();
        assertFalse(layer.failNone(), "all calls have failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"vkCreateFence", "vkQueueSubmit", "vkWaitForFences"})
    void memoryThatIsMissingOnceIsAskedForAgain(String call) {
        layer.failNext(call, VK_ERROR_OUT_OF_HOST_MEMORY);
        device.awaitIdle();
        assertFalse(layer.failNone(), "the call has failed");
    }

    /** A queue that may still signal its fence: {@link #aSemaphoreStaysIfTheDeviceDoesNotSayThatItIsIdle}. */
    @ParameterizedTest
    @ValueSource(strings = {"vkCreateFence", "vkQueueSubmit"})
    void memoryThatStaysMissingIsAFailure(String call) {
        layer.failUnmade(call, VK_ERROR_OUT_OF_HOST_MEMORY, 100);
        assertThrows(DeviceException.class, device::awaitIdle);
        assertTrue(layer.failNone(), "it is not asked for ever");
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.lwjgl.vulkan.VK11.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
import static org.lwjgl.vulkan.VK11.VK_SUCCESS;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.internal.vulkan.work.SubmitDependencies.Wait;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;
import org.lwjgl.vulkan.VkQueue;

/** Work that waits for other work: on one queue, between queues and between devices of this process. */
class SubmitDependenciesTest {
    private static final long A_WHILE_MILLIS = 50;
    private static final long BUFFER_BYTES = 256;
    private static final int CHAINS = 100;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private VulkanDevice device;

    @BeforeEach
    void open() throws Exception {
        device = closedLater(VulkanTestContexts.device(DeviceAllowances.ALL.withQueues(2)));
    }

    @AfterEach
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    private <T extends AutoCloseable> T closedLater(T resource) {
        opened.push(resource);
        return resource;
    }

    private DeviceBuffer buffer(int fill) {
        DeviceBuffer buffer = closedLater(new DeviceBuffer(device, MemoryKind.DOWNLOAD, BUFFER_BYTES));
        MemoryUtil.memSet(buffer.address(), fill, BUFFER_BYTES);
        return buffer;
    }

    private SubmitSlot copy(VkQueue queue, DeviceBuffer from, DeviceBuffer to) {
        return closedLater(new CopyWork(device, queue, from.range(), to.range()))
                .slot();
    }

    private SubmitDependencies dependencies(List<DeviceSemaphore> waits, List<DeviceSemaphore> signals) {
        return closedLater(new SubmitDependencies(
                waits.stream()
                        .map(semaphore -> new Wait(semaphore, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT))
                        .toList(),
                signals));
    }

    private DeviceSemaphore timeline() {
        assumeTrue(device.capabilities().timelineSemaphores(), "needs a device with timeline semaphores");
        return closedLater(DeviceSemaphore.timeline(device));
    }

    private DeviceSemaphore binary() {
        return closedLater(DeviceSemaphore.binary(device));
    }

    private static void holds(int fill, DeviceBuffer buffer) {
        for (int i = 0; i < CopyWork.BYTES; i++) {
            assertEquals((byte) fill, MemoryUtil.memGetByte(buffer.address() + i), "byte " + i);
        }
    }

    @Test
    void workWaitsUntilTheCpuRaisesATimeline() throws Exception {
        DeviceSemaphore gate = timeline();
        DeviceBuffer to = buffer(2);
        SubmitSlot slot = copy(device.queue(), buffer(1), to);
        SubmitDependencies dependencies = dependencies(List.of(gate), List.of());
        for (int round = 1; round <= 3; round++) {
            MemoryUtil.memSet(to.address(), 2, BUFFER_BYTES);
            dependencies.waitFor(0, round);
            slot.submit(dependencies);
            Thread.sleep(A_WHILE_MILLIS);
            assertFalse(slot.poll());
            holds(2, to);
            gate.signal(round);
            slot.await(CopyWork.TIMEOUT_NANOS);
            assertTrue(slot.poll());
            holds(1, to);
        }
    }

    @Test
    void workSignalsEverySemaphoreThatItIsToldTo() {
        DeviceSemaphore one = timeline();
        DeviceSemaphore two = timeline();
        SubmitSlot slot = copy(device.queue(), buffer(1), buffer(2));
        SubmitDependencies dependencies = dependencies(List.of(), List.of(one, two));
        dependencies.signal(0, 3);
        dependencies.signal(1, 7);
        slot.submit(dependencies);
        slot.await(CopyWork.TIMEOUT_NANOS);
        // Mesa raises timelines one after the other, the slot's own among them.
        assertEquals(VK_SUCCESS, one.await(3, CopyWork.TIMEOUT_NANOS));
        assertEquals(VK_SUCCESS, two.await(7, CopyWork.TIMEOUT_NANOS));
        assertEquals(3, one.value());
        assertEquals(7, two.value());
    }

    @Test
    void workWaitsForAllOfItsSemaphores() throws Exception {
        DeviceSemaphore one = timeline();
        DeviceSemaphore two = timeline();
        DeviceBuffer to = buffer(2);
        SubmitSlot slot = copy(device.queue(), buffer(1), to);
        SubmitDependencies dependencies = dependencies(List.of(one, two), List.of());
        dependencies.waitFor(0, 1);
        dependencies.waitFor(1, 1);
        slot.submit(dependencies);
        two.signal(1);
        Thread.sleep(A_WHILE_MILLIS);
        assertFalse(slot.poll());
        one.signal(1);
        slot.await(CopyWork.TIMEOUT_NANOS);
        holds(1, to);
    }

    /** Three copies in a row, each going on from the result of the one before. */
    private void chain(VkQueue first, VkQueue second) {
        DeviceBuffer a = buffer(0);
        DeviceBuffer b = buffer(0);
        DeviceBuffer c = buffer(0);
        DeviceBuffer d = buffer(0);
        DeviceSemaphore afterFirst = binary();
        DeviceSemaphore afterSecond = binary();
        SubmitSlot copyToB = copy(first, a, b);
        SubmitSlot copyToC = copy(second, b, c);
        SubmitSlot copyToD = copy(first, c, d);
        SubmitDependencies starts = dependencies(List.of(), List.of(afterFirst));
        SubmitDependencies middle = dependencies(List.of(afterFirst), List.of(afterSecond));
        SubmitDependencies ends = dependencies(List.of(afterSecond), List.of());
        for (int round = 1; round <= CHAINS; round++) {
            MemoryUtil.memSet(a.address(), round, BUFFER_BYTES);
            copyToB.submit(starts);
            copyToC.submit(middle);
            copyToD.submit(ends);
            copyToD.await(CopyWork.TIMEOUT_NANOS);
            holds(round, d);
            copyToB.await(CopyWork.TIMEOUT_NANOS);
            copyToC.await(CopyWork.TIMEOUT_NANOS);
        }
    }

    @Test
    void binarySemaphoresChainWorkOfOneQueue() {
        chain(device.queue(), device.queue());
    }

    @Test
    void binarySemaphoresChainWorkOfTwoQueues() {
        assumeTrue(device.queues().size() == 2, "needs a device with two compute queues");
        chain(device.queue(), device.queues().get(1));
    }

    @Test
    void timelinesChainWorkOfTwoQueuesWhicheverIsSubmittedFirst() throws Exception {
        assumeTrue(device.queues().size() == 2, "needs a device with two compute queues");
        DeviceSemaphore done = timeline();
        DeviceBuffer middle = buffer(2);
        DeviceBuffer to = buffer(3);
        SubmitSlot first = copy(device.queue(), buffer(1), middle);
        SubmitSlot second = copy(device.queues().get(1), middle, to);
        SubmitDependencies signals = dependencies(List.of(), List.of(done));
        SubmitDependencies waits = dependencies(List.of(done), List.of());
        signals.signal(0, 1);
        waits.waitFor(0, 1);
        second.submit(waits);
        Thread.sleep(A_WHILE_MILLIS);
        assertFalse(second.poll());
        first.submit(signals);
        second.await(CopyWork.TIMEOUT_NANOS);
        holds(1, to);
    }

    @Test
    void workOfAnotherDeviceIsWaitedFor() throws Exception {
        DeviceCapabilities capabilities = device.capabilities();
        assumeTrue(capabilities.hostPointerImport(), "needs devices that import the same host memory");
        VulkanDevice other = closedLater(VulkanTestContexts.device());
        long alignment = capabilities.hostPointerAlignmentBytes();
        long pages = MemoryUtil.nmemAlignedAllocChecked(alignment, 3 * alignment);
        closedLater(() -> MemoryUtil.nmemAlignedFree(pages));
        SubmitSlot here = closedLater(new CopyWork(
                        device,
                        device.queue(),
                        imported(device, pages, alignment),
                        imported(device, pages + alignment, alignment)))
                .slot();
        SubmitSlot there = closedLater(new CopyWork(
                        other,
                        other.queue(),
                        imported(other, pages + alignment, alignment),
                        imported(other, pages + 2 * alignment, alignment)))
                .slot();
        Handover handover = handover(other);
        for (int round = 1; round <= 10; round++) {
            MemoryUtil.memSet(pages, round, alignment);
            MemoryUtil.memSet(pages + alignment, 100 + round, 2 * alignment);
            handover.run(here, there);
            there.await(CopyWork.TIMEOUT_NANOS);
            here.await(CopyWork.TIMEOUT_NANOS);
            for (int i = 0; i < CopyWork.BYTES; i++) {
                assertEquals((byte) round, MemoryUtil.memGetByte(pages + 2 * alignment + i), "byte " + i);
            }
        }
    }

    private BufferRange imported(VulkanDevice owner, long address, long bytes) {
        DeviceMemory memory =
                closedLater(HostImport.tryImport(owner, address, bytes).orElseThrow());
        return ((HostImport) memory).range(0);
    }

    /** Submits work here, then work there that goes on from its result. */
    private interface Handover {
        void run(SubmitSlot here, SubmitSlot there);
    }

    /** By the best that both devices have: one semaphore of both, a sync file each time, or the CPU. */
    private Handover handover(VulkanDevice other) {
        DeviceCapabilities capabilities = device.capabilities();
        if (capabilities.opaqueFdSemaphores()) {
            DeviceSemaphore ours = closedLater(DeviceSemaphore.opaqueFd(device));
            DeviceSemaphore theirs = closedLater(DeviceSemaphore.opaqueFd(other));
            theirs.importFd(ours.exportFd());
            SubmitDependencies signal = dependencies(List.of(), List.of(ours));
            SubmitDependencies wait = dependencies(List.of(theirs), List.of());
            return (here, there) -> {
                here.submit(signal);
                there.submit(wait);
            };
        }
        if (capabilities.syncFdExport() && capabilities.syncFdImport()) {
            DeviceSemaphore ours = closedLater(DeviceSemaphore.syncFd(device));
            DeviceSemaphore theirs = closedLater(DeviceSemaphore.syncFd(other));
            SubmitDependencies signal = dependencies(List.of(), List.of(ours));
            SubmitDependencies wait = dependencies(List.of(theirs), List.of());
            return (here, there) -> {
                here.submit(signal);
                theirs.importFd(ours.exportFd());
                there.submit(wait);
            };
        }
        return (here, there) -> {
            here.submit();
            here.await(CopyWork.TIMEOUT_NANOS);
            there.submit();
        };
    }

    @Test
    void semaphoresOfAnotherDeviceAreRefused() throws Exception {
        VulkanDevice other = closedLater(VulkanTestContexts.device());
        DeviceSemaphore theirs = closedLater(DeviceSemaphore.binary(other));
        SubmitSlot slot = copy(device.queue(), buffer(1), buffer(2));
        SubmitDependencies signal = dependencies(List.of(), List.of(theirs));
        assertThrows(IllegalArgumentException.class, () -> slot.submit(signal));
    }

    @Test
    void binarySemaphoresHaveNoValue() {
        SubmitDependencies dependencies = dependencies(List.of(binary()), List.of(binary()));
        assertThrows(IllegalArgumentException.class, () -> dependencies.waitFor(0, 1));
        assertThrows(IllegalArgumentException.class, () -> dependencies.signal(0, 1));
    }

    @Test
    void aSlotIsPendingOnlyOnce() {
        DeviceSemaphore gate = timeline();
        SubmitSlot slot = copy(device.queue(), buffer(1), buffer(2));
        SubmitDependencies dependencies = dependencies(List.of(gate), List.of());
        dependencies.waitFor(0, 1);
        slot.submit(dependencies);
        assertThrows(IllegalStateException.class, slot::submit);
        gate.signal(1);
        slot.await(CopyWork.TIMEOUT_NANOS);
        slot.submit();
    }

    @Test
    void submittingWithDependenciesMakesAndAllocatesNothing() {
        DeviceSemaphore order = timeline();
        SubmitSlot one = copy(device.queue(), buffer(1), buffer(2));
        SubmitSlot two = copy(device.queue(), buffer(1), buffer(2));
        DeviceSemaphore between = binary();
        SubmitDependencies first = dependencies(List.of(), List.of(order, between));
        SubmitDependencies second = dependencies(List.of(between, order), List.of());
        VulkanCounters counters = device.counters();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        final int rounds = 10;
        final int submits = 200;
        List<Long> javaBytes = new ArrayList<>();
        long created = 0;
        long value = 0;
        for (int round = 0; round < rounds; round++) {
            created = round == 1 ? counters.objectsCreated() + counters.allocations() : created;
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < submits; i++) {
                value++;
                first.signal(0, value);
                second.waitFor(1, value);
                one.submit(first);
                two.submit(second);
                two.await(CopyWork.TIMEOUT_NANOS);
                one.await(CopyWork.TIMEOUT_NANOS);
            }
            javaBytes.add(threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(
                javaBytes.stream().filter(bytes -> bytes == 0).count() >= rounds / 2,
                () -> "Java bytes by round: " + javaBytes);
        assertEquals(created, counters.objectsCreated() + counters.allocations());
        assertEquals(value, order.value());
    }
}

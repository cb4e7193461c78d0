/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.gstqpu.kernels.SteadyAllocations;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.MemoryUtil;

/** Work that waits for other work: on one queue, and between devices of this process. */
class SubmitDependenciesTest {
    /** In a round of what is to allocate nothing. */
    private static final int SUBMITS = 200;

    private static final long BUFFER_BYTES = 256;
    private static final int CHAINS = 100;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private TestDevice test;
    private VulkanDevice device;

    @BeforeEach
    void open() throws Exception {
        test = closedLater(VulkanTestContexts.device());
        device = test.device();
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

    private SubmitSlot copy(DeviceBuffer from, DeviceBuffer to) {
        return closedLater(new CopyWork(test, from.range(), to.range())).slot();
    }

    private SubmitDependencies dependencies(List<DeviceSemaphore> waits, List<DeviceSemaphore> signals) {
        return closedLater(new SubmitDependencies(waits, signals));
    }

    private DeviceSemaphore binary() {
        return closedLater(new DeviceSemaphore(device));
    }

    private static void holds(int fill, DeviceBuffer buffer) {
        for (int i = 0; i < CopyWork.BYTES; i++) {
            assertEquals((byte) fill, MemoryUtil.memGetByte(buffer.address() + i), "byte " + i);
        }
    }

    /** Three copies in a row, each going on from the result of the one before. */
    @Test
    void semaphoresChainWork() {
        DeviceBuffer a = buffer(0);
        DeviceBuffer b = buffer(0);
        DeviceBuffer c = buffer(0);
        DeviceBuffer d = buffer(0);
        DeviceSemaphore afterFirst = binary();
        DeviceSemaphore afterSecond = binary();
        SubmitSlot copyToB = copy(a, b);
        SubmitSlot copyToC = copy(b, c);
        SubmitSlot copyToD = copy(c, d);
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
    void workOfAnotherDeviceIsWaitedFor() throws Exception {
        DeviceCapabilities capabilities = device.capabilities();
        assumeTrue(capabilities.hostPointerImport(), "needs devices that import the same host memory");
        TestDevice otherTest = closedLater(VulkanTestContexts.device());
        VulkanDevice other = otherTest.device();
        long alignment = capabilities.hostPointerAlignmentBytes();
        long pages = MemoryUtil.nmemAlignedAllocChecked(alignment, 3 * alignment);
        closedLater(() -> MemoryUtil.nmemAlignedFree(pages));
        SubmitSlot here = closedLater(new CopyWork(
                        test, imported(device, pages, alignment), imported(device, pages + alignment, alignment)))
                .slot();
        SubmitSlot there = closedLater(new CopyWork(
                        otherTest,
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
    void aSlotIsPendingOnlyOnce() {
        SubmitSlot slot = copy(buffer(1), buffer(2));
        slot.submit();
        assertThrows(IllegalStateException.class, slot::submit);
        slot.await(CopyWork.TIMEOUT_NANOS);
        slot.submit();
    }

    @Test
    void submittingWithDependenciesMakesAndAllocatesNothing() {
        SubmitSlot one = copy(buffer(1), buffer(2));
        SubmitSlot two = copy(buffer(1), buffer(2));
        DeviceSemaphore between = binary();
        SubmitDependencies first = dependencies(List.of(), List.of(between));
        SubmitDependencies second = dependencies(List.of(between), List.of());
        VulkanCounters counters = device.counters();
        Runnable round = () -> {
            for (int i = 0; i < SUBMITS; i++) {
                one.submit(first);
                two.submit(second);
                two.await(CopyWork.TIMEOUT_NANOS);
                one.await(CopyWork.TIMEOUT_NANOS);
            }
        };
        round.run();
        long created = counters.get(Counted.OBJECTS_CREATED) + counters.get(Counted.ALLOCATIONS);
        SteadyAllocations.reach(round);
        assertEquals(created, counters.get(Counted.OBJECTS_CREATED) + counters.get(Counted.ALLOCATIONS));
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.TestDevice;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BufferPoolTest {
    private static TestDevice test;
    private static VulkanDevice device;
    private BufferPool pool;

    @BeforeAll
    static void openDevice() throws Exception {
        test = VulkanTestContexts.device();
        device = test.device();
    }

    @AfterAll
    static void closeDevice() {
        test.close();
    }

    @BeforeEach
    void open() {
        pool = new BufferPool(device);
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @ParameterizedTest
    @CsvSource({"1, 8", "256, 8", "257, 9", "512, 9", "513, 10", "4194305, 23", "8388608, 23", "8388609, 24"})
    void aRequestFallsIntoTheSmallestPowerOfTwoThatHoldsIt(long sizeBytes, int sizeClass) {
        assertEquals(sizeClass, BufferPool.sizeClass(sizeBytes));
    }

    @Test
    void aReleasedBufferServesTheNextRequestOfItsClassAndKind() {
        DeviceBuffer first = pool.acquire(MemoryKind.UPLOAD, 300);
        assertEquals(512, first.sizeBytes());
        pool.release(first);
        long calls = calls();
        assertSame(first, pool.acquire(MemoryKind.UPLOAD, 512));
        assertEquals(calls, calls(), "reuse makes nothing");
        DeviceBuffer otherKind = pool.acquire(MemoryKind.DEVICE, 512);
        DeviceBuffer otherClass = pool.acquire(MemoryKind.UPLOAD, 200);
        assertNotSame(first, otherKind);
        assertNotSame(first, otherClass);
        pool.release(first);
        pool.release(otherKind);
        pool.release(otherClass);
    }

    @Test
    void totalBytesCountsWhatLivesAndFallsAtCloseOnly() {
        DeviceBuffer small = pool.acquire(MemoryKind.DEVICE, 100);
        DeviceBuffer large = pool.acquire(MemoryKind.DOWNLOAD, 5000);
        assertEquals(256 + 8192, pool.totalBytes());
        pool.release(small);
        pool.release(large);
        assertEquals(256 + 8192, pool.totalBytes());
        pool.close();
        assertEquals(0, pool.totalBytes());
    }

    @Test
    void aRequestAboveTheLargestClassIsMadeToMeasureAndFreedAtOnce() {
        long sizeBytes = (1L << BufferPool.LARGEST_CLASS) + 12;
        DeviceBuffer buffer = pool.acquire(MemoryKind.DEVICE, sizeBytes);
        assertEquals(sizeBytes, buffer.sizeBytes());
        assertEquals(sizeBytes, pool.totalBytes());
        pool.release(buffer);
        assertEquals(0, pool.totalBytes());
        assertEquals(0, buffer.handle());
    }

    @Test
    void buffersForTheCpuAreMappedAndOthersAreNot() {
        DeviceBuffer upload = pool.acquire(MemoryKind.UPLOAD, 256);
        DeviceBuffer download = pool.acquire(MemoryKind.DOWNLOAD, 256);
        DeviceBuffer inner = pool.acquire(MemoryKind.DEVICE, 256);
        assertNotEquals(0, upload.address());
        assertNotEquals(0, download.address());
        assertEquals(0, inner.address());
        pool.release(upload);
        pool.release(download);
        pool.release(inner);
    }

    @Test
    void nothingIsNoRequest() {
        assertThrows(IllegalArgumentException.class, () -> pool.acquire(MemoryKind.DEVICE, 0));
    }

    private long calls() {
        return device.counters().get(Counted.OBJECTS_CREATED)
                + device.counters().get(Counted.ALLOCATIONS);
    }
}

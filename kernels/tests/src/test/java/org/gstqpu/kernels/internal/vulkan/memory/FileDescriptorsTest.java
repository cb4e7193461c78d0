/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.work.TestDevice;
import org.junit.jupiter.api.Test;

class FileDescriptorsTest {
    private static final long MILLI = 1_000_000;

    @Test
    void aFileInMemoryIsNoDmabuf() {
        try (TestDmabuf file = TestDmabuf.plainMemory(2 * TestDmabuf.PAGE_BYTES)) {
            assertTrue(FileDescriptors.isOpen(file.descriptor()));
            assertFalse(FileDescriptors.isDmabuf(file.descriptor()));
            assertEquals(2 * TestDmabuf.PAGE_BYTES, FileDescriptors.sizeBytes(file.descriptor()));
        }
    }

    @Test
    void aDmabufIsTold() {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        try (TestDmabuf dmabuf = TestDmabuf.of(3 * TestDmabuf.PAGE_BYTES);
                TestDmabuf other = TestDmabuf.of(TestDmabuf.PAGE_BYTES)) {
            assertTrue(FileDescriptors.isDmabuf(dmabuf.descriptor()));
            assertEquals(3 * TestDmabuf.PAGE_BYTES, FileDescriptors.sizeBytes(dmabuf.descriptor()));
            assertNotEquals(FileDescriptors.inode(dmabuf.descriptor()), FileDescriptors.inode(other.descriptor()));
            assertTrue(FileDescriptors.poll(dmabuf.descriptor(), FileDescriptors.POLL_OUT, 0), "nobody uses it");
        }
    }

    @Test
    void aDuplicateIsTheSameFileAndOutlivesTheOriginal() {
        int copy;
        long inode;
        try (TestDmabuf file = TestDmabuf.plainMemory(TestDmabuf.PAGE_BYTES);
                TestDmabuf other = TestDmabuf.plainMemory(TestDmabuf.PAGE_BYTES)) {
            copy = FileDescriptors.duplicate(file.descriptor());
            inode = FileDescriptors.inode(file.descriptor());
            assertNotEquals(inode, FileDescriptors.inode(other.descriptor()));
        }
        assertEquals(inode, FileDescriptors.inode(copy));
        FileDescriptors.close(copy);
        assertFalse(FileDescriptors.isOpen(copy));
    }

    @Test
    void whatIsClosedIsNothing() {
        int closed;
        try (TestDmabuf file = TestDmabuf.plainMemory(TestDmabuf.PAGE_BYTES)) {
            closed = FileDescriptors.duplicate(file.descriptor());
        }
        FileDescriptors.close(closed);
        assertFalse(FileDescriptors.isOpen(closed));
        assertFalse(FileDescriptors.isDmabuf(closed));
        assertTrue(FileDescriptors.sizeBytes(closed) < 0);
        assertTrue(FileDescriptors.duplicate(closed) < 0);
        assertFalse(FileDescriptors.poll(closed, FileDescriptors.POLL_IN, 10 * MILLI), "an error is no event");
    }

    @Test
    void aHurriedWaitIsShort() throws Exception {
        int[] pipe = TestPipe.open();
        try (TestDevice test = VulkanTestContexts.device()) {
            VulkanDevice device = test.device();
            Thread hurry = new Thread(() -> device.hurry(true));
            long before = System.nanoTime();
            hurry.start();
            assertFalse(FileDescriptors.await(pipe[0], FileDescriptors.POLL_IN, device.patience(60_000 * MILLI)));
            assertTrue(System.nanoTime() - before < 60_000 * MILLI);
            hurry.join();
            device.hurry(false);
            TestPipe.write(pipe[1]);
            assertTrue(FileDescriptors.await(pipe[0], FileDescriptors.POLL_IN, device.patience(60_000 * MILLI)));
        } finally {
            FileDescriptors.close(pipe[0]);
            FileDescriptors.close(pipe[1]);
        }
    }

    @Test
    void pollWaitsForAsLongAsItIsTold() throws Exception {
        int[] pipe = TestPipe.open();
        try {
            long before = System.nanoTime();
            assertFalse(FileDescriptors.poll(pipe[0], FileDescriptors.POLL_IN, 50 * MILLI));
            assertTrue(System.nanoTime() - before >= 45 * MILLI);
            Thread writer = new Thread(() -> {
                try {
                    Thread.sleep(50);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                TestPipe.write(pipe[1]);
            });
            writer.start();
            assertTrue(FileDescriptors.poll(pipe[0], FileDescriptors.POLL_IN, 60_000 * MILLI));
            writer.join();
        } finally {
            FileDescriptors.close(pipe[0]);
            FileDescriptors.close(pipe[1]);
        }
    }
}

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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.lwjgl.system.linux.FCNTL;
import org.lwjgl.system.linux.UNISTD;

class DeviceSemaphoreTest {
    private TestDevice test;
    private VulkanDevice device;

    @BeforeEach
    void open() throws Exception {
        test = VulkanTestContexts.device();
        device = test.device();
    }

    @AfterEach
    void close() {
        test.close();
    }

    @Test
    void whatTheDeviceCannotShareIsRefused() {
        DeviceCapabilities capabilities = device.capabilities();
        if (capabilities.syncFdImport() || capabilities.syncFdExport()) {
            DeviceSemaphore.syncFd(device).close();
        } else {
            refused(() -> DeviceSemaphore.syncFd(device));
        }
    }

    private static void refused(Runnable make) {
        DeviceException refused = assertThrows(DeviceException.class, make::run);
        assertEquals(DeviceFailure.LIMIT_EXCEEDED, refused.failure(), refused.getMessage());
    }

    @Test
    void aDescriptorThatCannotBeImportedIsClosed() throws Exception {
        int fd = FCNTL.open(null, Files.createTempFile("semaphore", null).toString(), FCNTL.O_RDONLY, 0);
        assertTrue(isOpen(fd));
        try (DeviceSemaphore semaphore = new DeviceSemaphore(device)) {
            assertThrows(DeviceException.class, () -> semaphore.importFd(fd));
            assertFalse(isOpen(fd));
        }
    }

    private static boolean isOpen(int fd) {
        return Files.isSymbolicLink(Path.of("/proc/self/fd", Integer.toString(fd)));
    }

    @Test
    @Tag("dmabuf")
    void aSyncFileThatIsNoneIsAFenceSignalledBefore() {
        assumeTrue(device.capabilities().syncFdImport(), "needs a device that imports SYNC_FD");
        try (DeviceSemaphore semaphore = DeviceSemaphore.syncFd(device);
                DeviceCopy copy = new DeviceCopy(test);
                SubmitDependencies wait = new SubmitDependencies(List.of(semaphore), List.of())) {
            for (int round = 0; round < 3; round++) {
                semaphore.importFd(-1);
                copy.slot().submit(wait);
                copy.slot().await(CopyWork.TIMEOUT_NANOS);
            }
        }
    }

    @Test
    @Tag("dmabuf")
    void aSignalLeavesAsASyncFileEachTimeAndComesBack() {
        DeviceCapabilities capabilities = device.capabilities();
        assumeTrue(
                capabilities.syncFdImport() && capabilities.syncFdExport(),
                "needs a device that imports and exports SYNC_FD");
        try (DeviceSemaphore out = DeviceSemaphore.syncFd(device);
                DeviceSemaphore in = DeviceSemaphore.syncFd(device);
                DeviceCopy first = new DeviceCopy(test);
                DeviceCopy second = new DeviceCopy(test);
                SubmitDependencies signal = new SubmitDependencies(List.of(), List.of(out));
                SubmitDependencies wait = new SubmitDependencies(List.of(in), List.of())) {
            for (int round = 0; round < 20; round++) {
                first.slot().submit(signal);
                int fd = out.exportFd();
                if (fd >= 0) {
                    assertTrue(isOpen(fd));
                }
                in.importFd(fd);
                second.slot().submit(wait);
                second.slot().await(CopyWork.TIMEOUT_NANOS);
                first.slot().await(CopyWork.TIMEOUT_NANOS);
            }
            // The last one is the caller's to close.
            first.slot().submit(signal);
            int fd = out.exportFd();
            if (fd >= 0) {
                assertTrue(isOpen(fd));
                assertEquals(0, UNISTD.close(null, fd));
            }
        }
    }

    /** As another context's thread does on a queue that both use. No message of the validation layer may come of it. */
    @Test
    @Tag("dmabuf")
    void aSignalThatOthersSawTheQueuePassLeavesAsASyncFileToo() {
        assumeTrue(device.capabilities().syncFdExport(), "needs a device that exports SYNC_FD");
        try (DeviceSemaphore out = DeviceSemaphore.syncFd(device);
                DeviceCopy copy = new DeviceCopy(test);
                DeviceCopy later = new DeviceCopy(test);
                SubmitDependencies signal = new SubmitDependencies(List.of(), List.of(out))) {
            for (int round = 0; round < 3; round++) {
                copy.slot().submit(signal);
                later.slot().submit();
                later.slot().await(CopyWork.TIMEOUT_NANOS);
                int fd = out.exportFd();
                if (fd >= 0) {
                    assertEquals(0, UNISTD.close(null, fd));
                }
                copy.slot().await(CopyWork.TIMEOUT_NANOS);
            }
        }
    }

    /** A copy between two buffers of its own. */
    private static final class DeviceCopy implements AutoCloseable {
        private final DeviceBuffer from;
        private final DeviceBuffer to;
        private final CopyWork work;

        DeviceCopy(TestDevice test) {
            VulkanDevice device = test.device();
            from = new DeviceBuffer(device, MemoryKind.UPLOAD, 256);
            to = new DeviceBuffer(device, MemoryKind.DOWNLOAD, 256);
            work = new CopyWork(test, from.range(), to.range());
        }

        SubmitSlot slot() {
            return work.slot();
        }

        @Override
        public void close() {
            work.close();
            from.close();
            to.close();
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK11.*;

import org.junit.jupiter.api.Test;

class MemoryKindTest {
    private static final int VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    private static final int CACHED = VISIBLE | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    private static final int LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;

    @Test
    void theCpuReadsFromCachedMemoryWhereThereIsSome() {
        assertTrue(MemoryKind.DOWNLOAD.score(CACHED) > MemoryKind.DOWNLOAD.score(VISIBLE | LOCAL));
    }

    @Test
    void theDeviceReadsUploadsFromItsOwnMemoryWhereTheCpuReachesIt() {
        assertTrue(MemoryKind.UPLOAD.score(VISIBLE | LOCAL) > MemoryKind.UPLOAD.score(CACHED));
    }

    @Test
    void memoryThatTheCpuCannotReachServesTheDeviceAlone() {
        assertEquals(-1, MemoryKind.UPLOAD.score(LOCAL));
        assertEquals(-1, MemoryKind.DOWNLOAD.score(LOCAL));
        assertTrue(MemoryKind.DEVICE.score(LOCAL) > MemoryKind.DEVICE.score(VISIBLE | LOCAL));
        assertTrue(MemoryKind.DEVICE.score(VISIBLE | LOCAL) > MemoryKind.DEVICE.score(VISIBLE));
    }

    @Test
    void incoherentMemoryServesNoCpu() {
        assertEquals(-1, MemoryKind.DOWNLOAD.score(VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT));
    }
}

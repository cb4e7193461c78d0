/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.system.MemoryUtil.memAddress;
import static org.lwjgl.system.MemoryUtil.nmemAlignedAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemAlignedFree;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileMappingsTest {
    private static final int PAGE = 4096;

    @TempDir
    private Path folder;

    @Test
    void memoryOfAFileIsFoundAndOtherMemoryIsNot() throws IOException {
        long own = nmemAlignedAllocChecked(PAGE, 4 * PAGE);
        Path file = folder.resolve("picture");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (MapMode mode : List.of(MapMode.READ_WRITE, MapMode.PRIVATE)) {
                MappedByteBuffer mapped = channel.map(mode, 0, 4 * PAGE);
                long address = memAddress(mapped);
                assertTrue(FileMappings.hold(address, 4 * PAGE), mode.toString());
                assertTrue(FileMappings.hold(address + PAGE, 1), mode.toString());
                assertTrue(FileMappings.hold(address + 4 * PAGE - 1, 1), mode.toString());
                assertTrue(FileMappings.hold(address - PAGE, PAGE + 1), mode.toString());
            }
            assertFalse(FileMappings.hold(own, 4 * PAGE));
        } finally {
            nmemAlignedFree(own);
        }
    }
}

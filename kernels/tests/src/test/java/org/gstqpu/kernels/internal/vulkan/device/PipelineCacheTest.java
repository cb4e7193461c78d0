/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK11.VK_NULL_HANDLE;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.gstqpu.kernels.internal.cache.CacheFile;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiled pipelines on disk: kept, shared, and ignored when they are of no use. */
class PipelineCacheTest {
    private static final PipelineCacheFile.Maker MAKER =
            new PipelineCacheFile.Maker(0x14e4, 0x71, 7, "000102030405060708090a0b0c0d0e0f");

    @TempDir
    private Path folder;

    /** The header that Vulkan asks for, then some bytes. */
    private static byte[] data(PipelineCacheFile.Maker maker, int payload) {
        ByteBuffer bytes = ByteBuffer.allocate(32 + payload).order(ByteOrder.LITTLE_ENDIAN);
        bytes.putInt(32).putInt(1).putInt(maker.vendorId()).putInt(maker.deviceId());
        for (int i = 0; i < 16; i++) {
            bytes.put((byte) i);
        }
        while (bytes.hasRemaining()) {
            bytes.put((byte) bytes.position());
        }
        return bytes.array();
    }

    @Test
    void whatWasWrittenIsRead() throws Exception {
        Path deep = folder.resolve("not/there/yet");
        byte[] data = data(MAKER, 100);
        assertTrue(new PipelineCacheFile(deep, MAKER).write(data));
        assertArrayEquals(data, new PipelineCacheFile(deep, MAKER).read().orElseThrow());
        try (Stream<Path> files = Files.list(deep)) {
            assertEquals(
                    List.of(MAKER.fileName()),
                    files.map(file -> file.getFileName().toString()).toList(),
                    "no temporary file is left");
        }
    }

    @Test
    void missingFileIsNothing() {
        assertEquals(Optional.empty(), new PipelineCacheFile(folder, MAKER).read());
    }

    @Test
    void changedBytesAndShorterFilesAreIgnored() throws Exception {
        PipelineCacheFile file = new PipelineCacheFile(folder, MAKER);
        assertTrue(file.write(data(MAKER, 20)));
        byte[] good = Files.readAllBytes(file.path());
        for (int i = 0; i < good.length; i += 3) {
            byte[] bad = good.clone();
            bad[i] ^= 0x40;
            Files.write(file.path(), bad);
            assertEquals(Optional.empty(), file.read(), "byte " + i + " changed");
            Files.write(file.path(), Arrays.copyOf(good, i));
            assertEquals(Optional.empty(), file.read(), i + " bytes of " + good.length);
        }
        Files.write(file.path(), good);
        assertTrue(file.read().isPresent());
    }

    /** Vulkan's header in a file whose checksum is right. */
    @Test
    void aHeaderThatIsShortOrWrongIsIgnored() {
        PipelineCacheFile file = new PipelineCacheFile(folder, MAKER);
        byte[] good = data(MAKER, 20);
        for (int i = 0; i < 32; i++) {
            assertTrue(file.write(Arrays.copyOf(good, i)));
            assertEquals(Optional.empty(), file.read(), i + " bytes");
            byte[] bad = good.clone();
            bad[i] ^= 1;
            assertTrue(file.write(bad));
            assertEquals(Optional.empty(), file.read(), "byte " + i + " changed");
        }
    }

    @Test
    void anotherDriversContentIsIgnored() throws Exception {
        PipelineCacheFile.Maker otherUuid =
                new PipelineCacheFile.Maker(0x14e4, 0x71, 7, "ff0102030405060708090a0b0c0d0e0f");
        PipelineCacheFile.Maker otherDevice = new PipelineCacheFile.Maker(0x14e4, 0x42, 7, MAKER.uuid());
        PipelineCacheFile mine = new PipelineCacheFile(folder, MAKER);
        assertTrue(mine.write(data(MAKER, 20)));
        for (PipelineCacheFile.Maker other : List.of(otherUuid, otherDevice)) {
            PipelineCacheFile theirs = new PipelineCacheFile(folder, other);
            assertNotEquals(mine.path(), theirs.path());
            Files.copy(mine.path(), theirs.path());
            assertEquals(Optional.empty(), theirs.read());
        }
    }

    @Test
    void driverVersionsHaveFilesOfTheirOwn() {
        assertNotEquals(MAKER.fileName(), new PipelineCacheFile.Maker(0x14e4, 0x71, 8, MAKER.uuid()).fileName());
    }

    @Test
    void folderThatCannotBeWrittenIsNoError() throws Exception {
        // A file where the folder should be: also root cannot write there.
        Path occupied = Files.createFile(folder.resolve("gst-qpu"));
        PipelineCacheFile file = new PipelineCacheFile(occupied, MAKER);
        assertFalse(file.write(data(MAKER, 20)));
        assertEquals(Optional.empty(), file.read());
    }

    @Test
    void folderFollowsTheXdgSpecification() {
        assertEquals(
                Optional.of(Path.of("/c/gst-qpu")), CacheFile.folder(Map.of("XDG_CACHE_HOME", "/c", "HOME", "/h")));
        assertEquals(Optional.of(Path.of("/h/.cache/gst-qpu")), CacheFile.folder(Map.of("HOME", "/h")));
        assertEquals(
                Optional.of(Path.of("/h/.cache/gst-qpu")),
                CacheFile.folder(Map.of("XDG_CACHE_HOME", "relative", "HOME", "/h")));
        assertEquals(Optional.empty(), CacheFile.folder(Map.of()));
    }

    @Test
    void driverStoresItsPipelinesAndTakesThemBack() throws Exception {
        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
            PipelineCacheFile file = new PipelineCacheFile(
                    folder,
                    PipelineCache.maker(context.runtime().device().handle().getPhysicalDevice()));
            try (PipelineCache first =
                    new PipelineCache(context.runtime().device().handle(), Optional.of(file))) {
                assertEquals(0, first.loadedBytes());
                assertNotEquals(VK_NULL_HANDLE, first.handle());
            }
            try (PipelineCache second =
                    new PipelineCache(context.runtime().device().handle(), Optional.of(file))) {
                assertTrue(second.loadedBytes() >= 32, "bytes loaded: " + second.loadedBytes());
                assertNotEquals(VK_NULL_HANDLE, second.handle());
            }
        }
    }

    @Test
    void corruptFileIsCompiledOver() throws Exception {
        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
            PipelineCacheFile file = new PipelineCacheFile(
                    folder,
                    PipelineCache.maker(context.runtime().device().handle().getPhysicalDevice()));
            Files.writeString(file.path(), "no pipelines at all, but more than forty bytes of something else");
            try (PipelineCache cache =
                    new PipelineCache(context.runtime().device().handle(), Optional.of(file))) {
                assertEquals(0, cache.loadedBytes());
            }
            assertTrue(file.read().isPresent(), "a good file took its place");
        }
    }
}

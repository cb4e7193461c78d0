/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CacheFileTest {
    @TempDir
    private Path folder;

    @Test
    void whatWasWrittenIsReadAlsoThroughALink() throws Exception {
        byte[] content = {1, 2, 3};
        assertTrue(new CacheFile(folder, "a").write(content));
        Files.createSymbolicLink(folder.resolve("b"), folder.resolve("a"));
        assertArrayEquals(content, new CacheFile(folder, "a").read().orElseThrow());
        assertArrayEquals(content, new CacheFile(folder, "b").read().orElseThrow());
    }

    @Test
    void whatOthersMayWriteToIsIgnored() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        CacheFile file = new CacheFile(own, "a");
        assertTrue(file.write(new byte[] {1}));
        for (Path path : List.of(own, own.resolve("a"))) {
            assertTrue(file.read().isPresent());
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            Set<PosixFilePermission> open = EnumSet.copyOf(permissions);
            open.add(PosixFilePermission.OTHERS_WRITE);
            Files.setPosixFilePermissions(path, open);
            assertEquals(Optional.empty(), file.read(), path::toString);
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    /** Only root can give files away. */
    @Test
    void aFileOrFolderOfAnotherUserIsIgnored() throws Exception {
        assumeTrue(Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0), "only root can give files away");
        Path own = Files.createDirectory(folder.resolve("own"));
        CacheFile file = new CacheFile(own, "a");
        assertTrue(file.write(new byte[] {1}));
        for (Path path : List.of(own, own.resolve("a"))) {
            assertTrue(file.read().isPresent());
            Files.setAttribute(path, "unix:uid", 12345);
            assertEquals(Optional.empty(), file.read(), path::toString);
            Files.setAttribute(path, "unix:uid", 0);
        }
    }

    /** To open a pipe would wait for somebody who writes to it. */
    @Test
    void aPipeIsNotOpened() throws Exception {
        Process made = new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start();
        assertTrue(made.waitFor(10, TimeUnit.SECONDS));
        assertEquals(0, made.exitValue());
        assertEquals(Optional.empty(), new CacheFile(folder, "pipe").read());
    }

    @Test
    void aDeviceWithoutAnEndIsNotRead() throws Exception {
        Files.createSymbolicLink(folder.resolve("zero"), Path.of("/dev/zero"));
        assertEquals(Optional.empty(), new CacheFile(folder, "zero").read());
    }

    @Test
    void aFileThatIsTooLargeIsIgnored() throws Exception {
        try (RandomAccessFile file =
                new RandomAccessFile(folder.resolve("large").toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        assertEquals(Optional.empty(), new CacheFile(folder, "large").read());
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
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

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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

    @ParameterizedTest
    @EnumSource(names = {"GROUP_WRITE", "OTHERS_WRITE"})
    void whatOthersMayWriteToIsIgnored(PosixFilePermission permission) throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        CacheFile file = new CacheFile(own, "a");
        assertTrue(file.write(new byte[] {1}));
        for (Path path : List.of(own, own.resolve("a"))) {
            assertTrue(file.read().isPresent());
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            Set<PosixFilePermission> open = EnumSet.copyOf(permissions);
            open.add(permission);
            Files.setPosixFilePermissions(path, open);
            assertEquals(Optional.empty(), file.read(), path::toString);
            Files.setPosixFilePermissions(path, permissions);
        }
    }

    /** So that the cache is of use also where what a user makes is open to the user's group. */
    @Test
    void theFolderThatIsMadeIsTheUsersAlone() throws Exception {
        Path deep = folder.resolve("not/there");
        CacheFile file = new CacheFile(deep, "a");
        assertTrue(file.write(new byte[] {1}));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(deep)));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(deep.getParent())));
        assertTrue(file.read().isPresent());
    }

    /** While it is read, a file that others may write to takes the place of a good one again and again. */
    @Test
    void whatIsCheckedIsWhatIsRead() throws Exception {
        CacheFile file = new CacheFile(folder, "a");
        assertTrue(file.write(new byte[] {2}));
        Path bad = Files.move(file.path(), folder.resolve("bad"));
        Files.setPosixFilePermissions(bad, PosixFilePermissions.fromString("rw-rw-rw-"));
        assertTrue(file.write(new byte[] {1}));
        Path good = Files.createLink(folder.resolve("good"), file.path());
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> swaps = CompletableFuture.runAsync(() -> {
            Path next = folder.resolve("next");
            while (!over.get()) {
                for (Path path : List.of(bad, good)) {
                    try {
                        Files.createLink(next, path);
                        Files.move(next, file.path(), StandardCopyOption.ATOMIC_MOVE);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        });
        Logger log = Logger.getLogger(CacheFile.class.getName());
        log.setLevel(Level.OFF);
        try {
            for (int i = 0; i < 3000; i++) {
                file.read().ifPresent(content -> assertArrayEquals(new byte[] {1}, content));
            }
        } finally {
            log.setLevel(null);
            over.set(true);
            swaps.join();
        }
    }

    @Test
    void noDescriptorIsLeftOpen() throws Exception {
        CacheFile file = new CacheFile(folder, "a");
        assertTrue(file.write(new byte[] {1}));
        assertTrue(file.read().isPresent());
        for (int i = 0; i < 100; i++) {
            assertTrue(file.read().isPresent());
        }
        assertEquals(List.of(), opened(file.path()));
    }

    private static List<Path> opened(Path path) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.exists(descriptor) && Files.isSameFile(descriptor, path)) {
                    found.add(descriptor);
                }
            }
        }
        return found;
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

    /** To open a pipe as one opens a file would wait for somebody who writes to it. */
    @Test
    void aPipeIsNotWaitedFor() throws Exception {
        Process made = new ProcessBuilder("mkfifo", folder.resolve("pipe").toString()).start();
        assertTrue(made.waitFor(600, TimeUnit.SECONDS));
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

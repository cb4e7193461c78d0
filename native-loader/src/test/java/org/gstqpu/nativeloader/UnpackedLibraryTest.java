/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedLibraryTest {
    private static final int NOBODY = 65534;

    @TempDir
    private Path folder;

    @Test
    void theLibraryIsUnpackedOnceToFoldersOfTheUsersOwn() throws IOException {
        Path place = UnpackedLibrary.folder(Map.of("XDG_CACHE_HOME", folder.toString()));
        assertEquals(folder.resolve("gst-qpu/native"), place);
        Path file = UnpackedLibrary.unpackTo(place);
        assertEquals("libgstqpu.so", file.getFileName().toString());
        assertArrayEquals(new byte[] {0x7f, 'E', 'L', 'F'}, head(file));
        for (Path made : new Path[] {place, file.getParent()}) {
            assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(made)));
        }
        Object first = Files.readAttributes(file, BasicFileAttributes.class).fileKey();
        assertEquals(file, UnpackedLibrary.unpackTo(place));
        assertEquals(
                first, Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    private static byte[] head(Path file) throws IOException {
        return Arrays.copyOf(Files.readAllBytes(file), 4);
    }

    @Test
    void anotherContentIsReplaced() throws IOException {
        Path file = UnpackedLibrary.unpackTo(folder.resolve("own"));
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, new byte[] {1, 2, 3});
        try (InputStream inUse = Files.newInputStream(file)) {
            assertEquals(file, UnpackedLibrary.unpackTo(folder.resolve("own")));
            assertArrayEquals(whole, Files.readAllBytes(file));
            assertArrayEquals(new byte[] {1, 2, 3}, inUse.readAllBytes(), "changed under who has it open");
        }
    }

    @Test
    void aLinkIsReplaced() throws IOException {
        Path file = UnpackedLibrary.unpackTo(folder.resolve("own"));
        Files.createSymbolicLink(file, Files.move(file, folder.resolve("elsewhere")));
        assertEquals(file, UnpackedLibrary.unpackTo(folder.resolve("own")));
        assertTrue(Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
    }

    @Test
    void whereItCannotBeReplacedNothingIsLeft() throws IOException {
        Path file = UnpackedLibrary.unpackTo(folder.resolve("own"));
        Files.delete(file);
        Files.createDirectories(file.resolve("in the way"));
        assertRefused(folder.resolve("own"), file.toString());
        try (Stream<Path> all = Files.list(file.getParent())) {
            assertEquals(List.of(file), all.toList());
        }
    }

    @Test
    void aFolderThatOthersMayWriteToIsRefused() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        for (String permissions : new String[] {"rwxrwx---", "rwx----w-"}) {
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString(permissions));
            assertRefused(shared);
        }
        Path link =
                Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("elsewhere")));
        assertRefused(link);
    }

    @Test
    void aFolderThatOthersMayReplaceIsRefused() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Path own = Files.createDirectory(
                Files.createDirectory(shared.resolve("gst-qpu")).resolve("native"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertRefused(own, "others may write to " + shared + ", which it lies in");
        // As /tmp is: nobody renames what is another's.
        Files.setAttribute(shared, "unix:mode", 01777);
        assertTrue(Files.isRegularFile(UnpackedLibrary.unpackTo(own)));
    }

    @Test
    void aFolderOfAnotherUsersIsRefused() throws IOException {
        Path theirs = Files.createDirectory(folder.resolve("theirs"));
        assumeTrue(Files.getOwner(theirs).equals(Files.getOwner(Path.of("/"))), "only root gives folders away");
        Files.setAttribute(theirs, "unix:uid", NOBODY);
        assertRefused(theirs);
        Path own = Files.createDirectory(theirs.resolve("native"));
        assertRefused(own, theirs + ", which it lies in, is ");
    }

    @Test
    void aFolderThatCannotBeMadeIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        assertRefused(file.resolve("gst-qpu/native"), file.toString());
    }

    @Test
    void manyAtOnceFindItWholeAndLeaveNothingElse() throws Exception {
        Path place = folder.resolve("raced");
        int many = 8;
        ExecutorService threads = Executors.newFixedThreadPool(many);
        try {
            CyclicBarrier start = new CyclicBarrier(many);
            List<Future<byte[]>> found = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                found.add(threads.submit(() -> {
                    start.await();
                    return Files.readAllBytes(UnpackedLibrary.unpackTo(place));
                }));
            }
            byte[] whole = found.get(0).get();
            for (Future<byte[]> one : found) {
                assertArrayEquals(whole, one.get());
            }
        } finally {
            threads.shutdownNow();
        }
        try (Stream<Path> all = Files.walk(place)) {
            assertEquals(
                    List.of("libgstqpu.so"),
                    all.filter(Files::isRegularFile)
                            .map(path -> String.valueOf(path.getFileName()))
                            .toList());
        }
    }

    @Test
    void versionsLieBesideEachOther() throws IOException {
        Path other =
                Files.createDirectories(folder.resolve("own/0123456789abcdef")).resolve("libgstqpu.so");
        Files.write(other, new byte[] {1, 2, 3});
        Path file = UnpackedLibrary.unpackTo(folder.resolve("own"));
        assertNotEquals(other, file);
        assertEquals(other.getParent().getParent(), file.getParent().getParent());
        assertArrayEquals(new byte[] {1, 2, 3}, Files.readAllBytes(other));
    }

    private static void assertRefused(Path place) {
        assertRefused(place, place + " is a link, another user's, or others may write to it");
    }

    private static void assertRefused(Path place, String cause) {
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> UnpackedLibrary.unpackTo(place));
        assertTrue(refused.getMessage().contains(cause), refused.getMessage());
        assertTrue(refused.getMessage().contains("set XDG_CACHE_HOME"), refused.getMessage());
        assertEquals(1, refused.getMessage().lines().count(), refused.getMessage());
    }

    @Test
    void anEnvironmentThatNamesNoFolderIsRefused() {
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> UnpackedLibrary.folder(Map.of()));
        assertTrue(refused.getMessage().contains("set HOME or XDG_CACHE_HOME"), refused.getMessage());
    }
}

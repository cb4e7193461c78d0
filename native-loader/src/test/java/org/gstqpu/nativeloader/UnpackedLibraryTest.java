package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackedLibraryTest {
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
        assertEquals(file, UnpackedLibrary.unpackTo(folder.resolve("own")));
        assertArrayEquals(whole, Files.readAllBytes(file));
    }

    @Test
    void aFolderThatOthersMayWriteToIsRefused() throws IOException {
        Path shared = Files.createDirectory(folder.resolve("shared"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwx---"));
        assertRefused(shared);
        Path link =
                Files.createSymbolicLink(folder.resolve("link"), Files.createDirectory(folder.resolve("elsewhere")));
        assertRefused(link);
    }

    private static void assertRefused(Path place) {
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> UnpackedLibrary.unpackTo(place));
        assertTrue(refused.getMessage().contains(place + " is a link, another user's, or others may write to it"));
        assertTrue(refused.getMessage().contains("set XDG_CACHE_HOME"), refused.getMessage());
    }

    @Test
    void anEnvironmentThatNamesNoFolderIsRefused() {
        IllegalStateException refused =
                assertThrows(IllegalStateException.class, () -> UnpackedLibrary.folder(Map.of()));
        assertTrue(refused.getMessage().contains("set HOME or XDG_CACHE_HOME"), refused.getMessage());
    }
}

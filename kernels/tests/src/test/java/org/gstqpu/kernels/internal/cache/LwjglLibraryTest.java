/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lwjgl.system.Configuration;
import org.lwjgl.system.MemoryUtil;

class LwjglLibraryTest {
    @TempDir
    private Path folder;

    private Path cache;
    private Path temporary;

    @BeforeEach
    void makeFolders() throws IOException {
        cache = folder.resolve("cache");
        temporary = Files.createDirectory(folder.resolve("temporary"));
    }

    /** Prepares LWJGL and prints what is written at that time, then which file is loaded. */
    static final class Prepare {
        public static void main(String[] arguments) throws IOException {
            LwjglLibrary.prepare();
            Object told = Configuration.LIBRARY_NAME.get();
            System.out.println("told " + told);
            Path file = Path.of(String.valueOf(told));
            if (Files.exists(file)) {
                System.out.println("whole " + Arrays.equals(packed(), Files.readAllBytes(file)));
            }
            MemoryUtil.nmemFree(MemoryUtil.nmemAllocChecked(8));
            try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
                maps.filter(line -> line.contains("liblwjgl.so"))
                        .map(line -> "loaded " + line.substring(line.indexOf('/')))
                        .distinct()
                        .forEach(System.out::println);
            }
        }

        private static byte[] packed() throws IOException {
            String machine = System.getProperty("os.arch").equals("amd64") ? "x64" : "arm64";
            try (InputStream in = Prepare.class.getResourceAsStream("/linux/" + machine + "/org/lwjgl/liblwjgl.so")) {
                return in.readAllBytes();
            }
        }
    }

    private List<String> run() throws Exception {
        ChildJvm run = ChildJvm.run(
                Map.of("XDG_CACHE_HOME", cache.toString()),
                Prepare.class,
                "-Djava.io.tmpdir=" + temporary,
                "-Duser.home=" + folder);
        assertEquals(0, run.exitValue(), run.output());
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(List.of(), left.toList(), run.output());
        }
        return run.output().lines().toList();
    }

    private static String after(String word, List<String> lines) {
        List<String> found = lines.stream()
                .filter(line -> line.startsWith(word + " "))
                .map(line -> line.substring(word.length() + 1))
                .toList();
        assertEquals(1, found.size(), () -> word + " in " + lines);
        return found.get(0);
    }

    @Test
    void itIsWholeInTheCacheFolderBeforeLwjglLoadsItFromThere() throws Exception {
        Object written = null;
        for (int time = 0; time < 2; time++) {
            List<String> lines = run();
            String file = after("told", lines);
            Object now = Files.getAttribute(Path.of(file), "unix:ctime");
            assertEquals(written == null ? now : written, now, "written again");
            written = now;
            assertEquals(
                    cache.resolve("gst-qpu/native"), Path.of(file).getParent().getParent());
            assertEquals("true", after("whole", lines));
            assertEquals(file, after("loaded", lines));
            assertEquals(3, lines.size(), lines::toString);
        }
    }

    @Test
    void whereTheCacheFolderIsNotTheUsersAloneATemporaryFileIsLoadedAndDeleted() throws Exception {
        Path shared = Files.createDirectories(cache.resolve("gst-qpu/native"));
        Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> lines = run();
        String loaded = after("loaded", lines);
        assertTrue(loaded.startsWith(temporary + "/gst-qpu"), loaded);
        assertTrue(loaded.endsWith("/liblwjgl.so (deleted)"), loaded);
        try (Stream<Path> left = Files.list(shared)) {
            assertEquals(List.of(), left.toList());
        }
    }
}

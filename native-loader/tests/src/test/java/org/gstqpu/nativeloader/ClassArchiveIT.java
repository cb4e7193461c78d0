/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The archive of classes: made on request alone, used where it fits, and of no consequence where it does not. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class ClassArchiveIT {
    private static final String PIPELINE = "-q videotestsrc num-buffers=2 ! qpuloopfilter substrate=cpu ! fakesink";
    private static final String FROM_ARCHIVE = "org.gstqpu.plugin.ElementRuntime source: shared objects file (top)";

    /** Archives by the Java that made them. To make one takes as long as to use it ten times. */
    private static final Map<Path, Path> MADE = new HashMap<>();

    @TempDir
    private static Path shared;

    private static Path jars;

    @TempDir
    private Path folder;

    private Path cache;

    // Jars of its own: no archive of the plugin as built fits them.
    @BeforeAll
    static void copyJars() throws IOException {
        jars = Files.createDirectories(shared.resolve("jars"));
        try (Stream<Path> built = Files.list(GstProcess.pluginDirectory().resolve("qpu"))) {
            for (Path jar : built.toList()) {
                Files.copy(jar, jars.resolve(jar.getFileName()));
            }
        }
    }

    @BeforeEach
    void chooseCache() {
        cache = folder.resolve("cache");
    }

    private GstProcess with(Path home, GstProcess process) {
        return process.with("JAVA_HOME", home)
                .with("XDG_CACHE_HOME", cache)
                .with("GST_QPU_JARS", jars)
                // Else the driver would compile its shaders each time.
                .with("MESA_SHADER_CACHE_DIR", GstProcess.buildDirectory().resolve("shaders"));
    }

    private GstProcess.Result make(Path home, String... arguments) {
        String[] command = Stream.concat(
                        Stream.of(GstProcess.buildDirectory()
                                .resolve("../src/main/sh/gst-qpu-archive")
                                .toString()),
                        Stream.of(arguments))
                .toArray(String[]::new);
        return with(home, new GstProcess(command)).run();
    }

    /** An archive in the user's cache, as that Java made it. */
    private Path archive(Path home) throws IOException {
        if (!MADE.containsKey(home)) {
            GstProcess.Result made = make(home, shared.toString());
            assertEquals(0, made.exitCode(), made::output);
            MADE.put(home, Path.of(made.output().strip().replace("class archive ", "")));
        }
        Path made = MADE.get(home);
        Path copy = Files.createDirectories(cache.resolve("gst-qpu")).resolve(made.getFileName());
        return Files.copy(made, copy);
    }

    /** Whether a run takes the element's classes from an archive; it says nothing else. */
    private boolean usesArchive(Path home) {
        GstProcess.Result result = with(home, GstProcess.launch(PIPELINE))
                .with("GST_QPU_JVM_OPTIONS", "-Xlog:class+load")
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("org.gstqpu.plugin.ElementRuntime source: "), result::output);
        return result.output().contains(FROM_ARCHIVE);
    }

    private List<Path> archives() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().contains(".jsa"))
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.nativeloader.JavaRuntimes#usable")
    void anArchiveIsMadeOnRequestAndUsed(Path home) throws IOException {
        assertFalse(usesArchive(home));
        assertEquals(List.of(), archives());

        GstProcess.Result made = make(home);
        assertEquals(0, made.exitCode(), made::output);
        assertEquals(1, archives().size(), () -> made.output());
        Path archive = archives().get(0);
        assertEquals(cache.resolve("gst-qpu"), archive.getParent());
        assertEquals("class archive " + archive, made.output().strip());
        assertTrue(usesArchive(home));
        if (!MADE.containsKey(home)) {
            MADE.put(home, Files.copy(archive, shared.resolve(archive.getFileName())));
        }
    }

    @Test
    void anArchiveReplacesOneThatIsThere() throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path archive = archive(home);
        FileTime before = Files.getLastModifiedTime(archive);
        GstProcess.Result again = make(home);
        assertEquals(0, again.exitCode(), again::output);
        assertEquals(List.of(archive), archives());
        assertNotEquals(before, Files.getLastModifiedTime(archive));
        assertTrue(usesArchive(home));
    }

    @ParameterizedTest
    @MethodSource("org.gstqpu.nativeloader.JavaRuntimes#usable")
    void aDamagedArchiveIsIgnoredInSilence(Path home) throws IOException {
        Path archive = archive(home);
        byte[] bytes = Files.readAllBytes(archive);
        for (byte[] damaged : List.of(new byte[0], new byte[100_000], Arrays.copyOf(bytes, bytes.length / 2))) {
            Path other = Files.write(folder.resolve("damaged"), damaged);
            Files.move(other, archive, StandardCopyOption.REPLACE_EXISTING);
            assertRunsInSilence(home);
        }
        assertFalse(usesArchive(home));
    }

    private void assertRunsInSilence(Path home) {
        GstProcess.Result result = with(home, GstProcess.launch(PIPELINE)).run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals("", result.output());
    }

    @Test
    void anArchiveOfOtherJarsIsNotUsed() throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        archive(home);
        assertTrue(usesArchive(home));
        Path jar = jars.resolve("plugin.jar");
        FileTime before = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(before.toMillis() + 10_000));
        try {
            assertFalse(usesArchive(home));
            assertRunsInSilence(home);
        } finally {
            Files.setLastModifiedTime(jar, before);
        }
    }

    /** The JVM would run what another user put there. */
    @Test
    void anArchiveThatOthersMayReplaceIsNotUsed() throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path archive = archive(home);
        for (Path path : List.of(archive, cache.resolve("gst-qpu"))) {
            assertTrue(usesArchive(home));
            Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(path);
            Set<PosixFilePermission> open = EnumSet.copyOf(permissions);
            open.add(PosixFilePermission.OTHERS_WRITE);
            Files.setPosixFilePermissions(path, open);
            assertFalse(usesArchive(home), path::toString);
            Files.setPosixFilePermissions(path, permissions);
        }
        Files.delete(archive);
        Files.createSymbolicLink(archive, Path.of("/dev/zero"));
        assertFalse(usesArchive(home));
    }

    /** A group of the user's name is the user's own. Only root can give a file to another group for certain. */
    @Test
    void anArchiveThatAGroupMayReplaceIsUsedOnlyIfTheGroupIsTheUsersOwn() throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path archive = archive(home);
        for (Path path : List.of(archive, cache.resolve("gst-qpu"))) {
            PosixFileAttributes before = Files.readAttributes(path, PosixFileAttributes.class);
            Set<PosixFilePermission> open = EnumSet.copyOf(before.permissions());
            open.add(PosixFilePermission.GROUP_WRITE);
            Files.setPosixFilePermissions(path, open);
            boolean own = before.group().getName().equals(before.owner().getName());
            assertEquals(own, usesArchive(home), path::toString);
            if (before.owner().getName().equals("root")) {
                Object group = Files.getAttribute(path, "unix:gid");
                Files.setAttribute(path, "unix:gid", 1);
                assertFalse(usesArchive(home), path::toString);
                Files.setAttribute(path, "unix:gid", group);
            }
            Files.setPosixFilePermissions(path, before.permissions());
        }
    }

    @Test
    void aFolderThatCannotBeWrittenToIsAnErrorOfTheCommandAlone() throws IOException {
        Path home = Path.of(System.getProperty("java.home"));
        Path file = Files.createFile(folder.resolve("file"));
        GstProcess.Result made = make(home, file.resolve("folder").toString());
        assertNotEquals(0, made.exitCode(), made::output);
        assertTrue(made.output().contains("class archive could not be made"), made::output);
        assertEquals(List.of(), archives());
        assertFalse(usesArchive(home));
    }
}

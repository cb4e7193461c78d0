/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the jars are looked for, and what is said where they are not. */
class MissingJarsIT {
    private static final String PIPELINE = "-q videotestsrc num-buffers=2 ! qpuloopfilter substrate=cpu ! fakesink";

    @TempDir
    private Path folder;

    private GstProcess launchFrom(Path plugins) {
        return GstProcess.launch(PIPELINE)
                .with("GST_PLUGIN_PATH", plugins)
                .with("GST_REGISTRY", folder.resolve("registry.bin"));
    }

    private Path libraryAlone() throws IOException {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        Files.copy(GstProcess.pluginDirectory().resolve("libgstqpu.so"), plugins.resolve("libgstqpu.so"));
        return plugins;
    }

    private Path copyJars(Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> jars = Files.list(GstProcess.pluginDirectory().resolve("qpu"))) {
            for (Path jar : jars.toList()) {
                Files.copy(jar, to.resolve(jar.getFileName()));
            }
        }
        return to;
    }

    @Test
    void aLibraryWithoutItsJarsIsAnErrorThatTellsWhereTheyShouldBe() throws IOException {
        assumeFalse(
                Files.exists(Path.of("/usr/share/gst-qpu/plugin.jar")), "an installed gst-qpu has its jars in place");
        Path plugins = libraryAlone();
        GstProcess.Result result = launchFrom(plugins).run();
        assertNotEquals(0, result.exitCode());
        assertEquals(1, result.errors().size(), result::output);
        String error = result.errors().get(0);
        assertTrue(error.contains("jars are missing"), error);
        assertTrue(error.contains(plugins.toRealPath().resolve("qpu").toString()), error);
        assertTrue(error.contains("reinstall"), error);
    }

    @Test
    void aWrongFolderOfJarsIsAnErrorThatNamesIt() {
        GstProcess.Result result =
                GstProcess.launch(PIPELINE).with("GST_QPU_JARS", folder).run();
        assertNotEquals(0, result.exitCode());
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(result.errors().get(0).contains("GST_QPU_JARS is " + folder), result::output);
    }

    @Test
    void anIncompleteSetOfJarsIsAnError() throws IOException {
        Path jars = Files.createDirectories(folder.resolve("jars"));
        Files.copy(GstProcess.pluginDirectory().resolve("qpu/plugin.jar"), jars.resolve("plugin.jar"));
        GstProcess.Result result =
                GstProcess.launch(PIPELINE).with("GST_QPU_JARS", jars).run();
        assertNotEquals(0, result.exitCode());
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(result.errors().get(0).contains("com.sun.jna"), result::output);
        assertTrue(result.errors().get(0).contains("reinstall the plugin"), result::output);
    }

    @Test
    void jarsElsewhereAreFoundThroughTheEnvironment() throws IOException {
        Path plugins = libraryAlone();
        GstProcess.Result result = launchFrom(plugins)
                .with("GST_QPU_JARS", copyJars(folder.resolve("jars")))
                .run();
        assertEquals(0, result.exitCode(), result::output);
    }

    @Test
    void aLinkedLibraryFindsTheJarsBesideItsFile() throws IOException {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        Files.createSymbolicLink(
                plugins.resolve("libgstqpu.so"), GstProcess.pluginDirectory().resolve("libgstqpu.so"));
        GstProcess.Result result = launchFrom(plugins).run();
        assertEquals(0, result.exitCode(), result::output);
    }

    @Test
    void foldersWithColonsSpacesAndLettersBeyondAsciiWork() throws IOException {
        Path jars = copyJars(folder.resolve("a:b c\u00e4"));
        GstProcess.Result result =
                GstProcess.launch(PIPELINE).with("GST_QPU_JARS", jars).run();
        assertEquals(0, result.exitCode(), result::output);
    }

    @Test
    void aFolderThatTheLocaleCannotNameIsAnErrorThatSaysSo() throws IOException {
        Path jars = copyJars(folder.resolve("c\u00e4"));
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .with("GST_QPU_JARS", jars)
                .with("LC_ALL", "C")
                .run();
        assertNotEquals(0, result.exitCode());
        assertEquals(1, result.errors().size(), result::output);
        assertTrue(result.errors().get(0).contains("set LC_ALL=C.UTF-8"), result::output);
    }
}

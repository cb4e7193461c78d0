/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The native libraries of the Java side are used where they lie, or else unpacked. */
class NativeLibrariesIT {
    private static final String PIPELINE = "-q videotestsrc num-buffers=2 ! qpuloopfilter substrate=cpu ! fakesink";

    @TempDir
    private Path folder;

    @Test
    void nothingIsUnpacked() throws IOException {
        Path temporary = Files.createDirectories(folder.resolve("temporary"));
        Path home = Files.createDirectories(folder.resolve("home"));
        Path working = Files.createDirectories(folder.resolve("working"));
        GstProcess.Result result = GstProcess.launch(PIPELINE)
                .in(working)
                .with("HOME", home)
                .with("XDG_CACHE_HOME", home)
                .with("GST_QPU_JVM_OPTIONS", "-Djava.io.tmpdir=" + temporary + " -Duser.home=" + home)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertEquals(List.of(), libraries());
    }

    /** LWJGL would write its library in place, where another process may load it at that moment. */
    @Test
    void aPluginFolderAloneUnpacksThemWhole() throws IOException {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        Files.copy(GstProcess.pluginDirectory().resolve("libgstqpu.so"), plugins.resolve("libgstqpu.so"));
        GstProcess alone = GstProcess.launch(PIPELINE)
                .with("GST_PLUGIN_PATH", plugins)
                .with("GST_REGISTRY", folder.resolve("registry.bin"))
                .with("GST_QPU_JARS", GstProcess.pluginDirectory().resolve("qpu"))
                .with("XDG_CACHE_HOME", folder.resolve("cache"))
                .with("GST_QPU_JVM_OPTIONS", "-Djava.io.tmpdir=" + folder);
        Object first = null;
        for (int run = 0; run < 2; run++) {
            GstProcess.Result result = alone.run();
            assertEquals(0, result.exitCode(), result::output);
            List<Path> unpacked = libraries().stream()
                    .filter(file -> file.endsWith("liblwjgl.so"))
                    .toList();
            assertEquals(1, unpacked.size(), unpacked::toString);
            Path file = unpacked.get(0);
            assertEquals(
                    folder.resolve("cache/gst-qpu/native"),
                    file.getParent().getParent(),
                    "the folder of which it is made sure that it is this user's alone");
            Object written =
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey();
            assertEquals(first == null ? written : first, written, "written again");
            first = written;
        }
    }

    private List<Path> libraries() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file ->
                            file.getFileName().toString().matches(".*\\.(so|tmp)") && !file.endsWith("libgstqpu.so"))
                    .toList();
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The native libraries of the Java side are used where they lie, or else unpacked. */
class NativeLibrariesIT {
    private static final String PIPELINE = "-q videotestsrc num-buffers=2 ! qpuloopfilter substrate=cpu ! fakesink";

    private static final int PROCESSES = 6;

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

    /** LWJGL would write its library in place, and a process that loads it at that moment would die of a bus error. */
    @Test
    void aPluginFolderAloneUnpacksThemForAllProcesses() throws Exception {
        Path plugins = Files.createDirectories(folder.resolve("plugins"));
        Files.copy(GstProcess.pluginDirectory().resolve("libgstqpu.so"), plugins.resolve("libgstqpu.so"));
        ExecutorService threads = Executors.newFixedThreadPool(PROCESSES);
        try {
            List<Future<GstProcess.Result>> results = new ArrayList<>();
            for (int process = 0; process < PROCESSES; process++) {
                GstProcess alone = GstProcess.launch(PIPELINE)
                        .with("GST_PLUGIN_PATH", plugins)
                        .with("GST_REGISTRY", folder.resolve("registry" + process + ".bin"))
                        .with("GST_QPU_JARS", GstProcess.pluginDirectory().resolve("qpu"))
                        .with("XDG_CACHE_HOME", folder.resolve("cache"))
                        .with("GST_QPU_JVM_OPTIONS", "-Djava.io.tmpdir=" + folder);
                results.add(threads.submit(alone::run));
            }
            for (Future<GstProcess.Result> each : results) {
                GstProcess.Result result = each.get();
                assertEquals(0, result.exitCode(), result::output);
            }
        } finally {
            threads.shutdownNow();
        }
        List<Path> unpacked = libraries().stream()
                .filter(file -> file.endsWith("liblwjgl.so"))
                .toList();
        assertEquals(1, unpacked.size(), unpacked::toString);
        assertEquals(
                folder.resolve("cache/gst-qpu/native"),
                unpacked.get(0).getParent().getParent());
    }

    private List<Path> libraries() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file ->
                            file.getFileName().toString().matches(".*\\.(so|tmp)") && !file.endsWith("libgstqpu.so"))
                    .toList();
        }
    }
}

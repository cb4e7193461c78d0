/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A registry scan lists the element and leaves Java alone. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class RegistryScanIT {
    @TempDir
    private Path folder;

    /** A process that has to scan, this plugin only. */
    private GstProcess scanning(GstProcess process) {
        return process.with("GST_REGISTRY", folder.resolve("registry.bin")).with("GST_PLUGIN_SYSTEM_PATH", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "no"})
    void scanAndInspectionLoadNoJvm(String fork) {
        LoadedLibraries libraries = new LoadedLibraries(folder);
        GstProcess.Result result = libraries
                .observe(scanning(new GstProcess("gst-inspect-1.0", "qpuloopfilter")))
                .with("GST_REGISTRY_FORK", fork)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        Set<String> names = libraries.names();
        assertTrue(names.contains("libgstqpu.so"), names::toString);
        assertFalse(names.contains("libjvm.so"), names::toString);
    }

    @Test
    void theSameObservationSeesTheJvmThatAnOpenedElementLoads() {
        LoadedLibraries libraries = new LoadedLibraries(folder);
        GstProcess.Result result = libraries
                .observe(new GstProcess(TestProgram.build("cycles"), "1", "ready", "qpuloopfilter substrate=cpu"))
                .run();
        assertEquals(0, result.exitCode(), result::output);
        Set<String> names = libraries.names();
        assertTrue(names.contains("libjvm.so"), names::toString);
    }

    @Test
    void aMachineWithoutJavaListsTheElement() {
        GstProcess.Result result = scanning(new GstProcess("gst-inspect-1.0", "qpu"))
                .with("PATH", folder)
                .with("GST_QPU_JVM_DIRS", folder)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains("qpuloopfilter: Codec loop filter"), result::output);
        assertTrue(Files.exists(folder.resolve("registry.bin")));
    }

    @Test
    void noPluginIsBlacklisted() {
        assertEquals(
                0,
                scanning(new GstProcess("gst-inspect-1.0", "qpuloopfilter"))
                        .run()
                        .exitCode());
        GstProcess.Result result =
                scanning(new GstProcess("gst-inspect-1.0", "-b")).run();
        assertTrue(result.output().contains("Total count: 0 blacklisted files"), result::output);
    }

    @Test
    void pipelineRunsInAProcessThatScansItself() {
        GstProcess.Result result = GstProcess.launch(
                        "-q videotestsrc num-buffers=2 ! qpuloopfilter substrate=cpu ! fakesink")
                .with("GST_REGISTRY", folder.resolve("registry.bin"))
                .with("GST_REGISTRY_FORK", "no")
                .run();
        assertEquals(0, result.exitCode(), result::output);
    }
}

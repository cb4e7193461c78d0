/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.gstqpu.kernels.internal.stage.deblock.CompiledAlone;
import org.gstqpu.kernels.internal.stage.deblock.Deblock;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorUseTest {
    @Test
    void aJvmWithoutVectorsIsToldOnceWhichOptionsOfferThem() {
        Logger logger = Logger.getLogger(VectorUse.class.getName());
        Level level = logger.getLevel();
        List<String> lines = new ArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.setLevel(Level.FINE);
        logger.addHandler(handler);
        try {
            assertFalse(VectorUse.onceWarm(false).isOffered());
            assertFalse(VectorUse.onceWarm(false).isOffered());
        } finally {
            logger.removeHandler(handler);
            logger.setLevel(level);
        }
        assertEquals(1, lines.size(), lines::toString);
        assertTrue(lines.get(0).contains("--add-modules=" + VectorUse.MODULE), lines.get(0));
    }

    @Test
    void tenBitIsDeblockedInVectorsOnlyWhereTheCompilerIsToldNotToInlineThem() {
        List<String> options = new ArrayList<>(CompiledAlone.OPTIONS);
        options.add("-Xmx1g");
        assertTrue(CompiledAlone.hasOptions(options));
        options.remove(0);
        assertFalse(CompiledAlone.hasOptions(options));
        // The tests of this module check both forms against each other, so they run with these options.
        assertTrue(VectorUse.always().offers(Deblock.FILTER, PixelFormat.I420_10LE));
    }

    /** A Java that prints its options, each on a line, takes the place of the real one. */
    @ParameterizedTest
    @ValueSource(strings = {"../../pipelines/qpu", "../../pipelines/package/src/package/qpu"})
    void qpuTellsItSo(String script, @TempDir Path folder) throws Exception {
        Files.writeString(folder.resolve("release"), "MODULES=\"java.base jdk.incubator.vector\"\n");
        Path java = Files.createDirectory(folder.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwx------"));
        Files.createDirectories(folder.resolve("target/lib"));
        Path copy = Files.copy(Path.of(script), folder.resolve("qpu"));
        ProcessBuilder qpu = new ProcessBuilder("bash", copy.toString(), "transcode");
        qpu.environment().put("JAVA_HOME", folder.toString());
        Process process = qpu.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), said);
        assertTrue(CompiledAlone.hasOptions(said.lines().toList()), said);
    }

    @Test
    void aJvmThatMakesSveCodeIsToldTheOptionAgainstIt() {
        assertTrue(ScalableVectors.advice("1").orElseThrow().contains("-XX:UseSVE=0"));
        assertTrue(ScalableVectors.advice("0").isEmpty());
    }
}

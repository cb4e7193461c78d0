/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.gstqpu.kernels.RandomSeed;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.internal.stage.deblock.CompiledAlone;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * No vector stays on the Java heap, whichever formats a process filters in whichever order. One process here for each JVM; more with
 * {@code -Dgstqpu.processes=50}, and of another Java with {@code -Dgstqpu.java=PATH}.
 */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class FormatChangesTest {
    /** A kernel that the JVM's compiler has not yet come to allocates, so a busy machine needs time. */
    private static final int LIMIT_SECONDS = 1200;

    private static final Path LOADER = Path.of("../../native-loader/src/main/c/gstqpujvm.c");

    @Test
    void noVectorStaysOnTheHeapWithTheOptionsOfTheLoader() throws Exception {
        List<String> options = stepsCompiledAlone();
        assertTrue(CompiledAlone.hasOptions(options), () -> "the loader does not give all of " + CompiledAlone.OPTIONS);
        noVectorStaysOnTheHeap(options);
    }

    /** Of an application's JVM, which deblocks 10 bit without vectors. */
    @Test
    void noVectorStaysOnTheHeapWithoutThem() throws Exception {
        noVectorStaysOnTheHeap(List.of());
    }

    private static void noVectorStaysOnTheHeap(List<String> options) throws Exception {
        String java = System.getProperty(
                "gstqpu.java",
                Path.of(System.getProperty("java.home"), "bin", "java").toString());
        int processes = Integer.getInteger("gstqpu.processes", 1);
        for (int i = 0; i < processes; i++) {
            long seed = RandomSeed.get();
            List<String> command =
                    new ArrayList<>(List.of(java, "--add-modules=" + VectorUse.MODULE, "-XX:PerMethodTrapLimit=1000"));
            command.addAll(options);
            command.addAll(List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    FormatChanges.class.getName(),
                    Long.toString(seed),
                    Integer.toString(LIMIT_SECONDS)));
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), () -> "seed " + seed + ": " + said);
        }
    }

    /** The loader's options that let C2 compile each step of a kernel on its own. */
    private static List<String> stepsCompiledAlone() throws IOException {
        String source = Files.readString(LOADER);
        int table = source.indexOf("steps[] = {");
        List<String> options = Pattern.compile("\"(\\w+/\\w+\\.\\w*\\*?)\"")
                .matcher(source.substring(table, source.indexOf('}', table)))
                .results()
                .map(step -> "-XX:CompileCommand=dontinline,org/gstqpu/kernels/internal/stage/" + step.group(1))
                .collect(Collectors.toList());
        assertFalse(options.isEmpty(), LOADER + " names no steps");
        options.add("-XX:CompileCommand=quiet");
        return options;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The loader names methods of the kernels to the JVM's compiler, which ignores names that do not exist. */
class CompiledStepsTest {
    private static final Path LOADER = Path.of("src/main/c/gstqpujvm.c");
    private static final Path KERNELS = Path.of("../kernels/filters/src/main");
    private static final String PACKAGE = "org/gstqpu/kernels/internal/stage";

    @Test
    void everyStepThatTheLoaderNamesIsAMethodOfAKernel() throws IOException {
        String source = Files.readString(LOADER);
        Matcher table =
                Pattern.compile("steps\\[\\] = \\{(.*?)\\}", Pattern.DOTALL).matcher(source);
        assertTrue(table.find(), "the loader has no table of steps");
        List<MatchResult> steps = Pattern.compile("\"([\\w/]+)\\.(\\w*)(\\*?)\"")
                .matcher(table.group(1))
                .results()
                .toList();
        assertTrue(steps.size() > 20, () -> "only " + steps.size() + " steps");
        for (MatchResult step : steps) {
            Pattern method = Pattern.compile(
                    "^    [\\w\\[\\]. ]+ " + step.group(2) + (step.group(3).isEmpty() ? "" : "\\w*") + "\\(",
                    Pattern.MULTILINE);
            assertTrue(method.matcher(source(step.group(1))).find(), () -> "no kernel has the method " + step.group());
        }
        assertTrue(source.contains("STAGES \"" + PACKAGE + "/\""), "the loader names another package");
    }

    private static String source(String name) throws IOException {
        try (Stream<Path> files = Stream.of("java", "vector")
                .map(folder -> KERNELS.resolve(folder).resolve(PACKAGE).resolve(name + ".java"))) {
            Path file = files.filter(Files::exists)
                    .findFirst()
                    .orElseThrow(() -> new AssertionError("there is no kernel " + name));
            return Files.readString(file);
        }
    }
}

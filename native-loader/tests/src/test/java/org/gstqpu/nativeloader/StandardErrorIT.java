/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The application's standard error stays what it is while the JVM boots, and the JVM prints nothing to it. */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
class StandardErrorIT {
    @ParameterizedTest
    @MethodSource("org.gstqpu.nativeloader.JavaRuntimes#usable")
    void childrenThatAreStartedMeanwhileHaveIt(Path home) {
        GstProcess.Result result = new GstProcess(TestProgram.build("children"))
                .with("JAVA_HOME", home)
                .run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().matches("same [1-9][0-9]*\\n"), result::output);
    }
}

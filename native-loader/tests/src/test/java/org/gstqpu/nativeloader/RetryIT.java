/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.nativeloader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A failure to open is not for ever. */
class RetryIT {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(strings = {"JAVA_HOME", "GST_QPU_JARS"})
    void openingWorksOnceTheCauseIsGone(String variable) {
        GstProcess.Result result = new GstProcess(TestProgram.build("retry"), variable, folder.toString()).run();
        assertEquals(0, result.exitCode(), result::output);
        assertTrue(result.output().contains(variable + " is " + folder), result::output);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+NoSuchOption", "--no-such-option", "'"})
    void openingWorksOnceTheOptionsAreRight(String options) {
        GstProcess.Result result = new GstProcess(TestProgram.build("retry"), "GST_QPU_JVM_OPTIONS", options).run();
        assertEquals(0, result.exitCode(), result::output);
    }
}

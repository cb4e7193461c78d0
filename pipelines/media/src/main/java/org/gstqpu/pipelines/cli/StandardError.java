/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import com.sun.jna.NativeLibrary;
import java.util.Map;

/**
 * The process's standard error. While the JVM boots, the script {@code qpu} filters it, because the JVM prints a warning for its Vector
 * API that no option removes. Then the process gets the real one, which may be a terminal.
 */
final class StandardError {
    /** Set by the script: the number of the descriptor that is the real standard error. */
    private static final String KEPT = "QPU_STDERR";

    private static final int STANDARD_ERROR = 2;

    private StandardError() {}

    /** Puts the real standard error in its place, if the script kept it. */
    static void restore(Map<String, String> environment) {
        String kept = environment.get(KEPT);
        if (kept != null) {
            int descriptor = Integer.parseInt(kept);
            NativeLibrary process = NativeLibrary.getProcess();
            process.getFunction("dup2").invokeInt(new Object[] {descriptor, STANDARD_ERROR});
            process.getFunction("close").invokeInt(new Object[] {descriptor});
        }
    }
}

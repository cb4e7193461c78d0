/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;

/**
 * Skips a test where something is missing that {@code pipelines/setup check} installs and {@code pipelines/setup demo} does not. In
 * {@code it/check}, which has installed it all, a test that is skipped with these words is a failure.
 */
public final class CheckPackages {
    private CheckPackages() {}

    /** A program on the path that knows {@code --version}. */
    public static void needProgram(String program, String debianPackage) {
        need(program, debianPackage, program, "--version");
    }

    /** A program on the path that does not know {@code --version}. */
    public static void needOnPath(String program, String debianPackage) {
        need(program, debianPackage, "sh", "-c", "command -v " + program);
    }

    /** An element of GStreamer. */
    public static void needElement(String element, String debianPackage) {
        need("the element " + element, debianPackage, "gst-inspect-1.0", "--exists", element);
    }

    /** Python's side of a library of GObject introspection, such as {@code Gst} 1.0. */
    public static void needPython(String library, String debianPackages) {
        String program =
                "import gi; gi.require_version('" + library + "', '1.0'); from gi.repository import " + library;
        need("Python's " + library, debianPackages, "/usr/bin/python3", "-c", program);
    }

    private static void need(String what, String debianPackages, String... probe) {
        assumeTrue(succeeds(probe), what + " is missing: apt install " + debianPackages);
    }

    private static boolean succeeds(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // There is no such program.
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted while waiting for " + command[0], e);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;
import org.gstqpu.pipelines.cli.ChildProcess;

/**
 * Runs {@code qpu} in the JVM of the tests, which takes a tenth of the time of a process: for what does not depend on its start, its
 * terminal, signals, or what libraries write to standard error. So not {@code qpu play}: it reads the standard input, through which
 * Surefire tells this JVM what to run next.
 */
public final class CommandHere {
    private CommandHere() {}

    /** The command's exit status, and what it printed to both outputs. */
    public static ChildProcess.Result run(Object... arguments) {
        StringWriter said = new StringWriter();
        PrintWriter writer = new PrintWriter(said, true);
        int status = QpuCommand.commandLine()
                .setOut(writer)
                .setErr(writer)
                .execute(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
        return new ChildProcess.Result(status, said.toString());
    }
}

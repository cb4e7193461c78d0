/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.PrintWriter;
import java.util.Iterator;
import java.util.concurrent.Callable;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code qpu list}: lists the ready pipelines, and what each lacks on this machine. Lives on the main thread. */
@Command(
        name = "list",
        description = {
            "Lists the ready pipelines. For each: its purpose, the command that runs it, its file (a shell script, which can also"
                    + " be run by itself), and the packages that it needs.",
            "Each entry starts with 'ok', or with 'none' and what is lacking, as qpu doctor says it."
        })
public final class ListCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        Installation installation = Installation.current();
        Iterator<Readiness.Finding> findings =
                Readiness.look(installation).pipelines().iterator();
        for (ReadyPipeline ready : ReadyPipeline.all(installation)) {
            Readiness.Finding found = findings.next();
            out.printf("%-4s %-15s %s%n", found.isWhole() ? "ok" : "none", ready.name(), ready.title());
            out.printf("     %-15s %s%n", "", ready.usage());
            out.printf("     %-15s %s%n", "", ready.file());
            out.printf("     %-15s needs %s%n", "", ready.needs());
            found.cure().ifPresent(cure -> out.printf("     %-15s %s; %s%n", "", found.finding(), cure));
        }
        out.flush();
        return ExitStatus.OK;
    }
}

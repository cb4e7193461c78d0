/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.JsonReport;
import org.gstqpu.pipelines.play.TerminalMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The command {@code qpu batch status}: says how far a plan has come. Lives on the main thread. */
@Command(
        name = "status",
        description =
                "Says how many units of a plan are done, running, failed and left, how many pictures a second all machines filter, and"
                        + " how long the rest will take, from what lies in the plan's folder. Exit status 1 if units have failed for"
                        + " good.")
final class BatchStatusCommand implements Callable<Integer> {
    private static final long PAUSE_MILLIS = 2000;

    /** DECAWM: whether a terminal begins a new line where one is full. */
    private static final String NO_WRAP = "\033[?7l";

    private static final String WRAP = "\033[?7h";

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "PLAN", description = "the file plan.json, or its folder")
    private Path named;

    @Option(names = "--watch", description = "say it again every two seconds, until nothing is left")
    private boolean watch;

    @Option(names = "--json", description = "print it as JSON")
    private boolean json;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path file = BatchPlan.file(named);
        BatchPlan plan = BatchPlan.read(file, PlanOptions.software(spec));
        Path out = file.getParent();
        LeaseHolder me = LeaseHolder.ofThisProcess();
        PrintWriter report = spec.commandLine().getOut();
        boolean redraws = watch && !json && TerminalMode.isOutputTerminal();
        String before = "";
        while (true) {
            BatchStatus status = BatchStatus.read(plan, out, me);
            if (json) {
                JsonReport.print(report, status);
            } else if (redraws) {
                // Back to the beginning of the line, and clear it. What does not fit is cut off: a second line would
                // stay.
                report.print("\r\033[K" + (status.isOver() ? status.line() : NO_WRAP + status.line() + WRAP));
            } else if (!status.line().equals(before)) {
                report.println(status.line());
            }
            before = status.line();
            report.flush();
            if (!watch || status.isOver()) {
                if (redraws) {
                    report.println();
                }
                if (!json) {
                    status.aside().forEach(id -> report.println(id + " was set aside"));
                }
                report.flush();
                return status.failed() == 0 ? ExitStatus.OK : ExitStatus.PROBLEM;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }
}

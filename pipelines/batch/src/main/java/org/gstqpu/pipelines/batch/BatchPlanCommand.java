/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.gstqpu.pipelines.cli.ExitStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The command {@code qpu batch plan}: writes down what is to be transcoded, and how. Lives on the main thread. */
@Command(
        name = "plan",
        description = {
            "Writes the file plan.json into OUT: each input, the name of its output, and the settings. If OUT has a plan with the"
                    + " same settings, inputs that it does not have are added."
        })
final class BatchPlanCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Mixin
    private PlanOptions plan;

    @Override
    public Integer call() throws IOException {
        plan.plan(spec);
        return ExitStatus.OK;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.gstqpu.pipelines.cli.TextTable;

/**
 * The cost of all kernels on V3D. The components are the field names of the JSON.
 *
 * @param kernels one entry for each {@link V3dCost} case
 */
record V3dReport(List<V3dCost.Figures> kernels) {
    /** Compiles every kernel. */
    static V3dReport of(V3dCompiler compiler) {
        return new V3dReport(
                V3dCost.all().stream().map(cost -> cost.measure(compiler)).toList());
    }

    /** The report as a table, which is the content of {@code kernels/v3d-cost.txt}. */
    String table() {
        TextTable table = new TextTable(
                "kernel", "inst", "thr", "regs", "spill+fill", "requests", "read", "stored", "slots/8x8", "bar");
        for (V3dCost.Figures figures : kernels) {
            table.row(
                    figures.name(),
                    Integer.toString(figures.instructions()),
                    Integer.toString(figures.threads()),
                    Integer.toString(figures.registers()),
                    Integer.toString(figures.spillsAndFills()),
                    Integer.toString(figures.requests()),
                    Integer.toString(figures.wordsRead()),
                    Integer.toString(figures.wordsStored()),
                    Long.toString(figures.slots()),
                    figures.bar() == 0 ? "-" : Integer.toString(figures.bar()));
        }
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        table.print(out);
        out.flush();
        return text.toString();
    }
}

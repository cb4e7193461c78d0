/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import org.gstqpu.pipelines.cli.TextTable;

/**
 * The cost of all kernels on V3D. The components are the field names of the JSON.
 *
 * @param kernels one entry for each {@link V3dCost} case
 * @param pictures one entry for each {@link V3dPicture}
 * @param streams one entry for each {@link V3dStream}
 */
record V3dReport(List<V3dCost.Figures> kernels, List<V3dPicture.Sum> pictures, List<V3dPicture.Sum> streams) {
    /** Compiles every kernel. */
    static V3dReport of(V3dCompiler compiler) {
        List<V3dCost.Figures> kernels = V3dCases.ALL.kernels().stream()
                .map(cost -> cost.measure(compiler))
                .toList();
        List<V3dPicture.Sum> pictures = V3dCases.ALL.pictures().stream()
                .map(picture -> picture.sum(kernels))
                .toList();
        return new V3dReport(
                kernels,
                pictures,
                V3dCases.ALL.streams().stream()
                        .map(stream -> stream.sum(pictures))
                        .toList());
    }

    /** The report as three tables, which are the content of {@code kernels/v3d-cost.txt}. */
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
                    figures.slots() == 0 ? "-" : Long.toString(figures.slots()),
                    figures.bar() == 0 ? "-" : Integer.toString(figures.bar()));
        }
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        table.print(out);
        out.println();
        sums("1920x1080 NV12, million slots", pictures).print(out);
        out.println();
        sums("the same, as streams need it", streams).print(out);
        out.flush();
        return text.toString();
    }

    private static TextTable sums(String title, List<V3dPicture.Sum> sums) {
        TextTable table = new TextTable(title, "strength", "deblocking", "CDEF", "shrinkage", "sum");
        for (V3dPicture.Sum sum : sums) {
            table.row(
                    sum.name(),
                    millions(sum.measured()),
                    millions(sum.deblocked()),
                    millions(sum.enhanced()),
                    millions(sum.shrunk()),
                    millions(sum.all()));
        }
        return table;
    }

    private static String millions(double slots) {
        return String.format(Locale.ROOT, "%.1f", slots);
    }
}

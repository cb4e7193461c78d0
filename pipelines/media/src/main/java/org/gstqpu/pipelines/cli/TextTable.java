/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Collects rows of text and prints them in columns: the first column flush left, the others flush right. Used by one thread. */
public final class TextTable {
    private final List<String[]> rows = new ArrayList<>();

    public TextTable(String... heading) {
        rows.add(heading);
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException when the number of cells is not that of the headings
     */
    public void row(String... cells) {
        int columns = rows.get(0).length;
        if (cells.length != columns) {
            throw new IllegalArgumentException("a row of " + columns + " cells, given " + cells.length);
        }
        rows.add(cells);
    }

    public void print(PrintWriter out) {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row[column].length());
            }
        }
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder(row[0]);
            line.append(" ".repeat(widths[0] - row[0].length()));
            for (int column = 1; column < widths.length; column++) {
                line.append(" ".repeat(2 + widths[column] - row[column].length()))
                        .append(row[column]);
            }
            out.println(line.toString().stripTrailing());
        }
        out.flush();
    }
}

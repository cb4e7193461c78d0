/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        TextTable table = new TextTable("stage", "p50", "ratio");
        table.row("fresh", "1234.5", "1.000");
        table.row("a pool of buffers", "9.0", "");
        StringWriter text = new StringWriter();
        table.print(new PrintWriter(text));
        assertEquals(
                List.of(
                        "stage                 p50  ratio", //
                        "fresh              1234.5  1.000",
                        "a pool of buffers     9.0"),
                text.toString().lines().toList());
    }

    @Test
    void aRowHasACellForEachHeading() {
        TextTable table = new TextTable("stage", "p50");
        assertThrows(IllegalArgumentException.class, () -> table.row("fresh"));
    }
}

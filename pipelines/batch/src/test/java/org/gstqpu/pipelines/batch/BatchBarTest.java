/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchBarTest {
    private static final int WIDTH = 100;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    private String last(BatchBar.Source source) {
        new BatchBar(new PrintStream(shown, true, StandardCharsets.UTF_8), WIDTH, source).close();
        String all = shown.toString(StandardCharsets.UTF_8).stripTrailing();
        return all.substring(all.lastIndexOf('\r') + 1);
    }

    @Test
    void whatIsSettledOfAllAndTheTimeLeftAndThePaceAreShown() {
        BatchStatus status = new BatchStatus(200, 93, 2, 5, 100, 4000, 2, 12.5, 61L, List.of());
        String line = last(() -> status);
        assertTrue(line.matches("batch +49% .* 98/200 \\(.* / 0:01:01\\) 12\\.5 fps"), line);
    }

    @Test
    void aFolderThatCannotBeReadIsTold() {
        String line = last(() -> {
            throw new IOException("gone");
        });
        assertTrue(line.endsWith("java.io.IOException: gone"), line);
    }
}

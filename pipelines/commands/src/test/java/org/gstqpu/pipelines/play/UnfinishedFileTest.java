/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of the longest names that a file system takes are written, too. */
class UnfinishedFileTest {
    @Test
    void theNameBeginsWithTheFiles() {
        assertEquals(Path.of("folder/out.mkv.one.part"), UnfinishedFile.part(Path.of("folder/out.mkv"), "one"));
    }

    @Test
    void aFileWithTheLongestNameIsWritten(@TempDir Path folder) throws IOException {
        // Two bytes each, so that the name could be cut within a character.
        Path file = folder.resolve("\u00fc".repeat(125) + "x.mkv");
        assertEquals(
                UnfinishedFile.MOST_BYTES,
                UnfinishedFile.bytes(file.getFileName().toString()));
        try (UnfinishedFile unfinished = new UnfinishedFile(file, "writer", false)) {
            Files.writeString(unfinished.part(), "content");
            assertTrue(unfinished.part().getFileName().toString().endsWith(".writer.part"));
            unfinished.complete();
        }
        assertEquals("content", Files.readString(file));
    }
}

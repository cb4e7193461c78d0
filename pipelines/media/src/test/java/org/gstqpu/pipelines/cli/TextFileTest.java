/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextFileTest {
    @Test
    void textIsRead(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("text"), "eins\nzw\u00f6lf\n");
        assertEquals("eins\nzw\u00f6lf\n", TextFile.read(file, "a list"));
        assertThrows(NoSuchFileException.class, () -> TextFile.read(folder.resolve("none"), "a list"));
    }

    @Test
    void whatIsNoTextIsRefusedInOneLine(@TempDir Path folder) throws Exception {
        Path video = Files.write(folder.resolve("video"), new byte[] {'a', (byte) 0xff});
        assertEquals(
                video + ": is no text in UTF-8, and not a list; name another file",
                assertThrows(CommandFailedException.class, () -> TextFile.read(video, "a list"))
                        .getMessage());
        assertEquals(
                "/dev/zero: has more than 48 MiB, and is not a plan; name another file",
                assertThrows(CommandFailedException.class, () -> TextFile.read(Path.of("/dev/zero"), "a plan"))
                        .getMessage());
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.gstqpu.pipelines.cli.ChildProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatroskaHeadersTest {
    /** The bytes of a number of one byte, and of a length in its longest form. */
    private static final int HEADER = 9;

    private static final long LONGEST_FORM = 1L << 56;

    private static final long LIMIT_SECONDS = 300;

    @TempDir
    private Path folder;

    /** Each within the one before, and the first in an edition: no file may use up the stack. */
    @Test
    void chaptersMayBeAsDeepAsTheyLike() throws IOException {
        final int levels = 100_000;
        ByteBuffer file = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES + Short.BYTES + HEADER * levels);
        file.putInt(0x1043A770).putLong(LONGEST_FORM + Short.BYTES + Long.BYTES + HEADER * levels);
        file.putShort((short) 0x45B9).putLong(LONGEST_FORM + HEADER * levels);
        for (int level = 1; level <= levels; level++) {
            file.put((byte) 0xB6).putLong(LONGEST_FORM + (long) HEADER * (levels - level));
        }
        MatroskaHeaders headers = MatroskaHeaders.of(Files.write(folder.resolve("deep.mkv"), file.array()));
        assertEquals(1, headers.lostOfChapters(0).size());
    }

    /** Sixteen megabytes of elements of two bytes, in a JVM that has room for the headers and little else. */
    @Test
    void headersOfTinyElementsTakeLittleMemory() throws IOException {
        ByteBuffer file = ByteBuffer.allocate(1 << 24);
        file.putInt(0x1654AE6B).putLong(LONGEST_FORM + file.capacity() - Integer.BYTES - Long.BYTES);
        while (file.hasRemaining()) {
            file.putShort((short) 0x8080);
        }
        Path tiny = Files.write(folder.resolve("tiny.mkv"), file.array());
        ChildProcess.Result result = new ChildProcess(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-Xmx40m",
                                "-cp",
                                System.getProperty("java.class.path"),
                                MatroskaHeadersTest.class.getName(),
                                tiny.toString()),
                        Map.of())
                .run(LIMIT_SECONDS)
                .orElseThrow();
        assertEquals(0, result.status(), result.output());
    }

    /** Reads a file. */
    public static void main(String[] arguments) throws IOException {
        MatroskaHeaders.of(Path.of(arguments[0]));
    }
}

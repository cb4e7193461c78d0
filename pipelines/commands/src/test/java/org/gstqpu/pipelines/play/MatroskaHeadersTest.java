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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MatroskaHeadersTest {
    /** The bytes of a number of one byte, and of a length in its longest form. */
    private static final int HEADER = 9;

    private static final long LONGEST_FORM = 1L << 56;

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
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads texts that anyone may have written: a device or a file of another kind does not fill the memory. */
public final class TextFile {
    /** More than a plan or a list of a hundred thousand videos has. */
    private static final int MOST_BYTES = 48 << 20;

    private TextFile() {}

    /**
     * Reads a file of UTF-8.
     *
     * @param kind what it should be, for the message, such as {@code "a plan"}
     * @throws IOException when it cannot be read
     * @throws CommandFailedException when it has more than 48 MiB, or is not UTF-8
     */
    public static String read(Path file, String kind) throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw CommandFailedException.unusable(file + ": has more than " + (MOST_BYTES >> 20) + " MiB, and is not "
                    + kind + "; name another file");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw CommandFailedException.unusable(
                    file + ": is no text in UTF-8, and not " + kind + "; name another file", e);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;

/** Writes small files so that a reader, on this or another machine, sees a whole file or none, also after a loss of power. */
final class WholeFile {
    private static final SecureRandom RANDOM = new SecureRandom();

    private WholeFile() {}

    /** Writes a file beside its place, then gives it its name. When this returns, both are on the disk. */
    static void write(Path file, String text) throws IOException {
        // Not a file of Files.createTempFile: that would be for this user alone, and workers may have other ones.
        Path part = file.resolveSibling("." + Long.toHexString(RANDOM.nextLong()) + ".part");
        try {
            try (FileChannel channel =
                    FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                writeAll(channel, text);
                channel.force(true);
            }
            Files.move(part, file, ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        sync(file.toAbsolutePath().getParent());
    }

    /** Writes a text at the position of a channel. */
    static void writeAll(FileChannel channel, String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    /** Brings the names in a folder to the disk. */
    static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}

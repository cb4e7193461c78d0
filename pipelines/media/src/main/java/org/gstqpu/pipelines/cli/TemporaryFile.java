/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that is removed when this is closed. Immutable. */
public record TemporaryFile(Path path) implements AutoCloseable {
    /** Makes an empty file for this user alone. */
    public static TemporaryFile create(String suffix) throws IOException {
        return new TemporaryFile(Files.createTempFile("qpu-", suffix));
    }

    @Override
    public void close() throws IOException {
        Files.deleteIfExists(path);
    }
}

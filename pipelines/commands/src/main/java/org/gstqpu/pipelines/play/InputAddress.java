/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the user names to be read, as the address that GStreamer takes. Stateless. */
final class InputAddress {
    private InputAddress() {}

    /**
     * Returns the URI of a regular file, or {@code input} itself if that is a URI.
     *
     * @throws org.gstqpu.pipelines.cli.CommandFailedException when there is no such file, or it is empty
     */
    static String of(String input) {
        if (input.isBlank()) {
            throw unusable("the name of the input is empty: name a file or an address");
        }
        if (input.contains("://")) {
            return input;
        }
        Path file = Path.of(input);
        if (!Files.exists(file)) {
            throw unusable(input + ": no such file");
        }
        if (Files.isDirectory(file)) {
            throw unusable(input + " is a folder: name a file in it");
        }
        if (!Files.isRegularFile(file)) {
            throw unusable(
                    input + " is no regular file: name a file or an address; a camera is for qpu play --as camera");
        }
        if (isEmpty(file)) {
            throw unusable(input + ": is empty; name another file");
        }
        return file.toUri().toString();
    }

    private static boolean isEmpty(Path file) {
        try {
            return Files.size(file) == 0;
        } catch (IOException e) {
            // What reads it will say more.
            return false;
        }
    }
}

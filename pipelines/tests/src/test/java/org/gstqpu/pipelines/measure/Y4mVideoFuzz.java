/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gstqpu.pipelines.cli.CommandFailedException;

/** Files of YUV4MPEG2 that anyone may have written: each gives pictures, or is refused in one line. */
public final class Y4mVideoFuzz {
    private Y4mVideoFuzz() {}

    /**
     * Reads one video.
     *
     * @param data a file
     */
    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        Path file = Files.createTempFile("fuzz", ".y4m");
        try {
            Files.write(file, data);
            if (Y4mVideo.isOne(file.toString())) {
                read(file.toString());
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void read(String file) {
        try (Video video = Y4mVideo.open(file)) {
            long pictures = 0;
            while (video.next().isPresent()) {
                pictures++;
            }
            if (pictures > video.pictures()) {
                throw new IllegalStateException(pictures + " pictures, where " + video.pictures() + " have room");
            }
        } catch (CommandFailedException e) {
            if (e.getMessage().lines().count() != 1) {
                throw new IllegalStateException("not one line", e);
            }
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gstqpu.pipelines.cli.CommandFailedException;

/** What the user names to be read, as the address that GStreamer takes. Stateless. */
public final class InputAddress {
    /** Where the beginning of a file tells what it is. */
    private static final int HEAD_BYTES = 1 << 16;

    private InputAddress() {}

    /**
     * Returns the URI of a regular file, or {@code input} itself if that is a URI.
     *
     * @throws CommandFailedException when there is no such file, or it is empty or an animation
     */
    public static String of(String input) {
        if (input.isBlank()) {
            throw unusable("the name of the input is empty: name a file or an address");
        }
        if (input.contains("://")) {
            checkDepth(input);
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
        checkContents(input, file);
        return file.toUri().toString();
    }

    /** That an animation cannot be read, and what helps. */
    static CommandFailedException animated(String input, String kind) {
        return unusable(input + ": GStreamer has no reader that comes to the end of an animation in " + kind
                + ": make a video of it first, as ffmpeg -i IN -c:v ffv1 video.mkv does");
    }

    private static void checkContents(String input, Path file) {
        String head;
        try (InputStream bytes = Files.newInputStream(file)) {
            head = new String(bytes.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            // What reads it will say more.
            return;
        }
        if (head.isEmpty()) {
            throw unusable(input + ": is empty; name another file");
        }
        if (head.startsWith("GIF8")) {
            throw animated(input, "GIF");
        }
        // The chunk acTL comes before the picture.
        int data = head.indexOf("IDAT");
        int control = head.indexOf("acTL");
        if (head.startsWith("\u0089PNG") && control > 0 && (data < 0 || control < data)) {
            throw animated(input, "APNG");
        }
        checkDepth(input, file);
    }

    /** An address may be that of a file. */
    private static void checkDepth(String address) {
        try {
            Path file = Path.of(URI.create(address));
            if (Files.isRegularFile(file)) {
                checkDepth(address, file);
            }
        } catch (IllegalArgumentException | FileSystemNotFoundException e) {
            // It is none.
        }
    }

    private static void checkDepth(String input, Path file) {
        boolean isDeep;
        try {
            isDeep = DeepFile.isDeep(file);
        } catch (IOException e) {
            // What reads it will say more.
            return;
        }
        if (isDeep) {
            throw unusable(input + ": its parts lie within each other more than " + Nesting.MOST_DEPTH
                    + " deep, or lead to each other in a circle, which ends GStreamer's reader and the process: write it without"
                    + " these: ffmpeg -i IN -c copy OUT.mkv");
        }
    }
}

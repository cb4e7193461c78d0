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

    /** GStreamer has a reader for each tag before a film, and each takes longer the more there are. */
    private static final int MOST_TAGS = 16;

    /** The bytes of the header of such a tag, as id3.org's informal standard 2.4.0 has it, and where its size is in it. */
    private static final int TAG_HEADER = 10;

    private static final int TAG_SIZE_AT = 6;

    /** What is said of a file whose parts lie too deep within each other, and what helps. */
    public static final String DEEP = "its parts lie within each other more than " + Nesting.MOST_DEPTH
            + " deep, or lead to each other in a circle, which ends GStreamer's reader and the process: write it without"
            + " these: ffmpeg -i IN -c copy OUT.mkv";

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

    /**
     * The same for a film that is read to its end: a playlist, which can be played, is refused.
     *
     * @throws CommandFailedException as above, and for a playlist
     */
    public static String ofFilm(String input) {
        String address = of(input);
        refusePlaylist(input);
        return address;
    }

    /**
     * Refuses a file that names others.
     *
     * @throws CommandFailedException when it is a playlist
     */
    public static void refusePlaylist(String input) {
        if (isPlaylist(input)) {
            throw playlist(input);
        }
    }

    private static boolean isPlaylist(String input) {
        try {
            if (input.contains("://")) {
                return false;
            }
            String head = head(Path.of(input));
            return head.startsWith("#EXTM3U") || (head.startsWith("<") && head.contains("<MPD"));
        } catch (IOException e) {
            // What reads it will say more.
            return false;
        }
    }

    /** That an animation cannot be read, and what helps. */
    static CommandFailedException animated(String input, String kind) {
        return unusable(input + ": GStreamer has no reader that comes to the end of an animation in " + kind
                + ": make a video of it first, as ffmpeg -i IN -c:v ffv1 video.mkv does");
    }

    /** That a list of files cannot be read, and what helps. ffmpeg takes the best of several pictures and sounds. */
    static CommandFailedException playlist(String input) {
        return unusable(input
                + ": is a playlist, and its film lies in other files: make one file of it first, of the best of its"
                + " videos: ffmpeg -i IN -c copy film.mkv");
    }

    private static void checkContents(String input, Path file) {
        String head;
        try {
            head = head(file);
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
        if (hasManyTags(head)) {
            throw unusable(input + ": has more than " + MOST_TAGS
                    + " ID3 tags before its film, which GStreamer's readers take too"
                    + " long for: write it without these: ffmpeg -i IN -c copy film.mkv");
        }
        // The chunk acTL comes before the picture.
        int data = head.indexOf("IDAT");
        int control = head.indexOf("acTL");
        if (head.startsWith("\u0089PNG") && control > 0 && (data < 0 || control < data)) {
            throw animated(input, "APNG");
        }
        checkDepth(input, file);
    }

    private static String head(Path file) throws IOException {
        try (InputStream bytes = Files.newInputStream(file)) {
            return new String(bytes.readNBytes(HEAD_BYTES), StandardCharsets.ISO_8859_1);
        }
    }

    private static boolean hasManyTags(String head) {
        int at = 0;
        int tags = 0;
        while (head.startsWith("ID3", at) && at + TAG_HEADER <= head.length() && tags <= MOST_TAGS) {
            int size = 0;
            for (int i = TAG_SIZE_AT; i < TAG_HEADER; i++) {
                size = (size << 7) | (head.charAt(at + i) & 0x7F);
            }
            at += TAG_HEADER + size;
            tags++;
        }
        return tags > MOST_TAGS;
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
            throw unusable(input + ": " + DEEP);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InputAddressTest {
    @TempDir
    private Path folder;

    @Test
    void aPlaylistIsNoFilmButCanBePlayed() throws IOException {
        Path list = Files.writeString(folder.resolve("film.m3u8"), "#EXTM3U\n#EXTINF:2,\nfilm.ts\n");
        assertRefused(list, "is a playlist");
        assertRefused(
                Files.writeString(folder.resolve("film.mpd"), "<?xml version=\"1.0\"?>\n<MPD type=\"static\"/>"),
                "is a playlist");
        assertEquals(list.toUri().toString(), InputAddress.of(list.toString()));
    }

    @Test
    void manyTagsBeforeAFilmAreRefused() throws IOException {
        assertRefused(Files.write(folder.resolve("many.ts"), tags(17, 300)), "ID3 tags");
        Path usual = Files.write(folder.resolve("usual.ts"), tags(16, 300));
        assertEquals(usual.toUri().toString(), InputAddress.of(usual.toString()));
        // Its end is none of the file.
        Path cut =
                Files.write(folder.resolve("cut.mp3"), "ID3\4\0\0\177\177\177\177".getBytes(StandardCharsets.US_ASCII));
        assertEquals(cut.toUri().toString(), InputAddress.of(cut.toString()));
    }

    private static void assertRefused(Path file, String why) {
        String said = assertThrows(CommandFailedException.class, () -> InputAddress.ofFilm(file.toString()))
                .getMessage();
        assertTrue(said.startsWith(file + ": ") && said.contains(why) && said.contains("ffmpeg -i IN -c copy"), said);
    }

    private static byte[] tags(int count, int size) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < count; i++) {
            bytes.writeBytes("ID3\4\0\0\0\0".getBytes(StandardCharsets.US_ASCII));
            bytes.write(size >> 7);
            bytes.write(size & 0x7F);
            bytes.writeBytes(new byte[size]);
        }
        bytes.write('G');
        return bytes.toByteArray();
    }
}

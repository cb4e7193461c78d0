/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AtomsTest {
    private static ByteBuffer atom(String name, int fields, ByteBuffer... content) {
        ByteBuffer atom = ByteBuffer.allocate(2048);
        atom.putInt(0).put(name.getBytes(StandardCharsets.ISO_8859_1)).position(8 + fields);
        for (ByteBuffer each : content) {
            atom.put(each);
        }
        return atom.putInt(0, atom.position()).flip();
    }

    private static List<String> unread(ByteBuffer index) {
        return new Atoms(index, Set.of("XMP")).unread();
    }

    /** A shop's numbers, beside what ffmpeg reads. */
    @Test
    void whatAnItunesListHasMoreIsNamed() {
        ByteBuffer list = atom(
                "ilst", 0, atom("\u00a9nam", 0), atom("cnID", 0), atom("covr", 0), atom("----", 0), atom("sfID", 0));
        assertEquals(List.of("XMP", "cnID", "sfID"), unread(atom("udta", 0, atom("meta", 4, atom("hdlr", 24), list))));
    }

    /** A phone's tags, which ffmpeg writes, too: each has the number of its key for a name. */
    @Test
    void itemsThatHaveKeysAreRead() {
        ByteBuffer list = atom("ilst", 0, atom("\0\0\0\1", 0), atom("\0\0\0\2", 0));
        ByteBuffer meta = atom("meta", 4, atom("hdlr", 24), atom("keys", 8), list);
        assertEquals(List.of("XMP"), unread(atom("udta", 0, meta)));
    }

    @ParameterizedTest
    @CsvSource({"160, 1, 120, 1, XMP", "320, 2, 120, 1, XMP", "140, 1, 120, 1, XMP clap", "160, 1, 239, 2, XMP clap"})
    void aCropOfThePicturesIsNamed(int width, int widthBy, int height, int heightBy, String named) {
        ByteBuffer crop = atom("clap", 32);
        crop.putInt(8, width).putInt(12, widthBy).putInt(16, height).putInt(20, heightBy);
        ByteBuffer video = atom("avc1", 78, atom("avcC", 4), crop);
        video.putShort(8 + 24, (short) 160).putShort(8 + 26, (short) 120);
        ByteBuffer table = atom("stbl", 0, atom("stsd", 8, atom("mp4a", 28), video));
        assertEquals(List.of(named.split(" ")), unread(atom("trak", 0, atom("mdia", 0, atom("minf", 0, table)))));
    }
}

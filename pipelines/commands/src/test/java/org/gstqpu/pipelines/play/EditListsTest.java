/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EditListsTest {
    private static final int FILM_SCALE = 1000;
    private static final int TRACK_SCALE = 12800;

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void theFilmIsLongerByTheLatestTimeThatAPartBeginsWith(boolean wide) {
        byte[] film = film(wide, 2500, new long[][] {{300, -1}, {1000, 7424}, {1500, 7424 + TRACK_SCALE}});
        assertTrue(EditLists.lengthen(ByteBuffer.wrap(film)));
        byte[] expected = film(wide, 2500 + 1580, new long[][] {{300, -1}, {1000, 7424}, {1500, 7424 + TRACK_SCALE}});
        assertEquals(ByteBuffer.wrap(expected), ByteBuffer.wrap(film));
    }

    @Test
    void aFilmWithoutAnIndexOrOfUnknownDurationStaysAsItIs() {
        byte[] sound = atom("mdat", new byte[20]);
        assertFalse(EditLists.lengthen(ByteBuffer.wrap(sound)));
        byte[] unknown = film(false, 0xFFFFFFFFL, new long[][] {{1000, 7424}});
        byte[] same = unknown.clone();
        assertTrue(EditLists.lengthen(ByteBuffer.wrap(unknown)));
        assertEquals(ByteBuffer.wrap(same), ByteBuffer.wrap(unknown));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void partsThatFollowOneAnotherAreNoJump(boolean wide) throws IOException {
        assertEquals(
                Optional.of(
                        new EditLists(List.of(new EditLists.Track(7, List.of(580_000_000L, 1_580_000_000L), false)))),
                of(film(wide, 2500, new long[][] {{300, -1}, {1000, 7424}, {1500, 7424 + TRACK_SCALE}})));
        assertTrue(of(film(wide, 2500, new long[][] {{1000, 0}, {1500, TRACK_SCALE + 640}}))
                .orElseThrow()
                .jumps());
        assertTrue(of(film(wide, 2500, new long[][] {{1000, 0}, {1500, 0}}))
                .orElseThrow()
                .jumps());
    }

    @Test
    void otherFilesHaveNone() throws IOException {
        assertEquals(Optional.empty(), of(new byte[0]));
        assertEquals(Optional.empty(), of("RIFF....AVI LIST....".getBytes(StandardCharsets.US_ASCII)));
        byte[] cutOff = film(false, 2500, new long[][] {{1000, 7424}});
        assertEquals(Optional.empty(), of(Arrays.copyOf(cutOff, cutOff.length - 1)));
    }

    /** Damaged bytes are read without a failure, and nothing but a duration is changed. */
    @Test
    void damagedIndexesAreNoFailure() throws IOException {
        long seed = Long.getLong("gstqpu.seed", 39);
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 2000; i++) {
            byte[] film = film(random.nextBoolean(), 2500, new long[][] {{300, -1}, {1000, 7424}, {1500, 0}});
            for (int changes = random.nextInt(4); changes >= 0; changes--) {
                film[random.nextInt(film.length)] = (byte) random.nextInt();
            }
            byte[] longer = film.clone();
            EditLists.lengthen(ByteBuffer.wrap(longer));
            int changed = 0;
            for (int at = 0; at < film.length; at++) {
                changed += film[at] == longer[at] ? 0 : 1;
            }
            assertTrue(changed <= Long.BYTES, "round " + i);
            if (i % 20 == 0) {
                assertTrue(of(film).stream().allMatch(lists -> lists.tracks().size() <= 1));
            }
        }
    }

    private Optional<EditLists> of(byte[] film) throws IOException {
        return Atoms.of(Files.write(folder.resolve("film"), film)).map(EditLists::of);
    }

    private static byte[] film(boolean wide, long duration, long[][] edits) {
        ByteBuffer list =
                ByteBuffer.allocate(8 + edits.length * (wide ? 20 : 12)).putInt(wide ? 1 << 24 : 0);
        list.putInt(edits.length);
        for (long[] edit : edits) {
            if (wide) {
                list.putLong(edit[0]).putLong(edit[1]);
            } else {
                list.putInt((int) edit[0]).putInt((int) edit[1]);
            }
            list.putInt(1 << 16);
        }
        byte[] track = atom(
                "trak",
                atom("tkhd", numbers(wide, 7, 0)),
                atom("edts", atom("elst", list.array())),
                atom("mdia", atom("mdhd", numbers(wide, TRACK_SCALE, 0))));
        byte[] index = atom("moov", atom("mvhd", numbers(wide, FILM_SCALE, duration)), track);
        return join(atom("ftyp", "isom".getBytes(StandardCharsets.US_ASCII)), index);
    }

    /** What the three headers have in common: times, a number and a duration. */
    private static byte[] numbers(boolean wide, int number, long duration) {
        ByteBuffer header = ByteBuffer.allocate(100).putInt(wide ? 1 << 24 : 0);
        header.position(wide ? 20 : 12).putInt(number);
        if (wide) {
            header.putLong(duration);
        } else {
            header.putInt((int) duration);
        }
        return header.array();
    }

    private static byte[] atom(String name, byte[]... contents) {
        byte[] content = join(contents);
        return ByteBuffer.allocate(8 + content.length)
                .putInt(8 + content.length)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .put(content)
                .array();
    }

    private static byte[] join(byte[]... parts) {
        int length = 0;
        for (byte[] part : parts) {
            length += part.length;
        }
        ByteBuffer all = ByteBuffer.allocate(length);
        for (byte[] part : parts) {
            all.put(part);
        }
        return all.array();
    }
}

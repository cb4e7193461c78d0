/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the headers of a Matroska file say that ffmpeg 5 to 7 does not read, and ffprobe does not show. Immutable.
 *
 * <p>Source: RFC 9559, and RFC 8794 for the form of the elements.
 */
final class MatroskaHeaders {
    private static final int SEGMENT = 0x18538067;
    private static final int INFO = 0x1549A966;
    private static final int TRACKS = 0x1654AE6B;
    private static final int CHAPTERS = 0x1043A770;
    private static final int TRACK = 0xAE;
    private static final int VIDEO = 0xE0;
    private static final int EDITION = 0x45B9;
    private static final int CHAPTER = 0xB6;
    private static final int CHAPTER_TITLE = 0x80;
    private static final int ORDERED = 0x45DD;
    private static final int LANGUAGE = 0x22B59D;

    /** PixelCropTop, PixelCropBottom, PixelCropLeft and PixelCropRight. */
    private static final List<Integer> CROPS = List.of(0x54BB, 0x54AA, 0x54CC, 0x54DD);

    /** ChapterSegmentUUID, PrevUUID and NextUUID. */
    private static final List<Integer> LINKS = List.of(0x6E67, 0x3CB923, 0x3EB923);

    /** Elements of the first level that are read, and those within them. */
    private static final Set<Integer> HEADERS = Set.of(INFO, TRACKS, CHAPTERS);

    private static final Set<Integer> PARENTS = Set.of(TRACK, VIDEO, EDITION, CHAPTER);

    /** Longer headers are not read. */
    private static final long MOST_BYTES = 1 << 24;

    /** What lies deeper is not read; ffmpeg does not read that either. */
    private static final int MOST_DEPTH = 16;

    /** The longest number and length of an element. */
    private static final int ELEMENT_BYTES = 12;

    private static final int MOST_ID_BYTES = 4;
    private static final int MOST_LENGTH_BYTES = 8;

    /** The contents of all elements by their number, at whatever depth. */
    private final Map<Integer, List<ByteBuffer>> elements = new HashMap<>();

    private MatroskaHeaders() {}

    /** Those of a file, as far as they are whole. */
    static MatroskaHeaders of(Path file) throws IOException {
        MatroskaHeaders headers = new MatroskaHeaders();
        try (FileChannel channel = FileChannel.open(file)) {
            for (long at = 0; at < channel.size(); ) {
                ByteBuffer begin = CutOffFile.read(channel, at, (int) Math.min(ELEMENT_BYTES, channel.size() - at));
                int id = (int) number(begin, MOST_ID_BYTES, true);
                long length = number(begin, MOST_LENGTH_BYTES, false);
                at += begin.position();
                if (id == SEGMENT) {
                    continue;
                }
                // A live recording may not say how long its parts are.
                if (length < 0 || length > channel.size() - at) {
                    break;
                }
                if (HEADERS.contains(id) && length <= MOST_BYTES) {
                    headers.read(CutOffFile.read(channel, at, (int) length), 1);
                }
                at += length;
            }
        }
        return headers;
    }

    private void read(ByteBuffer bytes, int depth) {
        while (bytes.hasRemaining()) {
            int id = (int) number(bytes, MOST_ID_BYTES, true);
            long length = number(bytes, MOST_LENGTH_BYTES, false);
            if (length < 0 || length > bytes.remaining()) {
                break;
            }
            ByteBuffer content = bytes.slice(bytes.position(), (int) length);
            bytes.position(bytes.position() + (int) length);
            elements.computeIfAbsent(id, key -> new ArrayList<>()).add(content);
            if (PARENTS.contains(id) && depth < MOST_DEPTH) {
                read(content.duplicate(), depth + 1);
            }
        }
    }

    /** Reads a number whose first bits say how long it is; -1 if it is not whole, or stands for an unknown one. */
    private static long number(ByteBuffer bytes, int mostBytes, boolean withMarker) {
        if (!bytes.hasRemaining()) {
            return -1;
        }
        int first = Byte.toUnsignedInt(bytes.get());
        int more = Integer.numberOfLeadingZeros(first) - (Integer.SIZE - Byte.SIZE);
        if (more >= mostBytes || more > bytes.remaining()) {
            return -1;
        }
        long value = withMarker ? first : first & (0x7F >> more);
        for (int i = 0; i < more; i++) {
            value = value << Byte.SIZE | Byte.toUnsignedLong(bytes.get());
        }
        return !withMarker && value == (1L << (7 * (more + 1))) - 1 ? -1 : value;
    }

    private List<ByteBuffer> all(int id) {
        return elements.getOrDefault(id, List.of());
    }

    /** An unsigned number; 0 where it is not said. */
    private int value(int id) {
        return all(id).stream()
                .findFirst()
                .map(bytes -> new BigInteger(1, bytes.array(), bytes.arrayOffset(), bytes.limit()).intValue())
                .orElse(0);
    }

    /**
     * What a copy loses of the chapters, each in words.
     *
     * @param known how many of them ffprobe shows
     */
    List<String> lostOfChapters(int known) {
        List<String> lost = new ArrayList<>();
        int chapters = all(CHAPTER).size();
        if (chapters > known) {
            lost.add(
                    (chapters - known) + " of " + chapters
                            + " chapters left out: ffmpeg reads none within others, and of a second edition those that begin later");
        }
        if (all(CHAPTER_TITLE).size() > chapters) {
            lost.add("titles of chapters left out but for one language");
        }
        if (value(ORDERED) != 0) {
            lost.add("the order of chapters left out: all is in the order in which it lies in IN");
        }
        return lost;
    }

    /**
     * What a copy loses besides, each in words.
     *
     * @param languages of the streams as ffprobe shows them
     * @param crop whether ffprobe shows that of the pictures
     */
    List<String> lost(Set<String> languages, boolean crop) {
        List<String> lost = new ArrayList<>();
        List<String> variants = all(LANGUAGE).stream()
                .map(bytes ->
                        StandardCharsets.US_ASCII.decode(bytes.duplicate()).toString())
                .filter(language -> language.contains("-") && !languages.contains(language))
                .distinct()
                .toList();
        if (!variants.isEmpty()) {
            lost.add("variants of languages left out: " + String.join(", ", variants));
        }
        List<Integer> crops = CROPS.stream().map(this::value).toList();
        if (!crop && crops.stream().anyMatch(lines -> lines > 0)) {
            lost.add(String.format(
                    "the crop of the pictures left out: %d lines at the top, %d at the bottom, %d columns left, %d right",
                    crops.toArray()));
        }
        if (LINKS.stream().anyMatch(elements::containsKey)) {
            lost.add("links to other files left out");
        }
        return lost;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /** Elements of which it is known how many there are, and the first value. */
    private static final Set<Integer> READ = Stream.of(List.of(CHAPTER_TITLE, ORDERED), CROPS, LINKS)
            .flatMap(List::stream)
            .collect(Collectors.toUnmodifiableSet());

    private static final int SEEK_HEAD = 0x114D9B74;
    private static final int SEEK = 0x4DBB;
    private static final int SEEK_ID = 0x53AB;
    private static final int SEEK_POSITION = 0x53AC;
    private static final int CLUSTER = 0x1F43B675;
    private static final int CUES = 0x1C53BB6B;
    private static final int CUE_POINT = 0xBB;
    private static final int CUE_POSITIONS = 0xB7;
    private static final int CUE_CLUSTER = 0xF1;

    /** Longer headers are not read, and GStreamer refuses them. */
    private static final long MOST_BYTES = 1 << 24;

    /** How many lists of parts may lead to each other. Writers make one or two; GStreamer follows them in a circle without an end. */
    private static final int MOST_LISTS = 16;

    /** So many variants of languages are named. */
    private static final int MOST_VARIANTS = 20;

    /** The longest number and length of an element. */
    private static final int ELEMENT_BYTES = 12;

    private static final int MOST_ID_BYTES = 4;
    private static final int MOST_LENGTH_BYTES = 8;

    /** How often an element is there, at whatever depth, and the first value of it. */
    private final Map<Integer, Integer> counts = new HashMap<>();

    private final Map<Integer, Long> values = new HashMap<>();
    private final Set<String> variants = new LinkedHashSet<>();
    private boolean deep;

    private MatroskaHeaders() {}

    /** Those of a file, as far as they are whole. Of the clusters, all are passed over but the first and the last ones. */
    static MatroskaHeaders of(Path file) throws IOException {
        MatroskaHeaders headers = new MatroskaHeaders();
        try (FileChannel channel = FileChannel.open(file)) {
            long segment = 0;
            long lastCluster = 0;
            for (long at = 0; at < channel.size(); ) {
                ByteBuffer begin = CutOffFile.read(channel, at, (int) Math.min(ELEMENT_BYTES, channel.size() - at));
                int id = (int) number(begin, MOST_ID_BYTES, true);
                long length = number(begin, MOST_LENGTH_BYTES, false);
                at += begin.position();
                if (id == SEGMENT) {
                    segment = at;
                    continue;
                }
                // A live recording may not say how long its parts are.
                if (length < 0 || length > channel.size() - at) {
                    break;
                }
                if (HEADERS.contains(id) && length <= MOST_BYTES) {
                    headers.read(CutOffFile.read(channel, at, (int) length));
                } else if (id == SEEK_HEAD) {
                    lastCluster = Math.max(lastCluster, headers.follow(channel, segment, at - begin.position()));
                }
                at += length;
                if (id == CLUSTER && lastCluster > at && lastCluster < channel.size()) {
                    at = lastCluster;
                }
            }
        }
        return headers;
    }

    /** How long the header is that begins at a place, with its number and length; 0 if none does. */
    static long headerBytes(ByteBuffer bytes, int at) {
        // Rarely more than this is to be looked at.
        if (bytes.get(at) >>> 4 != 1 || !HEADERS.contains(bytes.getInt(at))) {
            return 0;
        }
        ByteBuffer length = bytes.duplicate().position(at + MOST_ID_BYTES);
        long content = number(length, MOST_LENGTH_BYTES, false);
        return content < 0 ? 0 : length.position() - at + content;
    }

    /** Whether parts of a header lie too deep within each other. */
    static boolean isDeep(ByteBuffer header) {
        header.position(MOST_ID_BYTES);
        number(header, MOST_LENGTH_BYTES, false);
        MatroskaHeaders headers = new MatroskaHeaders();
        headers.read(header);
        return headers.deep;
    }

    private void read(ByteBuffer bytes) {
        deep |= Nesting.isDeep(bytes, this::next);
    }

    private int next(ByteBuffer bytes) {
        int id = (int) number(bytes, MOST_ID_BYTES, true);
        long length = number(bytes, MOST_LENGTH_BYTES, false);
        if (length < 0 || length > bytes.remaining()) {
            bytes.position(bytes.limit());
            return -1;
        }
        int end = bytes.position() + (int) length;
        if (READ.contains(id) || PARENTS.contains(id)) {
            counts.merge(id, 1, Integer::sum);
        }
        if (PARENTS.contains(id)) {
            return end;
        }
        ByteBuffer content = bytes.slice(bytes.position(), (int) length);
        if (READ.contains(id)) {
            values.putIfAbsent(id, value(content));
        }
        if (id == LANGUAGE && variants.size() < MOST_VARIANTS) {
            String language = StandardCharsets.US_ASCII.decode(content).toString();
            if (language.contains("-")) {
                variants.add(language);
            }
        }
        bytes.position(end);
        return -1;
    }

    /**
     * Follows the lists of parts from one to the next.
     *
     * @param list where the first one begins
     * @return where the last cluster begins that can be sought, if that is known; else 0
     */
    private long follow(FileChannel channel, long segment, long list) throws IOException {
        List<Long> lists = new ArrayList<>(List.of(list));
        long[] last = {0};
        for (int i = 0; i < lists.size(); i++) {
            if (i == MOST_LISTS) {
                deep = true;
                break;
            }
            each(part(channel, lists.get(i), SEEK_HEAD), (seek, entry) -> {
                long[] target = new long[2];
                each(entry, (id, content) -> {
                    target[0] = id == SEEK_ID ? value(content) : target[0];
                    target[1] = id == SEEK_POSITION ? value(content) : target[1];
                });
                if (seek == SEEK && target[0] == SEEK_HEAD && lists.size() <= MOST_LISTS) {
                    lists.add(segment + target[1]);
                } else if (seek == SEEK && target[0] == CUES) {
                    last[0] = segment + target[1];
                }
            });
        }
        long[] cluster = {0};
        each(part(channel, last[0], CUES), (point, positions) -> {
            if (point == CUE_POINT) {
                each(positions, (track, fields) -> {
                    if (track == CUE_POSITIONS) {
                        each(fields, (id, content) -> {
                            if (id == CUE_CLUSTER) {
                                cluster[0] = Math.max(cluster[0], segment + value(content));
                            }
                        });
                    }
                });
            }
        });
        return cluster[0];
    }

    /** What is in the element of this number at a place; nothing if there is no such element. */
    private static ByteBuffer part(FileChannel channel, long at, int id) throws IOException {
        ByteBuffer nothing = ByteBuffer.allocate(0);
        if (at < 0 || at >= channel.size()) {
            return nothing;
        }
        ByteBuffer begin = CutOffFile.read(channel, at, (int) Math.min(ELEMENT_BYTES, channel.size() - at));
        boolean isIt = (int) number(begin, MOST_ID_BYTES, true) == id;
        long length = number(begin, MOST_LENGTH_BYTES, false);
        long content = at + begin.position();
        return isIt && length >= 0 && length <= Math.min(MOST_BYTES, channel.size() - content)
                ? CutOffFile.read(channel, content, (int) length)
                : nothing;
    }

    private static void each(ByteBuffer bytes, BiConsumer<Integer, ByteBuffer> to) {
        while (bytes.hasRemaining()) {
            int id = (int) number(bytes, MOST_ID_BYTES, true);
            long length = number(bytes, MOST_LENGTH_BYTES, false);
            if (length < 0 || length > bytes.remaining()) {
                break;
            }
            to.accept(id, bytes.slice(bytes.position(), (int) length));
            bytes.position(bytes.position() + (int) length);
        }
    }

    /** An unsigned number. */
    private static long value(ByteBuffer content) {
        long value = 0;
        for (int i = 0; i < content.limit(); i++) {
            value = value << Byte.SIZE | Byte.toUnsignedLong(content.get(i));
        }
        return value;
    }

    /** Whether parts of it lie too deep within each other, or lists of parts lead to each other without an end. */
    boolean isDeep() {
        return deep;
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

    private int count(int id) {
        return counts.getOrDefault(id, 0);
    }

    /** An unsigned number; 0 where it is not said. */
    private long value(int id) {
        return values.getOrDefault(id, 0L);
    }

    /**
     * What a copy loses of the chapters, each in words.
     *
     * @param known how many of them ffprobe shows
     */
    List<String> lostOfChapters(int known) {
        List<String> lost = new ArrayList<>();
        int chapters = count(CHAPTER);
        if (chapters > known) {
            lost.add(
                    (chapters - known) + " of " + chapters
                            + " chapters left out: ffmpeg reads none within others, and of a second edition those that begin later");
        }
        if (count(CHAPTER_TITLE) > chapters) {
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
        List<String> unknown = variants.stream()
                .filter(language -> !languages.contains(language))
                .toList();
        if (!unknown.isEmpty()) {
            lost.add("variants of languages left out: " + String.join(", ", unknown));
        }
        List<Long> crops = CROPS.stream().map(this::value).toList();
        if (!crop && crops.stream().anyMatch(lines -> lines > 0)) {
            lost.add(String.format(
                    "the crop of the pictures left out: %d lines at the top, %d at the bottom, %d columns left, %d right",
                    crops.toArray()));
        }
        if (LINKS.stream().anyMatch(counts::containsKey)) {
            lost.add("links to other files left out");
        }
        return lost;
    }
}

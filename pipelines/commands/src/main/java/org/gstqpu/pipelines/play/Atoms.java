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
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The atoms of an MP4 or QuickTime film, which are its boxes in ISO/IEC 14496-12: its index whole, of the others some names. Immutable.
 *
 * @param index what is in the atom {@code moov}
 * @param others which of XMP, {@code uuid} and {@code meta} lie beside it
 */
record Atoms(ByteBuffer index, Set<String> others) {
    /** Larger indexes are not read. */
    private static final long MOST_BYTES = 1 << 28;

    private static final int HEADER = 8;
    private static final int LONG_HEADER = 16;
    private static final long LARGEST = 0xFFFFFFFFL;

    private static final String INDEX = "moov";
    private static final String OTHER = "uuid";

    /** The first half of the number by which XMP is known. */
    private static final long XMP = 0xBE7ACFCB97A942E8L;

    /** How much of the pictures is to be shown, which ffmpeg reads from 7.1 on. */
    static final String CROP = "clap";

    /** Bytes of the version and flags that some atoms begin with, and of the fields of a video before its atoms. */
    private static final int VERSION = 4;

    private static final int PICTURE = 78;

    /** Where the width of the pictures is among these. */
    private static final int WIDTH = 24;

    /** What ffmpeg 5 to 7 reads of the user's data, and what is nothing but a form. */
    private static final Pattern READ =
            Pattern.compile("meta|hdlr|covr|----|chpl|loci|name|free|skip|wide|\\x00{4}|@PR[MQ]"
                    + "|\\u00a9(ART|PRD|al[bt]|aut|cmt|com|cpy|day|dir|dis|ed1|enc|fmt|gen|grp|hst|inf|lyr|mak|mod|nam|ope|prd|prf|req"
                    + "|src|st3|swr|too|trk|url|wrn|wrt|xyz)|FIRM|HMMT|aART|a[kp]ID|catg|cpil|cprt|desc|disk|egid|gnre|hdvd|keyw|ldes|manu"
                    + "|modl|pcst|pgap|purd|rtng|so(aa|al|ar|co|nm|sn)|stik|trkn|tv(en|es|nn|sh|sn)|xid ");

    /**
     * An atom of a file that lies in no other.
     *
     * @param header its first bytes, of its content 8 at least
     * @param at where it begins
     * @param begin where its content begins
     * @param end where the next one begins
     */
    record Outer(String name, ByteBuffer header, long at, long begin, long end) {
        /** The one at a place; empty where there is no whole one. */
        static Optional<Outer> at(FileChannel channel, long at) throws IOException {
            if (at + LONG_HEADER > channel.size()) {
                return Optional.empty();
            }
            ByteBuffer header = CutOffFile.read(channel, at, LONG_HEADER);
            long size = number(header, 0);
            int begin = size == 1 ? LONG_HEADER : HEADER;
            size = size == 1 ? header.getLong(HEADER) : size == 0 ? channel.size() - at : size;
            return size < begin || size > channel.size() - at
                    ? Optional.empty()
                    : Optional.of(new Outer(Atoms.name(header, Integer.BYTES), header, at, at + begin, at + size));
        }

        /** What is in it; empty if it is larger than is read. */
        Optional<ByteBuffer> content(FileChannel channel) throws IOException {
            return end - at > MOST_BYTES
                    ? Optional.empty()
                    : Optional.of(CutOffFile.read(channel, begin, (int) (end - begin)));
        }
    }

    /** Those of a file; empty if it is no such file, or is damaged before its index. */
    static Optional<Atoms> of(Path file) throws IOException {
        Set<String> others = new TreeSet<>();
        Optional<ByteBuffer> index = Optional.empty();
        try (FileChannel channel = FileChannel.open(file)) {
            Optional<Outer> atom = Outer.at(channel, 0);
            while (atom.filter(whole -> whole.name.matches("[A-Za-z0-9 ]{4}")).isPresent()) {
                Outer outer = atom.get();
                if (outer.name.equals(INDEX) && index.isEmpty()) {
                    index = outer.content(channel);
                    if (index.isEmpty()) {
                        break;
                    }
                } else if (outer.name.matches("uuid|meta")) {
                    others.add(outer.name.equals(OTHER) && outer.header.getLong(HEADER) == XMP ? "XMP" : outer.name);
                }
                atom = Outer.at(channel, outer.end);
            }
        }
        return index.map(moov -> new Atoms(moov, Set.copyOf(others)));
    }

    /** The names of what was put in for the user or by a maker, such as a shop's numbers, and ffmpeg does not read. */
    List<String> unread() {
        TreeSet<String> unread = new TreeSet<>();
        List<ByteBuffer> tracks = all(index, "trak").toList();
        List<ByteBuffer> datas = Stream.concat(Stream.of(index), tracks.stream())
                .flatMap(atom -> all(atom, "udta"))
                .toList();
        // Where there are keys, items have their numbers for names, and ffmpeg reads them.
        Stream<ByteBuffer> lists = datas.stream()
                .flatMap(data -> all(data, "meta"))
                .map(meta -> behind(meta, VERSION))
                .filter(meta -> all(meta, "keys").findAny().isEmpty())
                .flatMap(meta -> all(meta, "ilst"));
        Stream.concat(datas.stream(), lists)
                .forEach(data -> split(data, (name, content) -> {
                    if (!READ.matcher(name).matches()) {
                        unread.add(name);
                    }
                }));
        if (tracks.stream().anyMatch(Atoms::isCropped)) {
            unread.add(CROP);
        }
        unread.addAll(others);
        return List.copyOf(unread);
    }

    /** Whether less is to be shown of a track's pictures than there is. */
    private static boolean isCropped(ByteBuffer track) {
        return Stream.of(track)
                .flatMap(atom -> all(atom, "mdia"))
                .flatMap(atom -> all(atom, "minf"))
                .flatMap(atom -> all(atom, "stbl"))
                .flatMap(atom -> all(atom, "stsd"))
                .flatMap(table -> chosen(behind(table, VERSION + Integer.BYTES), format -> true))
                .anyMatch(entry -> all(behind(entry, PICTURE), CROP)
                        .filter(crop -> crop.limit() >= 4 * Integer.BYTES)
                        .anyMatch(crop -> isLess(crop, 0, entry.getShort(WIDTH))
                                || isLess(crop, 2 * Integer.BYTES, entry.getShort(WIDTH + Short.BYTES))));
    }

    private static boolean isLess(ByteBuffer crop, int at, short size) {
        return number(crop, at) < number(crop, at + Integer.BYTES) * Short.toUnsignedInt(size);
    }

    private static ByteBuffer behind(ByteBuffer bytes, int fields) {
        int at = Math.min(fields, bytes.limit());
        return bytes.slice(at, bytes.limit() - at);
    }

    /** The contents of all atoms of a name, as far as they are whole. */
    static Stream<ByteBuffer> all(ByteBuffer bytes, String name) {
        return chosen(bytes, name::equals);
    }

    private static Stream<ByteBuffer> chosen(ByteBuffer bytes, Predicate<String> name) {
        List<ByteBuffer> found = new ArrayList<>();
        split(bytes, (each, content) -> {
            if (name.test(each)) {
                found.add(content);
            }
        });
        return found.stream();
    }

    private static void split(ByteBuffer bytes, BiConsumer<String, ByteBuffer> to) {
        int at = 0;
        while (at + HEADER <= bytes.limit()) {
            long size = number(bytes, at);
            int header = HEADER;
            if (size == 1 && at + LONG_HEADER <= bytes.limit()) {
                size = bytes.getLong(at + HEADER);
                header = LONG_HEADER;
            }
            if (size < header || size > bytes.limit() - at) {
                break;
            }
            to.accept(name(bytes, at + Integer.BYTES), bytes.slice(at + header, (int) size - header));
            at += (int) size;
        }
    }

    /** The name at a place. */
    static String name(ByteBuffer bytes, int at) {
        byte[] name = new byte[Integer.BYTES];
        bytes.get(at, name);
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    /** The unsigned number at a place. */
    static long number(ByteBuffer bytes, int at) {
        return bytes.getInt(at) & LARGEST;
    }
}

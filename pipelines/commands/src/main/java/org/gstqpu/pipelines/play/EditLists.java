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
import java.util.stream.Stream;

/**
 * The edit lists of an MP4 or QuickTime film: which parts of its tracks are shown, and when. Immutable.
 *
 * @param tracks that have one
 */
record EditLists(List<Track> tracks) {
    /** Larger indexes are not read. */
    private static final long MOST_BYTES = 1 << 28;

    /** Durations are rounded, to the film's units. */
    private static final double ROUNDED_SECONDS = 0.005;

    private static final int HEADER = 8;
    private static final int LONG_HEADER = 16;
    private static final long LARGEST = 0xFFFFFFFFL;

    /**
     * A track.
     *
     * @param id by which ffprobe knows it, too
     * @param starts where the parts that are shown begin, in nanoseconds of the track, in the order in which they are shown
     * @param jumps whether what lies between two of them is left out, or is shown again
     */
    record Track(int id, List<Long> starts, boolean jumps) {}

    /** Where the duration of the film lies, and in what unit it is. */
    private record Film(ByteBuffer header, boolean wide, int at, long timescale) {
        static Film of(ByteBuffer header) {
            boolean wide = header.get(0) == 1;
            int scale = wide ? 20 : 12;
            return new Film(header, wide, scale + Integer.BYTES, number(header, scale));
        }

        long duration() {
            return wide ? header.getLong(at) : number(header, at);
        }

        void setDuration(long duration) {
            if (wide) {
                header.putLong(at, duration);
            } else {
                header.putInt(at, (int) duration);
            }
        }

        boolean isKnown() {
            return timescale > 0 && duration() > 0 && duration() < (wide ? Long.MAX_VALUE / 2 : LARGEST);
        }
    }

    /** Whether parts of any track are left out in its middle, or are shown again. */
    boolean jumps() {
        return tracks.stream().anyMatch(Track::jumps);
    }

    /** Those of a file; empty if it is no such file, or is damaged. */
    static Optional<EditLists> of(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            long at = 0;
            while (at + LONG_HEADER <= channel.size()) {
                ByteBuffer header = CutOffFile.read(channel, at, LONG_HEADER);
                long size = number(header, 0);
                size = size == 1 ? header.getLong(HEADER) : size == 0 ? channel.size() - at : size;
                String name = name(header, Integer.BYTES);
                if (size < HEADER || size > channel.size() - at || !name.matches("[A-Za-z0-9 ]{4}")) {
                    return Optional.empty();
                }
                if (name.equals("moov")) {
                    if (size > MOST_BYTES) {
                        return Optional.empty();
                    }
                    return atoms(CutOffFile.read(channel, at, (int) size), "moov")
                            .findFirst()
                            .map(EditLists::tracks);
                }
                at += size;
            }
            return Optional.empty();
        }
    }

    /**
     * Makes the film of an index longer by the latest time of a track that its edit lists begin with: {@link ExactReading} says why.
     *
     * @param atoms bytes of a file, from the beginning of an atom
     * @return whether the index was there
     */
    static boolean lengthen(ByteBuffer atoms) {
        Optional<ByteBuffer> index = atoms(atoms, "moov").findFirst();
        index.ifPresent(moov -> atoms(moov, "mvhd")
                .filter(header -> header.limit() >= 32)
                .map(Film::of)
                .filter(Film::isKnown)
                .findFirst()
                .ifPresent(film -> {
                    long latest = tracks(moov).tracks().stream()
                            .flatMap(track -> track.starts().stream())
                            .max(Long::compare)
                            .orElse(0L);
                    double more = Math.ceil(latest / 1e9 * film.timescale());
                    long most = film.wide() ? Long.MAX_VALUE / 2 : LARGEST - 1;
                    film.setDuration(Math.min(most, film.duration() + Math.min(most / 2, (long) more)));
                }));
        return index.isPresent();
    }

    private static EditLists tracks(ByteBuffer moov) {
        long filmScale = atoms(moov, "mvhd")
                .filter(header -> header.limit() >= 32)
                .mapToLong(header -> Film.of(header).timescale())
                .findFirst()
                .orElse(0);
        List<Track> tracks = new ArrayList<>();
        for (ByteBuffer track : atoms(moov, "trak").toList()) {
            Optional<Integer> id = atoms(track, "tkhd")
                    .filter(header -> header.limit() >= 24)
                    .map(header -> header.getInt(header.get(0) == 1 ? 20 : 12))
                    .findFirst();
            Optional<Long> scale = atoms(track, "mdia")
                    .flatMap(media -> atoms(media, "mdhd"))
                    .filter(header -> header.limit() >= 24)
                    .map(header -> number(header, header.get(0) == 1 ? 20 : 12))
                    .filter(number -> number > 0)
                    .findFirst();
            Optional<ByteBuffer> list = atoms(track, "edts")
                    .flatMap(edits -> atoms(edits, "elst"))
                    .filter(edits -> edits.limit() >= HEADER)
                    .findFirst();
            if (id.isPresent() && scale.isPresent() && list.isPresent() && filmScale > 0) {
                tracks.add(track(id.get(), list.get(), scale.get(), filmScale));
            }
        }
        return new EditLists(List.copyOf(tracks));
    }

    /**
     * Reads an edit list.
     *
     * @param scale units of the track in a second
     * @param filmScale units of durations in a second
     */
    private static Track track(int id, ByteBuffer list, long scale, long filmScale) {
        List<Long> starts = new ArrayList<>();
        boolean jumps = false;
        double next = 0;
        boolean wide = list.get(0) == 1;
        int entry = wide ? 20 : 12;
        long count = Math.min(number(list, Integer.BYTES), (list.limit() - HEADER) / entry);
        for (int i = 0; i < count; i++) {
            int at = HEADER + i * entry;
            long duration = wide ? list.getLong(at) : number(list, at);
            at += wide ? Long.BYTES : Integer.BYTES;
            long start = wide ? list.getLong(at) : list.getInt(at);
            // -1 is a time without a picture or sound.
            if (start >= 0) {
                double seconds = (double) start / scale;
                jumps |= !starts.isEmpty() && Math.abs(seconds - next) > ROUNDED_SECONDS;
                next = seconds + (double) duration / filmScale;
                starts.add(Math.round(seconds * 1e9));
            }
        }
        return new Track(id, List.copyOf(starts), jumps);
    }

    /** The contents of all atoms of a name, as far as they are whole. */
    private static Stream<ByteBuffer> atoms(ByteBuffer bytes, String name) {
        List<ByteBuffer> found = new ArrayList<>();
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
            if (name(bytes, at + Integer.BYTES).equals(name)) {
                found.add(bytes.slice(at + header, (int) size - header));
            }
            at += (int) size;
        }
        return found.stream();
    }

    private static String name(ByteBuffer bytes, int at) {
        byte[] name = new byte[Integer.BYTES];
        bytes.get(at, name);
        return new String(name, StandardCharsets.ISO_8859_1);
    }

    private static long number(ByteBuffer bytes, int at) {
        return bytes.getInt(at) & LARGEST;
    }
}

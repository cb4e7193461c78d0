/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The edit lists of an MP4 or QuickTime film: which parts of its tracks are shown, and when. Immutable.
 *
 * @param tracks that have one
 */
record EditLists(List<Track> tracks) {
    /** Durations are rounded, to the film's units. */
    private static final double ROUNDED_SECONDS = 0.005;

    private static final int HEADER = 8;
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
            return new Film(header, wide, scale + Integer.BYTES, Atoms.number(header, scale));
        }

        long duration() {
            return wide ? header.getLong(at) : Atoms.number(header, at);
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

    /** Those of a film. */
    static EditLists of(Atoms film) {
        return tracks(film.index());
    }

    /**
     * Makes the film of an index longer by the latest time of a track that its edit lists begin with: {@link ExactReading} says why.
     *
     * @param atoms bytes of a file, from the beginning of an atom
     * @return whether the index was there
     */
    static boolean lengthen(ByteBuffer atoms) {
        Optional<ByteBuffer> index = Atoms.all(atoms, "moov").findFirst();
        index.ifPresent(moov -> Atoms.all(moov, "mvhd")
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
        long filmScale = Atoms.all(moov, "mvhd")
                .filter(header -> header.limit() >= 32)
                .mapToLong(header -> Film.of(header).timescale())
                .findFirst()
                .orElse(0);
        List<Track> tracks = new ArrayList<>();
        for (ByteBuffer track : Atoms.all(moov, "trak").toList()) {
            Optional<Integer> id = Atoms.all(track, "tkhd")
                    .filter(header -> header.limit() >= 24)
                    .map(header -> header.getInt(header.get(0) == 1 ? 20 : 12))
                    .findFirst();
            Optional<Long> scale = Atoms.all(track, "mdia")
                    .flatMap(media -> Atoms.all(media, "mdhd"))
                    .filter(header -> header.limit() >= 24)
                    .map(header -> Atoms.number(header, header.get(0) == 1 ? 20 : 12))
                    .filter(number -> number > 0)
                    .findFirst();
            Optional<ByteBuffer> list = Atoms.all(track, "edts")
                    .flatMap(edits -> Atoms.all(edits, "elst"))
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
        long count = Math.min(Atoms.number(list, Integer.BYTES), (list.limit() - HEADER) / entry);
        for (int i = 0; i < count; i++) {
            int at = HEADER + i * entry;
            long duration = wide ? list.getLong(at) : Atoms.number(list, at);
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
}

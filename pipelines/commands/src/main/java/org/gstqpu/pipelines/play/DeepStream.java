/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.stream.Stream;

/**
 * Finds what {@link DeepFile} finds in a file in what one of GStreamer's readers is given piece by piece, before it is given that:
 * from the network, or from the files that a playlist names. Takes whatever looks like an index for one, wherever it begins. Lives on
 * the reader's thread.
 */
final class DeepStream {
    /** GStreamer's readers refuse larger indexes. */
    private static final int MOST_BYTES = 1 << 26;

    /** So many that begin within each other are looked at; all but one of them only look like it. */
    private static final int MOST_OPEN = 16;

    /** The longest beginning of an index that says what it is and how long. */
    private static final int LONGEST_HEADER = 24;

    private enum Form {
        FILM(GStreamer.MP4_READER) {
            @Override
            long bytes(ByteBuffer held, int at) {
                return DeepFile.indexBytes(held, at);
            }

            @Override
            boolean isDeep(ByteBuffer index) {
                int header = index.getInt(0) == 1 ? 16 : 8;
                return DeepFile.isDeepFilm(index.slice(header, index.limit() - header));
            }
        },
        MATROSKA(GStreamer.MATROSKA_READER) {
            @Override
            long bytes(ByteBuffer held, int at) {
                return MatroskaHeaders.headerBytes(held, at);
            }

            @Override
            boolean isDeep(ByteBuffer index) {
                return MatroskaHeaders.isDeep(index);
            }
        },
        ASF("asfdemux") {
            @Override
            long bytes(ByteBuffer held, int at) {
                return DeepFile.isAsf(held, at) ? DeepFile.asfBytes(held, at) : 0;
            }

            @Override
            boolean isDeep(ByteBuffer index) {
                return DeepFile.isDeepAsf(index);
            }
        },
        FLASH("flvdemux") {
            @Override
            long bytes(ByteBuffer held, int at) {
                return DeepFile.scriptBytes(held, at);
            }

            @Override
            boolean isDeep(ByteBuffer index) {
                return DeepFile.isDeepScript(index.slice(DeepFile.FLV_TAG, index.limit() - DeepFile.FLV_TAG));
            }
        };

        private final String reader;

        Form(String reader) {
            this.reader = reader;
        }

        /** How long the index is that begins at a place, with its header; 0 if none does. */
        abstract long bytes(ByteBuffer held, int at);

        /** Whether a whole index is too deep. */
        abstract boolean isDeep(ByteBuffer index);
    }

    /** An index that has begun, by places in the stream. */
    private record Index(long begin, long end) {}

    private final Form form;
    private final PriorityQueue<Index> open = new PriorityQueue<>((a, b) -> Long.compare(a.end, b.end));

    /** What has come from the beginning of the first index that is open, and where that is. */
    private byte[] held = new byte[1 << 16];

    private int length;
    private long begin;

    /** Up to where beginnings were looked for. */
    private long looked;

    private boolean deep;

    private DeepStream(Form form) {
        this.form = form;
    }

    /** That of a reader by the name of its kind; empty if nothing is too deep for it. */
    static Optional<DeepStream> of(String reader) {
        return Stream.of(Form.values())
                .filter(form -> form.reader.equals(reader))
                .findFirst()
                .map(DeepStream::new);
    }

    /**
     * Looks at what comes next.
     *
     * @param at where in the stream that begins; less than 0 if it goes on
     * @return whether it, or what was before it, is too deep
     */
    boolean isDeep(ByteBuffer data, long at) {
        if (at >= 0 && (at < begin || at > begin + length)) {
            open.clear();
            begin = at;
            looked = at;
            length = 0;
        }
        // A reader may read something twice.
        int known = at < 0 ? length : (int) (at - begin);
        int bytes = data.remaining();
        if (known + bytes > held.length) {
            held = Arrays.copyOf(held, Math.max(known + bytes, 2 * held.length));
        }
        data.get(held, known, bytes);
        length = Math.max(length, known + bytes);
        ByteBuffer all = ByteBuffer.wrap(held, 0, length);
        long last = begin + length - LONGEST_HEADER;
        // Where that reader reads by itself, it reads whole boxes.
        for (long most = at >= 0 && form == Form.FILM ? Math.min(at, last) : last; looked <= most; looked++) {
            long index = form.bytes(all, (int) (looked - begin));
            if (index > 0 && index <= MOST_BYTES && open.size() < MOST_OPEN) {
                open.add(new Index(looked, looked + index));
            }
        }
        looked = Math.max(looked, last + 1);
        while (!deep && !open.isEmpty() && open.peek().end <= begin + length) {
            Index whole = open.remove();
            deep = form.isDeep(all.slice((int) (whole.begin - begin), (int) (whole.end - whole.begin)));
        }
        long first = open.stream().mapToLong(Index::begin).min().orElse(looked);
        if (first > begin) {
            length -= (int) (first - begin);
            System.arraycopy(held, (int) (first - begin), held, 0, length);
            begin = first;
        }
        return deep;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.InflaterInputStream;

/**
 * Finds files whose parts lie so deep within each other that GStreamer's readers, which call themselves for each part within another,
 * would end the process for want of stack. Reads headers and indexes alone. Stateless.
 *
 * <p>Sources: ISO/IEC 14496-12, clause 4.2; Apple's QuickTime File Format for compressed indexes; Microsoft's Advanced Systems Format,
 * revision 01.20.05; Adobe's Flash Video, version 10.1, annex E, and Action Message Format 0; for Matroska see {@link MatroskaHeaders}.
 */
final class DeepFile {
    private static final long MOST_BYTES = 1 << 28;

    /** A few kilobytes can be packed from gigabytes. */
    private static final int MOST_UNPACKED_BYTES = 1 << 24;

    /** So many parts are looked at: those before the first pictures and some of the fragments or packets behind them. */
    private static final int MOST_PARTS = 256;

    private static final int EBML = 0x1A45DFA3;
    private static final int FLV = 0x464C56;

    private static final Pattern ISO = Pattern.compile("ftyp|styp|moov|moof|mdat|wide|free|skip|pnot|uuid");
    private static final Set<String> BOXES_OF_BOXES = Set.of("moov", "moof", "mfra");
    private static final int BOX_HEADER = 8;
    private static final int COPYRIGHT_SIGN = 0xA9;

    /** The first halves of the numbers of ASF's objects that have others in them. */
    private static final long ASF_HEADER = 0x3026B2758E66CF11L;

    private static final long ASF_EXTENSION = 0xB503BF5F2EA9CF11L;
    private static final int ASF_OBJECT = 24;
    private static final int ASF_SIZE_AT = 16;
    private static final int ASF_HEADER_BYTES = 30;
    private static final int ASF_EXTENSION_BYTES = 46;

    /** Bytes before what is in a part of a Flash video. */
    static final int FLV_TAG = 11;

    private static final int FLV_SCRIPT = 18;
    private static final int FLV_STRING = 2;

    private DeepFile() {}

    /** Whether a file is such a one. */
    static boolean isDeep(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file)) {
            ByteBuffer begin = CutOffFile.read(channel, 0, ASF_OBJECT);
            if (begin.getInt(0) == EBML) {
                return MatroskaHeaders.of(file).isDeep();
            }
            if (isAsf(begin, 0)) {
                long bytes = Math.min(channel.size(), MOST_BYTES);
                return isDeepAsf(CutOffFile.read(channel, 0, (int) Math.max(0, Math.min(asfBytes(begin, 0), bytes))));
            }
            if (begin.getInt(0) >>> Byte.SIZE == FLV) {
                return isDeepFlv(channel, Integer.toUnsignedLong(begin.getInt(5)) + Integer.BYTES);
            }
            return ISO.matcher(Atoms.name(begin, Integer.BYTES)).matches() && isDeepIso(channel);
        } catch (EOFException e) {
            // It is too short for that.
            return false;
        }
    }

    private static boolean isDeepIso(FileChannel channel) throws IOException {
        Optional<Atoms.Outer> box = Atoms.Outer.at(channel, 0);
        for (int part = 0; part < MOST_PARTS && box.isPresent(); part++) {
            Optional<ByteBuffer> boxes =
                    BOXES_OF_BOXES.contains(box.get().name()) ? box.get().content(channel) : Optional.empty();
            if (boxes.isPresent() && isDeepFilm(boxes.get())) {
                return true;
            }
            box = Atoms.Outer.at(channel, box.get().end());
        }
        return false;
    }

    /** How long the box of boxes is that begins at a place; 0 if none does. */
    static long indexBytes(ByteBuffer bytes, int at) {
        // Rarely more than this is to be looked at.
        if (bytes.get(at + Integer.BYTES) != 'm' || !BOXES_OF_BOXES.contains(Atoms.name(bytes, at + Integer.BYTES))) {
            return 0;
        }
        long size = Atoms.number(bytes, at);
        return size == 1 ? bytes.getLong(at + BOX_HEADER) : size;
    }

    /** Whether boxes lie too deep within each other, in what is in one. */
    static boolean isDeepFilm(ByteBuffer boxes) {
        return Nesting.isDeep(boxes.duplicate(), DeepFile::nextBox) || isDeepCompressed(boxes);
    }

    /**
     * Takes whatever looks like a box for one, at whatever place in another: many kinds of them have fields of their own before what is
     * in them. Tables do not look like it, as no name has a byte of 0.
     */
    private static int nextBox(ByteBuffer bytes) {
        int at = bytes.position();
        bytes.position(at + 1);
        if (bytes.limit() - at < BOX_HEADER) {
            return -1;
        }
        long size = Atoms.number(bytes, at);
        return size >= BOX_HEADER && size <= bytes.limit() - at && isName(bytes, at + Integer.BYTES)
                ? at + (int) size
                : -1;
    }

    private static boolean isName(ByteBuffer bytes, int at) {
        for (int i = at; i < at + Integer.BYTES; i++) {
            int letter = Byte.toUnsignedInt(bytes.get(i));
            if ((letter < ' ' || letter > '~') && letter != COPYRIGHT_SIGN) {
                return false;
            }
        }
        return true;
    }

    /** The index of a QuickTime film may be compressed. */
    private static boolean isDeepCompressed(ByteBuffer index) {
        return Atoms.all(index, "cmov")
                .flatMap(compressed -> Atoms.all(compressed, "cmvd"))
                .filter(data -> data.limit() > Integer.BYTES)
                .anyMatch(data -> {
                    byte[] packed = new byte[data.limit() - Integer.BYTES];
                    data.get(Integer.BYTES, packed);
                    try (InputStream plain = new InflaterInputStream(new ByteArrayInputStream(packed))) {
                        // By what is there: the size before it may be any number.
                        return Nesting.isDeep(
                                ByteBuffer.wrap(plain.readNBytes(MOST_UNPACKED_BYTES)), DeepFile::nextBox);
                    } catch (IOException e) {
                        return false;
                    }
                });
    }

    /** Whether a header of ASF begins at a place. */
    static boolean isAsf(ByteBuffer bytes, int at) {
        return bytes.getLong(at) == ASF_HEADER;
    }

    /** How long the object of ASF is that begins at a place. */
    static long asfBytes(ByteBuffer bytes, int at) {
        return Long.reverseBytes(bytes.getLong(at + ASF_SIZE_AT));
    }

    /** Whether objects of ASF lie too deep within each other. */
    static boolean isDeepAsf(ByteBuffer header) {
        return Nesting.isDeep(header, DeepFile::nextObject);
    }

    private static int nextObject(ByteBuffer bytes) {
        int at = bytes.position();
        if (bytes.remaining() < ASF_OBJECT) {
            bytes.position(bytes.limit());
            return -1;
        }
        long kind = bytes.getLong(at);
        long size = asfBytes(bytes, at);
        int end = size < ASF_OBJECT || size > bytes.remaining() ? bytes.limit() : at + (int) size;
        int header = kind == ASF_HEADER ? ASF_HEADER_BYTES : kind == ASF_EXTENSION ? ASF_EXTENSION_BYTES : end - at;
        bytes.position(Math.min(end, at + header));
        return header < end - at ? end : -1;
    }

    private static boolean isDeepFlv(FileChannel channel, long first) throws IOException {
        long at = first;
        for (int part = 0; part < MOST_PARTS && at + FLV_TAG <= channel.size(); part++) {
            ByteBuffer tag = CutOffFile.read(channel, at, FLV_TAG);
            int size = tag.getInt(0) & 0xFFFFFF;
            at += FLV_TAG;
            if (tag.get(0) == FLV_SCRIPT
                    && isDeepScript(CutOffFile.read(channel, at, (int) Math.min(size, channel.size() - at)))) {
                return true;
            }
            at += size + Integer.BYTES;
        }
        return false;
    }

    /** How long the script is that begins at a place, with what is before it; 0 if none does. */
    static long scriptBytes(ByteBuffer bytes, int at) {
        // It is of stream 0, and begins with its name.
        return bytes.get(at) == FLV_SCRIPT
                        && bytes.getInt(at + FLV_TAG - Integer.BYTES) << Byte.SIZE == 0
                        && bytes.get(at + FLV_TAG) == FLV_STRING
                ? FLV_TAG + (bytes.getInt(at) & 0xFFFFFF)
                : 0;
    }

    /** Whether objects of a script lie too deep within each other; their ends are told by a mark. */
    static boolean isDeepScript(ByteBuffer script) {
        int depth = 0;
        try {
            while (script.hasRemaining() && depth <= Nesting.MOST_DEPTH) {
                int name = depth > 0 ? Short.toUnsignedInt(script.getShort()) : 0;
                skip(script, name);
                int type = script.get();
                switch (type) {
                    case 0 -> skip(script, Double.BYTES);
                    case 1 -> skip(script, 1);
                    case 2 -> skip(script, Short.toUnsignedInt(script.getShort()));
                    case 3 -> depth++;
                    case 5, 6 -> {
                        // Nothing, and what is not defined, have no value.
                    }
                    case 8 -> {
                        skip(script, Integer.BYTES);
                        depth++;
                    }
                    case 9 -> depth--;
                    case 10 -> {
                        // GStreamer reads no array but of numbers.
                        for (int i = script.getInt(); i > 0; i--) {
                            if (script.get() != 0) {
                                return false;
                            }
                            skip(script, Double.BYTES);
                        }
                    }
                    case 11 -> skip(script, Double.BYTES + Short.BYTES);
                    default -> {
                        return false;
                    }
                }
            }
        } catch (BufferUnderflowException e) {
            return false;
        }
        return depth > Nesting.MOST_DEPTH;
    }

    private static void skip(ByteBuffer bytes, int count) {
        bytes.position(Math.min(bytes.limit(), bytes.position() + count));
    }
}

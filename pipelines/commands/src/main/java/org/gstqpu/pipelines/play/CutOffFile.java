/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Tells of a video whose end is missing, as where a copy or a recording broke off. AVI, Matroska and MP4 say how long they are;
 * GStreamer's readers take the end of the file for the end of the video. Stateless.
 *
 * <p>Sources: Microsoft's AVI RIFF file reference with its extension OpenDML, RFC 8794 (EBML), ISO/IEC 14496-12, clause 4.2.
 */
public final class CutOffFile {
    private static final int RIFF = fourCc("RIFF");
    private static final int AVI = fourCc("AVI ");
    private static final int FTYP = fourCc("ftyp");
    private static final int EBML = 0x1a45dfa3;
    private static final int SEGMENT = 0x18538067;

    /** Bytes of a RIFF chunk's or an ISO box's header: a name and a length. */
    private static final int HEADER = 8;

    /** The length of an ISO box that has its length behind the name, in eight bytes. */
    private static final int LONG_BOX = 1;

    private static final int LONG_HEADER = 16;

    /** The name of an EBML element of the first level, and the longest length behind it. */
    private static final int EBML_NAME = 4;

    private static final int EBML_LENGTH = 8;

    private CutOffFile() {}

    /**
     * Says in one line that the end of a file is missing, and how much of it.
     *
     * @param input a file or an address
     * @return empty if nothing is known to be missing
     * @throws IOException when the file is there and cannot be read
     */
    public static Optional<String> notice(String input) throws IOException {
        Path file;
        try {
            file = Path.of(input);
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long length = channel.size();
            long declared = declaredBytes(channel);
            return declared <= length
                    ? Optional.empty()
                    : Optional.of(input + ": its end is missing: it has " + length + " bytes, and its header declares "
                            + declared + "; what is there is used; get the file again if a copy of it broke off");
        }
    }

    /** How many bytes the file has by its own account; 0 if it does not say. */
    private static long declaredBytes(FileChannel channel) throws IOException {
        try {
            ByteBuffer begin = read(channel, 0, HEADER + 4);
            if (begin.getInt(0) == RIFF && begin.getInt(HEADER) == AVI) {
                return riffBytes(channel);
            }
            if (begin.getInt(0) == EBML) {
                return ebmlBytes(channel);
            }
            return begin.getInt(4) == FTYP ? isoBytes(channel) : 0;
        } catch (EOFException e) {
            // Shorter than a header: whatever reads it says so.
            return 0;
        }
    }

    /** A file of more than a gigabyte has several chunks. A recorder that was interrupted leaves the length at 0. */
    private static long riffBytes(FileChannel channel) throws IOException {
        long end = 0;
        while (end + HEADER <= channel.size()) {
            ByteBuffer header = read(channel, end, HEADER);
            long bytes =
                    Integer.toUnsignedLong(header.order(ByteOrder.LITTLE_ENDIAN).getInt(4));
            if (header.order(ByteOrder.BIG_ENDIAN).getInt(0) != RIFF || bytes == 0) {
                return end;
            }
            end += HEADER + bytes;
        }
        return end;
    }

    /** A header, then the segment, whose length a live source does not know. */
    private static long ebmlBytes(FileChannel channel) throws IOException {
        long segment = elementEnd(channel, 0);
        if (segment == 0 || read(channel, segment, EBML_NAME).getInt() != SEGMENT) {
            return 0;
        }
        return elementEnd(channel, segment);
    }

    /** Where an element of EBML ends; 0 if it does not say. */
    private static long elementEnd(FileChannel channel, long at) throws IOException {
        long lengthAt = at + EBML_NAME;
        int first = Byte.toUnsignedInt(read(channel, lengthAt, 1).get());
        int bytes = Integer.numberOfLeadingZeros(first) - (Integer.SIZE - Byte.SIZE) + 1;
        if (bytes > EBML_LENGTH) {
            return 0;
        }
        ByteBuffer coded = read(channel, lengthAt, bytes);
        long value = 0;
        while (coded.hasRemaining()) {
            value = (value << Byte.SIZE) | Byte.toUnsignedLong(coded.get());
        }
        long mask = (1L << ((Byte.SIZE - 1) * bytes)) - 1;
        value &= mask;
        return value == mask ? 0 : lengthAt + bytes + value;
    }

    /** Boxes, one behind the other, of which the last one may go to the end, whatever that is. */
    private static long isoBytes(FileChannel channel) throws IOException {
        long end = 0;
        while (end + HEADER <= channel.size()) {
            ByteBuffer header = read(channel, end, HEADER);
            long bytes = Integer.toUnsignedLong(header.getInt(0));
            if (bytes == LONG_BOX && end + LONG_HEADER <= channel.size()) {
                bytes = read(channel, end + HEADER, HEADER).getLong();
            }
            if (bytes < HEADER || bytes > Long.MAX_VALUE - end) {
                return end;
            }
            end += bytes;
        }
        return end;
    }

    /** @throws EOFException when the file ends before */
    static ByteBuffer read(FileChannel channel, long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, at + buffer.position()) < 0) {
                throw new EOFException("the file ends at byte " + channel.size());
            }
        }
        return buffer.flip();
    }

    private static int fourCc(String text) {
        return (text.charAt(0) << 24) | (text.charAt(1) << 16) | (text.charAt(2) << 8) | text.charAt(3);
    }
}

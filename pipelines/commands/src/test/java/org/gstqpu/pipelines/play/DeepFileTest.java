/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.zip.DeflaterOutputStream;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each of these files, with the rest of a video around it and a hundred thousand levels, ended GStreamer 1.22 by SIGSEGV. */
class DeepFileTest {
    private static final int MANY = 100_000;
    private static final int USUAL = 12;
    private static final long MOST_TAKEN = 1 << 20;

    @TempDir
    private Path folder;

    /**
     * A kind of file.
     *
     * @param file makes one of so many levels
     */
    private record Kind(String name, IntFunction<byte[]> file) {
        /** GStreamer's reader of such files. */
        String reader() {
            return name.contains("chapters")
                    ? "matroskademux"
                    : name.contains("script") ? "flvdemux" : name.contains("asf") ? "asfdemux" : "qtdemux";
        }

        @Override
        public String toString() {
            return name;
        }
    }

    private static List<Kind> kinds() {
        return List.of(
                new Kind(
                        "chapters",
                        depth -> matroska(
                                element(0x1043A770, element(0x45B9, levels(depth, 9, DeepFileTest::chapter))))),
                new Kind(
                        "chapters behind pictures",
                        depth -> matroska(
                                element(0x1F43B675, new byte[8]),
                                element(0x1043A770, element(0x45B9, levels(depth, 9, DeepFileTest::chapter))))),
                new Kind("boxes", depth -> film(box("moov", levels(depth, 8, size -> box(size, "udta", 0))))),
                new Kind(
                        "boxes behind fields",
                        depth -> film(box("moov", levels(depth, 36, size -> box(size, "mp4a", 28))))),
                new Kind(
                        "fragments",
                        depth -> film(
                                box("moov", box("mvex")), box("moof", levels(depth, 8, size -> box(size, "traf", 0))))),
                new Kind(
                        "compressed boxes",
                        depth -> film(box(
                                "moov",
                                box(
                                        "cmov",
                                        box(
                                                "cmvd",
                                                compressed(box(
                                                        "moov", levels(depth, 8, size -> box(size, "trak", 0))))))))),
                new Kind("script", depth -> script((byte) 3, depth)),
                new Kind("arrays of script", depth -> script((byte) 8, depth)),
                new Kind(
                        "headers of asf",
                        depth -> levels(depth, 30, size -> object(size, 0x3026B2758E66CF11L, 0xA6D900AA0062CE6CL, 30))),
                new Kind(
                        "extensions of asf",
                        depth -> asf(levels(
                                depth, 46, size -> object(size, 0xB503BF5F2EA9CF11L, 0x8EE300C00C205365L, 46)))));
    }

    @Test
    void aCompressedIndexTakesNoMoreMemoryThanItIsLong() throws IOException {
        byte[] packed = compressed(box("moov", new byte[100]));
        ByteBuffer.wrap(packed).putInt(Integer.MAX_VALUE);
        Path file = Files.write(folder.resolve("large"), film(box("moov", box("cmov", box("cmvd", packed)))));
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertFalse(DeepFile.isDeep(file));
        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(taken < MOST_TAKEN, () -> taken + " bytes");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void partsThatLieTooDeepAreRefused(Kind kind) throws IOException {
        Path file = Files.write(folder.resolve("deep"), kind.file.apply(MANY));
        for (String input : new String[] {file.toString(), file.toUri().toString()}) {
            String said = assertThrows(CommandFailedException.class, () -> InputAddress.of(input))
                    .getMessage();
            assertTrue(said.startsWith(input + ": ") && said.contains("ffmpeg -i IN -c copy"), said);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void partsThatLieAsDeepAsWritersPutThemAreTaken(Kind kind) throws IOException {
        Path file = Files.write(folder.resolve("usual"), kind.file.apply(USUAL));
        assertEquals(file.toUri().toString(), InputAddress.of(file.toString()));
    }

    /** As from the network. */
    @ParameterizedTest
    @MethodSource("kinds")
    void partsThatLieTooDeepAreFoundInPiecesOfAnySize(Kind kind) {
        for (int piece : new int[] {7, 4096, 1 << 20}) {
            assertFalse(isDeep(kind, kind.file.apply(USUAL), piece), "usual");
            assertTrue(isDeep(kind, kind.file.apply(MANY), piece), piece + " bytes at a time");
        }
    }

    private static boolean isDeep(Kind kind, byte[] file, int piece) {
        DeepStream stream = DeepStream.of(kind.reader()).orElseThrow();
        boolean deep = false;
        for (int at = 0; at < file.length && !deep; at += piece) {
            deep = stream.isDeep(ByteBuffer.wrap(file, at, Math.min(piece, file.length - at)), -1);
        }
        return deep;
    }

    /** As where a reader takes a part from the place that it wants: its header, then all of it, or what is behind the header. */
    @ParameterizedTest
    @MethodSource("kinds")
    void partsThatLieTooDeepAreFoundWhereAReaderTakesThemFromTheirPlaces(Kind kind) {
        byte[] file = kind.file.apply(MANY);
        for (int header : new int[] {0, 30}) {
            DeepStream stream = DeepStream.of(kind.reader()).orElseThrow();
            boolean deep = false;
            for (int at = 0; at < 100 && !deep; at++) {
                stream.isDeep(ByteBuffer.wrap(file, at, 200), at);
                deep = stream.isDeep(ByteBuffer.wrap(file, at + header, file.length - at - header), at + header);
            }
            assertTrue(deep, "behind " + header + " bytes");
        }
    }

    /** A list of parts that names itself, and one that names an empty one. */
    @Test
    void listsThatLeadToEachOtherInACircleAreRefused() throws IOException {
        Path circle = Files.write(folder.resolve("circle.mkv"), matroska(list(0)));
        assertThrows(CommandFailedException.class, () -> InputAddress.of(circle.toString()));
        int length = list(0).length;
        Path row = Files.write(folder.resolve("row.mkv"), matroska(list(length), element(0x114D9B74)));
        assertEquals(row.toUri().toString(), InputAddress.of(row.toString()));
    }

    /** The clusters are passed over if the cues are known: what is behind the last one is looked at all the same. */
    @Test
    void whatIsBehindTheCuesIsReadWithoutTheClusters() throws IOException {
        byte[] cluster = element(0x1F43B675, new byte[100]);
        byte[] broken = new byte[10];
        byte[] list = entry(0x1C53BB6B, 0);
        byte[] cues = element(0x1C53BB6B, element(0xBB, element(0xB7, element(0xF1, number(0)))));
        int last = list.length + cues.length + cluster.length + broken.length;
        byte[] file = matroska(
                entry(0x1C53BB6B, list.length),
                element(0x1C53BB6B, element(0xBB, element(0xB7, element(0xF1, number(last))))),
                cluster,
                broken,
                cluster,
                element(0x1043A770, element(0x45B9, levels(MANY, 9, DeepFileTest::chapter))));
        Path path = Files.write(folder.resolve("cues.mkv"), file);
        assertThrows(CommandFailedException.class, () -> InputAddress.of(path.toString()));
    }

    private static byte[] levels(int depth, int header, IntFunction<byte[]> level) {
        ByteBuffer all = ByteBuffer.allocate(depth * header);
        while (all.hasRemaining()) {
            all.put(level.apply(all.remaining()));
        }
        return all.array();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] number(long value) {
        return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    }

    private static byte[] element(int id, byte[]... content) {
        byte[] all = joined(content);
        int idBytes = Integer.BYTES - Integer.numberOfLeadingZeros(id) / Byte.SIZE;
        byte[] name = ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
        return joined(
                Arrays.copyOfRange(name, Integer.BYTES - idBytes, Integer.BYTES), number(1L << 56 | all.length), all);
    }

    /** The beginning of a chapter that has so many bytes with it. */
    private static byte[] chapter(int size) {
        return ByteBuffer.allocate(9)
                .put((byte) 0xB6)
                .putLong(1L << 56 | (size - 9))
                .array();
    }

    private static byte[] matroska(byte[]... parts) {
        return joined(element(0x1A45DFA3, new byte[20]), element(0x18538067, parts));
    }

    private static byte[] list(long at) {
        return entry(0x114D9B74, at);
    }

    private static byte[] entry(int id, long at) {
        byte[] name = ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
        return element(0x114D9B74, element(0x4DBB, element(0x53AB, name), element(0x53AC, number(at))));
    }

    private static byte[] box(int size, String name, int fields) {
        return ByteBuffer.allocate(8 + fields)
                .putInt(size)
                .put(name.getBytes(StandardCharsets.US_ASCII))
                .array();
    }

    private static byte[] box(String name, byte[]... content) {
        byte[] all = joined(content);
        return joined(box(8 + all.length, name, 0), all);
    }

    private static byte[] film(byte[]... boxes) {
        return joined(box("ftyp", new byte[16]), joined(boxes));
    }

    private static byte[] compressed(byte[] plain) {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (DeflaterOutputStream deflater = new DeflaterOutputStream(packed)) {
            deflater.write(plain);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return joined(ByteBuffer.allocate(4).putInt(plain.length).array(), packed.toByteArray());
    }

    /** A Flash video of nothing but a script, in which each object or array is the first member of the one before. */
    private static byte[] script(byte type, int depth) {
        byte[] key = type == 3 ? new byte[] {0, 1, 'a', type} : new byte[] {0, 1, 'a', type, 0, 0, 0, 1};
        byte[] all = joined(
                new byte[] {2, 0, 1, 'm', 8, 0, 0, 0, 1}, levels(depth, key.length, size -> key), new byte[3 * depth]);
        byte[] begin = {'F', 'L', 'V', 1, 1, 0, 0, 0, 9, 0, 0, 0, 0};
        return joined(
                begin, ByteBuffer.allocate(11).putInt(18 << 24 | all.length).array(), all, new byte[Integer.BYTES]);
    }

    private static byte[] object(int size, long first, long second, int header) {
        return ByteBuffer.allocate(header)
                .putLong(first)
                .putLong(second)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(size)
                .array();
    }

    private static byte[] asf(byte[] objects) {
        return joined(object(30 + objects.length, 0x3026B2758E66CF11L, 0xA6D900AA0062CE6CL, 30), objects);
    }
}

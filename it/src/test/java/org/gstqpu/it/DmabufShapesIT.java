/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pictures in dmabufs of every shape: all planes in one dmabuf or one dmabuf for each plane, whole rows or columns (SAND128), and
 * dmabufs with a fault.
 */
@Tag(RealDmabufs.TAG)
final class DmabufShapesIT {
    /** Two columns, of which the second is cut, and a last row of macroblocks that is cut. */
    private static final int WIDTH = 201;

    private static final int HEIGHT = 51;
    private static final RawVideo VIDEO = RawVideo.synthetic(VideoFormat.NV12, WIDTH, HEIGHT, 2, 7);

    private static final String COLUMNS_BY_META = "NV12:0x0700000000000004";

    /** Columns of 96 rows. */
    private static final String COLUMNS_OF_96 = "NV12:0x0700000000006004";

    private static final String TEN_BIT_COLUMNS_BY_META = "P030:0x0700000000000004";
    private static final String TEN_BIT_COLUMNS_OF_96 = "P030:0x0700000000006004";

    /** Fixed strengths. Automatic strength would depend on the order of the pictures, which differs between these tests. */
    private static final String[] STRENGTHS = {
        "set qp 36",
        "set cdef-damping 5",
        "set cdef-y-primary 4",
        "set cdef-y-secondary 2",
        "set cdef-uv-primary 4",
        "set cdef-uv-secondary 2"
    };

    private static final String SYSTEM_MEMORY = "video/x-raw,format=NV12";

    /** The pictures filtered by the CPU substrate. */
    private static RawVideo filtered;

    @TempDir
    private Path folder;

    private DmabufHost host;

    /** DRM formats of the output; empty for system memory. */
    static List<String> outputs() {
        return Sample.of(2, List.of("", "NV12", COLUMNS_BY_META));
    }

    static List<String> tenBitOutputs() {
        return Sample.of(2, List.of("", "P010", TEN_BIT_COLUMNS_BY_META, TEN_BIT_COLUMNS_OF_96));
    }

    static List<String> outputsOfCroppedPictures() {
        return Sample.of(2, List.of("", COLUMNS_BY_META));
    }

    @BeforeAll
    static void filterInSystemMemory(@TempDir Path folder) throws IOException {
        filtered = new ElementHost(folder)
                .then("set substrate cpu")
                .then(STRENGTHS)
                .then("start video-meta")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .run()
                .video(VideoFormat.NV12, WIDTH, HEIGHT);
    }

    @BeforeEach
    void writePictures() throws IOException {
        host = new DmabufHost(folder, VIDEO).then("set substrate qpu").then(STRENGTHS);
    }

    private static RawVideo times(RawVideo video, int times) {
        List<byte[]> frames = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            frames.addAll(video.frames());
        }
        return new RawVideo(video.format(), video.width(), video.height(), frames);
    }

    private static void requireZeroCopy(DmabufHost.Result result, int pictures) {
        assertEquals(List.of(), result.said());
        assertEquals(0, result.stats().number("copies"), result.stats()::toString);
        assertEquals(pictures, result.stats().number("imports-dmabuf"), result.stats()::toString);
    }

    @ParameterizedTest
    @MethodSource("outputs")
    void everyShapeIsFilteredWhereItLies(String out) throws IOException {
        host.then("set require-zero-copy true", "start " + (out.isEmpty() ? SYSTEM_MEMORY : DmabufHost.drm(out)));
        host.caps("NV12").push("rows", 0).push("rows", 1);
        host.push("planes", 0).push("planes", 1);
        host.caps(COLUMNS_BY_META).push("apart:64", 0).push("apart:64", 1);
        host.push("apart:52", 0).push("apart:52", 1);
        host.caps(COLUMNS_OF_96).push("columns:96", 0).push("columns:96", 1);
        host.push("bare:96", 0).push("bare:96", 1);
        DmabufHost.Result result = host.then("stats").run();
        requireZeroCopy(result, 12);
        times(filtered, 6).requireSame(result.pictures(), "all shapes to " + out);
    }

    /** In whole rows a sample has 16 bits; in columns three share a word. */
    @ParameterizedTest
    @MethodSource("tenBitOutputs")
    void everyShapeOfTenBitIsFilteredWhereItLies(String out) throws IOException {
        RawVideo video = RawVideo.synthetic(VideoFormat.P010_10LE, WIDTH, HEIGHT, 2, 7);
        RawVideo expected = new ElementHost(folder)
                .then("set substrate cpu")
                .then(STRENGTHS)
                .then("start video-meta")
                .caps(video)
                .push(video, 0)
                .run()
                .video(VideoFormat.P010_10LE, WIDTH, HEIGHT);
        host = new DmabufHost(folder, video).then("set substrate qpu").then(STRENGTHS);
        host.then(
                "set require-zero-copy true",
                "start " + (out.isEmpty() ? "video/x-raw,format=P010_10LE" : DmabufHost.drm(out)));
        int pictures = 4;
        if (!out.equals(TEN_BIT_COLUMNS_OF_96)) {
            pictures = 8;
            host.caps("P010").push("rows", 0).push("rows", 1);
            host.caps(TEN_BIT_COLUMNS_BY_META).push("apart:64", 0).push("apart:64", 1);
        }
        host.caps(TEN_BIT_COLUMNS_OF_96).push("columns:96", 0).push("columns:96", 1);
        host.push("bare:96", 0).push("bare:96", 1);
        DmabufHost.Result result = host.then("stats").run();
        requireZeroCopy(result, pictures);
        times(expected, pictures / 2).requireSame(result.pictures(), "all shapes to " + out);
    }

    @Test
    void theSplitCutsEveryShapeAtTheSamePlace() throws IOException {
        RawVideo expected = new ElementHost(folder)
                .then("set substrate cpu", "set split-view 0.69")
                .then(STRENGTHS)
                .then("start video-meta")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .run()
                .video(VideoFormat.NV12, WIDTH, HEIGHT);
        host = new DmabufHost(folder, VIDEO)
                .then("set substrate qpu", "set require-zero-copy true", "set split-view 0.69")
                .then(STRENGTHS)
                .then("start " + DmabufHost.drm(COLUMNS_BY_META));
        host.caps("NV12").push("planes", 0).push("rows", 1);
        host.caps(COLUMNS_OF_96).push("columns:96", 0).push("columns:96", 1);
        DmabufHost.Result result = host.then("stats").run();
        requireZeroCopy(result, 4);
        times(expected, 2).requireSame(result.pictures(), "split");
    }

    @Test
    void columnsKeepTheirHeight() throws IOException {
        DmabufHost.Result result = host.then("set require-zero-copy true", "start " + DmabufHost.drm(COLUMNS_OF_96))
                .caps(COLUMNS_OF_96)
                .push("columns:96", 0)
                .push("columns:96", 1)
                .then("stats")
                .run();
        requireZeroCopy(result, 2);
        filtered.requireSame(result.pictures(), "columns to columns");
    }

    /** Compares what automatic strength found: different strengths may give equal pictures. */
    @Test
    void automaticStrengthIsFoundInColumns() throws IOException {
        ElementHost.Result expected = new ElementHost(folder)
                .then("set substrate cpu", "start video-meta")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("stats")
                .run();
        DmabufHost.Result result = new DmabufHost(folder, VIDEO)
                .then("set substrate qpu", "set require-zero-copy true", "start " + SYSTEM_MEMORY)
                .caps(COLUMNS_BY_META)
                .push("apart:64", 0)
                .push("apart:64", 1)
                .then("stats")
                .run();
        requireZeroCopy(result, 2);
        Map<String, Stats.Field> found =
                estimates(Stats.of(expected.linesOf("stats")).get(0));
        assertTrue(found.size() > 4, "estimates: " + found);
        assertNotEquals("0", found.get("estimated-texture").value(), "texture that was found");
        assertEquals(found, estimates(result.stats()), "what was found");
        expected.video(VideoFormat.NV12, WIDTH, HEIGHT).requireSame(result.pictures(), "automatic strength");
    }

    private static Map<String, Stats.Field> estimates(Stats stats) {
        Map<String, Stats.Field> estimates = new TreeMap<>(stats.fields());
        estimates.keySet().removeIf(name -> !name.startsWith("estimated-"));
        return estimates;
    }

    /** Cropped pictures, as a decoder passes them on if their size is no multiple of the block size. */
    @ParameterizedTest
    @MethodSource("outputsOfCroppedPictures")
    void croppedPicturesAreFilteredWhole(String out) throws IOException {
        host.then("set require-zero-copy true", "start " + (out.isEmpty() ? SYSTEM_MEMORY : DmabufHost.drm(out)));
        host.croppedCaps(COLUMNS_BY_META, 190, 40).push("apart:64", 0).push("apart:64", 1);
        host.croppedCaps(COLUMNS_OF_96, 190, 40).push("columns:96", 0).push("columns:96", 1);
        DmabufHost.Result result = host.then("stats").run();
        requireZeroCopy(result, 4);
        times(filtered, 2).requireSame(result.pictures(), "cropped to " + out);
    }

    @Test
    void withNothingToFilterColumnsBecomeRows() throws IOException {
        DmabufHost.Result result = host.then(
                        "set require-zero-copy true", "set deblock false", "set cdef false", "set shrinkage false")
                .then("start " + SYSTEM_MEMORY)
                .caps(COLUMNS_OF_96)
                .push("columns:96", 0)
                .push("columns:96", 1)
                .then("stats")
                .run();
        requireZeroCopy(result, 2);
        VIDEO.requireSame(result.pictures(), "columns to rows");
    }

    @Test
    void dmabufsOfTheSystemHeapAreFilteredWhereTheyLie() throws IOException {
        DmabufHost.Result result = host.then("set require-zero-copy true", "heap on", "start " + SYSTEM_MEMORY)
                .caps("NV12")
                .push("rows", 0)
                .push("planes", 1)
                .then("stats")
                .run();
        requireZeroCopy(result, 2);
        filtered.requireSame(result.pictures(), "from the heap");
    }

    @Test
    void whatDownstreamOffersIsWrittenIntoWhereItIsOfDmabufs() throws IOException {
        DmabufHost.Result result = host.then("set require-zero-copy true", "offer dmabufs", "start " + SYSTEM_MEMORY)
                .caps("NV12")
                .push("rows", 0)
                .push("rows", 1)
                .then("stats")
                .run();
        assertEquals(List.of("out offered", "out offered"), result.linesOf("out"));
        assertEquals(List.of(), result.said());
        assertEquals(0, result.stats().number("copies"), result.stats()::toString);
        assertEquals(0, result.stats().number("imports-pool"), result.stats()::toString);
        assertEquals(0, result.stats().number("imports-host"), result.stats()::toString);
        assertEquals(3, result.stats().number("imports-dmabuf"), result.stats()::toString);
        filtered.requireSame(result.pictures(), "into downstream's dmabufs");
    }

    @Test
    void whatDownstreamOffersIsLeftWhereItHadToBeCopiedInto() throws IOException {
        DmabufHost.Result result = host.then("set require-zero-copy true", "offer memory", "start " + SYSTEM_MEMORY)
                .caps("NV12")
                .push("rows", 0)
                .push("rows", 1)
                .then("stats")
                .run();
        assertEquals(List.of("out own", "out own"), result.linesOf("out"));
        requireZeroCopy(result, 2);
        filtered.requireSame(result.pictures(), "into own dmabufs");
    }

    @Test
    void whatCannotBeFilteredIsRefusedBeforeTheFirstPicture() throws IOException {
        host.then("start " + SYSTEM_MEMORY);
        // Columns that do not hold the picture; modifiers and formats that are not filtered.
        List<String> refused = List.of(
                "NV12:0x0700000000004004",
                "NV12:0x0700000000006003",
                "NV12:0x0100000000000002",
                "NV21:0x0700000000000004",
                "P030:0x0700000000000004");
        for (String drmFormat : refused) {
            host.caps(drmFormat).push("columns:96", 0);
        }
        DmabufHost.Result result =
                host.caps("NV12").push("rows", 0).push("rows", 1).run();
        assertEquals(
                List.of("flow not-negotiated"),
                result.linesOf("flow").stream().distinct().toList());
        assertEquals(refused.size(), result.linesOf("flow").size());
        filtered.requireSame(result.pictures(), "after caps that were refused");
    }

    @Test
    void theCpuRefusesColumns() throws IOException {
        DmabufHost.Result result = host.then("set substrate cpu", "start " + SYSTEM_MEMORY)
                .caps(COLUMNS_BY_META)
                .push("apart:64", 0)
                .run();
        assertEquals(List.of("flow not-negotiated"), result.linesOf("flow"));
    }

    /**
     * Pushes a picture whose buffer has a fault between two pictures without a fault.
     *
     * @param words the fault, as the one message states it
     * @param fatal true if the message is an error, which ends the stream; else it is a warning, and the picture is dropped
     */
    private record Broken(String fault, String shape, String in, String words, boolean fatal) {}

    private static final List<Broken> BROKEN = List.of(
            new Broken("short", "rows", "NV12", "takes \\d+ bytes and the dmabuf has 4096", false),
            new Broken("short", "planes", "NV12", "takes \\d+ bytes and the dmabuf has 4096", false),
            new Broken("stride", "rows", "NV12", "plane 1 takes \\d+ bytes", false),
            new Broken("stride", "planes", "NV12", "plane 1 takes \\d+ bytes", false),
            new Broken("narrow", "rows", "NV12", "a stride of 4 bytes", false),
            new Broken("offset", "planes", "NV12", "plane 1 begins at \\d+", false),
            new Broken("closed", "rows", "NV12", "is not open: its producer closed it", false),
            new Broken("closed", "planes", "NV12", "is not open: its producer closed it", false),
            new Broken("stride", "apart:64", COLUMNS_BY_META, "plane 1 takes \\d+ bytes", false),
            new Broken("narrow", "apart:64", COLUMNS_BY_META, "columns of 4 rows do not hold the 51 of plane 0", false),
            new Broken("offset", "columns:96", COLUMNS_OF_96, "plane 1 begins at \\d+", false),
            new Broken("short", "apart:64", COLUMNS_BY_META, "takes \\d+ bytes and the dmabuf has 4096", true),
            new Broken("memfd", "apart:64", COLUMNS_BY_META, "is no dmabuf's", true),
            new Broken("closed", "columns:96", COLUMNS_OF_96, "is not open: its producer closed it", true));

    @Test
    void aBrokenPictureIsNamedInOneLineAndDoesNoHarm() throws IOException {
        host.then("start " + SYSTEM_MEMORY);
        for (Broken broken : BROKEN) {
            host.caps(broken.in()).push(broken.shape(), 0);
            host.then("fault " + broken.fault()).push(broken.shape(), 0).then("fault none");
            host.push(broken.shape(), 1);
        }
        DmabufHost.Result result = host.run();
        times(filtered, BROKEN.size()).requireSame(result.pictures(), "around broken pictures");
        assertEquals(BROKEN.size(), result.said().size(), result.said()::toString);
        for (int i = 0; i < BROKEN.size(); i++) {
            Broken broken = BROKEN.get(i);
            String line = result.said().get(i);
            assertTrue(line.startsWith(broken.fatal() ? "error " : "warning "), broken + ": " + line);
            assertTrue(Pattern.compile(broken.words()).matcher(line).find(), broken + ": " + line);
        }
        // Only the pictures without a fault; the dropped picture does the stream no harm.
        assertEquals(
                BROKEN.stream().filter(Broken::fatal).count(),
                result.linesOf("flow").size(),
                result.lines()::toString);
    }

    @Test
    void aFileThatIsNoDmabufIsCopiedAndNamedOnce() throws IOException {
        DmabufHost.Result result = host.then("start " + SYSTEM_MEMORY)
                .caps("NV12")
                .then("fault memfd")
                .push("rows", 0)
                .push("planes", 1)
                .run();
        filtered.requireSame(result.pictures(), "no dmabufs");
        assertEquals(1, result.said().size(), result.said()::toString);
        String line = result.said().get(0);
        assertTrue(line.startsWith("warning "), line);
        assertTrue(line.contains("is copied, not used where it lies: file descriptor"), line);
        assertTrue(line.contains("is no dmabuf's"), line);
    }

    @Test
    void noCopyIsMadeWhereNoneMayBe() throws IOException {
        DmabufHost.Result result = host.then("set require-zero-copy true", "start " + SYSTEM_MEMORY)
                .caps("NV12")
                .push("rows", 0)
                .then("fault memfd")
                .push("planes", 0)
                .then("stats")
                .run();
        assertEquals(1, result.pictures().frames().size());
        assertEquals(1, result.said().size(), result.said()::toString);
        String line = result.said().get(0);
        assertTrue(line.startsWith("error "), line);
        assertTrue(line.contains("require-zero-copy is set"), line);
        assertTrue(line.contains("is no dmabuf's"), line);
        assertEquals(0, result.stats().number("copies"), result.stats()::toString);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the meta {@code qpu-filter-params} on a buffer does and does not do, and how it passes through elements. */
final class SideInformationIT {
    private static final RawVideo VIDEO = RawVideo.synthetic(VideoFormat.I420, 64, 48, 1, 8);

    /** All frames of real streams: I, P and B, key and inter frames, of several strengths and two sizes. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void recordedDecisionsGiveTheDecodersPictures(String substrate, @TempDir Path folder) throws IOException {
        List<RecordedPicture> pictures = RecordedPicture.all();
        assertEquals(22, pictures.size(), pictures::toString);
        ElementHost host = new ElementHost(folder).then("set substrate " + substrate, "start");
        requireDecodersPictures(host, pictures, VideoFormat.I420);
    }

    /** Interleaved chroma. On a device three pictures are under way at once, each with decisions of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void eachPictureUnderWayHasItsOwn(String substrate, @TempDir Path folder) throws IOException {
        List<RecordedPicture> pictures = RecordedPicture.all().stream()
                .filter(picture -> picture.width() == 320)
                .toList();
        ElementHost host = new ElementHost(folder).then("set substrate " + substrate, "set queue-depth 3", "start");
        requireDecodersPictures(host, pictures, VideoFormat.NV12);
    }

    private static void requireDecodersPictures(ElementHost host, List<RecordedPicture> pictures, VideoFormat format)
            throws IOException {
        int width = 0;
        for (RecordedPicture picture : pictures) {
            if (picture.width() != width) {
                host.caps(picture.before().in(format));
                width = picture.width();
            }
            picture.describe(host);
            host.push(picture.before().in(format), 0);
        }
        byte[] found = host.then("eos", "take").run().pictures();
        int at = 0;
        for (RecordedPicture picture : pictures) {
            RawVideo expected = picture.after().in(format);
            int end = at + expected.frames().get(0).length;
            RawVideo actual =
                    RawVideo.of(Arrays.copyOfRange(found, at, end), format, picture.width(), picture.height());
            expected.requireSame(actual, picture.toString());
            at = end;
        }
        assertEquals(at, found.length, "bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void whatMakesNoSenseIsToldOnceAndTheFramePasses(String substrate, @TempDir Path folder) throws IOException {
        byte[] qps = new byte[12];
        Arrays.fill(qps, (byte) 40);
        byte[] tooHigh = qps.clone();
        tooHigh[7] = 52;
        ElementHost host = new ElementHost(folder)
                .then("set substrate " + substrate, "set cdef false", "set qp 40", "start")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("param codec string h264")
                .param("qp-map", qps)
                .push(VIDEO, 1);
        // Each fault twice, with a good frame between.
        for (int i = 0; i < 2; i++) {
            host.param("qp-map", Arrays.copyOf(qps, 11)).push(VIDEO, 2);
            host.param("qp-map", tooHigh).push(VIDEO, 3);
            host.then("param qp-map double 3").push(VIDEO, 4);
            host.param("qp-map", new byte[0]).push(VIDEO, 5);
            host.param("qp-map", qps).then("param width int 80").push(VIDEO, 6);
            host.then("params none", "param codec string vp8").push(VIDEO, 7);
            host.then("params none", "param codec string h264").push(VIDEO, 8);
            host.then("params none", "param quantiser int 3").push(VIDEO, 9);
            host.then("params none").param("bs-map", new byte[12 * 32]).push(VIDEO, 10);
            host.then("params none", "param codec string av1", "param cdef-damping int 9")
                    .push(VIDEO, 11);
            host.then("params none", "param codec string h264")
                    .param("qp-map", "buffer", qps)
                    .push(VIDEO, 12);
            host.then("params empty").push(VIDEO, 13);
        }
        ElementHost.Result result = host.then("stats").run();

        byte[] filtered = Arrays.copyOf(result.pictures(), VIDEO.frames().get(0).length);
        assertFalse(Arrays.equals(VIDEO.frames().get(0), filtered), "the filter has nothing to do");
        List<byte[]> frames =
                RawVideo.of(result.pictures(), VideoFormat.I420, 64, 48).frames();
        assertEquals(26, frames.size());
        for (int i = 0; i < frames.size(); i++) {
            boolean good = i < 2 || (i - 2) % 12 == 10;
            assertArrayEquals(good ? filtered : VIDEO.frames().get(0), frames.get(i), "frame " + i);
        }
        List<String> warnings = result.linesOf("warning");
        String all = String.join("\n", warnings);
        for (String cause : List.of(
                "the QP map has 11 bytes, a picture of 64x48 needs 12",
                "the QP map has 52 for macroblock 3 of row 1, it may be 0..51",
                "qp-map has no bytes",
                "qp-map is a GBytes or a GstBuffer, and a gdouble is there",
                "it is for 80x48, and the picture is 64x48",
                "codec is h264 or av1, and vp8 is there",
                "codec=h264 needs qp, qp-map or edges",
                "there is no field quantiser",
                "bs-map cannot be used without a codec",
                "damping is 3..6, given 9",
                "it has no fields")) {
            assertEquals(
                    1, warnings.stream().filter(line -> line.contains(cause)).count(), cause + " in\n" + all);
        }
        assertEquals(11, warnings.size(), all);
        assertTrue(warnings.stream().allMatch(line -> line.contains("passes unfiltered")), all);
        Stats stats = Stats.of(result.linesOf("stats")).get(0);
        assertEquals(22, stats.number("bad-params"));
        assertEquals(3, stats.number("frames-with-params"));
    }

    /**
     * The JVM may allocate in one round, and frames may while they wait for its compiler, in the first seconds of a busy machine; a frame
     * that allocates would do so in every round.
     */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void aFrameWithSideInformationAllocatesNothing(String substrate, @TempDir Path folder) throws IOException {
        byte[] qps = new byte[12];
        Arrays.fill(qps, (byte) 40);
        ElementHost host = new ElementHost(folder)
                .then("set substrate " + substrate, "start")
                .caps(VIDEO)
                .then("param codec string h264", "param chroma-qp-offset int 2")
                .param("qp-map", qps)
                .param("bs-map", "buffer", new byte[12 * 32]);
        int rounds = 60;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 20; i++) {
                host.push(VIDEO, i);
            }
            host.then("stats");
        }
        List<Stats> stats = Stats.of(host.run().linesOf("stats"));
        long least = Long.MAX_VALUE;
        for (int round = 1; round < rounds; round++) {
            assertTrue(stats.get(round).number("java-bytes-frames") >= 20L * round, "frames counted");
            long before = Math.max(0, stats.get(round - 1).number("java-bytes"));
            least = Math.min(least, stats.get(round).number("java-bytes") - before);
        }
        assertEquals(0, least, stats::toString);
    }

    @Test
    void plainValuesOverrideThePropertiesOfTheirNames(@TempDir Path folder) throws IOException {
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate cpu", "set cdef false", "set qp 40", "start")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("param qp int 30", "param alpha-offset int 1")
                .push(VIDEO, 1)
                .then("params none", "set qp 30", "set alpha-offset 1")
                .push(VIDEO, 2)
                .then("param qp int 0", "set cdef true")
                .push(VIDEO, 3)
                .then("set deblock false", "param qp int 51", "param codec string h264")
                .push(VIDEO, 4)
                .run();
        List<byte[]> frames =
                RawVideo.of(result.pictures(), VideoFormat.I420, 64, 48).frames();
        assertArrayEquals(frames.get(2), frames.get(1), "the meta's value holds");
        assertFalse(Arrays.equals(frames.get(0), frames.get(1)), "and is another than the property's");
        assertArrayEquals(VIDEO.frames().get(0), frames.get(3), "CDEF's values are not known, so it does not run");
        assertArrayEquals(VIDEO.frames().get(0), frames.get(4), "what is switched off stays off");
        assertFalse(result.lines().toString().contains("params="), "the meta ends where it was heeded");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ':',
            value = {
                "identity ! videoconvert ! capsfilter caps=video/x-raw,format=NV12 : true",
                "videoscale ! identity : true",
                "videoscale ! capsfilter caps=video/x-raw,width=32,height=48 : false",
                "videocrop left=16 ! identity : false",
                "identity ! qpuloopfilter substrate=cpu deblock=false cdef=false shrinkage=false : true",
                "identity ! qpuloopfilter substrate=cpu : false"
            })
    void itGoesAlongWhereThePictureKeepsItsPlace(String elements, boolean stays, @TempDir Path folder)
            throws IOException {
        ElementHost.Result result = new ElementHost(folder, elements)
                .then("start")
                .caps(VIDEO)
                .then("param codec string h264", "param qp int 40")
                .push(VIDEO, 0)
                .then("eos", "take")
                .run();
        List<String> buffers = result.linesOf("buffer");
        assertEquals(1, buffers.size(), result.lines()::toString);
        assertEquals(
                stays,
                buffers.get(0).contains("params=qpu-filter-params,_codec=(string)h264,_qp=(int)40;"),
                buffers::toString);
        assertEquals(stays, buffers.get(0).contains("params="), buffers::toString);
    }
}

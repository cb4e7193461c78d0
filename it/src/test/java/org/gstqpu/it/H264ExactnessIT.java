/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real H.264 streams, decoded without their loop filter and deblocked by the element, equal the decoder's own output. */
final class H264ExactnessIT {
    /** A stream's pictures before and after the decoder's loop filter. */
    private record Decoded(RawVideo unfiltered, RawVideo filtered) {}

    private static final Map<H264Stream, Decoded> DECODED = new LinkedHashMap<>();

    @BeforeAll
    static void decode(@TempDir Path folder) throws IOException {
        for (H264Stream stream : H264Stream.all()) {
            DECODED.put(
                    stream,
                    new Decoded(
                            ReferenceDecoder.h264(stream, false, folder.resolve("unfiltered.yuv")),
                            ReferenceDecoder.h264(stream, true, folder.resolve("filtered.yuv"))));
        }
    }

    @Test
    void decoderWritesTheKnownPictures() {
        assertEquals(11, DECODED.size(), "streams");
        assertAll(DECODED.entrySet().stream().map(entry -> () -> {
            H264Stream stream = entry.getKey();
            Decoded decoded = entry.getValue();
            assertEquals(stream.unfilteredMd5(), frameSums(decoded.unfiltered()), stream + " without loop filter");
            assertEquals(stream.filteredMd5(), frameSums(decoded.filtered()), stream + " with loop filter");
        }));
    }

    static List<String> formats() {
        return Sample.of(
                2,
                List.of(
                        "cpu I420",
                        "cpu NV12",
                        "cpu YV12",
                        "cpu NV21",
                        "qpu I420",
                        "qpu NV12",
                        "qpu YV12",
                        "qpu NV21"));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void deblockingEqualsTheDecodersLoopFilter(String where, @TempDir Path folder) throws IOException {
        String substrate = where.substring(0, 3);
        VideoFormat format = VideoFormat.valueOf(where.substring(4));
        FilterRun run = new FilterRun(folder);
        for (Map.Entry<H264Stream, Decoded> entry : DECODED.entrySet()) {
            run.add(
                    entry.getValue().unfiltered().in(format),
                    "substrate=" + substrate + " " + entry.getKey().properties());
        }
        List<RawVideo> results = run.run(GstEnvironment.standard());

        List<Executable> checks = new ArrayList<>();
        DECODED.forEach((stream, decoded) -> {
            RawVideo result = results.get(checks.size());
            checks.add(() -> decoded.filtered().in(format).requireSame(result, stream + " on " + substrate));
        });
        assertAll(checks);
    }

    /** Every other stream brings a map, the rest values for the whole picture. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void sideInformationGivesTheDecodersLoopFilter(String substrate, @TempDir Path folder) throws IOException {
        ElementHost host = new ElementHost(folder).then("set substrate " + substrate, "start");
        List<byte[]> expected = new ArrayList<>();
        for (Map.Entry<H264Stream, Decoded> entry : DECODED.entrySet()) {
            H264Stream stream = entry.getKey();
            RawVideo unfiltered = entry.getValue().unfiltered();
            host.caps(unfiltered)
                    .then(
                            "params none",
                            "param codec string h264",
                            "param width int " + stream.codedWidth(),
                            "param height int " + stream.codedHeight(),
                            "param alpha-offset int " + stream.filterOffsetA() / 2,
                            "param beta-offset int " + stream.filterOffsetB() / 2,
                            "param chroma-qp-offset int " + stream.chromaQpIndexOffset());
            if (expected.size() % 20 == 0) {
                host.then("param qp int " + stream.qp());
            } else {
                byte[] map = new byte[stream.codedWidth() / 16 * stream.codedHeight() / 16];
                Arrays.fill(map, (byte) stream.qp());
                host.param("qp-map", map);
            }
            host.push(unfiltered, expected.size() * 40_000_000L);
            expected.addAll(entry.getValue().filtered().frames());
        }
        ElementHost.Result result = host.then("stats").run();
        Stats stats = Stats.of(result.linesOf("stats")).get(0);
        assertEquals(expected.size(), stats.number("frames-with-params"), "frames with side information");
        assertEquals(0, stats.number("bad-params"));
        requireFrames(expected, result.pictures());
    }

    private static void requireFrames(List<byte[]> expected, byte[] found) {
        int at = 0;
        for (int i = 0; i < expected.size(); i++) {
            byte[] frame = expected.get(i);
            assertArrayEquals(frame, Arrays.copyOfRange(found, at, at + frame.length), "picture " + i);
            at += frame.length;
        }
        assertEquals(at, found.length, "bytes");
    }

    private static List<String> frameSums(RawVideo video) {
        return video.frames().stream().map(Md5::of).toList();
    }
}

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
import org.gstqpu.it.Av1Stream.ExactFrame;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real AV1 streams, decoded without CDEF and filtered by the element, equal the decoder's own output. */
final class Av1ExactnessIT {
    /** A stream's pictures before and after the decoder's CDEF. */
    private record Decoded(RawVideo withoutCdef, RawVideo withCdef) {}

    private static final Map<Av1Stream, Decoded> DECODED = new LinkedHashMap<>();

    @BeforeAll
    static void decode(@TempDir Path folder) throws IOException {
        for (Av1Stream stream : Av1Stream.all()) {
            DECODED.put(
                    stream,
                    new Decoded(
                            ReferenceDecoder.av1(stream, false, folder.resolve("without.yuv")),
                            ReferenceDecoder.av1(stream, true, folder.resolve("with.yuv"))));
        }
    }

    @Test
    void decoderWritesTheKnownPictures() {
        assertEquals(12, DECODED.size(), "streams");
        assertAll(DECODED.entrySet().stream()
                .flatMap(entry -> entry.getKey().exactFrames().stream().map(frame -> () -> {
                    String what = entry.getKey() + " frame " + frame.frame();
                    Decoded decoded = entry.getValue();
                    assertEquals(
                            frame.md5BeforeCdef(),
                            Md5.of(decoded.withoutCdef().frames().get(frame.frame())),
                            what + " without CDEF");
                    assertEquals(
                            frame.md5AfterCdef(),
                            Md5.of(decoded.withCdef().frames().get(frame.frame())),
                            what + " with CDEF");
                })));
    }

    static List<String> formats() {
        return Sample.of(
                2,
                List.of(
                        "cpu I420",
                        "cpu NV12",
                        "cpu I420_10LE",
                        "cpu P010_10LE",
                        "qpu I420",
                        "qpu NV12",
                        "qpu I420_10LE",
                        "qpu P010_10LE"));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void cdefEqualsTheDecodersOwn(String where, @TempDir Path folder) throws IOException {
        String substrate = where.substring(0, 3);
        VideoFormat format = VideoFormat.valueOf(where.substring(4));
        FilterRun run = new FilterRun(folder);
        List<String> names = new ArrayList<>();
        List<RawVideo> expected = new ArrayList<>();
        DECODED.forEach((stream, decoded) -> {
            if (stream.bitDepth() == format.bitDepth()) {
                // Frames of a stream that have equal strengths go through one element.
                Map<String, List<Integer>> framesByProperties = new LinkedHashMap<>();
                for (ExactFrame frame : stream.exactFrames()) {
                    framesByProperties
                            .computeIfAbsent(frame.properties(), properties -> new ArrayList<>())
                            .add(frame.frame());
                }
                framesByProperties.forEach((properties, numbers) -> {
                    run.add(
                            decoded.withoutCdef().select(numbers).in(format),
                            "substrate=" + substrate + " " + properties);
                    names.add(stream + " frames " + numbers + " on " + substrate + ", " + properties);
                    expected.add(decoded.withCdef().select(numbers).in(format));
                });
            }
        });
        List<RawVideo> results = run.run(GstEnvironment.standard());

        List<Executable> checks = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            int branch = i;
            checks.add(() -> expected.get(branch).requireSame(results.get(branch), names.get(branch)));
        }
        assertEquals(format.bitDepth() == 8 ? 9 : 3, checks.size(), "streams of this bit depth");
        assertAll(checks);
    }

    /** 8 and 10 bit. Each frame brings its own strength, by turns as single values and as a table. */
    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void sideInformationGivesTheDecodersCdef(String substrate, @TempDir Path folder) throws IOException {
        ElementHost host = new ElementHost(folder).then("set substrate " + substrate, "start");
        List<byte[]> expected = new ArrayList<>();
        for (Map.Entry<Av1Stream, Decoded> entry : DECODED.entrySet()) {
            RawVideo unfiltered = entry.getValue().withoutCdef();
            host.caps(unfiltered);
            for (ExactFrame frame : entry.getKey().exactFrames()) {
                host.then("params none", "param codec string av1", "param cdef-damping int " + frame.damping());
                if (expected.size() % 2 == 0) {
                    host.param("cdef-strengths", new byte[] {
                        (byte) frame.yPrimary(),
                        (byte) frame.ySecondary(),
                        (byte) frame.uvPrimary(),
                        (byte) frame.uvSecondary()
                    });
                } else {
                    host.then(
                            "param cdef-y-primary int " + frame.yPrimary(),
                            "param cdef-y-secondary int " + frame.ySecondary(),
                            "param cdef-uv-primary int " + frame.uvPrimary(),
                            "param cdef-uv-secondary int " + frame.uvSecondary());
                }
                host.push(unfiltered.select(List.of(frame.frame())), expected.size() * 40_000_000L);
                expected.add(entry.getValue().withCdef().frames().get(frame.frame()));
            }
        }
        byte[] found = host.run().pictures();
        int at = 0;
        for (int i = 0; i < expected.size(); i++) {
            byte[] frame = expected.get(i);
            assertArrayEquals(frame, Arrays.copyOfRange(found, at, at + frame.length), "picture " + i);
            at += frame.length;
        }
        assertEquals(at, found.length, "bytes");
    }
}

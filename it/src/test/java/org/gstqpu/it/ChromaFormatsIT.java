/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real H.264 and AV1 streams of 10 bit, 4:2:2 and 4:4:4, decoded without the loop filter and filtered by the element, equal the
 * decoder's own output.
 */
final class ChromaFormatsIT {
    /**
     * A stream in the test's resources.
     *
     * @param format the planar format that the decoder writes
     * @param frames the frames that the properties reproduce
     * @param properties the properties with which the element filters as the decoder does
     */
    private record Stream(String file, VideoFormat format, List<Integer> frames, String properties) {
        Path path() {
            return BuildTree.testSource("resources/streams/" + file);
        }
    }

    private static final List<Stream> H264 = List.of(
            h264("chroma_420_b10.h264", VideoFormat.I420_10LE, 33, 0, 0, 0),
            h264("chroma_422_b8.h264", VideoFormat.Y42B, 33, 0, 0, 0),
            h264("chroma_422_b10.h264", VideoFormat.I422_10LE, 30, 1, -1, 3),
            h264("chroma_444_b8.h264", VideoFormat.Y444, 33, 0, 0, 0),
            h264("chroma_444_b10.h264", VideoFormat.Y444_10LE, 36, -1, 2, -2));

    private static final List<Stream> AV1 = List.of(
            av1("chroma_422_b8.obu", VideoFormat.Y42B, List.of(0, 2), 14, 4, 14, 4),
            av1("chroma_422_b8.obu", VideoFormat.Y42B, List.of(1), 8, 4, 14, 4),
            av1("chroma_422_b10.obu", VideoFormat.I422_10LE, List.of(0), 4, 4, 14, 4),
            av1("chroma_422_b10.obu", VideoFormat.I422_10LE, List.of(1), 14, 4, 14, 4),
            av1("chroma_444_b8.obu", VideoFormat.Y444, List.of(1), 2, 4, 14, 4),
            av1("chroma_444_b10.obu", VideoFormat.Y444_10LE, List.of(2), 14, 4, 14, 1));

    private static Stream h264(
            String file, VideoFormat format, int qp, int alphaOffset, int betaOffset, int chromaQpOffset) {
        return new Stream(
                file,
                format,
                List.of(0, 1),
                "cdef=false qp=" + qp + " alpha-offset=" + alphaOffset + " beta-offset=" + betaOffset
                        + " chroma-qp-offset=" + chromaQpOffset);
    }

    private static Stream av1(
            String file,
            VideoFormat format,
            List<Integer> frames,
            int yPrimary,
            int ySecondary,
            int uvPrimary,
            int uvSecondary) {
        return new Stream(
                file,
                format,
                frames,
                "deblock=false cdef-damping=5 cdef-y-primary=" + yPrimary + " cdef-y-secondary=" + ySecondary
                        + " cdef-uv-primary=" + uvPrimary + " cdef-uv-secondary=" + uvSecondary);
    }

    @Test
    void theElementDoesWhatTheDecodersDo(@TempDir Path folder) throws IOException {
        FilterRun run = new FilterRun(folder);
        List<String> names = new ArrayList<>();
        List<RawVideo> expected = new ArrayList<>();
        for (Stream stream : H264) {
            RawVideo before = ReferenceDecoder.h264(stream.path(), stream.format(), 64, 48, false, folder.resolve("a"));
            RawVideo after = ReferenceDecoder.h264(stream.path(), stream.format(), 64, 48, true, folder.resolve("b"));
            add(run, stream, before, after, names, expected);
        }
        for (Stream stream : AV1) {
            RawVideo before = ReferenceDecoder.av1(stream.path(), stream.format(), 72, 56, false, folder.resolve("a"));
            RawVideo after = ReferenceDecoder.av1(stream.path(), stream.format(), 72, 56, true, folder.resolve("b"));
            add(run, stream, before, after, names, expected);
        }
        List<RawVideo> results = run.run(GstEnvironment.standard());

        List<Executable> checks = new ArrayList<>();
        for (int i = 0; i < results.size(); i++) {
            int branch = i;
            checks.add(() -> expected.get(branch).requireSame(results.get(branch), names.get(branch)));
        }
        assertAll(checks);
    }

    /** Adds the pictures in each format that can hold their samples, on both substrates. */
    private static void add(
            FilterRun run,
            Stream stream,
            RawVideo before,
            RawVideo after,
            List<String> names,
            List<RawVideo> expected) {
        RawVideo unfiltered = before.select(stream.frames());
        RawVideo filtered = after.select(stream.frames());
        assertFalse(
                Arrays.equals(unfiltered.frames().get(0), filtered.frames().get(0)),
                () -> "the decoder filters nothing in " + stream);
        for (VideoFormat format : VideoFormat.values()) {
            if (format != VideoFormat.GRAY8 && format.planar() == stream.format()) {
                for (String substrate : List.of("cpu", "qpu")) {
                    run.add(unfiltered.in(format), "substrate=" + substrate + " " + stream.properties());
                    names.add(stream + " as " + format + " on " + substrate);
                    expected.add(filtered.in(format));
                }
            }
        }
    }
}

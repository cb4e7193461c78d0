/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flushes, state changes and the end of the stream while pictures are under way. */
final class StreamEventsIT {
    private static final RawVideo VIDEO = RawVideo.synthetic(VideoFormat.I420, 49, 37, 2, 9);

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void picturesAreFilteredAlikeAfterAFlushAndAfterARestart(String substrate, @TempDir Path folder)
            throws IOException {
        ElementHost.Result result = new ElementHost(folder)
                .then("set substrate " + substrate, "set qp 43", "start")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("flush")
                .push(VIDEO, 0)
                .then("state ready", "state playing")
                .then("flush")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("state null", "state playing")
                .then("flush")
                .caps(VIDEO)
                .push(VIDEO, 0)
                .then("eos")
                .run();
        assertEquals(8, result.linesOf("buffer").size(), "pictures");
        assertEquals(List.of("eos taken"), result.linesOf("eos"));
        List<byte[]> frames =
                result.video(VIDEO.format(), VIDEO.width(), VIDEO.height()).frames();
        for (int i = 2; i < frames.size(); i++) {
            assertArrayEquals(frames.get(i % 2), frames.get(i), "picture " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"cpu", "qpu"})
    void everyPictureIsOutBeforeTheEndOfTheStream(String substrate, @TempDir Path folder) throws IOException {
        PipelineHost.Result result = PipelineHost.run(
                GstEnvironment.standard(),
                folder,
                List.of("videotestsrc num-buffers=12 ! video/x-raw,format=NV12,width=96,height=64 ! queue"
                        + " ! qpuloopfilter substrate=" + substrate + " ! queue ! identity name=probe ! fakesink"),
                "play",
                "wait");
        assertEquals(12, result.at("probe", "").size(), "pictures");
        assertEquals("eos", result.lines().get(result.lines().size() - 1), "last happening");
    }
}

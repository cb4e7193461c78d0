/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.freedesktop.gstreamer.BusSyncReply;
import org.freedesktop.gstreamer.Pipeline;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs pipelines in this process, from the built tree. */
class PlayedPipelineIT {
    private static final int PICTURES = 5;
    private static final long LIMIT_MILLIS = 600_000;

    @TempDir
    private Path folder;

    /** The second sink never receives an end of stream, as sometimes happens to the RTCP sink of rtspclientsink. */
    @Test
    void aSinkThatHadTheEndAndDoesNotSaySoIsNotWaitedFor() throws IOException, InterruptedException {
        Path script = folder.resolve("silent.sh");
        Files.writeString(
                script,
                "exec ${GST_LAUNCH} videotestsrc num-buffers=" + PICTURES
                        + " ! video/x-raw,width=64,height=48 ! qpuloopfilter name=qpu ${PROPERTIES}"
                        + " ! 'bin.(' identity ! fakesink appsrc ! fakesink async=false ')'\n");
        ReadyPipeline ready = new ReadyPipeline("silent", script, "", "", true);
        GStreamer.start(Installation.current());
        try (PlayedPipeline played = PlayedPipeline.start(ready, Map.of(), Map.of("substrate", "cpu"))) {
            assertTrue(played.awaitEnd(LIMIT_MILLIS));
            played.checkFailure();
            assertTrue(played.isComplete());
            assertEquals(PICTURES, played.pictures());
        }
    }

    /** parsebin and decodebin drop an error that comes at once: here the bus drops all. */
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void aReaderThatHasGivenUpWithoutAWordIsNotWaitedFor() throws Exception {
        GStreamer.start(Installation.current());
        Path damaged = folder.resolve("damaged.avi");
        // A header that declares what is not there.
        Files.write(damaged, "RIFF\0\0\1\0AVI LIST\0\0\1\0hdrl".getBytes(StandardCharsets.ISO_8859_1));
        Pipeline pipeline = (Pipeline) LaunchLine.parse(
                "filesrc location=" + ReadyPipeline.quoted(damaged.toString()) + " ! avidemux ! fakesink",
                Transcoding::unusable);
        pipeline.getBus().setSyncHandler(message -> BusSyncReply.DROP);
        try (PlayedPipeline played = PlayedPipeline.start(pipeline, true)) {
            while (!played.awaitEnd(1)) {
                assertFalse(played.isComplete());
            }
            CommandFailedException failure = assertThrows(CommandFailedException.class, played::checkFailure);
            assertEquals("what it reads is damaged or cut off; ffprobe says what it holds", failure.getMessage());
            assertFalse(GStreamer.awaitData(pipeline, () -> false));
        }
    }

    /** waylandsink does so where there is no compositor: here the bus drops the word. */
    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void anElementThatCannotBeStartedAndDoesNotSayWhyIsNotWaitedFor() throws InterruptedException {
        GStreamer.start(Installation.current());
        Pipeline pipeline =
                (Pipeline) LaunchLine.parse("videotestsrc ! fakesink state-error=null-to-ready", Transcoding::unusable);
        pipeline.getBus().setSyncHandler(message -> BusSyncReply.DROP);
        assertEquals(
                "an element cannot be started and does not say why: look whether the display, device or server that it needs"
                        + " is there and free; GST_DEBUG=2 says more",
                failure(pipeline));
    }

    @Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    @Test
    void aSinkWithoutItsDisplayIsToldWithTheOptionThatNamesAnother() throws InterruptedException {
        GStreamer.start(Installation.current());
        assumeTrue(GStreamer.has("ximagesink"), "gstreamer1.0-x is not installed");
        String said = failure((Pipeline)
                LaunchLine.parse("videotestsrc ! ximagesink name=window display=:4711", Transcoding::unusable));
        assertTrue(
                said.matches("pictures cannot be shown \\(window: .+\\): look whether the display is there and free,"
                        + " or name another sink with --sink"),
                said);
    }

    private static String failure(Pipeline pipeline) throws InterruptedException {
        try (PlayedPipeline played = PlayedPipeline.start(pipeline, false)) {
            while (!played.awaitEnd(LIMIT_MILLIS)) {
                assertFalse(played.isComplete());
            }
            return assertThrows(CommandFailedException.class, played::checkFailure)
                    .getMessage();
        }
    }
}

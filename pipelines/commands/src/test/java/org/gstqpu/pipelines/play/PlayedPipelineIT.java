/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
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
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No window opens where no display is, and nothing crashes in this process when a sink is tried. */
class VideoSinksIT {
    @BeforeAll
    static void start() {
        GStreamer.start(Installation.current());
    }

    @Test
    void withoutADisplayTheCureIsASession() {
        VideoSinks.Found found = VideoSinks.find(Map.of("DISPLAY", ""));
        if (!Files.isDirectory(Path.of("/dev/dri"))) {
            assertEquals(Optional.empty(), found.sink());
            assertEquals("no display: neither WAYLAND_DISPLAY nor DISPLAY is set", found.finding());
        }
        assertTrue(found.sink().isPresent() || !found.cure().isEmpty(), found.toString());
    }

    @Test
    void aSinkIsTriedBeforeItIsTaken() {
        VideoSinks.Found found = VideoSinks.find(Map.of("DISPLAY", ":4711"));
        assertEquals(Optional.empty(), found.sink(), found.toString());
        assertTrue(found.finding().startsWith("no element "), found.finding());
    }

    /** Its sink fails at once and without a word: it is not said to have been waited for. */
    @Test
    void aCompositorThatIsNotThereIsToldAsWhatItIs() {
        assumeTrue(GStreamer.has("waylandsink"), "gstreamer1.0-plugins-bad is not installed");
        String finding =
                VideoSinks.find(Map.of("WAYLAND_DISPLAY", "wayland-4711")).finding();
        assertTrue(finding.startsWith("no element shows pictures: waylandsink cannot be opened"), finding);
    }
}

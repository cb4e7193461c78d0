/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.event.NavigationEvent;
import org.gstqpu.pipelines.cli.Installation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Keys of a terminal, and what a sink sends upstream for the keys and the mouse in its window. */
class PlayerInputIT {
    private static final long LIMIT_MILLIS = 600_000;

    private final PlayerInput input = new PlayerInput();

    @Test
    void arrowsOfATerminalAreOneKeyEachAndLinesNone() throws InterruptedException {
        byte[] typed = "v\033[C\n\033OD \033[A+".getBytes(StandardCharsets.US_ASCII);
        input.readTerminal(new ByteArrayInputStream(typed));
        assertEquals(List.of("v", PlayerInput.RIGHT, PlayerInput.LEFT, PlayerInput.SPACE, "+"), keys(5));
    }

    private List<String> keys(int count) throws InterruptedException {
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(input.poll(LIMIT_MILLIS).orElseThrow().key());
        }
        return keys;
    }

    @Test
    void keysAndMouseOfTheWindowArrive(@TempDir Path folder) throws Exception {
        Path script = folder.resolve("window.sh");
        Files.writeString(
                script,
                "exec ${GST_LAUNCH} videotestsrc ! video/x-raw,width=200,height=80"
                        + " ! qpuloopfilter name=qpu ${PROPERTIES} ! fakesink name=window sync=true\n");
        GStreamer.start(Installation.current());
        ReadyPipeline ready = new ReadyPipeline("window", script, "", "", false);
        try (PlayedPipeline played = PlayedPipeline.start(ready, Map.of(), Map.of("substrate", "cpu"))) {
            assertTrue(played.awaitPlaying());
            Element filter = played.filter().orElseThrow();
            input.watch(filter);
            for (String key : List.of("i", "equal", "minus", "Left", "Escape")) {
                send(filter, NavigationEvent.createKeyPressEvent(key));
                send(filter, NavigationEvent.createKeyReleaseEvent(key));
            }
            assertEquals(List.of("i", "+", "-", PlayerInput.LEFT, "q"), keys(5));

            send(filter, NavigationEvent.createMouseMoveEvent(20, 5, 0));
            send(filter, NavigationEvent.createMouseButtonPressEvent(50, 5, 1));
            send(filter, NavigationEvent.createMouseMoveEvent(150, 70, 1));
            send(filter, NavigationEvent.createMouseMoveEvent(500, 5, 1));
            send(filter, NavigationEvent.createMouseButtonReleaseEvent(500, 5, 1));
            send(filter, NavigationEvent.createMouseMoveEvent(30, 5, 0));
            assertEquals(Optional.of(new PlayerInput.Action("", 0.25)), input.poll(LIMIT_MILLIS));
            assertEquals(Optional.of(new PlayerInput.Action("", 0.75)), input.poll(LIMIT_MILLIS));
            assertEquals(Optional.of(new PlayerInput.Action("", 1)), input.poll(LIMIT_MILLIS));
            assertEquals(Optional.empty(), input.poll(0));
        }
    }

    /** As the sink does it: to the pad that it is linked to. The source of the test does not handle it, which changes nothing. */
    private static void send(Element filter, NavigationEvent event) {
        filter.getStaticPad("src").sendEvent(event);
    }
}

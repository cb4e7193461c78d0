/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoundCardsTest {
    @Test
    void aCardIsOneThatPlays(@TempDir Path devices) throws IOException {
        assertFalse(SoundCards.hasCard(devices.resolve("none")));
        Files.createFile(devices.resolve("timer"));
        Files.createFile(devices.resolve("pcmC0D0c"));
        assertFalse(SoundCards.hasCard(devices));
        Files.createFile(devices.resolve("pcmC0D3p"));
        assertTrue(SoundCards.hasCard(devices));
    }

    @Test
    void aServerIsHeard(@TempDir Path runtime) throws IOException {
        boolean card = SoundCards.mayBeHeard(Map.of());
        Map<String, String> session = Map.of("XDG_RUNTIME_DIR", runtime.toString());
        assertEquals(card, SoundCards.mayBeHeard(session));
        assertEquals(card, SoundCards.mayBeHeard(Map.of("XDG_RUNTIME_DIR", "")));
        Files.createFile(runtime.resolve("pipewire-0"));
        assertTrue(SoundCards.mayBeHeard(session));
        assertTrue(SoundCards.mayBeHeard(Map.of("PULSE_SERVER", "tcp:server")));
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Looks for something that plays sound on this machine. ALSA's library writes eight lines of its own to the terminal if it is asked
 * for a card where there is none. Any thread.
 */
final class SoundCards {
    /** The element in ready pipelines that stands for any that plays sound. */
    static final String ANY = "autoaudiosink";

    /** An element that plays sound in time, and unheard. */
    static final String SILENT = "fakesink sync=true";

    private static final Path DEVICES = Path.of("/dev/snd");

    private SoundCards() {}

    /**
     * True if there is a sound card or a sound server, or it cannot be told.
     *
     * @param environment the environment variables, which name the server
     */
    static boolean mayBeHeard(Map<String, String> environment) {
        return environment.containsKey("PULSE_SERVER")
                || environment.containsKey("PIPEWIRE_REMOTE")
                || runtimeFolder(environment).filter(SoundCards::hasServer).isPresent()
                || hasCard(DEVICES);
    }

    private static Optional<Path> runtimeFolder(Map<String, String> environment) {
        return Optional.ofNullable(environment.get("XDG_RUNTIME_DIR"))
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
    }

    private static boolean hasServer(Path runtimeFolder) {
        return Files.exists(runtimeFolder.resolve("pulse/native")) || Files.exists(runtimeFolder.resolve("pipewire-0"));
    }

    /** True if the folder has a device that plays: one named like {@code pcmC0D0p}. */
    static boolean hasCard(Path devices) {
        if (!Files.isDirectory(devices)) {
            return false;
        }
        try (DirectoryStream<Path> players = Files.newDirectoryStream(devices, "pcm*p")) {
            return players.iterator().hasNext();
        } catch (IOException e) {
            // This user may not look. ALSA will say so.
            return true;
        }
    }
}

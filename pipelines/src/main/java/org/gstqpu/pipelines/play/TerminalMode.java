/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Owns the mode of the terminal at standard input while single keys are read from it: each is there at once and is not
 * shown. Does nothing where standard input is no terminal. One thread.
 */
final class TerminalMode {
    private final Optional<String> before;

    private TerminalMode(Optional<String> before) {
        this.before = before;
    }

    /** Goes over to single keys. */
    static TerminalMode singleKeys() {
        Optional<String> before = stty("-g");
        before.ifPresent(mode -> stty("-icanon", "-echo", "min", "1"));
        return new TerminalMode(before);
    }

    /** Whether standard error is a terminal, on which a line may be written over. */
    static boolean isErrorTerminal() {
        try {
            return new ProcessBuilder("test", "-t", "2").inheritIO().start().waitFor() == 0;
        } catch (IOException e) {
            // Without that program there is no terminal to be sure of.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What stty says of standard input, empty where that is no terminal or there is no such program. */
    private static Optional<String> stty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("stty"));
        command.addAll(List.of(arguments));
        try {
            Process stty = new ProcessBuilder(command)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            String said;
            try (InputStream out = stty.getInputStream()) {
                said = new String(out.readAllBytes(), StandardCharsets.US_ASCII).strip();
            }
            return stty.waitFor() == 0 ? Optional.of(said) : Optional.empty();
        } catch (IOException e) {
            // No such program: keys then come with the end of their line.
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Restores the mode that the terminal had. */
    void close() {
        before.ifPresent(TerminalMode::stty);
    }
}

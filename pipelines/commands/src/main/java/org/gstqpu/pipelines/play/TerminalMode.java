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
 * Owns the mode of the terminal at standard input while single keys are read: a key arrives at once and is not echoed. Does
 * nothing if standard input is not a terminal. Used by one thread.
 */
public final class TerminalMode {
    private final Optional<String> before;

    private TerminalMode(Optional<String> before) {
        this.before = before;
    }

    /** Switches the terminal to single keys. */
    static TerminalMode singleKeys() {
        Optional<String> before = stty("-g");
        before.ifPresent(mode -> stty("-icanon", "-echo", "min", "1"));
        return new TerminalMode(before);
    }

    /** Whether standard error is a terminal, on which a line can be overwritten. */
    public static boolean isErrorTerminal() {
        return isTerminal("2");
    }

    /** Whether standard output is a terminal. */
    public static boolean isOutputTerminal() {
        return isTerminal("1");
    }

    private static boolean isTerminal(String descriptor) {
        try {
            return new ProcessBuilder("test", "-t", descriptor)
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            // Without that program, this cannot be known, so it is not taken for a terminal.
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Runs stty on standard input and returns its output; empty if that is not a terminal, or if there is no stty. */
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
            // There is no stty. Keys then arrive at the end of their line.
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /** Restores the mode that the terminal had before. */
    void close() {
        before.ifPresent(TerminalMode::stty);
    }
}

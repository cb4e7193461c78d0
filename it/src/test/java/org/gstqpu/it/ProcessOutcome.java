/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The exit status and the output of a process. Immutable.
 *
 * @param exitCode exit status; -1 if {@code timedOut}
 * @param output everything that the process printed on standard output
 * @param standardError everything that the process printed on standard error
 */
record ProcessOutcome(
        List<String> command,
        Map<String, String> environment,
        int exitCode,
        boolean timedOut,
        Duration wallTime,
        String output,
        String standardError) {

    private static final int TAIL_LINES = 60;

    /** If signal n killed a process, Java reports this number plus n as exit status. */
    private static final int KILLED_BY_SIGNAL = 128;

    private static final int LAST_SIGNAL = 64;

    /** Text that no run of these tests may print, whatever its exit status. */
    private static final Pattern COMPLAINT = Pattern.compile(
            // Messages of g_critical and g_warning from any library, as GLib prints them.
            "(CRITICAL|WARNING|ERROR) \\*\\*:"
                    // Warnings and errors that the element logs, and element warnings that gst-launch prints.
                    + "| (WARN|ERROR) +qpuloopfilter |^WARNING: from element"
                    + "|" + GstEnvironment.VALIDATION_MESSAGE_PREFIX
                    // What GST_TRACERS=leaks reports when the process ends.
                    + "|object-(alive|refings), type-name=\\(string\\)[^%]"
                    // A JVM that crashed or warns.
                    + "|A fatal error has been detected|^Exception in thread|^\\s+at [a-z]+(\\.\\w+)+\\("
                    + "|^WARNING: A (restricted|terminally deprecated) method|warning: \\[JNI\\]");

    /** Fails unless the process ended by itself with exit code 0. Returns itself. */
    ProcessOutcome requireSuccess() {
        if (timedOut || exitCode != 0) {
            throw new AssertionError(describe(timedOut ? "the process did not end" : "the process failed"));
        }
        return this;
    }

    /** Fails if the process printed a warning, a validation message, a leak or a crash. Returns itself. */
    ProcessOutcome requireNoComplaint() {
        List<String> complaints = complaints();
        if (!complaints.isEmpty()) {
            throw new AssertionError(describe(complaints.size() + " complaint(s), the first: "
                    + complaints.get(0).strip()));
        }
        return this;
    }

    /** Fails unless the process ended by itself, not by a signal, with an exit status that reports failure. Returns itself. */
    ProcessOutcome requireFailure() {
        boolean killed = exitCode > KILLED_BY_SIGNAL && exitCode <= KILLED_BY_SIGNAL + LAST_SIGNAL;
        if (timedOut || exitCode == 0 || killed) {
            throw new AssertionError(describe("the process should have reported an error and ended"));
        }
        return this;
    }

    /** Lines of either stream that {@link #requireNoComplaint} objects to. */
    List<String> complaints() {
        return Stream.concat(standardError.lines(), output.lines())
                .filter(line -> COMPLAINT.matcher(line).find())
                .toList();
    }

    /** Everything needed to run the process again by hand, and the end of what it said. */
    String describe(String headline) {
        StringBuilder text = new StringBuilder(headline);
        text.append(
                timedOut
                        ? "\n  killed after " + wallTime.toMillis() + " ms"
                        : "\n  exit code " + exitCode + " after " + wallTime.toMillis() + " ms");
        text.append("\n  command:");
        new TreeMap<>(environment)
                .forEach((name, value) ->
                        text.append(' ').append(name).append('=').append(quote(value)));
        command.forEach(argument -> text.append(' ').append(quote(argument)));
        appendTail(text, "standard error", standardError);
        appendTail(text, "standard output", output);
        return text.toString();
    }

    private static String quote(String argument) {
        return argument.matches("[\\w./:=,+@%-]+") ? argument : "'" + argument.replace("'", "'\\''") + "'";
    }

    private static void appendTail(StringBuilder text, String title, String content) {
        List<String> lines = content.lines().toList();
        int first = Math.max(0, lines.size() - TAIL_LINES);
        text.append("\n  ").append(title);
        text.append(first > 0 ? " (last " + TAIL_LINES + " of " + lines.size() + " lines):" : ":");
        lines.subList(first, lines.size()).forEach(line -> text.append("\n    ").append(line));
    }
}

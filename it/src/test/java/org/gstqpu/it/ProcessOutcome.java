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
 * How a process ended and what it said. Immutable.
 *
 * @param exitCode exit status, -1 when {@code timedOut}
 * @param output everything it printed on standard output
 * @param standardError everything it printed as diagnostics
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

    /** Java reports a process that signal n killed with this number plus n. */
    private static final int KILLED_BY_SIGNAL = 128;

    private static final int LAST_SIGNAL = 64;

    /** What no run of ours may print, whatever its exit code. */
    private static final Pattern COMPLAINT = Pattern.compile(
            // GLib's own form of g_critical and g_warning, of whatever library.
            "(CRITICAL|WARNING|ERROR) \\*\\*:"
                    // Warnings and errors that the element logs, and element warnings that gst-launch prints.
                    + "| (WARN|ERROR) +qpuloopfilter |^WARNING: from element"
                    + "|" + GstEnvironment.VALIDATION_MESSAGE_PREFIX
                    // What GST_TRACERS=leaks reports when the process ends.
                    + "|object-(alive|refings), type-name=\\(string\\)[^%]"
                    // A crashed or unhappy JVM.
                    + "|A fatal error has been detected|^Exception in thread|^\\s+at [a-z]+(\\.\\w+)+\\("
                    + "|^WARNING: A (restricted|terminally deprecated) method|warning: \\[JNI\\]");

    /** Fails unless the process ended by itself with exit code 0. Returns itself. */
    ProcessOutcome requireSuccess() {
        if (timedOut || exitCode != 0) {
            throw new AssertionError(describe(timedOut ? "the process did not end" : "the process failed"));
        }
        return this;
    }

    /** Fails when the process printed a warning, a validation message, a leak or a crash. Returns itself. */
    ProcessOutcome requireNoComplaint() {
        List<String> complaints = complaints();
        if (!complaints.isEmpty()) {
            throw new AssertionError(describe(complaints.size() + " complaint(s), the first: "
                    + complaints.get(0).strip()));
        }
        return this;
    }

    /** Fails unless the process ended by itself, by no signal, with an exit code that says failure. Returns itself. */
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

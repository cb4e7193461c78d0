/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.cli;

import java.util.regex.Pattern;

/** Parts of messages, so that those that are put together read as if they were one sentence. Stateless. */
public final class Wording {
    /** Three of them mean that something goes on, and two are the name of a folder. */
    private static final Pattern STOP = Pattern.compile("(?<!\\.)\\.\\s*$");

    private static final Pattern LINES = Pattern.compile("(?:(?<!\\.)\\.)?\\s*\\R\\s*");

    /** What moves a terminal's cursor, or worse; but for tabs. */
    private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\t]]");

    private Wording() {}

    /** A number of things: "1 picture", "2 pictures"; the plural has an s. */
    public static String counted(long number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }

    /** What a library said, without the full stop at its end: more words follow. */
    public static String unstopped(String sentence) {
        return STOP.matcher(sentence).replaceFirst("");
    }

    /** The lines of a text as one, with semicolons between them, and question marks in place of control characters. */
    public static String oneLine(String text) {
        return CONTROL.matcher(LINES.matcher(text.strip()).replaceAll("; ")).replaceAll("?");
    }
}

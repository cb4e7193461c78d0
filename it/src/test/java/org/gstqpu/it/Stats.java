/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.it;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The element's {@code stats} as a test program printed them.
 *
 * @param fields every field's type and value as GStreamer writes them, by name
 */
record Stats(Map<String, Field> fields) {
    private static final Pattern FIELD =
            Pattern.compile(", ([\\w-]+)=\\(([\\w-]+)\\)(\"(?:[^\"\\\\]|\\\\.)*\"|[^,;\"]*)");

    /** One field; {@code value} without quotes. */
    record Field(String type, String value) {}

    /** The statistics of each line that starts with "stats". */
    static List<Stats> of(List<String> lines) {
        return lines.stream().map(Stats::parse).toList();
    }

    private static Stats parse(String line) {
        if (!line.matches("stats qpu(loopfilter|meter)-stats,.*")) {
            throw new AssertionError("not an element's statistics: " + line);
        }
        Map<String, Field> fields = new TreeMap<>();
        Matcher matcher = FIELD.matcher(line);
        while (matcher.find()) {
            String value = matcher.group(3).replaceAll("^\"|\"$", "").replaceAll("\\\\(.)", "$1");
            fields.put(matcher.group(1), new Field(matcher.group(2), value));
        }
        return new Stats(fields);
    }

    String substrate() {
        return text("substrate");
    }

    String device() {
        return text("device");
    }

    long frames() {
        return number("frames");
    }

    long submits() {
        return number("submits");
    }

    long number(String field) {
        return Long.parseLong(text(field));
    }

    String text(String field) {
        Field found = fields.get(field);
        if (found == null) {
            throw new AssertionError("no field " + field + " in " + fields);
        }
        return found.value();
    }
}

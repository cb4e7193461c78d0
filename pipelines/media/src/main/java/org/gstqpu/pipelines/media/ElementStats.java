/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The element's statistics: its property {@code stats}, which it also writes to the log category {@code qpuloopfilter} at level
 * INFO when it stops. Immutable.
 *
 * @param texts the fields that are strings, such as {@code substrate}
 * @param numbers the fields that are numbers
 */
public record ElementStats(Map<String, String> texts, Map<String, Long> numbers) {
    private static final String NAME = "qpuloopfilter-stats";
    private static final Pattern FIELD =
            Pattern.compile("([a-z-]+)=\\((string|g?u?int64)\\)(\"(?:[^\"\\\\]|\\\\.)*\"|[^,;\\s]+)");

    public ElementStats {
        texts = Map.copyOf(texts);
        numbers = Map.copyOf(numbers);
    }

    /**
     * Finds the last line of statistics in a log.
     *
     * @return empty if there is no such line, or if it lacks a field that the commands need
     */
    public static Optional<ElementStats> find(String log) {
        int start = log.lastIndexOf(NAME);
        if (start < 0) {
            return Optional.empty();
        }
        Map<String, String> texts = new HashMap<>();
        Map<String, Long> numbers = new HashMap<>();
        Matcher matcher = FIELD.matcher(log.substring(start).lines().findFirst().orElse(""));
        try {
            while (matcher.find()) {
                if (matcher.group(2).equals("string")) {
                    texts.put(matcher.group(1), unquoted(matcher.group(3)));
                } else {
                    numbers.put(matcher.group(1), Long.parseLong(matcher.group(3)));
                }
            }
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        boolean whole = texts.keySet().containsAll(List.of("substrate", "device"))
                && numbers.keySet().containsAll(List.of("frames", "submits", "bytes-copied"));
        return whole ? Optional.of(new ElementStats(texts, numbers)) : Optional.empty();
    }

    /** The substrate that the element ran on. */
    public String substrate() {
        return texts.get("substrate");
    }

    /** The name of the device that the element ran on. */
    public String device() {
        return texts.get("device");
    }

    /**
     * Whether pictures were filtered less so that they come in time, in words, such as {@code 12 pictures late, 310 filtered less; now
     * step 1 of 4: late by 8 ms}. Empty if none was late.
     *
     * @throws IllegalArgumentException when the statistics lack a field of it
     */
    public Optional<String> lateness() {
        if (number("frames-late") == 0) {
            return Optional.empty();
        }
        long less = number("frames-without-time")
                + number("frames-fewer-shifts")
                + number("frames-without-shrinkage")
                + number("frames-without-cdef")
                + number("frames-without-deblock");
        return Optional.of(number("frames-late") + " pictures late, " + less + " filtered less; now step "
                + number("degrade-step") + " of " + number("degrade-steps") + ": " + text("degrade-reason"));
    }

    /** The number of pictures that were filtered. */
    public long frames() {
        return number("frames");
    }

    /** The number of submissions to the Vulkan queue. */
    public long submits() {
        return number("submits");
    }

    /** The number of bytes that were copied only to bring pictures to the device and back. */
    public long bytesCopied() {
        return number("bytes-copied");
    }

    /**
     * Returns a field that is a string.
     *
     * @throws IllegalArgumentException when there is no such field
     */
    String text(String field) {
        String text = texts.get(field);
        if (text == null) {
            throw new IllegalArgumentException("no field " + field + " in " + texts.keySet());
        }
        return text;
    }

    /**
     * Returns a numeric field.
     *
     * @throws IllegalArgumentException when there is no such field
     */
    public long number(String field) {
        Long number = numbers.get(field);
        if (number == null) {
            throw new IllegalArgumentException("no field " + field + " in " + numbers.keySet());
        }
        return number;
    }

    /** Unquotes a string as GstStructure writes it: in double quotes, with a backslash before every special character. */
    private static String unquoted(String value) {
        if (!value.startsWith("\"")) {
            return value;
        }
        return value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1");
    }
}

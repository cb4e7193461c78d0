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
 * What the element says it did, in its property {@code stats} and, when it stops, in the log category {@code
 * qpuloopfilter} at level INFO. Immutable.
 *
 * @param texts what it ran on
 * @param numbers what it counted
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
     * @return empty when there is none, or when a field is missing that others rely on
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

    /** What it ran on. */
    public String substrate() {
        return texts.get("substrate");
    }

    /** The device's name. */
    public String device() {
        return texts.get("device");
    }

    /** Pictures filtered. */
    public long frames() {
        return number("frames");
    }

    /** Vulkan queue submissions. */
    public long submits() {
        return number("submits");
    }

    /** Bytes copied only to bring pictures to the device and back. */
    public long bytesCopied() {
        return number("bytes-copied");
    }

    /**
     * One of the numbers.
     *
     * @throws IllegalArgumentException when it is not there
     */
    public long number(String field) {
        Long number = numbers.get(field);
        if (number == null) {
            throw new IllegalArgumentException("no field " + field + " in " + numbers.keySet());
        }
        return number;
    }

    /** By how much a number has grown since. */
    public long since(ElementStats earlier, String field) {
        return number(field) - earlier.number(field);
    }

    /** Undoes how a GstStructure writes strings: in double quotes, with a backslash before every special character. */
    private static String unquoted(String value) {
        if (!value.startsWith("\"")) {
            return value;
        }
        return value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1");
    }
}

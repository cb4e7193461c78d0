/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time in a stream, as a command line says it: seconds, or {@code [HH:]MM:SS}, with or without decimals, as ffmpeg takes them.
 * Immutable.
 *
 * @param text the time as it was said
 * @param nanos nanoseconds from the beginning of the stream, 0 or more
 */
record StreamTime(String text, long nanos) {
    private static final Pattern CLOCK = Pattern.compile("(?:(\\d{1,3}):)?([0-5]?\\d):([0-5]?\\d(?:\\.\\d{1,9})?)");
    private static final Pattern SECONDS = Pattern.compile("\\d{1,6}(?:\\.\\d{1,9})?");

    /** @throws TypeConversionException when the text is no time */
    static StreamTime of(String text) {
        if (SECONDS.matcher(text).matches()) {
            return new StreamTime(text, nanos(0, text));
        }
        Matcher clock = CLOCK.matcher(text);
        if (!clock.matches()) {
            throw new TypeConversionException(
                    "'" + text + "' is no time: write seconds or [HH:]MM:SS, such as 90.5 or 1:30.5");
        }
        long hours = clock.group(1) == null ? 0 : Long.parseLong(clock.group(1));
        return new StreamTime(text, nanos(60 * hours + Long.parseLong(clock.group(2)), clock.group(3)));
    }

    private static long nanos(long minutes, String seconds) {
        return new BigDecimal(seconds)
                .add(BigDecimal.valueOf(60 * minutes))
                .movePointRight(9)
                .longValueExact();
    }

    /** Lets picocli read a time. */
    static final class Converter implements ITypeConverter<StreamTime> {
        @Override
        public StreamTime convert(String value) {
            return of(value);
        }
    }
}

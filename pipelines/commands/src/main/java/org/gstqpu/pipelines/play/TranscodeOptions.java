/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say how video is transcoded. Filled by picocli. */
public final class TranscodeOptions {
    @Option(
            names = "--as",
            paramLabel = "NAME",
            defaultValue = "transcode",
            description = "the ready pipeline to use; qpu list shows them (default: ${DEFAULT-VALUE})")
    private String name;

    @Option(
            names = "--encoder",
            paramLabel = "NAME",
            description =
                    "a format (h264, h265, vp9, vp8, av1, mpeg4) or an element of GStreamer, which may have properties: 'x264enc"
                            + " speed-preset=fast' (default: the first that works)")
    private String encoder;

    @ArgGroup
    private Aim aim = new Aim();

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description =
                    "set a property of the element, such as quality=fast; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    /** The settings that were asked for. */
    public TranscodeSettings settings() {
        return new TranscodeSettings(name, encoder, aim.quality, aim.bitrate, properties);
    }

    /** What the encoder is to keep to. */
    private static final class Aim {
        @Option(
                names = "--quality",
                paramLabel = "CRF",
                description = "the quality, from 1 (best) to 50, as x264 counts it (default: 21)")
        private Integer quality;

        @Option(
                names = "--bitrate",
                paramLabel = "BITS",
                converter = BitRate.class,
                description = "an average number of bits each second instead of a quality, such as 800k or 2.5M")
        private Long bitrate;
    }

    /** Lets picocli read a number of bits. */
    static final class BitRate implements ITypeConverter<Long> {
        private static final Pattern NUMBER = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,6})?)([kM]?)");
        private static final long LEAST = 10_000;
        private static final long MOST = 1_000_000_000;

        @Override
        public Long convert(String value) {
            Matcher number = NUMBER.matcher(value);
            if (number.matches()) {
                int digits = switch (number.group(2)) {
                    case "k" -> 3;
                    case "M" -> 6;
                    default -> 0;
                };
                long bits =
                        new BigDecimal(number.group(1)).movePointRight(digits).longValue();
                if (bits >= LEAST && bits <= MOST) {
                    return bits;
                }
            }
            throw new TypeConversionException(
                    "'" + value + "' is no bit rate: write bits each second, from 10k to 1000M, such as 800k or 2.5M");
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unusable;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.gstqpu.pipelines.cli.CommandFailedException;
import org.gstqpu.pipelines.media.ElementSettings;

/**
 * How video is transcoded, as a command line or a plan says it. The components are field names of JSON. Immutable.
 *
 * @param as name of the ready pipeline
 * @param encoder a format or an element, which may have properties after it; null for the best that works
 * @param quality CRF as x264 counts it; null for the default
 * @param bitrate bits each second; null for a constant quality
 * @param set properties of the element, by name, in their order
 */
public record TranscodeSettings(String as, String encoder, Integer quality, Long bitrate, Map<String, String> set) {
    /** Neither {@code !} nor a second element: a value that has blanks is in quotes. */
    private static final Pattern ENCODER =
            Pattern.compile("[A-Za-z0-9_-]+(\\s+[A-Za-z0-9_-]+=(\"[^\"!\\\\]*\"|'[^'!\\\\]*'|[^\\s\"'!\\\\()]+))*");

    public TranscodeSettings {
        set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    }

    /** The same with one more property of the element. */
    public TranscodeSettings with(String property, String value) {
        Map<String, String> more = new LinkedHashMap<>(set);
        more.put(property, value);
        return new TranscodeSettings(as, encoder, quality, bitrate, more);
    }

    /**
     * Checks what can be checked without an input and without GStreamer. A plan may come from anyone: nothing of these texts is a part
     * of a pipeline but the names and properties that they should be.
     *
     * @throws CommandFailedException when they are not
     */
    public void check() {
        if (as == null || !as.matches("[a-z0-9-]+")) {
            throw unusable("--as takes the name of a ready pipeline: qpu list shows them");
        }
        if (encoder != null && !ENCODER.matcher(encoder.strip()).matches()) {
            throw unusable(
                    "--encoder takes a format, or an element with its own properties after it and nothing else, as in"
                            + " --encoder 'x264enc speed-preset=slow'");
        }
        if (quality != null && (quality < VideoEncoder.BEST_QUALITY || quality > VideoEncoder.WORST_QUALITY)) {
            throw unusable("--quality " + quality + ": it is from " + VideoEncoder.BEST_QUALITY + " (best) to "
                    + VideoEncoder.WORST_QUALITY);
        }
        if (bitrate != null && bitrate < 1) {
            throw unusable("--bitrate " + bitrate + ": it is 1 or more bits each second");
        }
        ElementSettings.check(set);
    }

    /** Whether something is asked of the encoder. */
    boolean asksOfEncoder() {
        return encoder != null || quality != null || bitrate != null;
    }
}

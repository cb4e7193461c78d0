/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

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
    public TranscodeSettings {
        set = Collections.unmodifiableMap(new LinkedHashMap<>(set));
    }

    /** The same with one more property of the element. */
    public TranscodeSettings with(String property, String value) {
        Map<String, String> more = new LinkedHashMap<>(set);
        more.put(property, value);
        return new TranscodeSettings(as, encoder, quality, bitrate, more);
    }

    /** Whether something is asked of the encoder. */
    boolean asksOfEncoder() {
        return encoder != null || quality != null || bitrate != null;
    }
}

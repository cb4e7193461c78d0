/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.function.IntFunction;

/** An element that encodes sound, with the quality or the bit rate that it is asked for. */
// Its functions keep no state.
@SuppressWarnings("ImmutableEnumChecker")
enum SoundEncoder {
    OPUS("opusenc", "gstreamer1.0-plugins-base", channels -> "bitrate=" + 64_000 * channels, "opusparse"),
    AAC("avenc_aac", "gstreamer1.0-libav", channels -> "bitrate=" + 80_000 * channels, "aacparse"),
    FREE_AAC(
            "voaacenc",
            "gstreamer1.0-plugins-bad",
            channels -> "bitrate=" + 80_000 * Math.min(channels, 2),
            "aacparse"),
    VORBIS("vorbisenc", "gstreamer1.0-plugins-base", channels -> "quality=0.5", ""),
    FLAC("flacenc", "gstreamer1.0-plugins-good", channels -> "quality=5", ""),
    /** Its variable bit rate 2, some 190 kbit/s. */
    MP3("lamemp3enc", "gstreamer1.0-plugins-good", channels -> "target=quality quality=2", "mpegaudioparse"),
    AC3("avenc_ac3", "gstreamer1.0-libav", channels -> "bitrate=" + (channels > 2 ? 448_000 : 192_000), "ac3parse"),
    /** Not coded, but in samples that every player of AVI knows. */
    PCM("capsfilter", "libgstreamer1.0-0", channels -> "caps=audio/x-raw,format=S16LE,layout=interleaved", "");

    private final String element;
    private final String debianPackage;
    private final IntFunction<String> properties;
    private final String parser;

    SoundEncoder(String element, String debianPackage, IntFunction<String> properties, String parser) {
        this.element = element;
        this.debianPackage = debianPackage;
        this.properties = properties;
        this.parser = parser;
    }

    String debianPackage() {
        return debianPackage;
    }

    boolean isInstalled() {
        return GStreamer.has(element);
    }

    /** The element's name, as a report says it. */
    String element() {
        return this == PCM ? "nothing (PCM)" : element;
    }

    /** The encoder as a part of a description, for sound of so many channels. */
    String description(int channels) {
        return element + " " + properties.apply(channels)
                + (parser.isEmpty() || !GStreamer.has(parser) ? "" : " ! " + parser);
    }
}

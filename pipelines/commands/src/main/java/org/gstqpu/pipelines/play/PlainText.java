/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import com.sun.jna.Callback;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.glib.Natives;

/**
 * Takes Pango's markup out of the subtitles that pass a pad. Matroska's reader gives subtitles as markup, and muxers take only plain
 * text. The buffers of the pad are replaced by others with the same times. The caller keeps this object as long as data flows.
 * GStreamer's threads call it.
 */
final class PlainText {
    private static final NativeLibrary GST = NativeLibrary.getInstance("gstreamer-1.0");

    /** GST_PAD_PROBE_TYPE_BUFFER and GST_PAD_PROBE_OK. */
    private static final int BUFFERS = 1 << 4;

    private static final int OK = 1;

    /** Place of the buffer in a GstPadProbeInfo, after a type of 4 bytes and an identifier of 8. */
    private static final int DATA = 16;

    /** GST_BUFFER_COPY_FLAGS and GST_BUFFER_COPY_TIMESTAMPS. */
    private static final int METADATA = 1 | 1 << 1;

    private static final Pattern TAG = Pattern.compile("</?[a-zA-Z]+(?:\\s[^<>]*)?>");
    private static final Pattern ENTITY =
            Pattern.compile("&(?:(amp|lt|gt|quot|apos)|#(\\d{1,7})|#x([0-9a-fA-F]{1,6}));");
    private static final Map<String, String> ENTITIES =
            Map.of("amp", "&", "lt", "<", "gt", ">", "quot", "\"", "apos", "'");

    private final boolean keepsTags;

    private final Probe probe = (pad, information, user) -> {
        replace(information);
        return OK;
    };

    /** @param keepsTags whether tags such as {@code <i>} stay, as subtitles of SubRip have them, and only entities are replaced */
    PlainText(boolean keepsTags) {
        this.keepsTags = keepsTags;
    }

    /** GstPadProbeCallback. */
    private interface Probe extends Callback {
        // GStreamer calls it.
        @SuppressWarnings("UnusedMethod")
        int passes(Pointer pad, Pointer information, Pointer user);
    }

    /** Begins to replace the buffers of a pad. */
    void applyTo(Pad pad) {
        GST.getFunction("gst_pad_add_probe")
                .invokeLong(new Object[] {Natives.getRawPointer(pad), BUFFERS, probe, Pointer.NULL, Pointer.NULL});
    }

    private void replace(Pointer information) {
        Pointer old = information.getPointer(DATA);
        byte[] bytes =
                new byte[Math.toIntExact(GST.getFunction("gst_buffer_get_size").invokeLong(new Object[] {old}))];
        GST.getFunction("gst_buffer_extract").invokeLong(new Object[] {old, 0L, bytes, (long) bytes.length});
        byte[] plain = of(new String(bytes, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
        Pointer fresh = GST.getFunction("gst_buffer_new_allocate")
                .invokePointer(new Object[] {Pointer.NULL, (long) plain.length, Pointer.NULL});
        GST.getFunction("gst_buffer_fill").invokeLong(new Object[] {fresh, 0L, plain, (long) plain.length});
        GST.getFunction("gst_buffer_copy_into").invokeInt(new Object[] {fresh, old, METADATA, 0L, -1L});
        information.setPointer(DATA, fresh);
        GST.getFunction("gst_mini_object_unref").invokeVoid(new Object[] {old});
    }

    /** The text without markup. */
    String of(String markup) {
        String text = keepsTags ? markup : TAG.matcher(markup).replaceAll("");
        return ENTITY.matcher(text).replaceAll(entity -> Matcher.quoteReplacement(character(entity)));
    }

    private static String character(MatchResult entity) {
        if (entity.group(1) != null) {
            return ENTITIES.get(entity.group(1));
        }
        int code = entity.group(2) != null ? Integer.parseInt(entity.group(2)) : Integer.parseInt(entity.group(3), 16);
        return Character.isValidCodePoint(code) ? Character.toString(code) : entity.group();
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import com.sun.jna.Pointer;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.freedesktop.gstreamer.Bin;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.StateChangeReturn;
import org.freedesktop.gstreamer.lowlevel.GlibAPI;
import org.freedesktop.gstreamer.lowlevel.GstAPI;
import org.freedesktop.gstreamer.lowlevel.GstParseAPI;
import org.gstqpu.pipelines.cli.CommandFailedException;

/**
 * Makes elements of a description such as {@code gst-launch-1.0} takes. Replaces {@code Gst.parseLaunch}, which in gst1-java-core
 * 1.4.0 reads a GError after it has freed it. Any thread, after {@link GStreamer#start}.
 */
final class LaunchLine {
    private static final Pattern NO_PROPERTY = Pattern.compile("no property \".*\" in element \"(.*)\"");

    private LaunchLine() {}

    /** Makes one element, or a pipeline of several. {@code failure} makes an exception of GStreamer's message about a mistake. */
    static Element parse(String description, Function<String, CommandFailedException> failure) {
        Pointer[] mistake = {null};
        return checked(GstParseAPI.GSTPARSE_API.gst_parse_launch(description, mistake), mistake[0], failure);
    }

    /** Makes a bin that has the unlinked pads of its elements as its own. {@code failure} is as in {@link #parse}. */
    static Bin parseBin(String description, Function<String, CommandFailedException> failure) {
        Pointer[] mistake = {null};
        return checked(
                GstParseAPI.GSTPARSE_API.gst_parse_bin_from_description(description, true, mistake),
                mistake[0],
                failure);
    }

    /** Whether the element of a description is installed and can begin to run here, with all that it reads then. */
    static boolean starts(String description) {
        if (!GStreamer.has(description.split(" ", 2)[0])) {
            return false;
        }
        Element element = parse(description, CommandFailedException::problem);
        boolean started = element.pause() != StateChangeReturn.FAILURE;
        element.stop();
        element.close();
        return started;
    }

    private static <E extends Element> E checked(
            E parsed, Pointer mistake, Function<String, CommandFailedException> failure) {
        if (mistake == null) {
            return parsed;
        }
        GstAPI.GErrorStruct error = new GstAPI.GErrorStruct(mistake);
        error.read();
        String message = error.getMessage();
        GlibAPI.GLIB_API.g_error_free(mistake);
        if (parsed != null) {
            parsed.close();
        }
        Matcher property = NO_PROPERTY.matcher(message);
        throw failure.apply(
                property.matches()
                        ? message + "; gst-inspect-1.0 " + property.group(1) + " lists those that it has"
                        : message);
    }
}

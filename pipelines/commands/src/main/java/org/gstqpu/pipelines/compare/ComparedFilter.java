/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.compare;

import static org.gstqpu.pipelines.cli.ChildProcess.words;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.FilterPipe;

/**
 * A filter of a comparison. Immutable.
 *
 * @param name the name in the report, as a user would write the filter
 * @param pipe the program that runs the filter
 */
record ComparedFilter(String name, FilterPipe pipe) {
    /** The quantisers to try with a filter that {@link #isWithoutQuantiser}. */
    static final List<Integer> QUANTISERS = List.of(2, 4, 6, 8, 12, 16, 20, 26, 32);

    /** Filters that need a quantiser. Group 1 is the name; group 2 is the options, if there are any. */
    private static final Pattern BY_QUANTISER = Pattern.compile("(f?spp)(?:=(.*))?");

    /**
     * The element, in a pipeline of gst-launch-1.0.
     *
     * @param log file for the log, in which the element writes its statistics
     */
    static ComparedFilter element(
            Installation installation, Optional<String> substrate, Map<String, String> properties, String log) {
        List<String> element = new ArrayList<>(List.of("qpuloopfilter"));
        substrate.ifPresent(name -> element.add("substrate=" + name));
        properties.forEach((property, value) -> element.add(property + "=" + value));
        List<String> command = new ArrayList<>(words("gst-launch-1.0 -q fdsrc fd=0 ! y4mdec !"));
        command.addAll(element);
        command.addAll(words("! fdsink fd=1 sync=false"));
        Map<String, String> environment = new HashMap<>(installation.environment());
        environment.put("GST_DEBUG", "qpuloopfilter:4");
        environment.put("GST_DEBUG_NO_COLOR", "1");
        environment.put("GST_DEBUG_FILE", log);
        return new ComparedFilter(
                String.join(" ", element), new FilterPipe(command, environment, FilterPipe.Output.GSTREAMER));
    }

    /**
     * A filter of ffmpeg.
     *
     * @param filter as {@code -vf} takes it
     */
    static ComparedFilter ffmpeg(String filter) {
        int threads = Runtime.getRuntime().availableProcessors();
        List<String> command = words(
                "ffmpeg -hide_banner -loglevel error -f yuv4mpegpipe -i pipe:0 -filter_threads %s -threads %s"
                        + " -fps_mode passthrough -vf %s -pix_fmt yuv420p -f yuv4mpegpipe pipe:1",
                threads, threads, filter);
        return new ComparedFilter(filter, new FilterPipe(command, Map.of(), FilterPipe.Output.YUV4MPEG2));
    }

    /**
     * Whether a filter of ffmpeg needs a quantiser and its options set none (or 0, which means the decoder's). Such a filter
     * leaves pictures from a pipe unchanged, because they come without a quantiser.
     */
    static boolean isWithoutQuantiser(String filter) {
        Matcher matcher = BY_QUANTISER.matcher(filter);
        return matcher.matches()
                && quantisers(options(matcher))
                        .allMatch(option -> option.replaceFirst("qp=", "").equals("0"));
    }

    /** Adds a quantiser to a filter that {@link #isWithoutQuantiser}, and quality 4 if the filter has no options. */
    static ComparedFilter withQuantiser(String filter, int quantiser) {
        Matcher matcher = BY_QUANTISER.matcher(filter);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(filter + " takes no quantiser");
        }
        List<String> options = new ArrayList<>(options(matcher));
        options.removeAll(quantisers(options).toList());
        if (options.isEmpty()) {
            options.add("4");
        }
        options.add("qp=" + quantiser);
        return ffmpeg(matcher.group(1) + "=" + String.join(":", options));
    }

    private static List<String> options(Matcher matcher) {
        return matcher.group(2) == null ? List.of() : List.of(matcher.group(2).split(":"));
    }

    /** The options that set the quantiser: {@code qp}, or the second option without a name. */
    private static Stream<String> quantisers(List<String> options) {
        Optional<String> second = options.stream()
                .takeWhile(option -> !option.contains("="))
                .skip(1)
                .findFirst();
        return Stream.concat(second.stream(), options.stream().filter(option -> option.startsWith("qp=")));
    }
}

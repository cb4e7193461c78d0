/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.ChildProcess.words;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.gstqpu.pipelines.cli.ChildProcess;

/**
 * Looks for an element that shows pictures on this machine. Each candidate shows one small picture in a process of its own first:
 * that an element is installed does not say that it works, and some crash where there is no display, or no GL. After
 * {@link GStreamer#start}; any thread.
 */
public final class VideoSinks {
    /** The element in ready pipelines that stands for any that opens a window. */
    static final String WINDOW = "autovideosink";

    /** How long a sink may take for a picture. One that waits for a display that does not answer takes for ever. */
    private static final long LIMIT_SECONDS = 5;

    /** The status of {@code timeout} when it ends a program. */
    private static final int TIMED_OUT = 124;

    /** What Java's Process adds to the number of the signal that ended a process. */
    private static final int SIGNAL = 128;

    /** Above it, a status is no signal: gst-launch-1.0 ends with 255 if a sink cannot be opened. */
    private static final int LAST_SIGNAL = 64;

    private static final String WAYLAND_SESSION = "WAYLAND_DISPLAY";
    private static final String X11_SESSION = "DISPLAY";
    private static final Path GRAPHICS = Path.of("/dev/dri");

    /**
     * What was found.
     *
     * @param sink the first element that works; empty if none does
     * @param finding the element, or why there is none
     * @param cure what to do if there is none
     */
    public record Found(Optional<String> sink, String finding, String cure) {}

    private record Candidate(String element, String debianPackage) {}

    private static final Candidate WAYLAND = new Candidate("waylandsink", "gstreamer1.0-plugins-bad");
    private static final Candidate GL = new Candidate("glimagesink", "gstreamer1.0-gl");
    private static final Candidate XVIDEO = new Candidate("xvimagesink", "gstreamer1.0-x");
    private static final Candidate X11 = new Candidate("ximagesink", "gstreamer1.0-x");
    private static final Candidate CONSOLE = new Candidate("kmssink", "gstreamer1.0-plugins-bad");

    private VideoSinks() {}

    /**
     * Looks for the best element that works in the session of this process: Wayland's, then X11's, or the console's where there
     * is no session.
     *
     * @param environment the environment variables, which name the session
     */
    public static Found find(Map<String, String> environment) {
        List<Candidate> candidates = candidates(environment);
        if (candidates.isEmpty()) {
            return new Found(
                    Optional.empty(),
                    "no display: neither WAYLAND_DISPLAY nor DISPLAY is set",
                    "run it in a desktop session; transcode and compare need no display");
        }
        List<String> installed = candidates.stream()
                .map(Candidate::element)
                .filter(GStreamer::has)
                .toList();
        List<String> failures = new ArrayList<>();
        // The first one works on most machines. The others are tried at once: a display that does not answer holds up
        // each.
        for (List<String> tried : List.of(
                installed.subList(0, Math.min(1, installed.size())),
                installed.subList(Math.min(1, installed.size()), installed.size()))) {
            List<CompletableFuture<Optional<String>>> trials = tried.stream()
                    .map(sink -> CompletableFuture.supplyAsync(() -> failure(sink, environment)))
                    .toList();
            for (int i = 0; i < tried.size(); i++) {
                Optional<String> failure = trials.get(i).join();
                if (failure.isEmpty()) {
                    return new Found(Optional.of(tried.get(i)), tried.get(i), "");
                }
                failures.add(tried.get(i) + " " + failure.get());
            }
        }
        String packages = candidates.stream()
                .filter(candidate -> !GStreamer.has(candidate.element))
                .map(Candidate::debianPackage)
                .distinct()
                .collect(Collectors.joining(" "));
        return new Found(
                Optional.empty(),
                failures.isEmpty()
                        ? "no element is installed that shows pictures"
                        : "no element shows pictures: " + String.join("; ", failures),
                packages.isEmpty()
                        ? "see that the display of DISPLAY or WAYLAND_DISPLAY is there, and that this user may use it"
                        : "apt install " + packages);
    }

    private static List<Candidate> candidates(Map<String, String> environment) {
        List<Candidate> all = new ArrayList<>();
        boolean wayland = isSet(environment, WAYLAND_SESSION);
        boolean x11 = isSet(environment, X11_SESSION);
        if (wayland) {
            all.add(WAYLAND);
        }
        if (x11) {
            all.add(XVIDEO);
        }
        if (wayland || x11) {
            all.add(GL);
        }
        if (x11) {
            all.add(X11);
        }
        if (all.isEmpty() && Files.isDirectory(GRAPHICS)) {
            all.add(CONSOLE);
        }
        return all;
    }

    private static boolean isSet(Map<String, String> environment, String variable) {
        return !environment.getOrDefault(variable, "").isEmpty();
    }

    /** Why this element shows no picture; empty if it does. */
    private static Optional<String> failure(String element, Map<String, String> environment) {
        ChildProcess show = new ChildProcess(
                words(
                        "timeout %s gst-launch-1.0 -q videotestsrc num-buffers=1 pattern=black"
                                + " ! video/x-raw,width=16,height=16 ! videoconvert ! %s",
                        LIMIT_SECONDS, element),
                Map.of(
                        WAYLAND_SESSION, environment.getOrDefault(WAYLAND_SESSION, ""),
                        X11_SESSION, environment.getOrDefault(X11_SESSION, "")));
        Optional<ChildProcess.Result> result = show.run(2 * LIMIT_SECONDS);
        if (result.isEmpty()) {
            return Optional.of("cannot be tried without gst-launch-1.0 (apt install gstreamer1.0-tools)");
        }
        int status = result.get().status();
        if (status == 0) {
            return Optional.empty();
        }
        if (status > SIGNAL && status <= SIGNAL + LAST_SIGNAL) {
            return Optional.of("crashes (signal " + (status - SIGNAL) + ")");
        }
        return Optional.of(result.get()
                .output()
                .lines()
                .filter(line -> line.startsWith("ERROR"))
                .map(line -> line.substring(line.lastIndexOf(": ") + 2))
                .findFirst()
                .orElse(status == TIMED_OUT ? "shows nothing within " + LIMIT_SECONDS + " s" : "cannot be opened"));
    }
}

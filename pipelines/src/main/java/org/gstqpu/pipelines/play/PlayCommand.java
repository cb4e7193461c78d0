/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.freedesktop.gstreamer.Element;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementStats;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * The command {@code qpu play}: shows a ready pipeline in a window. Keys change the element while it plays. Lives on the main
 * thread.
 */
@Command(
        name = "play",
        description = {
            "Plays a file, an address or a camera through the filter in a window.",
            "Keys change the filter while it plays:%n" + PlayCommand.KEYS
        })
public final class PlayCommand implements Callable<Integer> {
    /** The help for the keys. Its lines fit a terminal of 80 columns. */
    static final String KEYS = "  f  filter on or off      s  split view on or off      space  pause%n"
            + "  d  deblocking on or off  +  stronger                  q      quit%n"
            + "  c  CDEF on or off        -  weaker                    h      these keys%n"
            + "  r  shrinkage on or off   i  what runs, how strongly, and why";

    /** The properties that switch the filters. */
    private static final List<String> SWITCHES = List.of("deblock", "cdef", "shrinkage");

    private static final double STRONGEST = 2;

    /** By how much a key changes the property {@code strength}. */
    private static final double STRENGTH_STEP = 0.25;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FILE|ADDRESS|DEVICE", description = "the file, address or camera device to play")
    private String input;

    @Option(
            names = "--as",
            paramLabel = "NAME",
            defaultValue = "play",
            description = "the ready pipeline to use; qpu list shows them (default: ${DEFAULT-VALUE})")
    private String name;

    @Option(
            names = "--sink",
            paramLabel = "SINK",
            description =
                    "the GStreamer element that shows the pictures, with its properties, such as kmssink (default: the"
                            + " pipeline's)")
    private Optional<String> sink;

    @Option(
            names = "--audio-sink",
            paramLabel = "SINK",
            description = "the GStreamer element that plays the sound (default: autoaudiosink)")
    private Optional<String> audioSink;

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description =
                    "set a property of the element, such as quality=fast; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    private PrintWriter out;

    @Override
    public Integer call() throws InterruptedException {
        out = spec.commandLine().getOut();
        Installation installation = Installation.current();
        ReadyPipeline ready = ReadyPipeline.named(installation, name, false);
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("INPUT", PlayedPipeline.address(input));
        sink.ifPresent(element -> variables.put("SINK", element));
        audioSink.ifPresent(element -> variables.put("AUDIO_SINK", element));
        GStreamer.start(installation);
        try (PlayedPipeline played = PlayedPipeline.start(ready, variables, properties)) {
            if (played.awaitPlaying()) {
                play(played);
            }
            played.checkFailure();
            played.stats().ifPresent(this::sayStats);
        }
        return ExitStatus.OK;
    }

    private void play(PlayedPipeline played) throws InterruptedException {
        TerminalMode terminal = TerminalMode.singleKeys();
        try {
            Thread keys = new Thread(() -> readKeys(played), "keys");
            keys.setDaemon(true);
            keys.start();
            played.awaitEnd(Long.MAX_VALUE);
        } finally {
            terminal.close();
        }
    }

    private void readKeys(PlayedPipeline played) {
        try {
            for (int key = System.in.read(); key >= 0; key = System.in.read()) {
                press((char) key, played, played.filter().orElseThrow());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the keys cannot be read", e);
        }
    }

    private void press(char key, PlayedPipeline played, Element filter) {
        switch (key) {
            case 'q' -> played.quit();
            case ' ' -> {
                if (played.isPaused()) {
                    played.resume();
                } else {
                    played.pause();
                }
            }
            case 'f' -> {
                boolean on = SWITCHES.stream().noneMatch(property -> isOn(filter, property));
                SWITCHES.forEach(property -> set(filter, property, on));
            }
            case 'd' -> set(filter, "deblock", !isOn(filter, "deblock"));
            case 'c' -> set(filter, "cdef", !isOn(filter, "cdef"));
            case 'r' -> set(filter, "shrinkage", !isOn(filter, "shrinkage"));
            case 's' -> set(filter, "split-view", ((Number) filter.get("split-view")).doubleValue() > 0 ? 0.0 : 0.5);
            case '+' -> strengthen(filter, STRENGTH_STEP);
            case '-' -> strengthen(filter, -STRENGTH_STEP);
            case 'i' -> played.stats().ifPresent(this::sayStats);
            case 'h' -> say(KEYS.formatted());
            default -> {
                if (!Character.isWhitespace(key)) {
                    say("no key '" + key + "'; h shows those that there are");
                }
            }
        }
    }

    private static boolean isOn(Element filter, String property) {
        return (Boolean) filter.get(property);
    }

    private void strengthen(Element filter, double by) {
        double strength = ((Number) filter.get("strength")).doubleValue() + by;
        set(filter, "strength", Math.max(0, Math.min(STRONGEST, strength)));
    }

    private void set(Element filter, String property, Object value) {
        filter.set(property, value);
        say(property + "=" + value);
    }

    private void sayStats(ElementStats stats) {
        say("%s pictures on %s (%s)".formatted(stats.frames(), stats.substrate(), stats.device()));
        say(stats.choice().runs());
        say(stats.choice().strengths());
        stats.lateness().ifPresent(this::say);
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}

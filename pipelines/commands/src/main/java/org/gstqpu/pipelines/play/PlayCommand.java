/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import static org.gstqpu.pipelines.cli.CommandFailedException.unavailable;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.freedesktop.gstreamer.Element;
import org.gstqpu.pipelines.cli.ExitStatus;
import org.gstqpu.pipelines.cli.Installation;
import org.gstqpu.pipelines.media.ElementChoice;
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
            "Keys change the filter while it plays, in the terminal and in the window:%n" + PlayCommand.KEYS
        })
public final class PlayCommand implements Callable<Integer> {
    /** The help for the keys. Its lines fit a terminal of 80 columns. */
    static final String KEYS = "  o  filter on or off      v  split view on or off      space  pause%n"
            + "  d  deblocking on or off  +  stronger                  left, right  10 s back, on%n"
            + "  c  CDEF on or off        -  weaker                    f      full screen%n"
            + "  r  shrinkage on or off   h  these keys                q      quit%n"
            + "  t  temporal fusion       i  what runs, how strongly, and why; in the picture too%n"
            + "The mouse moves the border of the split view.";

    /** How far an arrow key goes. */
    private static final long SEEK_SECONDS = 10;

    /** How often it is looked whether the pipeline has ended, and what the picture says of the filter. */
    private static final long LOOK_MILLIS = 250;

    /** The properties that switch the filters. */
    private static final List<String> SWITCHES = List.of("deblock", "cdef", "shrinkage");

    private static final double STRONGEST = 2;

    /** By how much a key changes the property {@code strength}. */
    private static final double STRENGTH_STEP = 0.25;

    /** Writes into the picture, where it is installed. */
    private static final String EXPLANATION = "timeoverlay name=" + PlayedPipeline.EXPLANATION
            + " silent=true halignment=left valignment=top line-alignment=left shaded-background=true";

    /** Draws a picture of two columns, white and black, at the border of the split view, where it is installed. */
    private static final String BORDER =
            "gdkpixbufoverlay name=" + PlayedPipeline.BORDER + " alpha=0 positioning-mode=pixels-absolute location=";

    /** The leftmost border of the split view that the mouse sets. */
    private static final double LEAST_SPLIT = 0.01;

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
                            + " pipeline's own; for a window, the first that works of those for Wayland, X11 and GL)")
    private Optional<String> sink;

    @Option(
            names = "--audio-sink",
            paramLabel = "SINK",
            description =
                    "the GStreamer element that plays the sound (default: autoaudiosink; none where there is neither a sound"
                            + " card nor a sound server)")
    private Optional<String> audioSink;

    @Option(
            names = "--set",
            paramLabel = "PROPERTY=VALUE",
            description =
                    "set a property of the element, such as quality=fast; may be repeated (default: no property is set)")
    private Map<String, String> properties = new LinkedHashMap<>();

    private PrintWriter out;

    /** Whether the picture says what runs. */
    private boolean explains;

    @Override
    public Integer call() throws InterruptedException {
        out = spec.commandLine().getOut();
        Installation installation = Installation.current();
        ReadyPipeline ready = ReadyPipeline.named(installation, name, false);
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("INPUT", ready.inputAddress(input));
        sink.ifPresent(element -> variables.put("SINK", element));
        audioSink.ifPresent(element -> variables.put("AUDIO_SINK", element));
        GStreamer.start(installation);
        String title = input.substring(input.lastIndexOf('/') + 1) + " - qpu";
        GStreamer.title(title);
        if (sink.isEmpty() && ready.elements().contains(VideoSinks.WINDOW)) {
            variables.put("SINK", window());
        }
        if (audioSink.isEmpty()
                && ready.elements().contains(SoundCards.ANY)
                && !SoundCards.mayBeHeard(System.getenv())) {
            say("sound is not played: there is neither a sound card nor a sound server here");
            variables.put("AUDIO_SINK", SoundCards.SILENT);
        }
        String overlay = Stream.of(
                        EXPLANATION,
                        BORDER
                                + ReadyPipeline.quoted(installation
                                        .pipelines()
                                        .resolve("border.png")
                                        .toString()))
                .filter(LaunchLine::starts)
                .collect(Collectors.joining(" ! "));
        if (!overlay.isEmpty()) {
            variables.put("OVERLAY", overlay);
        }
        try (PlayedPipeline played = PlayedPipeline.start(ready, variables, properties)) {
            if (played.awaitPlaying()) {
                played.title(title);
                play(played);
            }
            played.checkFailure();
            played.stats().ifPresent(this::sayStats);
        }
        return ExitStatus.OK;
    }

    /** An element that opens a window here. GStreamer's autovideosink takes what is installed, even if it crashes. */
    private static String window() {
        VideoSinks.Found found = VideoSinks.find(System.getenv());
        return found.sink()
                .orElseThrow(() -> unavailable(found.finding() + "; " + found.cure() + ", or name a sink with --sink"));
    }

    private void play(PlayedPipeline played) throws InterruptedException {
        Element filter = played.filter().orElseThrow();
        PlayerInput input = new PlayerInput();
        TerminalMode terminal = TerminalMode.singleKeys();
        try {
            input.readTerminal(System.in);
            input.watch(filter);
            played.border(splitView(filter));
            while (!played.awaitEnd(0)) {
                Optional<PlayerInput.Action> action = input.poll(LOOK_MILLIS);
                if (action.isPresent()) {
                    act(action.get(), played, filter);
                } else if (explains) {
                    played.explain(explanation(played));
                }
            }
        } finally {
            terminal.close();
        }
    }

    private void act(PlayerInput.Action action, PlayedPipeline played, Element filter) {
        if (!action.isMouse()) {
            press(action.key(), played, filter);
        } else if (splitView(filter) > 0) {
            // 0 would end the split view.
            split(Math.max(LEAST_SPLIT, action.across()), played, filter);
        }
    }

    private void press(String key, PlayedPipeline played, Element filter) {
        switch (key) {
            case "q" -> played.quit();
            case PlayerInput.SPACE -> {
                if (played.isPaused()) {
                    played.resume();
                } else {
                    played.pause();
                }
            }
            case PlayerInput.LEFT -> seek(played, -SEEK_SECONDS);
            case PlayerInput.RIGHT -> seek(played, SEEK_SECONDS);
            case "f" -> {
                if (!played.toggleFullScreen()) {
                    say("this window has no full screen of its own: your desktop's key for that does it");
                }
            }
            case "o" -> {
                boolean on = SWITCHES.stream().noneMatch(property -> isOn(filter, property));
                SWITCHES.forEach(property -> set(filter, property, on));
            }
            case "d" -> set(filter, "deblock", !isOn(filter, "deblock"));
            case "c" -> set(filter, "cdef", !isOn(filter, "cdef"));
            case "r" -> set(filter, "shrinkage", !isOn(filter, "shrinkage"));
            case "t" -> toggleTemporal(played, filter);
            case "v" -> say("split-view=" + split(splitView(filter) > 0 ? 0.0 : 0.5, played, filter));
            case "+" -> strengthen(filter, STRENGTH_STEP);
            case "-" -> strengthen(filter, -STRENGTH_STEP);
            case "i" -> {
                played.stats().ifPresent(this::sayStats);
                explains = !explains;
                played.explain(explains ? explanation(played) : "");
            }
            case "h" -> say(KEYS.formatted());
            default -> {
                // Keys such as Shift have long names; they are pressed on the way to others.
                if (key.length() == 1) {
                    say("no key '" + key + "'; h shows those that there are");
                }
            }
        }
    }

    private void seek(PlayedPipeline played, long seconds) {
        if (!played.seekBy(seconds)) {
            say("this input cannot be wound");
        }
    }

    private static String explanation(PlayedPipeline played) {
        return played.stats()
                .map(stats -> Stream.concat(
                                Stream.of(
                                        "on " + stats.substrate() + " (" + stats.device() + ")",
                                        ElementChoice.of(stats).runs(),
                                        ElementChoice.of(stats).strengths()),
                                stats.lateness().stream())
                        .collect(Collectors.joining("\n")))
                .orElse("");
    }

    private static double split(double across, PlayedPipeline played, Element filter) {
        filter.set("split-view", across);
        played.border(across);
        return across;
    }

    private static double splitView(Element filter) {
        return ((Number) filter.get("split-view")).doubleValue();
    }

    private static boolean isOn(Element filter, String property) {
        return (Boolean) filter.get(property);
    }

    private void toggleTemporal(PlayedPipeline played, Element filter) {
        boolean on = played.stats()
                .map(stats -> !ElementChoice.of(stats).temporal().equals("off"))
                .orElse(false);
        filter.set("temporal", on ? 0 : 1);
        say("temporal=" + (on ? "off" : "past"));
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
        say(ElementChoice.of(stats).runs());
        say(ElementChoice.of(stats).strengths());
        stats.lateness().ifPresent(this::say);
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}

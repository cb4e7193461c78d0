/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.freedesktop.gstreamer.Caps;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.event.Event;

/**
 * What someone does with a player: keys in the terminal, keys in its window, and the mouse in its window. The threads that hear of
 * it, of the terminal and of GStreamer, only queue it, so that none of them waits for the pipeline that it serves.
 */
final class PlayerInput {
    static final String LEFT = "Left";
    static final String RIGHT = "Right";
    static final String SPACE = "space";

    /** X11's and Wayland's names of keys that have a character. */
    private static final Map<String, String> CHARACTERS =
            Map.of("plus", "+", "equal", "+", "KP_Add", "+", "minus", "-", "KP_Subtract", "-", "Escape", "q");

    private static final int ESCAPE = 0x1b;

    /**
     * One thing that was done: a key, or the mouse at a place.
     *
     * @param key the character of a key, or {@link #LEFT}, {@link #RIGHT} or {@link #SPACE}; empty for the mouse
     * @param across where the mouse is while its button is held, from 0, the picture's left side, to 1
     */
    record Action(String key, double across) {
        boolean isMouse() {
            return key.isEmpty();
        }
    }

    private final BlockingQueue<Action> actions = new LinkedBlockingQueue<>();

    // GStreamer calls it only as long as something refers to it.
    private final Pad.EVENT_PROBE onEvent = this::hear;

    private volatile boolean held;

    /** Reads keys from a terminal until it ends, in a thread of its own that does not keep the process alive. */
    void readTerminal(InputStream terminal) {
        Thread keys = new Thread(() -> read(terminal), "keys");
        keys.setDaemon(true);
        keys.start();
    }

    private void read(InputStream terminal) {
        try {
            for (int key = terminal.read(); key >= 0; key = terminal.read()) {
                if (key == ESCAPE && terminal.available() > 0) {
                    readEscape(terminal);
                } else if (key == ' ') {
                    actions.add(new Action(SPACE, 0));
                } else if (!Character.isWhitespace(key)) {
                    actions.add(new Action(String.valueOf((char) key), 0));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("the keys cannot be read", e);
        }
    }

    /** Reads what a terminal sends for an arrow after the escape: {@code [C} or {@code OC} to the right, D to the left. */
    private void readEscape(InputStream terminal) throws IOException {
        terminal.read();
        switch (terminal.read()) {
            case 'C' -> actions.add(new Action(RIGHT, 0));
            case 'D' -> actions.add(new Action(LEFT, 0));
            default -> {
                // Other keys that send a sequence have no meaning here.
            }
        }
    }

    /** Hears of keys and the mouse in the window of the sink after an element: sinks send them upstream. */
    void watch(Element element) {
        element.getStaticPad("src").addEventProbe(onEvent);
    }

    private PadProbeReturn hear(Pad pad, Event event) {
        Structure what = event.getStructure();
        if (what != null && what.hasName("application/x-gst-navigation")) {
            hear(pad, what);
        }
        return PadProbeReturn.OK;
    }

    private void hear(Pad pad, Structure what) {
        switch (what.getString("event")) {
            case "key-press" -> {
                String key = what.getString("key");
                actions.add(new Action(CHARACTERS.getOrDefault(key, key), 0));
            }
            case "mouse-button-press" -> {
                held = true;
                addMouse(pad, what);
            }
            case "mouse-button-release" -> held = false;
            case "mouse-move" -> {
                if (held) {
                    addMouse(pad, what);
                }
            }
            default -> {
                // Touch screens and the wheel have no meaning here.
            }
        }
    }

    private void addMouse(Pad pad, Structure what) {
        Caps caps = pad.getCurrentCaps();
        if (caps != null) {
            double across = what.getDouble("pointer_x") / caps.getStructure(0).getInteger("width");
            actions.add(new Action("", Math.max(0, Math.min(1, across))));
        }
    }

    /** The next thing that was done; empty if there is none within this time. */
    Optional<Action> poll(long millis) throws InterruptedException {
        return Optional.ofNullable(actions.poll(millis, TimeUnit.MILLISECONDS));
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import org.freedesktop.gstreamer.Buffer;
import org.freedesktop.gstreamer.FlowReturn;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.PadProbeType;

/**
 * Lets each picture be shown, as long as in the input. One that has no later time than the picture before it, as cameras and recorders
 * write them, gets a time of its own: encoders would leave it out. GStreamer's parsers take the duration of all packets from the rate of
 * the pictures, so that the last one would be shown too short: its packet waits here for the end, and gets the right duration. For a
 * container without durations the last picture comes a second time, shortly before the end. Where the rate is constant, each picture
 * comes again until the next one: {@code videorate} would show the next one from the middle of the gap on, and leave out the rest of
 * the last one. Its probe runs on the thread of a pad, as long as something refers to it.
 */
final class PictureTimes {
    /** What a container can say of the time of pictures. */
    enum Kind {
        /** When each begins; packets tell how long it is. */
        DISTINCT,
        /** When each begins, and how long it is. For coded pictures, in the order of decoding; the others are for decoded ones. */
        DURATIONS,
        /** When each begins. */
        BEGINNINGS,
        /** How many there are in a second. */
        RATE
    }

    /** From a picture to one that had no later time; Matroska knows no shorter one. */
    private static final long APART_NANOS = 1_000_000;

    private final Kind kind;
    private final double interval;
    private final double end;

    private volatile boolean early;
    private long zero;

    /** The last picture that has come, if any, and its running time in nanoseconds. */
    private Buffer shown;

    private long shownFrom;

    /** The latest running time: the last packet may be of an earlier picture. */
    private long latest = Long.MIN_VALUE;

    /** The number of the next picture at a constant rate, from the running time 0 on. */
    private long next;

    private final Pad.PROBE onPicture = (pad, information) -> {
        if (information.getType().contains(PadProbeType.EVENT_DOWNSTREAM)) {
            GStreamer.segmentZero(information.getEvent()).ifPresent(read -> zero = read);
            if (GStreamer.isEnd(information.getEvent()) && shown != null) {
                end(pad);
                hold(null);
            }
            return PadProbeReturn.OK;
        }
        return take(pad, information.getBuffer());
    };

    /**
     * Makes one that changes nothing yet. All times are running times in nanoseconds.
     *
     * @param interval from one picture to the next
     * @param begin when the first picture is to be shown
     * @param end until when the last one is to be shown; 0 if that is not known
     */
    PictureTimes(Kind kind, double interval, double begin, double end) {
        this.kind = kind;
        this.interval = interval;
        this.end = end;
        next = Math.round(begin / interval);
    }

    /** Cares for pictures that leave a source pad, from now on. It must have a peer by then. */
    void keepAt(Pad pictures) {
        pictures.addProbe(SegmentCut.PASSING, onPicture);
    }

    /** The pictures end before those of the input: the last one is shown no longer than others. Any thread, before the end. */
    void endEarly() {
        early = true;
    }

    private PadProbeReturn take(Pad pad, Buffer picture) {
        long came = picture.getPresentationTimestamp() - zero;
        long time = kind == Kind.DURATIONS ? came : later(came);
        latest = Math.max(latest, time);
        if (kind == Kind.DISTINCT && time == came) {
            return PadProbeReturn.OK;
        }
        show(pad, picture, time);
        return PadProbeReturn.DROP;
    }

    /** A picture's running time, or the first one after the latest that it can have. */
    private long later(long time) {
        // Where times begin anew, the pictures go on at their rate.
        return time > latest ? time : latest + (latest - time > interval ? Math.round(interval) : APART_NANOS);
    }

    private void show(Pad pad, Buffer picture, long time) {
        if (shown != null) {
            if (kind == Kind.RATE) {
                repeat(pad, Math.round(time / interval));
            } else {
                push(pad, shown);
            }
        }
        // Whoever gave it takes it back after this.
        hold(GStreamer.copy(picture, Buffer.class));
        shown.setPresentationTimestamp(time + zero);
        shownFrom = time;
        if (kind == Kind.RATE) {
            // Each at least once, if it is a little later.
            repeat(pad, Math.max(next, Math.round(time / interval)) + 1);
        } else if (kind == Kind.DISTINCT) {
            push(pad, shown);
            hold(null);
        }
    }

    private void end(Pad pad) {
        double until = early ? 0 : end;
        if (kind == Kind.RATE) {
            repeat(pad, Math.round(until / interval));
            return;
        }
        // Where that is as usual, ffmpeg finds the time of decoding by the rate.
        if (kind == Kind.DURATIONS && until - latest > 2 * interval) {
            shown.setDuration(Math.round(until - shownFrom));
        }
        push(pad, shown);
        if (kind == Kind.BEGINNINGS && until - shownFrom > 2 * interval) {
            pushAgain(pad, Math.round(until - interval));
        }
    }

    private void hold(Buffer picture) {
        if (shown != null) {
            shown.close();
        }
        shown = picture;
    }

    /** Gives what is shown as all pictures before this number that have not come yet, as long as they are taken. */
    private void repeat(Pad pad, long number) {
        while (next < number && pushAgain(pad, Math.round(next * interval))) {
            next++;
        }
    }

    private boolean pushAgain(Pad pad, long time) {
        try (Buffer picture = GStreamer.copy(shown, Buffer.class)) {
            picture.setPresentationTimestamp(time + zero);
            picture.setDuration(Math.round(interval));
            return push(pad, picture);
        }
    }

    private static boolean push(Pad pad, Buffer picture) {
        return pad.getPeer().chain(picture) == FlowReturn.OK;
    }
}

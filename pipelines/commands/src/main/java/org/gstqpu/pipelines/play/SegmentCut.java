/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.PadProbeType;
import org.freedesktop.gstreamer.Structure;
import org.freedesktop.gstreamer.event.EOSEvent;
import org.freedesktop.gstreamer.event.StreamStartEvent;

/**
 * Lets exactly the pictures of a segment pass, with the running times that they would have in the whole: the pictures whose timestamp
 * is that of its first key frame or later, and before that of the next segment's. A segment of GStreamer cannot do that: its beginning
 * keeps a picture that is shown until a moment after it, as the rounded times of containers have it, and gives it the time of the
 * beginning; and where its end is, is decided by the order of the packets. Its probes run on GStreamer's threads, each for one pad.
 *
 * <p>Where the filter looks at the pictures around each, those around the segment are read and filtered, too, but not written.
 */
final class SegmentCut {
    /** What a stream is made of. */
    static final Set<PadProbeType> PASSING = EnumSet.of(PadProbeType.BUFFER, PadProbeType.EVENT_DOWNSTREAM);

    /** The names of a new stream's event and of its field that cannot be written to a file. */
    private static final String STREAM_START = "GstEventStreamStart";

    private static final String STREAM = "stream";

    /** The names of events that are written as they are, beside those that have none, such as the end of the stream. */
    private static final Set<String> WRITTEN =
            Set.of("GstEventCaps", "GstEventSegment", "GstTagList-stream", "GstTagList-global");

    private final long zero;
    private final Optional<Long> from;
    private final Optional<Long> to;
    private volatile boolean begun;
    private boolean ended;

    /** Whether pictures before the segment are read, too. */
    private boolean looksAround;

    /** How many pictures of the next segment are still read. */
    private int after;

    private final AtomicLong neighbours = new AtomicLong();

    // GStreamer calls these only as long as something refers to them.
    private Pad.PROBE onCoded;
    private Pad.PROBE onDecoded;
    private Pad.PROBE onFiltered;
    private Pad.PROBE onWritten;

    /**
     * Makes a cut that cuts nothing yet.
     *
     * @param zero the timestamp in nanoseconds that stands for the running time 0 when the whole is read
     * @param from timestamp in nanoseconds of the key frame that the segment begins with; empty for the beginning
     * @param to timestamp in nanoseconds of the key frame that the next segment begins with; empty for the end
     */
    SegmentCut(long zero, Optional<Long> from, Optional<Long> to) {
        this.zero = zero;
        this.from = from;
        this.to = to;
        begun = from.isEmpty();
    }

    /**
     * Lets all pictures before the segment that are read be filtered, too, and some of the next one. Called before all others.
     *
     * @param after how many of the next segment
     */
    void lookAround(int after) {
        looksAround = true;
        this.after = after;
    }

    /**
     * Takes what comes before the segment out of a coded stream, so that its decoder begins with the key frame.
     *
     * @param next a source pad that {@code coded} leads to at once, before any element that holds data: it gets the times of the whole
     */
    void beginAt(Pad coded, Pad next) {
        onCoded = (pad, information) -> {
            if (information.getType().contains(PadProbeType.EVENT_DOWNSTREAM)) {
                GStreamer.segmentZero(information.getEvent())
                        .ifPresent(read -> GStreamer.shift(next, Math.max(0, read - zero)));
                return PadProbeReturn.OK;
            }
            return isOfSegment(information.getBuffer().getPresentationTimestamp())
                    ? PadProbeReturn.OK
                    : PadProbeReturn.DROP;
        };
        coded.addProbe(PASSING, onCoded);
    }

    /** Whether the beginning has come. */
    boolean isBegun() {
        return begun;
    }

    /** In the order of decoding, pictures that are shown before the key frame may follow it. They belong to the segment before. */
    private boolean isOfSegment(long timestamp) {
        if (from.isEmpty()) {
            return true;
        }
        if (timestamp == from.get()) {
            begun = true;
        }
        return looksAround || (begun && (timestamp < 0 || timestamp >= from.get()));
    }

    private boolean isAfter(long timestamp) {
        return to.isPresent() && timestamp >= to.get();
    }

    /** Whether a picture is read for its neighbours alone. */
    private boolean isAround(long timestamp) {
        boolean isBefore = from.isPresent() && timestamp >= 0 && timestamp < from.get();
        return looksAround && (isBefore || isAfter(timestamp));
    }

    /**
     * Ends the stream of pictures, which come in the order of their times, before the first one that belongs to the next segment and that
     * the filter does not look at.
     */
    void endAt(Pad pictures) {
        onDecoded = (pad, information) -> {
            if (!ended && information.getType().contains(PadProbeType.BUFFER)) {
                long timestamp = information.getBuffer().getPresentationTimestamp();
                if (isAfter(timestamp) && after == 0) {
                    // The event passes this probe, as it is not set yet that all has ended.
                    pad.sendEvent(new EOSEvent());
                    ended = true;
                } else if (isAround(timestamp)) {
                    after -= isAfter(timestamp) ? 1 : 0;
                    neighbours.incrementAndGet();
                }
            }
            return ended ? PadProbeReturn.DROP : PadProbeReturn.OK;
        };
        pictures.addProbe(PASSING, onDecoded);
    }

    /** Leaves out filtered pictures that are not of the segment. */
    void keepAt(Pad filtered) {
        onFiltered = (pad, information) ->
                isAround(information.getBuffer().getPresentationTimestamp()) ? PadProbeReturn.DROP : PadProbeReturn.OK;
        filtered.addProbe(PadProbeType.BUFFER, onFiltered);
    }

    /** How many pictures were filtered that are not of the segment. */
    long neighbours() {
        return neighbours.get();
    }

    /** Lets only what a file can hold pass to the element that writes the stream. */
    void writeAt(Pad writer) {
        onWritten = (pad, information) -> {
            Structure fields = information.getEvent().getStructure();
            if (fields == null || WRITTEN.contains(fields.getName())) {
                return PadProbeReturn.OK;
            }
            if (!STREAM_START.equals(fields.getName())) {
                return PadProbeReturn.DROP;
            }
            if (!fields.hasField(STREAM)) {
                return PadProbeReturn.OK;
            }
            pad.sendEvent(new StreamStartEvent("segment"));
            return PadProbeReturn.DROP;
        };
        writer.addProbe(PadProbeType.EVENT_DOWNSTREAM, onWritten);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.play;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.freedesktop.gstreamer.Bin;
import org.freedesktop.gstreamer.Element;
import org.freedesktop.gstreamer.Pad;
import org.freedesktop.gstreamer.PadProbeReturn;
import org.freedesktop.gstreamer.PadProbeType;

/**
 * Gives the packets of GStreamer's coder of MPEG-4 the times of their pictures: those of 1.22 have none that mean anything. Without B
 * pictures there is a packet for each picture, in their order. Its probes run on GStreamer's threads, as long as something refers to it.
 */
final class PacketTimes {
    private static final String CODER = "avenc_mpeg4";

    private final Queue<Long> runningTimes = new ConcurrentLinkedQueue<>();
    private final AtomicLong pictureZero = new AtomicLong();
    private final AtomicLong packetZero = new AtomicLong();

    private final Pad.PROBE onPicture = (pad, information) -> {
        if (information.getType().contains(PadProbeType.EVENT_DOWNSTREAM)) {
            GStreamer.segmentZero(information.getEvent()).ifPresent(pictureZero::set);
        } else {
            runningTimes.add(information.getBuffer().getPresentationTimestamp() - pictureZero.get());
        }
        return PadProbeReturn.OK;
    };

    private final Pad.PROBE onPacket = (pad, information) -> {
        if (information.getType().contains(PadProbeType.EVENT_DOWNSTREAM)) {
            // Its segment begins a thousand hours later.
            GStreamer.segmentZero(information.getEvent()).ifPresent(packetZero::set);
        } else {
            Optional.ofNullable(runningTimes.poll()).ifPresent(time -> {
                information.getBuffer().setPresentationTimestamp(time + packetZero.get());
                information.getBuffer().setDecodeTimestamp(time + packetZero.get());
            });
        }
        return PadProbeReturn.OK;
    };

    private final Element coder;

    private PacketTimes(Element coder) {
        this.coder = coder;
    }

    /** Those of the coder in an encoder's elements that have not been started yet; empty where times are right anyway. */
    static Optional<PacketTimes> of(Bin encoder) {
        return encoder.getElementsRecursive().stream()
                .filter(element -> GStreamer.isMadeBy(element, CODER))
                .filter(element -> ((Number) element.get("max-bframes")).intValue() == 0)
                .findFirst()
                .map(PacketTimes::new);
    }

    /** Gives all packets from now on their times. */
    void give() {
        coder.getStaticPad("sink").addProbe(SegmentCut.PASSING, onPicture);
        coder.getStaticPad("src").addProbe(SegmentCut.PASSING, onPacket);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.gstqpu.kernels.filter.FusionTimes;

/**
 * Owns what {@code temporal=auto} depends on: what fusion takes, and by when pictures are wanted. Gives the settings its choice. Any
 * thread.
 *
 * <p>It is the most with which a picture takes at most {@link FusionTimes#MOST_TIMES} times as long as without. Where pictures are
 * awaited, it is {@link Temporal#PAST} at most, which delays nothing, and only if twice as many pictures a second could be filtered.
 */
final class AutomaticTemporal {
    private final ElementSettings settings;

    @GuardedBy("this")
    private Optional<FusionTimes> times = Optional.empty();

    @GuardedBy("this")
    private long frameNanos;

    /** Empty before the first picture, so that the choice is made once. */
    @GuardedBy("this")
    private Optional<Boolean> awaited = Optional.empty();

    AutomaticTemporal(ElementSettings settings) {
        this.settings = settings;
    }

    /**
     * Adopts a stream's pictures.
     *
     * @param times what they take; empty if no GPU filters them
     * @param frameNanos from one picture to the next; 0 if that is not known
     */
    synchronized void setPictures(Optional<FusionTimes> times, long frameNanos) {
        this.times = times;
        this.frameNanos = frameNanos;
        choose();
    }

    /** Adopts whether pictures are awaited: the stream is live, or downstream shows them at their time. */
    synchronized void setAwaited(boolean awaited) {
        this.awaited = Optional.of(awaited);
        choose();
    }

    @GuardedBy("this")
    private void choose() {
        settings.setTemporal(times.map(known ->
                        awaited.map(waited -> choice(known, waited, frameNanos)).orElse(Temporal.Choice.PENDING))
                .orElse(Temporal.Choice.NONE));
    }

    /** The choice for pictures that a GPU filters. */
    static Temporal.Choice choice(FusionTimes times, boolean awaited, long frameNanos) {
        List<Long> fused = times.fused();
        if (fused.isEmpty()) {
            return off("a picture takes " + milliseconds(times.without()) + ", and with temporal=past more than "
                    + FusionTimes.MOST_TIMES + " times as long");
        }
        if (!awaited) {
            Temporal most = Temporal.of(fused.size());
            return new Temporal.Choice(
                    most,
                    "auto: a picture takes " + milliseconds(fused.get(fused.size() - 1)) + ", without "
                            + milliseconds(times.without()));
        }
        if (frameNanos == 0) {
            return off("pictures are awaited, and the caps have no frame rate");
        }
        String takes =
                "pictures are awaited, each takes " + milliseconds(fused.get(0)) + " of " + milliseconds(frameNanos);
        return 2 * fused.get(0) > frameNanos
                ? off(takes + " with temporal=past")
                : new Temporal.Choice(Temporal.PAST, "auto: " + takes);
    }

    private static Temporal.Choice off(String why) {
        return new Temporal.Choice(Temporal.OFF, "auto: " + why);
    }

    private static String milliseconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f ms", nanos / 1e6);
    }
}

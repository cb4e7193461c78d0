/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.gstqpu.plugin.ElementHost.ErrorCode;

/**
 * Owns the settings in force: the values of the properties that may change while playing. Any thread may report a change; any
 * thread may read the settings, which are immutable. After a change to an invalid value it warns, and the last valid value stays
 * in force.
 */
final class ElementSettings {
    private final ElementHost host;
    private final ElementValues values;

    /** Orders the threads that report changes. No message is posted while it is held. */
    private final Object lock = new Object();

    @GuardedBy("lock")
    private final Set<ElementProperty> warnedInvalid = EnumSet.noneOf(ElementProperty.class);

    @GuardedBy("lock")
    private boolean passthrough;

    @GuardedBy("lock")
    private boolean live;

    @GuardedBy("lock")
    private Temporal.Choice automaticTemporal = Temporal.Choice.PENDING;

    @GuardedBy("lock")
    private int ahead;

    /** Without invalid values. Written under {@link #lock}, read by any thread. */
    private volatile FilterSettings current;

    /**
     * @param first the settings to begin with, without invalid values
     */
    ElementSettings(ElementHost host, ElementValues values, FilterSettings first) {
        this.host = host;
        this.values = values;
        current = first;
    }

    /** The settings in force, without invalid values. A new object after each change; any thread. */
    FilterSettings current() {
        return current;
    }

    /** Adopts whether the stream is live; any thread. */
    void setLive(boolean live) {
        synchronized (lock) {
            this.live = live;
        }
        changed();
    }

    /** Adopts what {@code temporal=auto} is; any thread. */
    void setTemporal(Temporal.Choice choice) {
        synchronized (lock) {
            automaticTemporal = choice;
        }
        changed();
    }

    /** Reads the properties again; any thread. */
    void changed() {
        List<String> invalidLines = new ArrayList<>();
        synchronized (lock) {
            FilterSettings read = FilterSettings.read(values, live, automaticTemporal);
            List<FilterSettings.Invalid> invalid = read.invalid();
            warnedInvalid.removeIf(property -> invalid.stream().noneMatch(one -> one.property() == property));
            for (FilterSettings.Invalid one : invalid) {
                if (warnedInvalid.add(one.property())) {
                    invalidLines.add(one.line() + "; until then the last valid value stays in force");
                }
            }
            FilterSettings valid = read.withInvalidFrom(current);
            if (!valid.equals(current)) {
                current = valid;
            }
            boolean none = valid.running().none();
            if (none != passthrough) {
                passthrough = none;
                host.setPassthrough(passthrough);
            }
            if (valid.temporal().ahead() != ahead) {
                ahead = valid.temporal().ahead();
                host.setLookAhead(ahead);
            }
        }
        for (String line : invalidLines) {
            host.warning(ErrorCode.LIBRARY_SETTINGS, line);
        }
    }
}

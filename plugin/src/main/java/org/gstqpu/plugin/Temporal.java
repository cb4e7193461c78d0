/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.List;
import java.util.Locale;

/** Which other pictures temporal fusion looks at. The constants stand in the order of the property's choices. Immutable; any thread. */
enum Temporal {
    /** None: fusion does not run. */
    OFF(0),
    /** The two before. */
    PAST(0),
    /** One before and one after. */
    ONE(1),
    /** Two before and two after. */
    TWO(2);

    /** The property's value for {@link #OFF}. */
    static final int NONE = 0;

    /** The property's value that leaves the choice to the element. */
    static final int AUTO = 4;

    private static final List<Temporal> ALL = List.of(values());

    private final int ahead;

    Temporal(int ahead) {
        this.ahead = ahead;
    }

    /** What the property names; not for {@link #AUTO}. */
    static Temporal of(int choice) {
        return ALL.get(choice);
    }

    /** How many pictures after it a picture waits for. */
    int ahead() {
        return ahead;
    }

    /** The name of the property's choice. */
    String nick() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * What {@code auto} is for a stream.
     *
     * @param temporal which pictures fusion looks at
     * @param reason why, as the property {@code stats} says it
     */
    record Choice(Temporal temporal, String reason) {
        /** Where nothing is known of what fusion takes. */
        static final Choice NONE = new Choice(OFF, "auto: no GPU filters");

        /** Where it is not known yet what filters, or who waits for it. */
        static final Choice PENDING = new Choice(OFF, "auto: no picture has come");
    }
}

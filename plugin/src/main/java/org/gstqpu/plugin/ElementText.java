/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import java.util.Locale;

/**
 * The strings in the property {@code stats} that Java gives, declared once. The build generates libgstqpu.so's table of them from
 * this enum; in a closed element each is {@code none}. Immutable; any thread.
 */
public enum ElementText {
    /** The substrate that the filters run on: {@code cpu} or {@code qpu}. */
    SUBSTRATE,
    /** The name of the device. */
    DEVICE,
    /** Why that substrate was chosen. */
    REASON,
    /** The filters that run, such as {@code cdef+shrinkage}; {@code none} if buffers pass through. */
    FILTERS,
    /** The quality in force: {@code fast}, {@code balanced} or {@code best}. */
    QUALITY,
    /** Why that quality is in force: {@code set}, {@code auto: live} or {@code auto: not live}. */
    QUALITY_REASON,
    /** Which pictures temporal fusion looks at, where it runs: {@code off}, {@code past}, {@code one} or {@code two}. */
    TEMPORAL,
    /** Why it looks at these: {@code set}, or {@code auto:} and what pictures take. */
    TEMPORAL_REASON,
    /** Why the filters are as strong as they are. */
    STRENGTH_REASON,
    /** Why pictures are filtered less than the settings say, or are not. */
    DEGRADE_REASON;

    /** The field's name in the GstStructure. */
    public String gstName() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

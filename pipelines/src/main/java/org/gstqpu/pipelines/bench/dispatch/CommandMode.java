/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

/** How the same work gets into a command buffer again and again. */
public enum CommandMode {
    /** Recorded anew before each submission. */
    RE_RECORD("re-record"),
    /** Recorded once into the primary command buffer, then submitted as it is. */
    PERSISTENT("persistent primary"),
    /**
     * Recorded once into a secondary command buffer; the primary one is recorded anew before each submission, but only
     * executes that.
     */
    SECONDARY("secondary into primary");

    private final String title;

    CommandMode(String title) {
        this.title = title;
    }

    /** The mode in a few words. */
    public String title() {
        return title;
    }
}

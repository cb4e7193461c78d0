/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

/** Ways to submit the same work repeatedly. */
public enum CommandMode {
    /** The primary command buffer is recorded before each submission. */
    RE_RECORD("re-record"),
    /** The primary command buffer is recorded once and submitted unchanged. */
    PERSISTENT("persistent primary"),
    /**
     * The work is recorded once into a secondary command buffer. The primary one is recorded before each submission, and
     * only executes the secondary one.
     */
    SECONDARY("secondary into primary");

    private final String title;

    CommandMode(String title) {
        this.title = title;
    }

    /** The name of the mode in reports. */
    public String title() {
        return title;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

/**
 * Which entries of a history hold which pictures of a sequence: those that are fused, then those that wait for the pictures after
 * them. Entries take turns. Owned by the history.
 */
final class TimeTurns {
    private final int before;
    private final int entries;

    /** The entry of the first picture that waits. */
    private int first;

    private int known;
    private int waiting;

    /**
     * Makes an empty history.
     *
     * @param ahead how many pictures after it a picture is fused with
     */
    TimeTurns(int ahead) {
        before = ahead == 0 ? 2 : ahead;
        entries = before + 1 + ahead;
    }

    /** How many entries there are: one for a picture, and one for each of its references. */
    int entries() {
        return entries;
    }

    /** How many references a picture has at most. */
    int references() {
        return entries - 1;
    }

    /** How many pictures before the first one that waits are known. */
    int known() {
        return known;
    }

    /** How many pictures wait. */
    int waiting() {
        return waiting;
    }

    /** Adds a picture, which waits. Returns its entry, in which was a picture that is too old. */
    int begin() {
        waiting++;
        return waiting(waiting - 1);
    }

    /** How many pictures are kept. */
    int held() {
        return known + waiting;
    }

    /** How many pictures the first one that waits is fused with. */
    int others() {
        return held() - 1;
    }

    /** The entry of a picture that waits, from 0 for the first one. */
    int waiting(int index) {
        return (first + index) % entries;
    }

    /** The entry of a picture before those, from 0 for the last one. */
    int past(int index) {
        return (first + entries - 1 - index) % entries;
    }

    /** The first picture that waits is fused. */
    void keep() {
        first = waiting(1);
        known = Math.min(known + 1, before);
        waiting--;
    }

    /** The next picture is the first one of a sequence. None waits. */
    void forget() {
        known = 0;
    }
}

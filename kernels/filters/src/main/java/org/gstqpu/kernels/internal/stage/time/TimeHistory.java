/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.time;

/** The last pictures of a sequence. Owned by the stage. */
final class TimeHistory {
    private final PastPicture[] pictures = new PastPicture[TimeFusion.MOST_REFERENCES + 1];

    /** Index of the picture at hand. */
    private int current;

    private int count;

    TimeHistory(int width, int height) {
        for (int i = 0; i < pictures.length; i++) {
            pictures[i] = new PastPicture(width, height);
        }
    }

    /** How many pictures before the one at hand are known. */
    int count() {
        return count;
    }

    /** The picture that comes next; it takes the place of one that is too old. */
    PastPicture next() {
        return pictures[current];
    }

    /** A picture before the one at hand, from 0 for the last one. */
    PastPicture before(int index) {
        return pictures[(current + pictures.length - 1 - index) % pictures.length];
    }

    /** Makes the picture at hand the last one. */
    void keep() {
        current = (current + 1) % pictures.length;
        count = Math.min(count + 1, TimeFusion.MOST_REFERENCES);
    }

    /** The next picture is the first one of a sequence. */
    void forget() {
        count = 0;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Decides how much of the filters is given up, from what downstream says of pictures that it got: a QoS event says by how much a
 * picture was late or early.
 *
 * <p>A late picture leads one step down. Pictures that were filtered before that step are not judged again. After some pictures in
 * time the element tries one step up. If that fails, it waits twice as long before it tries that step again. No clock is read: without
 * QoS events, nothing is given up.
 *
 * <p>The streaming thread tells of each picture; any thread tells of events. Nothing is allocated.
 */
final class DegradeControl {
    /**
     * A picture that is late by no more than this counts as being in time, in nanoseconds. The wake-up of a thread takes about as
     * long, and sinks show such a picture: a GstVideoSink drops pictures that are late by 5 ms.
     */
    static final long TOLERATED_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** Number of pictures in time before a step up is tried that has not failed yet. */
    static final int FIRST_WAIT = 32;

    /** The largest number of pictures in time before a step up is tried. */
    static final int LONGEST_WAIT = 16 * FIRST_WAIT;

    /**
     * Number of pictures without an event, after which downstream is taken for one that sends none. More than the pictures that a
     * queue holds by default, 200.
     */
    static final int SILENCE = 256;

    /** Running time of a picture that has none. */
    static final long NO_TIME = -1;

    /** Most steps that settings have. */
    private static final int MOST_STEPS = 8;

    /** For each step, how many pictures in time it takes to try that step from the one below. */
    @GuardedBy("this")
    private final int[] waits = new int[MOST_STEPS];

    /** The number of steps of the last picture; 1 if nothing of it may be given up. */
    @GuardedBy("this")
    private int steps = 1;

    @GuardedBy("this")
    private int step;

    /** Running time of the first picture that counts for this step; {@link #NO_TIME} before there is one. */
    @GuardedBy("this")
    private long since = NO_TIME;

    /** Number of pictures to come that count for no step. */
    @GuardedBy("this")
    private int skipped = 1;

    /** Number of pictures of this step that came in time. */
    @GuardedBy("this")
    private int inTime;

    /** True if this step was reached from below, and has not lasted yet. */
    @GuardedBy("this")
    private boolean trying;

    /** Number of pictures since the last event. */
    @GuardedBy("this")
    private int silent;

    /** By how much the picture was late that led to this step or one above, in nanoseconds; 0 if none was. */
    @GuardedBy("this")
    private long lateNanos;

    @GuardedBy("this")
    private long latePictures;

    DegradeControl() {
        restart();
    }

    /** Begins anew, with nothing given up: at a start, a flush, a pause, or with other caps. */
    synchronized void restart() {
        Arrays.fill(waits, FIRST_WAIT);
        // The first picture waits for the clock to start, which may make it late whatever the element does.
        skipped = 1;
        silent = 0;
        lateNanos = 0;
        moveTo(0, false);
    }

    @GuardedBy("this")
    private void moveTo(int next, boolean tried) {
        step = next;
        trying = tried;
        since = NO_TIME;
        inTime = 0;
    }

    /**
     * Returns the step of the next picture.
     *
     * @param runningTime of the picture, in nanoseconds; {@link #NO_TIME} if QoS events cannot name the picture
     * @param count number of steps that the settings have, 1 or more
     */
    synchronized int next(long runningTime, int count) {
        steps = count;
        silent++;
        if (runningTime == NO_TIME || (silent > SILENCE && step > 0)) {
            restart();
        } else if (step >= count) {
            moveTo(count - 1, false);
        }
        if (skipped > 0) {
            skipped--;
        } else if (since == NO_TIME) {
            since = runningTime;
        }
        return step;
    }

    /** The next picture is filtered exactly as its decoder says: nothing of it is given up, and it says nothing about a step. */
    synchronized void nextIsExact() {
        steps = 1;
    }

    /**
     * Adopts what downstream says of a picture.
     *
     * @param nanos by how much the picture was late, or by how much it was early if negative
     * @param runningTime of the picture
     * @return true if the element answers by filtering less, so that elements before it need not do less
     */
    synchronized boolean judge(long nanos, long runningTime) {
        silent = 0;
        boolean late = nanos > TOLERATED_NANOS;
        if (late) {
            latePictures++;
        }
        if (steps <= 1) {
            return false;
        }
        if (since == NO_TIME || runningTime < since) {
            // Of a picture that began before the last change, which is the answer.
            return nanos > 0;
        }
        if (!late) {
            inTime++;
            goUpInTime();
            return nanos > 0;
        }
        inTime = 0;
        lateNanos = nanos;
        if (step == steps - 1) {
            return false;
        }
        if (trying) {
            waits[step] = Math.min(2 * waits[step], LONGEST_WAIT);
        }
        moveTo(step + 1, false);
        return true;
    }

    @GuardedBy("this")
    private void goUpInTime() {
        if (trying && inTime >= waits[step]) {
            trying = false;
            waits[step] = Math.max(waits[step] / 2, FIRST_WAIT);
        }
        if (step > 0 && inTime >= waits[step - 1]) {
            moveTo(step - 1, true);
        }
    }

    /** The step in force; 0 if nothing is given up. */
    synchronized int step() {
        return step;
    }

    /** By how much the last picture was late that led to a step down, in nanoseconds; 0 if nothing was late since the start. */
    synchronized long lateNanos() {
        return lateNanos;
    }

    /** The number of pictures that were late for downstream. */
    synchronized long latePictures() {
        return latePictures;
    }
}

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
 * <p>A late picture leads one step down. Pictures that were filtered before that step are not judged again. The next pictures pass
 * as they are until one comes in time: those after a late one are late, too, whatever the new step takes. After some pictures in time
 * the element tries one step up. If that fails, it waits twice as long before it tries that step again.
 *
 * <p>While the kernels warm up, a picture may take longer than from one picture to the next. Then all that follow would be late,
 * so all is given up at once, until the kernels are warm.
 *
 * <p>Nothing is given up where downstream sends no QoS events.
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

    /** True if downstream shows pictures at their time, and will say how late they come. */
    @GuardedBy("this")
    private boolean keepsTime;

    /** True if all is given up until the kernels are warm. */
    @GuardedBy("this")
    private boolean awaitingKernels;

    /** True if all is given up until a picture comes in time, or no more is said of any. */
    @GuardedBy("this")
    private boolean catchingUp;

    /** Running time of the last picture; {@link #NO_TIME} before there is one. */
    @GuardedBy("this")
    private long lastTime = NO_TIME;

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
        awaitingKernels = false;
        catchingUp = false;
        lastTime = NO_TIME;
        moveTo(0, false);
    }

    @GuardedBy("this")
    private void moveTo(int next, boolean tried) {
        step = next;
        trying = tried;
        since = NO_TIME;
        inTime = 0;
    }

    /** Adopts whether downstream shows pictures at their time, and says how late they come; any thread. */
    synchronized void setKeepsTime(boolean keepsTime) {
        this.keepsTime = keepsTime;
    }

    /**
     * Returns the step of the next picture.
     *
     * @param runningTime of the picture, in nanoseconds; {@link #NO_TIME} if QoS events cannot name the picture
     * @param count number of steps that the settings have, 1 or more
     * @param warmingUp whether the kernels are not warm yet
     * @param lastNanos how long the element worked on the picture before, in nanoseconds
     */
    synchronized int next(long runningTime, int count, boolean warmingUp, long lastNanos) {
        steps = count;
        silent++;
        if (runningTime == NO_TIME || (silent > SILENCE && step > 0)) {
            restart();
        } else if (step >= count) {
            moveTo(count - 1, false);
        }
        if (catchingUp && silent > FIRST_WAIT) {
            catchingUp = false;
        }
        awaitKernels(runningTime, warmingUp, lastNanos);
        if (skipped > 0) {
            skipped--;
        } else if (since == NO_TIME) {
            since = runningTime;
        }
        return step();
    }

    /** Gives up all while the kernels warm up and take longer than from one picture to the next, and no longer. */
    @GuardedBy("this")
    private void awaitKernels(long runningTime, boolean warmingUp, long lastNanos) {
        long interval = runningTime - lastTime;
        boolean tooSlow = keepsTime && lastTime != NO_TIME && interval > 0 && lastNanos > interval && steps > 1;
        boolean awaits = warmingUp && (awaitingKernels || tooSlow);
        if (awaits != awaitingKernels) {
            awaitingKernels = awaits;
            moveTo(step, false);
        }
        lastTime = runningTime;
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
        if (awaitingKernels || since == NO_TIME || runningTime < since) {
            // Nothing is left to answer with, or the picture began before the last change, which is the answer.
            return nanos > 0;
        }
        if (!late) {
            if (catchingUp) {
                catchingUp = false;
                moveTo(step, false);
            } else {
                inTime++;
                goUpInTime();
            }
            return nanos > 0;
        }
        inTime = 0;
        boolean less = nanos < lateNanos;
        lateNanos = nanos;
        if (catchingUp) {
            return less;
        }
        if (step == steps - 1) {
            return false;
        }
        if (trying) {
            waits[step] = Math.min(2 * waits[step], LONGEST_WAIT);
        }
        moveTo(step + 1, false);
        catchingUp = true;
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
        return awaitingKernels || catchingUp ? steps - 1 : step;
    }

    /** True if all is given up until the kernels are warm. */
    synchronized boolean isAwaitingKernels() {
        return awaitingKernels;
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

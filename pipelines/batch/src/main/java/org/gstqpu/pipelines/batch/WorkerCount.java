/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * How many workers a machine has. Either that is known, or it is found while they work: from few on, their number is doubled as long as
 * that pays. Lives on one thread.
 */
final class WorkerCount {
    /** What more workers must filter more than fewer, so as to be worth their memory. */
    private static final double GAIN = 1.05;

    private final int most;
    private final List<String> measured = new ArrayList<>();
    private int number;
    private boolean known;
    private int best;
    private double bestPace;
    private String why;

    private WorkerCount(int number, int most, boolean known, String why) {
        this.number = number;
        this.most = most;
        this.known = known;
        this.why = why;
    }

    /** A number that is known. */
    static WorkerCount known(int number, String why) {
        return new WorkerCount(number, number, true, why);
    }

    /**
     * A number to find.
     *
     * @param least at least 1
     * @param most at least {@code least}
     */
    static WorkerCount between(int least, int most) {
        return least == most
                ? known(least, "there are no more processors or units")
                : new WorkerCount(least, most, false, "");
    }

    /** This number, or a smaller one. */
    WorkerCount atMost(int useful) {
        return number <= useful ? this : known(useful, "there are no more units");
    }

    /** How many are to work now. */
    int number() {
        return number;
    }

    /** Whether {@link #number} is the number that pays. */
    boolean isKnown() {
        return known;
    }

    /** How many would work next, if the present number is better than the one before. */
    int next() {
        return Math.min(2 * number, most);
    }

    /**
     * Takes what the present number of workers filters, and says by {@link #number} how many are to work from now on.
     *
     * @param pace pixels each second of all workers
     */
    void measured(double pace) {
        measured.add(String.format(Locale.ROOT, "%d filtered %.1f", number, pace / 1e6));
        if (pace > bestPace * GAIN) {
            best = number;
            bestPace = pace;
            if (number < most) {
                number = next();
                return;
            }
        }
        end("");
    }

    /** Takes the best number of those that were measured, because no more can work. */
    void end(String reason) {
        number = best;
        known = true;
        why = String.join(", ", measured) + " million pixels a second" + (reason.isEmpty() ? "" : "; " + reason);
    }

    /** What led to the number, in words. */
    String why() {
        return why;
    }
}

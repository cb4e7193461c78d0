/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

/** What libvmaf makes of the motion of a picture and of those beside it. */
enum MotionWindow {
    PLAIN(1, 10000, false),
    V1(1, 18, false),
    V1_HFR(2, 18, true);

    /** Pictures from one to that with which it was compared; those before have no motion. */
    private final int distance;

    /** A greater motion becomes this one. */
    private final double greatest;

    /** True for the mean with the picture before. */
    private final boolean averaged;

    MotionWindow(int distance, double greatest, boolean averaged) {
        this.distance = distance;
        this.greatest = greatest;
        this.averaged = averaged;
    }

    /** Motion 2: the lesser motion of the two pairs that a picture lies between. */
    double lesser(double[] motions, int pictures, int picture) {
        if (picture < distance) {
            return 0;
        }
        if (picture + 1 >= pictures) {
            return motions[picture];
        }
        int before = picture - distance + 1;
        return before < distance ? motions[picture + 1] : Math.min(motions[before], motions[picture + 1]);
    }

    /** Motion 3: motion 2, with the first motion for the pictures that have none. */
    double smoothed(double[] motions, int pictures, int picture) {
        double own = limited(motions, pictures, picture);
        return averaged && picture >= distance ? (own + limited(motions, pictures, picture - 1)) / 2 : own;
    }

    private double limited(double[] motions, int pictures, int picture) {
        if (picture >= distance) {
            return Math.min(lesser(motions, pictures, picture), greatest);
        }
        return pictures > distance ? Math.min(motions[distance], greatest) : 0;
    }
}

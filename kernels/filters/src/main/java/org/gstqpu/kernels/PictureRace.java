/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.util.concurrent.TimeUnit;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.SubstrateTimes;

/** A short race of two substrates over the same picture. Holds nothing; belongs to the thread of both contexts. */
final class PictureRace {
    /** Name of the race in a {@link org.gstqpu.kernels.internal.race.Calibration}. */
    static final String WORK = "all filters on 640x360 NV12";

    private static final int WIDTH = 640;
    private static final int HEIGHT = 360;

    /** Threshold of shrinkage: more than the noise, less than the steps between blocks. */
    private static final int SHRINKAGE = 160;

    private static final int WARM_UP_RUNS = 4;
    private static final int RUNS = 8;

    private PictureRace() {}

    /**
     * Runs the race. The CPU's result counts as right. A device that fails loses. So does one that hangs, after the time that a
     * picture has.
     *
     * @param qpu counts its submissions, so that a device that pictures never reached does not win
     */
    static SubstrateTimes run(FilterContext cpu, FilterContext qpu) {
        try (RacePictures pictures = new RacePictures(PixelFormat.NV12, WIDTH, HEIGHT, 3)) {
            long cpuNanos = time(cpu, pictures.at(0), pictures.at(1));
            long submitsBefore = qpu.counters().submits();
            long qpuNanos = time(qpu, pictures.at(0), pictures.at(2));
            long submits = qpu.counters().submits() - submitsBefore;
            // There may be more submissions: a filter prepares its buffers.
            if (submits < WARM_UP_RUNS + RUNS) {
                return lost(qpu, "was given " + submits + " of " + (WARM_UP_RUNS + RUNS) + " pictures");
            }
            if (!pictures.equal(1, 2)) {
                return lost(qpu, "does not filter as the CPU does, please report it with the driver's version");
            }
            return SubstrateTimes.of(WORK, 1, cpuNanos, qpuNanos);
        } catch (DeviceException e) {
            return lost(qpu, "failed: " + e.getMessage());
        }
    }

    /** The result of a race that has not ended in its time. */
    static SubstrateTimes unfinished(FilterContext qpu, long nanos) {
        return lost(
                qpu,
                "and the CPU have not filtered their first pictures in " + TimeUnit.NANOSECONDS.toSeconds(nanos)
                        + " s, so the CPU filters; see whether the device hangs (dmesg)");
    }

    private static SubstrateTimes lost(FilterContext qpu, String why) {
        return SubstrateTimes.lost(WORK, 1, qpu.deviceName() + " " + why);
    }

    /** Best time of a picture, in nanoseconds. */
    private static long time(FilterContext context, Picture from, Picture to) {
        try (PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT)) {
            PicturePlan plan =
                    PicturePlan.fixed(FilterParameters.deblocking(H264DeblockParameters.intra(34, 0, 0, 0, 0, false))
                            .withCdef(CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2)))
                            .withShrinkage(new ShrinkageParameters(
                                    8, SHRINKAGE, SHRINKAGE, ShrinkageParameters.DEFAULT_BOUND)));
            long best = Long.MAX_VALUE;
            for (int run = 0; run < WARM_UP_RUNS + RUNS; run++) {
                long start = System.nanoTime();
                filter.filter(from, to, plan);
                long nanos = System.nanoTime() - start;
                if (run >= WARM_UP_RUNS) {
                    best = Math.min(best, nanos);
                }
            }
            return best;
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import java.lang.System.Logger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;

/** Measures what temporal fusion takes a GPU, once for each format and about each size. Holds nothing; belongs to the context's thread. */
public final class FusionRace {
    private static final Logger LOG = System.getLogger(FusionRace.class.getName());

    /** Threshold of shrinkage: more than the noise of the pictures, less than the steps between their blocks. */
    private static final int THRESHOLD = 160;

    /** Pictures before those that count: drivers compile kernels for no reference, for one and for two, and memory is touched. */
    private static final int WARM_UP_PICTURES = 5;

    private static final int PICTURES = 12;

    /** Fewest pictures that count, where they take long. */
    private static final int FEWEST = 3;

    /** Pictures that take longer in sum are enough. */
    private static final long LONG_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** A device that takes as long for a small picture takes as many times longer for a large one as that has more samples. */
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /** The smallest picture that is tried has this part of the width, and of the height. */
    private static final int SMALLEST_PART = 4;

    private FusionRace() {}

    /**
     * What a GPU takes for pictures in the process's memory. The first time that this device meets the format and about the size, pictures
     * are filtered, for some tenths of a second; a file in the user's cache folder keeps the result.
     *
     * @return empty if the context runs on the CPU, as software Vulkan does
     * @throws DeviceException when the device failed before it had filtered a picture without fusion
     */
    public static Optional<FusionTimes> times(FilterContext context, PixelFormat format, int width, int height) {
        if (!(context instanceof VulkanFilterContext device)
                || !device.capabilities().type().isGpu()) {
            return Optional.empty();
        }
        long samples = (long) width * height;
        FusionRecord record = FusionRecord.of(Calibration.Scope.of(device.capabilities(), 1));
        // Elements that start together do not race each other.
        synchronized (record) {
            Optional<FusionTimes> known = record.find(format, samples);
            if (known.isPresent()) {
                return known;
            }
            FusionTimes measured = run(context, format, width, height);
            record.add(format, samples, measured);
            return Optional.of(measured);
        }
    }

    /** Runs the race, on any substrate. */
    static FusionTimes run(FilterContext context, PixelFormat format, int width, int height) {
        int part = SMALLEST_PART;
        while (true) {
            try (RacePictures pictures =
                    new RacePictures(format, Math.max(width / part, 1), Math.max(height / part, 1), 2)) {
                FilterParameters alone = FilterParameters.shrinkage(
                        new ShrinkageParameters(8, THRESHOLD, THRESHOLD, ShrinkageParameters.DEFAULT_BOUND));
                long without = time(context, pictures, alone, 0);
                if (part == 1 || without >= BUSY_NANOS) {
                    return measured(context, pictures, alone, without, (long) part * part);
                }
            }
            part /= 2;
        }
    }

    /**
     * Measures fusion.
     *
     * @param scale how many times as many samples the stream's pictures have
     */
    private static FusionTimes measured(
            FilterContext context, RacePictures pictures, FilterParameters alone, long without, long scale) {
        long most = FusionTimes.MOST_TIMES * without;
        List<Long> fused = new ArrayList<>();
        for (int ahead = 0; ahead <= TimeParameters.MOST_AHEAD; ahead++) {
            long nanos;
            try {
                FilterParameters parameters = alone.withTime(new TimeParameters(THRESHOLD, THRESHOLD, 0, false, ahead));
                nanos = time(context, pictures, parameters, ahead);
            } catch (DeviceException e) {
                LOG.log(
                        Logger.Level.INFO,
                        "{0} cannot fuse with {1} ahead: {2}",
                        context.deviceName(),
                        ahead,
                        e.getMessage());
                break;
            }
            if (nanos > most) {
                break;
            }
            fused.add(scale * nanos);
        }
        return new FusionTimes(scale * without, fused);
    }

    /** The median time of a picture. */
    private static long time(FilterContext context, RacePictures pictures, FilterParameters parameters, int ahead) {
        PicturePlan plan = PicturePlan.fixed(parameters);
        Picture source = pictures.at(0);
        Picture destination = pictures.at(1);
        PictureLayout layout = source.layout();
        try (PictureFilter filter = context.newPictureFilter(layout.format(), layout.width(), layout.height())) {
            List<PictureRun> runs =
                    Stream.generate(filter::newRun).limit(ahead + 1).toList();
            List<Long> counted = new ArrayList<>();
            long sum = 0;
            long before = System.nanoTime();
            for (int picture = 0;
                    counted.size() < FEWEST || (counted.size() < PICTURES && sum < LONG_NANOS);
                    picture++) {
                PictureRun run = runs.get(picture % runs.size());
                run.finish();
                long now = System.nanoTime();
                if (picture > WARM_UP_PICTURES) {
                    counted.add(now - before);
                    sum += now - before;
                }
                before = now;
                run.begin(source, destination, plan);
            }
            Collections.sort(counted);
            return counted.get(counted.size() / 2);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.EnumMap;
import java.util.Map;
import org.gstqpu.kernels.internal.quality.HvsWeights;
import org.gstqpu.kernels.internal.quality.SsimWindow;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * What {@link QualityMeter}s found in any number of pictures. A figure of several pictures comes from all their samples or
 * windows together, so that it is no mean of decibels. Mutable, so that a picture allocates nothing; belongs to one thread.
 */
public final class QualitySums {
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    private long pictures;
    private final Map<PictureComponent, OfComponent> components = new EnumMap<>(PictureComponent.class);
    private double greatestSeenError;
    private double seenError;

    private static final class OfComponent {
        double greatestError;
        long squaredError;
        long windows;
        double ssim;
    }

    /** Sums of no picture. */
    public QualitySums() {
        for (PictureComponent component : COMPONENTS) {
            components.put(component, new OfComponent());
        }
    }

    /** Forgets all. */
    public void clear() {
        pictures = 0;
        for (PictureComponent component : COMPONENTS) {
            OfComponent own = components.get(component);
            own.greatestError = 0;
            own.squaredError = 0;
            own.windows = 0;
            own.ssim = 0;
        }
        greatestSeenError = 0;
        seenError = 0;
    }

    /** Adds what others hold. */
    public void add(QualitySums others) {
        pictures += others.pictures;
        for (PictureComponent component : COMPONENTS) {
            OfComponent own = components.get(component);
            OfComponent other = others.components.get(component);
            own.greatestError += other.greatestError;
            own.squaredError += other.squaredError;
            own.windows += other.windows;
            own.ssim += other.ssim;
        }
        greatestSeenError += others.greatestSeenError;
        seenError += others.seenError;
    }

    /**
     * Adds a component of a picture, as meters do; luma, which every picture has, counts the pictures.
     *
     * @param layout of the picture, anywhere
     * @param squaredError sum over its samples
     * @param ssim sum over its {@linkplain SsimWindow windows}
     */
    public void add(PictureComponent component, PictureLayout layout, long squaredError, double ssim) {
        int samples = component.rowSamples(layout);
        int rows = component.rows(layout);
        OfComponent own = components.get(component);
        pictures += component == PictureComponent.Y ? 1 : 0;
        own.greatestError += greatestError((long) samples * rows, layout);
        own.squaredError += squaredError;
        own.windows += (long) SsimWindow.count(samples) * SsimWindow.count(rows);
        own.ssim += ssim;
    }

    /**
     * Adds the error of a picture's luma that the eye sees.
     *
     * @param layout of the picture, anywhere
     * @param error sum over the samples in whole blocks
     */
    public void addSeen(PictureLayout layout, double error) {
        long samples = (long) HvsWeights.inBlocks(layout.width()) * HvsWeights.inBlocks(layout.height());
        greatestSeenError += greatestError(samples, layout);
        seenError += error;
    }

    private static double greatestError(long samples, PictureLayout layout) {
        int peak = layout.format().peak();
        return (double) samples * peak * peak;
    }

    /** Pictures that were added. */
    public long pictures() {
        return pictures;
    }

    /** Sum over all samples. */
    public long squaredError(PictureComponent component) {
        return components.get(component).squaredError;
    }

    /** In dB; infinite when every sample is equal, NaN where no picture has that component. */
    public double psnr(PictureComponent component) {
        OfComponent own = components.get(component);
        return decibels(own.greatestError, (double) own.squaredError);
    }

    /** At most 1, which means equal; NaN where no picture has a window of that component. */
    public double ssim(PictureComponent component) {
        OfComponent own = components.get(component);
        return own.ssim / own.windows;
    }

    /** Of luma, in dB; infinite when every sample in whole blocks is equal, NaN where no picture has a block. */
    public double psnrHvs() {
        return decibels(greatestSeenError, seenError);
    }

    private static double decibels(double greatest, double error) {
        return 10 * Math.log10(greatest / error);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.EnumMap;
import java.util.Map;
import org.gstqpu.kernels.picture.PictureComponent;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * The sums that {@link QualityMeter}s have measured over any number of pictures, and the figures that follow. A figure of several
 * pictures comes from the samples or windows of all of them; it is not a mean of decibels. Mutable, so that measuring a picture
 * allocates nothing. Belongs to one thread at a time.
 */
public final class QualitySums {
    private static final PictureComponent[] COMPONENTS = PictureComponent.values();

    private long pictures;
    private final Map<PictureComponent, OfComponent> components = new EnumMap<>(PictureComponent.class);

    /** Greatest sum that {@link #seenError} could be. */
    private double greatestSeenError;

    /** Sum of the errors of luma that the eye sees. */
    private double seenError;

    private static final class OfComponent {
        /** Greatest sum that {@link #squaredError} could be. */
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

    /** Sets all sums to those of no picture. */
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

    /** Adds the sums of others, which stay as they are. */
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
     * Adds one component of a picture; {@link QualityMeter}s call this. A luma component counts as a picture.
     *
     * @param layout layout of the picture, of which format and size count
     * @param squaredError sum of the squared differences of all samples
     * @param windows number of windows
     * @param ssim sum of the SSIM of all windows of 8x8 samples that lie four apart
     */
    public void add(PictureComponent component, PictureLayout layout, long squaredError, long windows, double ssim) {
        int samples = component.rowSamples(layout);
        int rows = component.rows(layout);
        OfComponent own = components.get(component);
        pictures += component == PictureComponent.Y ? 1 : 0;
        own.greatestError += greatestError((long) samples * rows, layout);
        own.squaredError += squaredError;
        own.windows += windows;
        own.ssim += ssim;
    }

    /**
     * Adds the weighted error of a picture's luma, from which PSNR-HVS follows; {@link QualityMeter}s call this.
     *
     * @param layout layout of the picture, of which format and size count
     * @param samples number of samples in whole 8x8 blocks
     * @param error sum over these samples
     */
    public void addSeen(PictureLayout layout, long samples, double error) {
        greatestSeenError += greatestError(samples, layout);
        seenError += error;
    }

    private static double greatestError(long samples, PictureLayout layout) {
        int peak = layout.format().peak();
        return (double) samples * peak * peak;
    }

    /** Number of pictures in the sums. */
    public long pictures() {
        return pictures;
    }

    /** Sum of the squared differences of all samples of a component. */
    public long squaredError(PictureComponent component) {
        return components.get(component).squaredError;
    }

    /** PSNR of a component in dB; infinite if all samples are equal, NaN if no picture has the component. */
    public double psnr(PictureComponent component) {
        OfComponent own = components.get(component);
        return decibels(own.greatestError, (double) own.squaredError);
    }

    /** Mean SSIM of a component, at most 1, which means equal; NaN if no picture has a window of the component. */
    public double ssim(PictureComponent component) {
        OfComponent own = components.get(component);
        return own.ssim / own.windows;
    }

    /** PSNR-HVS of luma in dB; infinite if all samples in whole 8x8 blocks are equal, NaN if no picture has such a block. */
    public double psnrHvs() {
        return decibels(greatestSeenError, seenError);
    }

    private static double decibels(double greatest, double error) {
        return 10 * Math.log10(greatest / error);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import java.util.Set;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Measures how close pictures come to their references, by the metrics that it was made for. All pictures of a meter have one format
 * and size. Made by {@link MeterContext#newMeter}; the caller owns it and closes it before the context. Belongs to one thread at a time.
 *
 * <p>Each figure is over whole pictures. Figures of two substrates agree to four decimals; those of metrics in integers are equal.
 *
 * <p>Metrics of motion compare a reference with the one before, so pictures are measured in the order of their sequence.
 *
 * <ul>
 *   <li><b>PSNR</b> of each component, from the exact sum of squared differences.
 *   <li><b>SSIM</b> of each component as x264 and ffmpeg's filter {@code ssim} compute it: the mean over windows of 8x8 samples that
 *       lie four apart and wholly in the picture, without weighting, with sample variances (division by 63) and the constants
 *       (0.01 peak)² / 64, where the paper has no division, and (0.03 peak)². A component smaller than a window has no SSIM.
 *   <li><b>PSNR-HVS</b> of luma: the differences of 8x8 blocks beside each other, those that lie wholly in the picture, transformed
 *       by an orthonormal DCT and weighted by the eye's sensitivity to each of its 64 frequencies (Egiazarian et al., <i>New
 *       full-reference quality metrics based on HVS</i>, 2006). It is not PSNR-HVS-M, in which errors also hide behind detail;
 *       libvmaf's {@code psnr_hvs} is close to that one.
 *   <li><b>XPSNR</b> of each component as FFmpeg 7.1 computes it (Helmrich et al., 2020): PSNR in which the error of a block is divided
 *       by the mean of its reference's luma after a spatial high-pass plus twice that of its difference in time. What comes before the
 *       first picture of a sequence counts as 0. It is infinite for equal pictures.
 * </ul>
 */
public interface QualityMeter extends AutoCloseable {
    /**
     * Measures one picture and returns when its figures are in {@code figures}. A device gets one submission for all metrics.
     * Nothing is allocated in the steady state.
     *
     * <p>Both pictures have this meter's format and size and are only read. They lie in {@link HostMemory}, or in memory that this
     * meter's context imported. A picture in a dmabuf is read when all who write it have ended, and is no longer used when this method
     * returns.
     *
     * @param reference what the picture is compared with
     * @param picture what is measured
     * @param figures receives the figures, in the place of those that it holds
     * @throws IllegalArgumentException when a picture is of another format or size, its memory is too small, or the substrate
     *     cannot read it there
     * @throws IllegalStateException when the meter is closed
     * @throws DeviceException when the device failed; the meter can only be closed then
     */
    void measure(Picture reference, Picture picture, QualityFigures figures);

    /** Begins a new sequence: the next picture has none before it, and its motion is 0, or for XPSNR its difference from 0. */
    void restart();

    /** The metrics that this meter measures. */
    Set<QualityMetric> metrics();

    /** Releases everything that this meter owns. A second call does nothing. */
    @Override
    void close();
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.quality;

import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Measures how close pictures come to their references, pair by pair of one format and size. Made and owned by a {@link org.gstqpu.kernels.filter.FilterContext}'s user; belongs to one thread at a time and is closed before its context.
 *
 * <p>The figures, each over whole pictures and the same on every substrate to four decimals:
 *
 * <ul>
 *   <li><b>PSNR</b> of each component, from the exact sum of squared differences.
 *   <li><b>SSIM</b> of each component as x264 and ffmpeg's filter {@code ssim} compute it: the mean over windows of 8x8 samples that
 *       lie four apart and wholly in the picture, without weighting, with sample variances (division by 63) and the constants
 *       (0.01 peak)² / 64, where the paper has no division, and (0.03 peak)². A component smaller than a window has none.
 *   <li><b>PSNR-HVS</b> of luma: the differences of 8x8 blocks beside each other, those that lie wholly in the picture, transformed
 *       by an orthonormal DCT and weighted by the eye's sensitivity to each of its 64 frequencies (Egiazarian et al., <i>New
 *       full-reference quality metrics based on HVS</i>, 2006). Not PSNR-HVS-M, in which errors also hide behind detail, and
 *       of which libvmaf's {@code psnr_hvs} is a kin.
 * </ul>
 */
public interface QualityMeter extends AutoCloseable {
    /**
     * Measures one picture; returns when the figures are there. Nothing is allocated in the steady state, and a device is given
     * one submission.
     *
     * @param reference read only; {@link HostMemory}, or memory that this meter's context imported from the process or made. A
     *     picture in a dmabuf is mapped by its owner and given as {@link HostMemory}
     * @param referenceLayout of this meter's format and size
     * @param picture the same
     * @param pictureLayout of this meter's format and size
     * @param sums gets the picture's figures added
     * @throws IllegalArgumentException when a layout is of another format or size, its memory is too small, or the substrate
     *     does not reach it
     * @throws DeviceException when the device failed; the meter can only be closed then
     */
    void measure(
            PictureMemory reference,
            PictureLayout referenceLayout,
            PictureMemory picture,
            PictureLayout pictureLayout,
            QualitySums sums);

    /** Releases everything this meter owns; a second call does nothing. */
    @Override
    void close();
}

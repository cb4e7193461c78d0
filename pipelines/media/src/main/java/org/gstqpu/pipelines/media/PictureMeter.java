/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.media;

import static org.lwjgl.system.MemoryUtil.memByteBuffer;
import static org.lwjgl.system.MemoryUtil.nmemAllocChecked;
import static org.lwjgl.system.MemoryUtil.nmemFree;

import java.util.EnumSet;
import java.util.Set;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.MeterContext;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.gstqpu.kernels.quality.QualitySums;

/**
 * Measures the quality of pictures in arrays, all of one size. Owns a {@link QualityMeter} and the memory to which the pictures are
 * copied for it. Closed before the context; belongs to one thread.
 */
public final class PictureMeter implements AutoCloseable {
    private static final int PLANES = 3;

    private final int width;
    private final int height;
    private final PictureLayout layout;
    private final QualityMeter meter;
    private final QualityFigures figures = new QualityFigures();
    private final HostMemory reference;
    private final HostMemory picture;

    /**
     * A meter of PSNR, SSIM and PSNR-HVS.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not enough memory
     */
    public PictureMeter(MeterContext context, int width, int height) {
        this(context, width, height, EnumSet.of(QualityMetric.PSNR, QualityMetric.SSIM, QualityMetric.PSNR_HVS));
    }

    /**
     * A meter of some metrics.
     *
     * @throws IllegalArgumentException when one is not defined for pictures of this size
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not enough memory
     */
    public PictureMeter(MeterContext context, int width, int height, Set<QualityMetric> metrics) {
        this.width = width;
        this.height = height;
        layout = PictureLayout.packed(PixelFormat.I420, width, height, 1);
        meter = context.newMeter(PixelFormat.I420, width, height, metrics);
        reference = new HostMemory().set(nmemAllocChecked(layout.sizeBytes()), layout.sizeBytes());
        picture = new HostMemory().set(nmemAllocChecked(layout.sizeBytes()), layout.sizeBytes());
    }

    /**
     * Measures one picture.
     *
     * @param wanted the reference
     * @param measured the picture to measure
     * @param sums the sums to which the figures of this picture are added
     * @throws IllegalArgumentException when a picture is of another size
     */
    public void measure(I420Picture wanted, I420Picture measured, QualitySums sums) {
        copy(wanted, reference);
        copy(measured, picture);
        meter.measure(Picture.of(reference, layout), Picture.of(picture, layout), figures);
        sums.add(figures.sums());
    }

    /**
     * Measures the next picture of a sequence.
     *
     * @param log receives its figures
     * @throws IllegalArgumentException when a picture is of another size
     */
    public void measure(I420Picture wanted, I420Picture measured, QualityLog log) {
        copy(wanted, reference);
        copy(measured, picture);
        meter.measure(Picture.of(reference, layout), Picture.of(picture, layout), figures);
        log.add(figures);
    }

    private void copy(I420Picture from, HostMemory to) {
        if (from.width() != width || from.height() != height) {
            throw new IllegalArgumentException("this meter is for " + width + "x" + height + ", the picture is "
                    + from.width() + "x" + from.height());
        }
        for (int plane = 0; plane < PLANES; plane++) {
            byte[] samples = from.plane(plane);
            memByteBuffer(to.address() + layout.offsetBytes(plane), samples.length)
                    .put(samples);
        }
    }

    @Override
    public void close() {
        meter.close();
        nmemFree(reference.address());
        nmemFree(picture.address());
    }
}

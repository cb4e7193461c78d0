/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import static org.lwjgl.system.MemoryUtil.memAddress;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.work.DevicePicture;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.pipelines.bench.DispatchTimes;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * Measures the picture filters on pictures in the device's own memory, each filter alone and several in one submission. Before and
 * after a case is timed, its result is compared with the CPU's, byte for byte. Belongs to the context's thread.
 */
public final class PicturesBenchmark {
    private static final int ROW_ALIGNMENT_BYTES = 64;
    private static final int SMALLEST_SIDE = 16;
    private static final int WARM_UP = 5;
    private static final int[] SHIFTS = {4, 8, 16};
    private static final int DEFAULT_SHIFTS = 8;
    private static final int SHRINKAGE_THRESHOLD = 160;

    private final VulkanFilterContext context;
    private final FilterContext cpu;
    private final PixelFormat format;
    private final int pictures;
    private final boolean transform8x8;

    /**
     * @param cpu computes the expected results
     * @param pictures pictures per case after the cold one, 1 or more
     * @param transform8x8 whether only the edges of the 8x8 grid are deblocked
     */
    public PicturesBenchmark(
            VulkanFilterContext context, FilterContext cpu, PixelFormat format, int pictures, boolean transform8x8) {
        this.context = context;
        this.cpu = cpu;
        this.format = format;
        this.pictures = pictures;
        this.transform8x8 = transform8x8;
    }

    /**
     * Measures CDEF, deblocking, both together, shrinkage, and all three.
     *
     * @throws WrongResultException when a result was wrong, a submission was missing or a picture was copied
     */
    public PicturesReport run(int width, int height) {
        Optional<CdefParameters> cdef = Optional.of(CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2)));
        List<PicturesReport.Case> cases = new ArrayList<>();
        cases.add(measure("cdef", width, height, new FilterParameters(Optional.empty(), cdef)));
        Optional<H264DeblockParameters> deblock =
                Optional.of(H264DeblockParameters.intra(36, 0, 0, 0, 0, transform8x8));
        cases.add(measure("deblock", width, height, new FilterParameters(deblock, Optional.empty())));
        cases.add(measure("deblock, cdef", width, height, new FilterParameters(deblock, cdef)));
        for (int shifts : SHIFTS) {
            cases.add(measure("shrinkage, " + shifts + " shifts", width, height, shrinkage(shifts)));
        }
        FilterParameters all =
                new FilterParameters(deblock, cdef, shrinkage(DEFAULT_SHIFTS).shrinkage());
        cases.add(measure("deblock, cdef, shrinkage", width, height, all));
        long empty = measure("cdef", SMALLEST_SIDE, SMALLEST_SIDE, new FilterParameters(Optional.empty(), cdef))
                .p50Nanos();
        return new PicturesReport(
                context.capabilities().name(),
                context.capabilities().driver(),
                context.deblockForm().name(),
                format.name(),
                width,
                height,
                pictures,
                empty,
                cases);
    }

    /** Shrinkage alone, with thresholds of a coarse quantiser. */
    private static FilterParameters shrinkage(int shifts) {
        return FilterParameters.shrinkage(new ShrinkageParameters(
                shifts, SHRINKAGE_THRESHOLD, SHRINKAGE_THRESHOLD, ShrinkageParameters.DEFAULT_BOUND));
    }

    /** Draws blocks with steps between them, and noise, so that both filters have work to do. */
    private static void draw(ByteBuffer memory, PictureLayout layout) {
        Random random = new Random(layout.width());
        int sampleShift = layout.format().sampleShift();
        int sampleBytes = layout.format().sampleBytes();
        int most = (1 << layout.format().bitDepth()) - 1;
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            int samples = layout.rowBytes(plane) / sampleBytes;
            for (int y = 0; y < layout.rows(plane); y++) {
                int at = Math.toIntExact(layout.offsetBytes(plane) + (long) y * layout.strideBytes(plane));
                for (int x = 0; x < samples; x++) {
                    int level = ((x >> 3) * 37 + (y >> 3) * 23) % 24 + most / 3;
                    int sample = Math.min(most, level + random.nextInt(9)) << sampleShift;
                    memory.put(at + x * sampleBytes, (byte) sample);
                    if (sampleBytes == 2) {
                        memory.put(at + x * sampleBytes + 1, (byte) (sample >> 8));
                    }
                }
            }
        }
    }

    private PicturesReport.Case measure(String filters, int width, int height, FilterParameters parameters) {
        PictureLayout layout = PictureLayout.packed(format, width, height, ROW_ALIGNMENT_BYTES);
        int bytes = Math.toIntExact((layout.sizeBytes() + 3) / 4 * 4);
        ByteBuffer drawn = ByteBuffer.allocateDirect(bytes);
        ByteBuffer wanted = ByteBuffer.allocateDirect(bytes);
        draw(drawn, layout);
        PicturePlan plan = PicturePlan.fixed(parameters);
        try (PictureFilter reference = cpu.newPictureFilter(format, width, height)) {
            reference.filter(Picture.of(memory(drawn), layout), Picture.of(memory(wanted), layout), plan);
        }
        if (wanted.equals(drawn)) {
            throw new WrongResultException("the filters do not change the picture");
        }
        try (DevicePicture source = context.newDevicePicture(bytes);
                DevicePicture destination = context.newDevicePicture(bytes);
                PictureFilter filter = context.newPictureFilter(format, width, height)) {
            source.write(drawn);
            destination.write(ByteBuffer.allocateDirect(bytes));
            Picture from = Picture.of(source, layout);
            Picture to = Picture.of(destination, layout);
            long begin = System.nanoTime();
            filter.filter(from, to, plan);
            long coldNanos = System.nanoTime() - begin;
            check(filters, destination, wanted);
            destination.write(ByteBuffer.allocateDirect(bytes));
            for (int i = 0; i < WARM_UP; i++) {
                filter.filter(from, to, plan);
            }
            long submits = context.counters().submits();
            long dispatches = context.dispatches();
            long copied = context.counters().bytesCopied();
            long measured = context.measuredSubmits();
            long[] nanos = new long[pictures];
            long[] gpuNanos = new long[pictures];
            for (int i = 0; i < pictures; i++) {
                long gpuBegin = context.gpuNanos();
                begin = System.nanoTime();
                filter.filter(from, to, plan);
                nanos[i] = System.nanoTime() - begin;
                gpuNanos[i] = context.gpuNanos() - gpuBegin;
            }
            boolean timed = context.measuredSubmits() - measured == pictures;
            submits = context.counters().submits() - submits;
            dispatches = context.dispatches() - dispatches;
            if (submits < pictures || context.counters().bytesCopied() != copied) {
                throw new WrongResultException(pictures + " pictures took " + submits + " submissions, and "
                        + (context.counters().bytesCopied() - copied) + " bytes were copied");
            }
            check(filters, destination, wanted);
            DispatchTimes times = DispatchTimes.of(coldNanos, nanos);
            return new PicturesReport.Case(
                    filters,
                    times.coldNanos(),
                    times.p50Nanos(),
                    times.p90Nanos(),
                    times.meanNanos(),
                    timed ? DispatchTimes.of(0, gpuNanos).p50Nanos() : null,
                    (double) submits / pictures,
                    (double) dispatches / pictures,
                    2 * sampleBytes(layout));
        }
    }

    private static void check(String filters, DevicePicture destination, ByteBuffer wanted) {
        ByteBuffer found = ByteBuffer.allocateDirect(wanted.capacity());
        destination.read(found);
        int difference = wanted.mismatch(found);
        if (difference >= 0) {
            throw new WrongResultException(filters + ": byte " + difference + " is " + (found.get(difference) & 255)
                    + " on the device and " + (wanted.get(difference) & 255) + " on the CPU");
        }
    }

    private static HostMemory memory(ByteBuffer bytes) {
        return new HostMemory().set(memAddress(bytes), bytes.capacity());
    }

    private static long sampleBytes(PictureLayout layout) {
        long bytes = 0;
        for (int plane = 0; plane < layout.format().planes(); plane++) {
            bytes += (long) layout.rowBytes(plane) * layout.rows(plane);
        }
        return bytes;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.report;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.CRC32;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.picture.WarmingContext;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.work.DevicePicture;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * What one measurement filters, and the measurement itself. It runs once in a process, whose start is a part of it. Pictures are
 * NV12 and lie where the substrate reads them without a copy.
 *
 * @param substrate {@code cpu} or {@code qpu}
 * @param quality {@code fast} or {@code best}
 * @param width width in pixels
 * @param height height in pixels
 */
record SpeedCase(String substrate, String quality, int width, int height) {
    private static final PixelFormat FORMAT = PixelFormat.NV12;
    private static final int ROW_ALIGNMENT_BYTES = 64;
    /** So long the JVM's compiler is given to do its work, and so long is measured then. */
    static final long USUAL_MILLIS = 1500;

    /** The share of that time in which the cold filter's pictures are counted, from the start of the process. */
    private static final double COLD_PART = 2 / 3.0;

    /** Threshold of shrinkage: more than the noise, less than the steps between blocks. */
    private static final int SHRINKAGE = 160;

    private static final int SHIFTS = 8;

    /** As it is written on the command line: {@code cpu,best,1280x720}. */
    static SpeedCase of(String text) {
        String[] parts = text.split("[,x]", -1);
        return new SpeedCase(parts[0], parts[1], Integer.parseInt(parts[2]), Integer.parseInt(parts[3]));
    }

    String text() {
        return substrate + "," + quality + "," + width + "x" + height;
    }

    /** A measurement that failed. */
    Speed failed(String problem) {
        return new Speed(substrate, "", quality, width, height, 0, 0, 0, 0, problem);
    }

    private PicturePlan plan() {
        if (quality.equals("best")) {
            return PicturePlan.fixed(FilterParameters.shrinkage(
                    new ShrinkageParameters(SHIFTS, SHRINKAGE, SHRINKAGE, ShrinkageParameters.DEFAULT_BOUND)));
        }
        return PicturePlan.fixed(FilterParameters.deblocking(H264DeblockParameters.intra(34, 0, 0, 0, 0, false))
                .withCdef(CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2))));
    }

    /**
     * Measures in this process.
     *
     * @param millis how long the filter is warmed up, and how long it is measured
     * @throws WrongResultException if the filters changed nothing, or the device was not given every picture
     * @throws SubstrateUnavailableException if there is no such substrate
     */
    Speed measure(long millis) throws SubstrateUnavailableException {
        long start = TimeUnit.MILLISECONDS.toNanos(
                ManagementFactory.getRuntimeMXBean().getStartTime());
        long sinceStart = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - start;
        long begin = System.nanoTime() - sinceStart;
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        PictureLayout layout = PictureLayout.packed(FORMAT, width, height, ROW_ALIGNMENT_BYTES);
        // A device reads whole words.
        int bytes = Math.toIntExact((layout.sizeBytes() + 3) / 4 * 4);
        ByteBuffer drawn = draw(bytes, layout.strideBytes(0));
        ByteBuffer filtered = ByteBuffer.allocateDirect(bytes);
        SubstrateRequest request = SubstrateRequest.of(Substrate.valueOf(substrate.toUpperCase(Locale.ROOT)));
        try (FilterContext context = Substrates.open(request)) {
            if (!(context instanceof VulkanFilterContext device)) {
                Picture from = Picture.of(HostMemory.of(drawn), layout);
                Picture to = Picture.of(HostMemory.of(filtered), layout);
                return measure(context, from, to, begin, nanos, () -> checksum(drawn, filtered));
            }
            try (DevicePicture source = device.newDevicePicture(bytes);
                    DevicePicture destination = device.newDevicePicture(bytes)) {
                source.write(drawn);
                destination.write(filtered);
                return measure(
                        context, Picture.of(source, layout), Picture.of(destination, layout), begin, nanos, () -> {
                            destination.read(filtered);
                            return checksum(drawn, filtered);
                        });
            }
        }
    }

    /** Blocks of different brightness with some noise, so that all filters work everywhere. */
    private static ByteBuffer draw(int bytes, int stride) {
        Random random = new Random(1);
        ByteBuffer drawn = ByteBuffer.allocateDirect(bytes);
        for (int i = 0; i < bytes; i++) {
            int x = i % stride;
            int y = i / stride;
            int block = (x / 8 * 5 + y / 8 * 11) % 13;
            drawn.put(i, (byte) (60 + x / 16 % 128 + block + random.nextInt(7)));
        }
        return drawn;
    }

    private Speed measure(
            FilterContext context, Picture from, Picture to, long begin, long nanos, LongSupplier checksum) {
        PicturePlan plan = plan();
        WarmingContext.of(context).expect(FORMAT, plan);
        try (PictureFilter filter = context.newPictureFilter(FORMAT, width, height)) {
            long cold = 0;
            long first = System.nanoTime();
            while (System.nanoTime() - begin < COLD_PART * nanos || cold == 0) {
                filter.filter(from, to, plan);
                cold++;
            }
            double coldSeconds = (System.nanoTime() - begin) / 1e9;
            while (System.nanoTime() - first < nanos) {
                filter.filter(from, to, plan);
            }
            long submits = context.counters().submits();
            long cpu = cpuNanos();
            long pictures = 0;
            long start = System.nanoTime();
            while (System.nanoTime() - start < nanos || pictures < 2) {
                filter.filter(from, to, plan);
                pictures++;
            }
            double took = System.nanoTime() - start;
            if (context.substrate() == Substrate.QPU && context.counters().submits() - submits < pictures) {
                throw new WrongResultException("the device was given "
                        + (context.counters().submits() - submits) + " of " + pictures + " pictures");
            }
            return new Speed(
                    substrate,
                    context.deviceName(),
                    quality,
                    width,
                    height,
                    tenth(cold / coldSeconds),
                    tenth(pictures * 1e9 / took),
                    tenth((cpuNanos() - cpu) / took),
                    checksum.getAsLong(),
                    null);
        }
    }

    private static double tenth(double value) {
        return Math.round(value * 10) / 10.0;
    }

    /** CPU time of all threads of this process. */
    private static long cpuNanos() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private static long checksum(ByteBuffer drawn, ByteBuffer filtered) {
        if (drawn.rewind().equals(filtered.rewind())) {
            throw new WrongResultException("the filters do not change the picture");
        }
        CRC32 sum = new CRC32();
        sum.update(filtered);
        return sum.getValue();
    }
}

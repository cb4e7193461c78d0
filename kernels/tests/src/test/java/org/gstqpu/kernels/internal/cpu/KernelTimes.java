/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Prints what the CPU's picture filters cost, the best of many rounds. Run by hand; arguments are plain or
 * vectors, threads, width, height and, for real content, a file whose first frame is taken (8-bit I420; in 10 bit four times its
 * samples). Without one the content is random, which has far more steep edges than video and takes CDEF longer.
 */
final class KernelTimes {
    private static final int ROUNDS = 60;

    private KernelTimes() {}

    /** Prints one line a filter. */
    public static void main(String[] arguments) throws IOException {
        VectorUse vectors = arguments[0].equals("vectors") ? VectorUse.always() : VectorUse.never();
        int threads = Integer.parseInt(arguments[1]);
        int width = Integer.parseInt(arguments[2]);
        int height = Integer.parseInt(arguments[3]);
        Optional<Path> file = arguments.length > 4 ? Optional.of(Path.of(arguments[4])) : Optional.empty();
        FilterParameters intra = FilterParameters.deblocking(H264DeblockParameters.intra(32, 0, 0, 0, 0, false));
        FilterParameters light =
                FilterParameters.deblocking(new H264DeblockParameters(26, 33, 26, 33, 26, 33, 3, 3, true));
        CdefParameters cdef = CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2));
        FilterParameters full = FilterParameters.cdef(cdef);
        FilterParameters primary = FilterParameters.cdef(CdefParameters.uniform(5, new CdefStrength(4, 0, 0, 0)));
        try (CpuFilterContext context = new CpuFilterContext(threads, "measured", vectors)) {
            time(context, PixelFormat.I420, width, height, file, "deblock intra qp 32", intra);
            time(context, PixelFormat.NV12, width, height, file, "deblock intra qp 32", intra);
            time(context, PixelFormat.I420_10LE, width, height, file, "deblock intra qp 32", intra);
            time(context, PixelFormat.I420, width, height, file, "deblock light 8x8", light);
            time(context, PixelFormat.GRAY8, width, height, file, "cdef 4,2", full);
            time(context, PixelFormat.GRAY8, width, height, file, "cdef 4,0", primary);
            time(context, PixelFormat.I420, width, height, file, "cdef 4,2,4,2", full);
            time(context, PixelFormat.NV12, width, height, file, "cdef 4,2,4,2", full);
            time(context, PixelFormat.I420_10LE, width, height, file, "cdef 4,2,4,2", full);
            time(context, PixelFormat.I420, width, height, file, "both", intra.withCdef(cdef));
            for (int shifts : new int[] {4, 8, 16}) {
                FilterParameters one = FilterParameters.shrinkage(new ShrinkageParameters(shifts, 160, 160, 35));
                time(context, PixelFormat.GRAY8, width, height, file, "shrinkage, " + shifts, one);
            }
            ShrinkageParameters eight = new ShrinkageParameters(8, 160, 160, 35);
            FilterParameters shrinkage = FilterParameters.shrinkage(eight);
            time(context, PixelFormat.I420, width, height, file, "shrinkage, 8", shrinkage);
            time(context, PixelFormat.NV12, width, height, file, "shrinkage, 8", shrinkage);
            time(context, PixelFormat.P010_10LE, width, height, file, "shrinkage, 8", shrinkage);
            FilterParameters all = light.withCdef(cdef).withShrinkage(eight);
            time(context, PixelFormat.I420, width, height, file, "all three", all);
        }
    }

    private static void time(
            CpuFilterContext context,
            PixelFormat format,
            int width,
            int height,
            Optional<Path> file,
            String name,
            FilterParameters parameters)
            throws IOException {
        PictureLayout layout = PictureLayout.packed(format, width, height, 64);
        Random random = new Random(1);
        try (MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random);
                PictureFilter filter = context.newPictureFilter(format, width, height)) {
            source.write(content(random, format, width, height, file));
            PicturePlan plan = PicturePlan.fixed(parameters);
            long[] nanos = new long[ROUNDS];
            for (int i = 0; i < ROUNDS; i++) {
                long start = System.nanoTime();
                filter.filter(source, destination, plan);
                nanos[i] = System.nanoTime() - start;
            }
            double first = nanos[0];
            Arrays.sort(nanos);
            double best = nanos[0];
            double blocks = (width + 7L) / 8 * ((height + 7L) / 8);
            System.out.printf(
                    Locale.ROOT,
                    "%-20s %-10s %8.2f ms the first picture, %7.2f ms the best, %6.2f ns a luma pixel, %7.1f ns an 8x8 luma block%n",
                    name,
                    format,
                    first / 1e6,
                    best / 1e6,
                    best / width / height,
                    best / blocks);
        }
    }

    private static SamplePicture content(Random random, PixelFormat format, int width, int height, Optional<Path> file)
            throws IOException {
        if (file.isEmpty()) {
            return SamplePicture.random(random, format.bitDepth(), format.chroma(), width, height);
        }
        SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), width, height);
        try (FileChannel channel = FileChannel.open(file.get())) {
            for (int component = 0; component < picture.components(); component++) {
                ByteBuffer plane = ByteBuffer.allocate(picture.width(component) * picture.height(component));
                while (plane.hasRemaining() && channel.read(plane) >= 0) {}
                for (int i = 0; i < plane.position(); i++) {
                    picture.set(
                            component,
                            i % picture.width(component),
                            i / picture.width(component),
                            (plane.get(i) & 255) << (format.bitDepth() - 8));
                }
            }
        }
        return picture;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import com.sun.management.ThreadMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.TestVectors;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.golden.GoldenPicture;
import org.gstqpu.kernels.internal.stage.VectorUse;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Filters a picture of real footage in a loop, on the calling thread alone, for a program outside that counts what the
 * kernel executes. Run by {@code it/a64}; arguments are plain or vectors, the filter, the pixel format, the pictures
 * of a round before, the pictures to count, and a file that exists while the pictures to count are filtered.
 */
final class KernelLoop {
    static final String SOURCE = "h264_picture_real_352x288_qp30_a0_b0_c0";

    /** Time for the JVM's compiler to end, and for the counting program to see the file come and go. */
    private static final long PAUSE_MILLIS = 1500;

    /** Samples by which the footage moves from one picture to the next and back, where motion is looked for. */
    private static final int MOVED = 4;

    private KernelLoop() {}

    /** Prints the pictures' luma pixels, and the Java bytes that the counted pictures allocated. */
    public static void main(String[] arguments) throws Exception {
        VectorUse vectors = arguments[0].equals("vectors") ? VectorUse.always() : VectorUse.never();
        PicturePlan plan = plan(arguments[1]);
        PixelFormat format = PixelFormat.valueOf(arguments[2]);
        int before = Integer.parseInt(arguments[3]);
        int counted = Integer.parseInt(arguments[4]);
        Path mark = Path.of(arguments[5]);
        SamplePicture content = content(format, 0);
        int width = content.width(0);
        int height = content.height(0);
        boolean moves = arguments[1].equals("time8");
        PictureLayout layout = PictureLayout.packed(format, width, height, 64);
        Random random = new Random(1);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        try (CpuFilterContext context = new CpuFilterContext(1, "counted", vectors);
                MappedPicture source = new MappedPicture(layout, random);
                MappedPicture moved = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random);
                PictureFilter filter = context.newPictureFilter(format, width, height)) {
            source.write(content);
            moved.write(content(format, moves ? MOVED : 0));
            // Once a kernel is compiled, the code around it may be compiled again. All is done if a round adds nothing.
            CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
            long compiled = -1;
            while (compiled != compiler.getTotalCompilationTime()) {
                compiled = compiler.getTotalCompilationTime();
                for (int i = 0; i < before; i++) {
                    filter.filter(i % 2 == 0 ? source : moved, destination, plan);
                }
                Thread.sleep(PAUSE_MILLIS);
            }
            Files.createFile(mark);
            Thread.sleep(PAUSE_MILLIS / 5);
            long bytes = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < counted; i++) {
                filter.filter(i % 2 == 0 ? source : moved, destination, plan);
            }
            bytes = threads.getCurrentThreadAllocatedBytes() - bytes;
            Files.delete(mark);
            Thread.sleep(PAUSE_MILLIS);
            System.out.println(width * height + " pixels, " + bytes / counted + " bytes a picture");
        }
    }

    private static PicturePlan plan(String name) {
        H264DeblockParameters intra = H264DeblockParameters.intra(32, 0, 0, 0, 0, false);
        CdefParameters cdef = CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2));
        return switch (name) {
            case "deblock" -> PicturePlan.fixed(FilterParameters.deblocking(intra));
            case "cdef" -> PicturePlan.fixed(FilterParameters.cdef(cdef));
            case "both" -> PicturePlan.fixed(FilterParameters.deblocking(intra).withCdef(cdef));
            case "shrink4" -> shrinkage(4, ShrinkageParameters.DEFAULT_BOUND);
            case "shrink8" -> shrinkage(8, ShrinkageParameters.DEFAULT_BOUND);
            case "unbound8" -> shrinkage(8, 0);
            case "time8" ->
                PicturePlan.fixed(FilterParameters.shrinkage(
                                new ShrinkageParameters(8, 96, 64, ShrinkageParameters.DEFAULT_BOUND))
                        .withTime(new TimeParameters(160, 160, 160, true, 0)));
            // No tier has a filter, so that the estimate alone is counted.
            case "strength" ->
                PicturePlan.automatic(new StrengthLadder(Collections.nCopies(
                        StrengthTier.ALL.size(), new FilterParameters(Optional.empty(), Optional.empty()))));
            default ->
                throw new IllegalArgumentException(
                        "the filter is deblock, cdef, both, shrink4, shrink8, unbound8, strength or time8, not '" + name
                                + "'");
        };
    }

    private static PicturePlan shrinkage(int shifts, int bound) {
        return PicturePlan.fixed(FilterParameters.shrinkage(new ShrinkageParameters(shifts, 96, 64, bound)));
    }

    private static SamplePicture content(PixelFormat format, int moved) throws Exception {
        GoldenPicture golden = TestVectors.picture(SOURCE);
        int width = golden.width("in_y");
        int height = golden.height("in_y");
        SamplePicture picture = new SamplePicture(format.bitDepth(), format.chroma(), width, height);
        for (int component = 0; component < picture.components(); component++) {
            String plane = new String[] {"in_y", "in_u", "in_v"}[component];
            for (int y = 0; y < picture.height(component); y++) {
                for (int x = 0; x < picture.width(component); x++) {
                    int from = Math.min(x + (component == 0 ? moved : moved / 2), picture.width(component) - 1);
                    picture.set(component, x, y, golden.value(plane, from, y) << (format.bitDepth() - 8));
                }
            }
        }
        return picture;
    }
}

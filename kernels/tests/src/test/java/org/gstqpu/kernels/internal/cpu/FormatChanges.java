/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.cpu;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
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
 * A process that filters pictures in vectors, changes format and filter at random, and looks whether vectors reach the
 * Java heap. Until the JVM has compiled a kernel they do. A kernel whose vectors stay there is what this looks for.
 * Arguments are a seed and a limit in seconds. Exit status 1: some filter still allocated when the time was up.
 */
final class FormatChanges {
    private static final int WIDTH = 176;
    private static final int HEIGHT = 96;
    private static final int MOST_PICTURES = 80;
    private static final int COUNTED_PICTURES = 20;

    private record Kind(PixelFormat format, String name, PicturePlan plan) {
        @Override
        public String toString() {
            return format + " " + name;
        }
    }

    private FormatChanges() {}

    /** Prints the filters that still allocate, with the bytes of a picture. */
    public static void main(String[] arguments) {
        Random random = new Random(Long.parseLong(arguments[0]));
        long end = System.nanoTime() + 1_000_000_000L * Long.parseLong(arguments[1]);
        List<Kind> kinds = kinds();
        Map<String, Long> bytes = new TreeMap<>();
        try (CpuFilterContext context = new CpuFilterContext(1, "changing", VectorUse.always())) {
            do {
                for (int change = 0; change < 2 * kinds.size(); change++) {
                    Kind kind = kinds.get(random.nextInt(kinds.size()));
                    leastBytes(context, kind, random, 1 + random.nextInt(MOST_PICTURES));
                }
                bytes.clear();
                for (Kind kind : kinds) {
                    long least = leastBytes(context, kind, random, COUNTED_PICTURES);
                    if (least > 0) {
                        bytes.put(kind.toString(), least);
                    }
                }
            } while (!bytes.isEmpty() && System.nanoTime() < end);
        }
        System.out.println(bytes.isEmpty() ? "no filter allocates" : "bytes a picture: " + bytes);
        System.exit(bytes.isEmpty() ? 0 : 1);
    }

    private static List<Kind> kinds() {
        CdefParameters cdef = CdefParameters.uniform(5, new CdefStrength(4, 2, 4, 2));
        ShrinkageParameters shrinkage = new ShrinkageParameters(4, 96, 64, ShrinkageParameters.DEFAULT_BOUND);
        List<Kind> kinds = new ArrayList<>();
        for (PixelFormat format : PixelFormat.values()) {
            kinds.add(new Kind(format, "intra", PicturePlan.fixed(intra())));
            kinds.add(new Kind(
                    format,
                    "light",
                    PicturePlan.fixed(FilterParameters.deblocking(
                            new H264DeblockParameters(26, 33, 26, 33, 26, 33, 3, 3, true)))));
            kinds.add(new Kind(format, "CDEF", PicturePlan.fixed(FilterParameters.cdef(cdef))));
            kinds.add(new Kind(
                    format, "all", PicturePlan.fixed(intra().withCdef(cdef).withShrinkage(shrinkage))));
        }
        return kinds;
    }

    private static FilterParameters intra() {
        return FilterParameters.deblocking(H264DeblockParameters.intra(32, 0, 0, 0, 0, false));
    }

    /** The fewest bytes that one of some pictures took. The first takes some for good, to make working memory. */
    private static long leastBytes(CpuFilterContext context, Kind kind, Random random, int pictures) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        PictureLayout layout = PictureLayout.packed(kind.format(), WIDTH, HEIGHT, 64);
        long least = Long.MAX_VALUE;
        try (MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random);
                PictureFilter filter = context.newPictureFilter(kind.format(), WIDTH, HEIGHT)) {
            source.write(SamplePicture.random(
                    random, kind.format().bitDepth(), kind.format().chroma(), WIDTH, HEIGHT));
            for (int i = 0; i < pictures; i++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                filter.filter(source, destination, kind.plan());
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
            }
        }
        return least;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.SamplePicture;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows that chase one another come to their end, and to the right one, however many workgroups run at a time: one after the
 * other, as with none or one of lavapipe's threads, or more than there are processors.
 */
@EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
@Tag("thorough")
class ChaseThreadsTest {
    private static final int FRAMES = 40;
    private static final long SEED = 11;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 7})
    void rowsChaseWithAnyNumberOfThreads(int threads) throws Exception {
        ChildJvm child = ChildJvm.run(
                Map.of("LP_NUM_THREADS", Integer.toString(threads)), Chasing.class, "-XX:TieredStopAtLevel=1");
        assertEquals(0, child.exitValue(), child::output);
    }

    /** Filters pictures of a few shapes and compares; run in a process of its own. */
    static final class Chasing {
        private Chasing() {}

        public static void main(String[] arguments) throws Exception {
            try (FilterContext chasing = VulkanFilterContext.open(VulkanTestContexts.chasing());
                    FilterContext cpu = Substrates.open(new SubstrateRequest(Substrate.CPU, Optional.empty(), 1))) {
                check(chasing, cpu, PixelFormat.NV12, 1000, 40);
                check(chasing, cpu, PixelFormat.I420, 40, 1000);
                check(chasing, cpu, PixelFormat.GRAY8, 333, 222);
            }
        }

        private static void check(FilterContext chasing, FilterContext cpu, PixelFormat format, int width, int height) {
            Random random = new Random(SEED);
            PictureLayout layout = PictureLayout.packed(format, width, height, 4);
            // The same bytes between the rows of all three.
            try (PictureFilter filter = chasing.newPictureFilter(format, width, height);
                    PictureFilter reference = cpu.newPictureFilter(format, width, height);
                    MappedPicture source = new MappedPicture(layout, new Random(SEED));
                    MappedPicture found = new MappedPicture(layout, new Random(SEED));
                    MappedPicture wanted = new MappedPicture(layout, new Random(SEED))) {
                source.write(SamplePicture.random(random, 8, format.chroma(), width, height));
                PicturePlan plan = PicturePlan.fixed(new FilterParameters(
                        Optional.of(H264DeblockParameters.intra(40, 0, 0, 0, 0, false)), Optional.empty()));
                reference.filter(source, wanted, plan);
                byte[] expected = wanted.picture();
                if (Arrays.equals(expected, source.picture())) {
                    throw new AssertionError("the filter changes nothing");
                }
                for (int frame = 0; frame < FRAMES; frame++) {
                    filter.filter(source, found, plan);
                    if (!Arrays.equals(expected, found.picture())) {
                        throw new AssertionError(format + " " + width + "x" + height + ", frame " + frame);
                    }
                }
            }
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Collections;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceCapabilities;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How many dispatches a picture takes, each of which is a job of its own on V3D. */
@Tag("thorough")
class PictureDispatchesTest {
    private static final int WIDTH = 200;
    private static final int HEIGHT = 136;
    private static final int FRAMES = 3;
    private static final Optional<H264DeblockParameters> DEBLOCK =
            Optional.of(H264DeblockParameters.intra(30, 0, 0, 0, 0, false));
    private static final Optional<CdefParameters> CDEF =
            Optional.of(CdefParameters.uniform(4, new CdefStrength(2, 2, 2, 2)));

    private static final ShrinkageParameters SHRINKAGE =
            new ShrinkageParameters(8, 100, 100, ShrinkageParameters.DEFAULT_BOUND);

    private static long dispatches(KernelTuning tuning, PixelFormat format, FilterParameters parameters)
            throws Exception {
        return dispatches(tuning, format, parameters, 0);
    }

    private static long dispatches(KernelTuning tuning, PixelFormat format, FilterParameters parameters, double kept)
            throws Exception {
        return dispatches(tuning, format, PicturePlan.fixed(parameters).keepingLeft(kept));
    }

    private static long dispatches(KernelTuning tuning, PixelFormat format, PicturePlan plan) throws Exception {
        PictureLayout layout = PictureLayout.packed(format, WIDTH, HEIGHT, 4);
        Random random = new Random(1);
        try (VulkanFilterContext context = VulkanTestContexts.with(tuning);
                PictureFilter filter = context.newPictureFilter(format, WIDTH, HEIGHT);
                MappedPicture source = new MappedPicture(layout, random);
                MappedPicture destination = new MappedPicture(layout, random)) {
            // Before the first picture, the memory for rows that chase is prepared.
            filter.filter(source, destination, plan);
            long submits = context.counters().submits();
            long before = context.dispatches();
            for (int i = 0; i < FRAMES; i++) {
                filter.filter(source, destination, plan);
            }
            assertEquals(FRAMES, context.counters().submits() - submits);
            long found = context.dispatches() - before;
            assertEquals(0, found % FRAMES);
            return found / FRAMES;
        }
    }

    private static KernelTuning chase() throws Exception {
        KernelTuning tuning = KernelTuning.of(VulkanTestContexts.capabilities(), DeblockForm.CHASE);
        assertEquals(DeblockForm.CHASE, tuning.deblockForm(), "the device has subgroups that will do");
        return tuning;
    }

    @ParameterizedTest
    @EnumSource(PixelFormat.class)
    void bothFiltersTakeFourAtMost(PixelFormat format) throws Exception {
        long found = dispatches(chase(), format, new FilterParameters(DEBLOCK, CDEF));
        assertTrue(found >= 2 && found <= 4, () -> found + " dispatches");
    }

    @Test
    void allThreeFiltersWithAutomaticStrengthTakeEight() throws Exception {
        PicturePlan plan = PicturePlan.automatic(new StrengthLadder(Collections.nCopies(
                StrengthTier.ALL.size(), new FilterParameters(DEBLOCK, CDEF, Optional.of(SHRINKAGE)))));
        assertEquals(8, dispatches(chase(), PixelFormat.NV12, plan));
        assertEquals(8, dispatches(chase(), PixelFormat.I420, plan));
    }

    @Test
    void shrinkageTakesOneForLumaAndOneForChroma() throws Exception {
        assertEquals(2, dispatches(chase(), PixelFormat.NV12, FilterParameters.shrinkage(SHRINKAGE)));
        assertEquals(1, dispatches(chase(), PixelFormat.GRAY8, FilterParameters.shrinkage(SHRINKAGE)));
    }

    @Test
    void rowsThatChaseTakeOne() throws Exception {
        assertEquals(1, dispatches(chase(), PixelFormat.NV12, new FilterParameters(DEBLOCK, Optional.empty())));
    }

    @Test
    void aPartThatIsKeptTakesOneMore() throws Exception {
        FilterParameters deblock = new FilterParameters(DEBLOCK, Optional.empty());
        assertEquals(2, dispatches(chase(), PixelFormat.I420, deblock, 0.5));
    }

    @Test
    void diagonalsTakeTwoEach() throws Exception {
        // 13 macroblocks a row, 9 rows: x + y from 0 to 12 + 8.
        KernelTuning tuning = new KernelTuning(DeblockForm.DIAGONALS, 8, 4, 0, 1, true, 1, 16 << 10, 32, 3, false);
        assertEquals(42, dispatches(tuning, PixelFormat.NV12, new FilterParameters(DEBLOCK, Optional.empty())));
    }

    @Test
    void aGpuChases() throws Exception {
        DeviceCapabilities any = VulkanTestContexts.capabilities();
        DeblockForm usual = KernelTuning.of(any).deblockForm();
        assertEquals(any.type().isGpu() ? DeblockForm.CHASE : DeblockForm.DIAGONALS, usual);
    }
}

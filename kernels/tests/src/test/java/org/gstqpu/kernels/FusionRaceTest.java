/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FusionRaceTest {
    private static FilterContext open(Substrate substrate) throws Exception {
        return Substrates.open(new SubstrateRequest(substrate, Optional.empty(), 1));
    }

    @ParameterizedTest
    @CsvSource({
        "CPU, I420, 64, 48",
        "QPU, I420, 64, 48",
        "QPU, NV12, 1, 1",
        "QPU, P010_10LE, 99, 35",
        "QPU, GRAY8, 16, 8"
    })
    void whatTakesTooLongIsLeftOut(Substrate substrate, PixelFormat format, int width, int height) throws Exception {
        try (FilterContext context = open(substrate)) {
            FusionTimes times = FusionRace.run(context, format, width, height);
            assertTrue(times.without() > 0, times.toString());
            assertTrue(times.fused().size() <= 1 + TimeParameters.MOST_AHEAD, times.toString());
            times.fused()
                    .forEach(nanos -> assertTrue(nanos <= FusionTimes.MOST_TIMES * times.without(), times.toString()));
        }
    }

    /** Software Vulkan is the CPU, too. */
    @ParameterizedTest
    @EnumSource(
            value = Substrate.class,
            names = {"CPU", "QPU"})
    void onlyGpusRace(Substrate substrate) throws Exception {
        try (FilterContext context = open(substrate)) {
            boolean gpu = context instanceof VulkanFilterContext device
                    && device.capabilities().type().isGpu();
            long submits = context.counters().submits();
            Optional<FusionTimes> times = FusionRace.times(context, PixelFormat.NV12, 640, 360);
            assertEquals(gpu, times.isPresent());
            assertEquals(gpu, context.counters().submits() > submits);
        }
    }
}

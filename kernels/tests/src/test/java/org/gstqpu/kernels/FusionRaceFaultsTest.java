/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gstqpu.kernels.filter.FusionTimes;
import org.gstqpu.kernels.filter.TimeParameters;
import org.gstqpu.kernels.internal.vulkan.FaultLayer;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device that is lost while it races: fusion is left out, or the device is known to have failed. */
class FusionRaceFaultsTest {
    private static final int PLACES = 8;

    private FaultLayer layer;

    @BeforeEach
    void open() throws Exception {
        layer = FaultLayer.open();
    }

    @AfterEach
    void close() {
        if (layer != null) {
            layer.close();
        }
    }

    private static FusionTimes run(VulkanFilterContext context) {
        return FusionRace.run(context, PixelFormat.NV12, 64, 48);
    }

    @Test
    void aDeviceThatIsLostTakesNothingElseAlong() throws Exception {
        long calls;
        try (VulkanFilterContext context = VulkanTestContexts.usual()) {
            long before = layer.calls();
            run(context);
            calls = layer.calls() - before;
        }
        int cut = 0;
        int failed = 0;
        for (int place = 0; place < PLACES; place++) {
            VulkanFilterContext context = VulkanTestContexts.usual();
            try {
                layer.loseDevice((int) (1 + calls * place / PLACES));
                FusionTimes times = run(context);
                cut += times.fused().size() <= TimeParameters.MOST_AHEAD ? 1 : 0;
            } catch (DeviceException e) {
                failed++;
            }
            close(context);
            layer.failNone();
        }
        assertEquals(PLACES, cut + failed);
        assertTrue(failed > 0, "not lost before it has filtered a picture");
        assertTrue(cut > 0, "not lost later");
    }

    private static void close(VulkanFilterContext lost) {
        try {
            lost.close();
        } catch (DeviceException e) {
            assertTrue(e.getMessage().contains("VK_ERROR_DEVICE_LOST"), e.toString());
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.gstqpu.kernels.internal.vulkan.ChildJvm;
import org.gstqpu.kernels.internal.vulkan.EveryKernelTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What dmabufs and fences need of a driver is what that of a Raspberry Pi 5 has. */
class DmabufCallsTest {
    /** The layer has calls of its own where a driver has none, so it could hide that one is missing. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePretendedRaspberryPi5OffersThemAll(boolean layer) throws Exception {
        ChildJvm child = EveryKernelTest.pretended(DmabufCalls.class, Map.of(), "-Dorg.gstqpu.validation=" + layer);
        assertEquals(0, child.exitValue(), child.output());
        assertTrue(child.output().contains("device: V3D 7.1"), child.output());
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The whole library, submitted once each: on this machine's device, and on a pretended Raspberry Pi 5. */
@Tag("thorough")
public class EveryKernelTest {
    /** A program that runs another on Mesa's driver for V3D over a kernel interface that executes nothing. */
    private static final String PRETENDER = "GST_QPU_V3D_RUN";

    /** As these tests run: under the layer where it is installed. */
    public static final String UNDER_THE_LAYER =
            "-Dorg.gstqpu.validation=" + System.getProperty("org.gstqpu.validation");

    /** With few formats: other tests filter each of them here, and look at the result. */
    @EnabledIfEnvironmentVariable(named = "GST_QPU_TESTS", matches = "all", disabledReason = "it/check --all runs it")
    @Test
    void thisDeviceTakesEveryKernel() throws Exception {
        ChildJvm child = ChildJvm.run(EveryKernel.class, UNDER_THE_LAYER, "-Dgstqpu.formats.apart=4");
        assertEquals(0, child.exitValue(), child.output());
    }

    @Test
    void thePretendedRaspberryPi5TakesEveryKernel() throws Exception {
        ChildJvm child = pretended(EveryKernel.class, Map.of(), UNDER_THE_LAYER);
        assertEquals(0, child.exitValue(), child.output());
        assertTrue(child.output().contains("device: V3D 7.1"), child.output());
    }

    /** The layer has calls of its own where a driver has none, so it could hide that one is missing. */
    @Test
    void thePretendedRaspberryPi5TakesEveryKernelWithoutTheLayer() throws Exception {
        ChildJvm child = pretended(EveryKernel.class, Map.of(), "-Dorg.gstqpu.validation=false");
        assertEquals(0, child.exitValue(), child.output());
        assertTrue(child.output().contains("device: V3D 7.1"), child.output());
    }

    /** Runs a program there; where that cannot be done, the test that asks for it is skipped. */
    public static ChildJvm pretended(Class<?> program, Map<String, String> environment, String jvmOption)
            throws Exception {
        String pretender = System.getenv(PRETENDER);
        assumeTrue(
                pretender != null,
                () -> PRETENDER + " names no program that runs others on a pretended V3D: not tested there");
        return ChildJvm.run(List.of(pretender), environment, program, jvmOption);
    }
}

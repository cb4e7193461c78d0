/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.lwjgl.vulkan.VK11.*;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.blocks.Blocks;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.gstqpu.kernels.internal.race.Calibration;
import org.gstqpu.kernels.internal.vulkan.FaultLayer;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateTimes;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** AUTO where the device fails before it serves: the CPU serves, and nothing of the device stays open. */
class AutoSubstrateTest {
    private static final int ALWAYS = 65535;
    private static final SubstrateRequest AUTO = new SubstrateRequest(Substrate.AUTO, Optional.empty(), 1);

    /** No race takes so long, on a busy machine neither. */
    private static final long RACE_NANOS = TimeUnit.MINUTES.toNanos(30);

    private FaultLayer layer;

    /** The devices that were opened while AUTO chose. */
    private final List<VulkanFilterContext> opened = new ArrayList<>();

    @BeforeEach
    void open() throws Exception {
        layer = FaultLayer.open();
        layer.passForGpu(true);
    }

    @AfterEach
    void close() {
        if (layer != null) {
            layer.close();
        }
    }

    private Calibration deviceIsFaster(SubstrateRequest request, VulkanFilterContext qpu) {
        return known(qpu, 2, 1);
    }

    private static FilterContext open(
            SubstrateRequest request, BiFunction<SubstrateRequest, VulkanFilterContext, Calibration> calibrations)
            throws SubstrateUnavailableException {
        return AutoSubstrate.open(request, calibrations, RACE_NANOS);
    }

    private Calibration known(VulkanFilterContext qpu, long cpuNanos, long qpuNanos) {
        Calibration calibration = unknown(qpu);
        calibration.add(List.of(SubstrateTimes.of(PictureRace.WORK, 1, cpuNanos, qpuNanos)));
        return calibration;
    }

    private Calibration unknown(VulkanFilterContext qpu) {
        opened.add(qpu);
        return new Calibration(Calibration.Scope.of(qpu.capabilities(), 1), Optional.empty());
    }

    private static boolean isClosed(VulkanFilterContext device) {
        try {
            device.newDevicePicture(4096).close();
            return false;
        } catch (DeviceException hung) {
            return false;
        } catch (IllegalStateException closed) {
            return true;
        }
    }

    private void assertClosed() {
        assertEquals(1, opened.size());
        assertTrue(isClosed(opened.get(0)), "the device is still open");
    }

    @ParameterizedTest
    @ValueSource(strings = {"vkEnumeratePhysicalDevices", "vkEnumerateDeviceExtensionProperties", "vkCreateDevice"})
    void aDriverThatFailsLeavesTheCpu(String call) throws Exception {
        layer.failUnmade(call, VK_ERROR_OUT_OF_HOST_MEMORY, ALWAYS);
        try (FilterContext context = AutoSubstrate.open(AUTO);
                BlockContext blocks = Blocks.open(AUTO)) {
            assertEquals(Substrate.CPU, context.substrate());
            assertTrue(context.reason().contains(call + " failed: VK_ERROR_OUT_OF_HOST_MEMORY"), context.reason());
            assertEquals(1, context.reason().lines().count());
            assertInstanceOf(CpuBlockContext.class, blocks);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"vkEnumeratePhysicalDevices", "vkEnumerateDeviceExtensionProperties", "vkCreateDevice"})
    void aDeviceThatWasNamedIsNotReplaced(String call) {
        SubstrateRequest named = AUTO.withDevice("0");
        layer.failUnmade(call, VK_ERROR_OUT_OF_HOST_MEMORY, ALWAYS);
        for (SubstrateRequest request : List.of(named, SubstrateRequest.of(Substrate.QPU))) {
            SubstrateUnavailableException failure = assertThrows(
                    SubstrateUnavailableException.class,
                    () -> Substrates.open(request).close());
            assertTrue(failure.getMessage().contains(call), failure.getMessage());
        }
    }

    @Test
    void theDeviceServesIfItIsFaster() throws Exception {
        try (FilterContext context = open(AUTO, this::deviceIsFaster)) {
            assertSame(opened.get(0), context);
            assertTrue(context.reason().startsWith("auto: " + PictureRace.WORK), context.reason());
        }
    }

    @Test
    void theDeviceIsClosedIfTheCpuIsFaster() throws Exception {
        try (FilterContext context = open(AUTO, (request, qpu) -> known(qpu, 1, 2))) {
            assertEquals(Substrate.CPU, context.substrate());
        }
        assertClosed();
    }

    @Test
    void aDeviceThatDoesNotOpenAgainForTimestampsLeavesTheCpu() throws Exception {
        SubstrateRequest timed = new SubstrateRequest(Substrate.AUTO, Optional.empty(), 1, true);
        try (FilterContext context = open(timed, (request, qpu) -> {
            layer.failNext("vkCreateDevice", VK_ERROR_OUT_OF_HOST_MEMORY);
            return deviceIsFaster(request, qpu);
        })) {
            assertEquals(Substrate.CPU, context.substrate());
            assertTrue(context.reason().contains("vkCreateDevice failed"), context.reason());
        }
        assertClosed();
    }

    /** The application waits in a change of state, and has no context yet that it could hurry. */
    @Tag("thorough")
    @Test
    void aDeviceThatHangsKeepsNobodyWaitingForLong() throws Exception {
        Calibration[] calibration = new Calibration[1];
        try (FilterContext context = AutoSubstrate.open(
                AUTO,
                (request, qpu) -> {
                    calibration[0] = unknown(qpu);
                    layer.dropSubmits(1000);
                    return calibration[0];
                },
                TimeUnit.SECONDS.toNanos(2))) {
            assertEquals(Substrate.CPU, context.substrate());
            // Otherwise it would tell that the device has failed.
            assertTrue(context.reason().contains("have not filtered their first pictures in 2 s"), context.reason());
            assertEquals(1, context.reason().lines().count());
            try (FilterContext next = AutoSubstrate.open(AUTO, (request, qpu) -> calibration[0], RACE_NANOS)) {
                assertEquals(context.reason(), next.reason());
            }
        }
        assertTrue(
                opened.get(0).runtime().device().isHurried(),
                "the end of the application waits for the device's whole time");
        while (calibration[0]
                .find(PictureRace.WORK, 1)
                .orElseThrow()
                .explanation()
                .contains("have not filtered")) {
            Thread.sleep(10);
        }
        String why = calibration[0].find(PictureRace.WORK, 1).orElseThrow().explanation();
        assertTrue(why.contains("VK_TIMEOUT"), why);
        while (!isClosed(opened.get(0))) {
            Thread.sleep(10);
        }
    }

    /** A device whose loops end by themselves may give wrong samples here: that, too, is a result. */
    @Tag("thorough")
    @Test
    void aRaceThatIsNotKnownIsRun() throws Exception {
        Calibration[] calibration = new Calibration[1];
        try (FilterContext context = open(AUTO, (request, qpu) -> {
            calibration[0] = unknown(qpu);
            return calibration[0];
        })) {
            SubstrateTimes times = calibration[0].find(PictureRace.WORK, 1).orElseThrow();
            assertEquals("auto: " + times.explanation(), context.reason());
            assertEquals(times.faster(), context.substrate());
        }
    }

    @Test
    void theDeviceIsClosedIfThereIsNoCalibration() {
        OutOfMemoryError noThread = new OutOfMemoryError("unable to create native thread");
        assertSame(
                noThread,
                assertThrows(
                        OutOfMemoryError.class,
                        () -> open(AUTO, (request, qpu) -> {
                                    opened.add(qpu);
                                    throw noThread;
                                })
                                .close()));
        assertClosed();
    }
}

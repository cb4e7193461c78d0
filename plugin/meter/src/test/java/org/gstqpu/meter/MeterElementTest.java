/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.meter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.quality.PooledFigures;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lwjgl.system.MemoryUtil;

/** What a pair of pictures costs the element in Java. */
class MeterElementTest {
    private static final int WIDTH = 64;
    private static final int HEIGHT = 48;
    private static final int PLANE_BYTES = WIDTH * HEIGHT;
    private static final int ROUNDS = 20;
    private static final int PAIRS = 20;

    /** In a round the JVM may link code that runs for the first time, and the log of figures doubles its room now and then. */
    @ParameterizedTest
    @EnumSource(names = {"CPU", "QPU"})
    void aPairAllocatesNoJavaMemory(Substrate substrate) throws Exception {
        MeterSettings settings = new MeterSettings(
                "vmaf",
                List.of(),
                new SubstrateRequest(substrate, Optional.empty(), 1),
                Optional.empty(),
                false,
                PooledFigures::mean,
                true,
                true,
                false);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long picture = MemoryUtil.nmemCalloc(2, PLANE_BYTES);
        long numbers = MemoryUtil.nmemCalloc(2, MappedPlanes.SIZE_BYTES);
        for (long at : new long[] {numbers, numbers + MappedPlanes.SIZE_BYTES}) {
            MemoryUtil.memPutLong(at, picture);
            MemoryUtil.memPutLong(at + Long.BYTES, picture + PLANE_BYTES);
            MemoryUtil.memPutLong(at + 2 * Long.BYTES, picture + PLANE_BYTES * 5 / 4);
            MemoryUtil.memPutLong(at + 3 * Long.BYTES, WIDTH);
            MemoryUtil.memPutLong(at + 4 * Long.BYTES, WIDTH / 2);
            MemoryUtil.memPutLong(at + 5 * Long.BYTES, WIDTH / 2);
        }
        List<Long> allocated = new ArrayList<>();
        try (MeterElement meter = new MeterElement(settings)) {
            meter.setFormat("I420", WIDTH, HEIGHT);
            for (int round = 0; round < ROUNDS; round++) {
                long before = threads.getCurrentThreadAllocatedBytes();
                for (int pair = 0; pair < PAIRS; pair++) {
                    meter.measure(numbers, false);
                }
                allocated.add(threads.getCurrentThreadAllocatedBytes() - before);
            }
            meter.figures(MeterElement.POOLED, picture);
            // PSNR of luma of pictures that are equal.
            assertEquals(60, MemoryUtil.memGetDouble(picture + Double.BYTES));
        } finally {
            MemoryUtil.nmemFree(picture);
            MemoryUtil.nmemFree(numbers);
        }
        long rounds = allocated.stream().filter(bytes -> bytes == 0).count();
        assertTrue(rounds >= ROUNDS / 2, () -> "bytes per " + PAIRS + " pairs: " + allocated);
    }
}

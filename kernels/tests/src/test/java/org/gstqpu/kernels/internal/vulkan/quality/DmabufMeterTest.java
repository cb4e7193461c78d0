/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.memory.FileDescriptors;
import org.gstqpu.kernels.internal.vulkan.memory.TestDmabuf;
import org.gstqpu.kernels.internal.vulkan.work.TestFence;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.quality.QualityFeature;
import org.gstqpu.kernels.quality.QualityFigures;
import org.gstqpu.kernels.quality.QualityLog;
import org.gstqpu.kernels.quality.QualityMeter;
import org.gstqpu.kernels.quality.QualityMetric;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lwjgl.system.MemoryUtil;

/** Pairs that lie in real dmabufs are measured there. */
@Tag("dmabuf")
class DmabufMeterTest {
    private static final int SIDE = 128;
    private static final PictureLayout WHOLE =
            new PictureLayout(PixelFormat.NV12, SIDE, SIDE, 0, SIDE, (long) SIDE * SIDE, SIDE, 0, 0);
    /** Room for what a device reads behind a picture. */
    private static final int DMABUF_BYTES = 2 * SIDE * SIDE;

    private static final Set<QualityMetric> METRICS = QualityMetric.definedFor(PixelFormat.NV12, SIDE, SIDE);
    private static final int PAIRS = 20;

    private static VulkanMeterContext open(DeviceAllowances allowances) throws Exception {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        VulkanMeterContext context =
                VulkanMeterContext.open(VulkanOptions.bestDevice().allowing(allowances));
        assumeTrue(context.importsDmabufs(), "the Vulkan device imports no dmabufs");
        return context;
    }

    /** A picture in a dmabuf. */
    private static final class Held implements AutoCloseable {
        private final TestDmabuf dmabuf = TestDmabuf.of(DMABUF_BYTES);
        private final DeviceMemory memory;
        private final Picture picture;

        /** The descriptors may differ and be the same dmabuf's. */
        Held(VulkanMeterContext context, boolean twoDescriptors) throws Exception {
            List<Integer> descriptors = twoDescriptors
                    ? List.of(dmabuf.descriptor(), FileDescriptors.duplicate(dmabuf.descriptor()))
                    : List.of(dmabuf.descriptor());
            memory = context.importDmabuf(new DmabufPicture(descriptors, WHOLE));
            if (twoDescriptors) {
                FileDescriptors.close(descriptors.get(1));
            }
            picture = Picture.of(memory, WHOLE);
        }

        @Override
        public void close() {
            memory.close();
            dmabuf.close();
        }
    }

    private static byte[] randomPicture(long seed) {
        byte[] bytes = new byte[SIDE * SIDE * 3 / 2];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static double[] figures(QualityMeter meter, Picture reference, Picture measured) {
        QualityFigures figures = new QualityFigures();
        meter.restart();
        meter.measure(reference, measured, figures);
        QualityLog log = new QualityLog(METRICS);
        log.add(figures);
        return METRICS.stream()
                .flatMap(metric -> metric.features().stream())
                .mapToDouble((QualityFeature feature) -> log.get(0, feature))
                .toArray();
    }

    /** The figures of the pictures when their bytes are copied to the device. */
    private static double[] copied(VulkanMeterContext context, byte[] reference, byte[] measured) {
        long first = MemoryUtil.nmemAlloc(reference.length);
        long second = MemoryUtil.nmemAlloc(measured.length);
        try (QualityMeter meter = context.newMeter(PixelFormat.NV12, SIDE, SIDE, METRICS)) {
            MemoryUtil.memByteBuffer(first, reference.length).put(reference);
            MemoryUtil.memByteBuffer(second, measured.length).put(measured);
            return figures(
                    meter,
                    Picture.of(new HostMemory().set(first, reference.length), WHOLE),
                    Picture.of(new HostMemory().set(second, measured.length), WHOLE));
        } finally {
            MemoryUtil.nmemFree(first);
            MemoryUtil.nmemFree(second);
        }
    }

    private static long made(VulkanMeterContext context) {
        VulkanCounters counters = context.runtime().device().counters();
        return counters.get(Counted.OBJECTS_CREATED)
                + counters.get(Counted.ALLOCATIONS)
                + counters.get(Counted.DESCRIPTOR_WRITES);
    }

    @Test
    void aPairInDmabufsIsNotCopiedAndHasTheSameFigures() throws Exception {
        byte[] first = randomPicture(1);
        byte[] second = randomPicture(2);
        try (VulkanMeterContext context = open(DeviceAllowances.ALL)) {
            double[] expected = copied(context, first, second);
            assertEquals(2, context.counters().copies());
            try (Held reference = new Held(context, false);
                    Held measured = new Held(context, true);
                    QualityMeter meter = context.newMeter(PixelFormat.NV12, SIDE, SIDE, METRICS)) {
                reference.dmabuf.write(first);
                measured.dmabuf.write(second);
                assertArrayEquals(expected, figures(meter, reference.picture, measured.picture));
                long made = made(context);
                long submits = context.counters().submits();
                for (int pair = 0; pair < PAIRS; pair++) {
                    assertArrayEquals(expected, figures(meter, reference.picture, measured.picture));
                }
                assertEquals(made, made(context));
                assertEquals(PAIRS, context.counters().submits() - submits);
                assertEquals(2, context.counters().copies());
                assertEquals(0, context.counters().reRecords());
                // A picture that is its own reference is acquired once.
                assertArrayEquals(copied(context, first, first), figures(meter, reference.picture, reference.picture));
                assertEquals(4, context.counters().copies());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPairWaitsForThoseWhoWriteIt(boolean onTheDevice) throws Exception {
        assumeTrue(TestFence.available(), "this machine's kernel makes no fences for tests (CONFIG_SW_SYNC)");
        byte[] first = randomPicture(3);
        byte[] second = randomPicture(4);
        try (VulkanMeterContext context =
                        open(onTheDevice ? DeviceAllowances.ALL : DeviceAllowances.ALL.withoutSyncFds());
                TestFence firstFence = new TestFence();
                TestFence secondFence = new TestFence()) {
            double[] expected = copied(context, first, second);
            try (Held reference = new Held(context, false);
                    Held measured = new Held(context, true);
                    QualityMeter meter = context.newMeter(PixelFormat.NV12, SIDE, SIDE, METRICS)) {
                assertNotEquals(
                        expected[0],
                        figures(meter, reference.picture, measured.picture)[0],
                        "nobody has written the pictures yet");
                firstFence.attachTo(reference.dmabuf);
                secondFence.attachTo(measured.dmabuf);
                Thread writer = new Thread(() -> {
                    try {
                        Thread.sleep(300);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    reference.dmabuf.write(first);
                    measured.dmabuf.write(second);
                    firstFence.signal();
                    secondFence.signal();
                });
                writer.start();
                double[] found = figures(meter, reference.picture, measured.picture);
                writer.join();
                assertArrayEquals(expected, found);
                assertEquals(onTheDevice ? 2 : 0, context.counters().fencesImported());
                // What was seen to be done needs no wait, of the CPU neither.
                long waits = context.runtime().device().counters().get(Counted.FENCE_WAITS);
                assertTrue(onTheDevice ? waits == 0 : waits > 0, "waits of the CPU: " + waits);
                figures(meter, reference.picture, measured.picture);
                assertEquals(onTheDevice ? 2 : 0, context.counters().fencesImported());
                assertEquals(waits, context.runtime().device().counters().get(Counted.FENCE_WAITS));
            }
        }
    }

    @Test
    void aLayoutThatTheDeviceCannotReadThereIsRefused() throws Exception {
        try (VulkanMeterContext context = open(DeviceAllowances.ALL);
                Held held = new Held(context, false);
                QualityMeter meter = context.newMeter(PixelFormat.NV12, SIDE, SIDE, METRICS)) {
            PictureLayout odd =
                    new PictureLayout(PixelFormat.NV12, SIDE, SIDE, 2, SIDE, (long) SIDE * SIDE + 4, SIDE, 0, 0);
            IllegalArgumentException refused = assertThrows(
                    IllegalArgumentException.class, () -> figures(meter, held.picture, Picture.of(held.memory, odd)));
            assertTrue(refused.getMessage().contains("the measured picture in a dmabuf"), refused.getMessage());
        }
    }

    @Test
    void planesInDmabufsOfTheirOwnArePutTogetherOnTheDevice() throws Exception {
        PictureLayout apart = new PictureLayout(PixelFormat.NV12, SIDE, SIDE, 0, SIDE, 0, SIDE, 0, 0);
        byte[] first = randomPicture(5);
        byte[] second = randomPicture(6);
        try (VulkanMeterContext context = open(DeviceAllowances.ALL);
                TestDmabuf luma = TestDmabuf.of(DMABUF_BYTES);
                TestDmabuf chroma = TestDmabuf.of(DMABUF_BYTES);
                Held measured = new Held(context, false);
                DeviceMemory planes = context.importDmabuf(
                        new DmabufPicture(List.of(luma.descriptor(), chroma.descriptor()), apart));
                QualityMeter meter = context.newMeter(PixelFormat.NV12, SIDE, SIDE, METRICS)) {
            luma.write(Arrays.copyOf(first, SIDE * SIDE));
            chroma.write(Arrays.copyOfRange(first, SIDE * SIDE, first.length));
            measured.dmabuf.write(second);
            double[] expected = copied(context, first, second);
            long submits = context.counters().submits();
            assertArrayEquals(expected, figures(meter, Picture.of(planes, apart), measured.picture));
            assertArrayEquals(
                    copied(context, second, first), figures(meter, measured.picture, Picture.of(planes, apart)));
            assertEquals(3, context.counters().submits() - submits);
            assertEquals(4, context.counters().copies());
            assertEquals(2, context.counters().gathered());
        }
    }
}

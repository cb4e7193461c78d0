/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.memory.FileDescriptors;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.TestDmabuf;
import org.gstqpu.kernels.internal.vulkan.work.DmabufFences;
import org.gstqpu.kernels.internal.vulkan.work.TestFence;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;
import org.gstqpu.kernels.substrate.DeviceFailure;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One device hands dmabufs over to another without the CPU waiting. */
@Tag("dmabuf")
class DmabufFenceTest {
    private static final int WIDTH = 1024;
    private static final int HEIGHT = 1024;
    private static final PictureLayout LAYOUT =
            new PictureLayout(PixelFormat.GRAY8, WIDTH, HEIGHT, 0, WIDTH, 0, 0, 0, 0);
    private static final PicturePlan CDEF = PicturePlan.fixed(new FilterParameters(
            Optional.empty(), Optional.of(CdefParameters.uniform(3, new CdefStrength(9, 4, 9, 4)))));

    private static VulkanFilterContext open(DeviceAllowances allowances) throws Exception {
        return VulkanFilterContext.open(VulkanOptions.bestDevice().allowing(allowances));
    }

    private static DeviceMemory imported(VulkanFilterContext context, TestDmabuf dmabuf) throws Exception {
        return context.importDmabuf(new DmabufPicture(List.of(dmabuf.descriptor()), LAYOUT));
    }

    /** What comes out, and how often the CPU waited for the first device until then. */
    private record Relayed(ByteBuffer picture, long waits) {}

    /** Both filter a picture one after the other, through a dmabuf in the middle; returns what comes out. */
    private static Relayed relay(VulkanFilterContext first, VulkanFilterContext second, byte[] picture, int times)
            throws Exception {
        try (TestDmabuf source = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf middle = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf destination = TestDmabuf.of(WIDTH * HEIGHT);
                DeviceMemory from = imported(first, source);
                DeviceMemory handedOver = imported(first, middle);
                DeviceMemory received = imported(second, middle);
                DeviceMemory to = imported(second, destination);
                PictureFilter one = first.newPictureFilter(PixelFormat.GRAY8, WIDTH, HEIGHT);
                PictureFilter other = second.newPictureFilter(PixelFormat.GRAY8, WIDTH, HEIGHT)) {
            source.write(picture);
            PictureRun run = one.newRun();
            for (int i = 0; i < times; i++) {
                run.begin(Picture.of(from, LAYOUT), Picture.of(handedOver, LAYOUT), CDEF.handingOver(true));
                if (!run.isHandedOver()) {
                    run.finish();
                }
                other.filter(Picture.of(received, LAYOUT), Picture.of(to, LAYOUT), CDEF);
            }
            return new Relayed(
                    ByteBuffer.wrap(destination.bytes()),
                    first.runtime().device().counters().get(Counted.WAITS));
        }
    }

    @Test
    void aFenceGoesWithAPictureWhereDeviceAndKernelCan() throws Exception {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        byte[] picture = new byte[WIDTH * HEIGHT];
        new Random(3).nextBytes(picture);
        Relayed byFences;
        Relayed byWaits;
        try (VulkanFilterContext first = open(DeviceAllowances.ALL);
                VulkanFilterContext second = open(DeviceAllowances.ALL)) {
            assumeTrue(first.importsDmabufs(), "the Vulkan device imports no dmabufs");
            assumeTrue(first.runtime().device().canExportSyncFds(), "the Vulkan device exports no sync files");
            byFences = relay(first, second, picture, 10);
            assertEquals(10, first.counters().fencesExported());
            assertEquals(0, byFences.waits(), "the CPU waited for the first device");
            assertTrue(second.counters().fencesImported() <= 10);
            assertEquals(0, second.runtime().device().counters().get(Counted.FENCE_WAITS));
        }
        try (VulkanFilterContext first = open(DeviceAllowances.ALL.withoutSyncFds());
                VulkanFilterContext second = open(DeviceAllowances.ALL.withoutSyncFds())) {
            byWaits = relay(first, second, picture, 10);
            assertEquals(0, first.counters().fencesExported());
            assertEquals(0, second.counters().fencesImported());
            assertEquals(10, byWaits.waits());
        }
        assertEquals(byWaits.picture(), byFences.picture());
        assertNotEquals(ByteBuffer.wrap(picture), byFences.picture());
    }

    /** No work may signal a semaphore that is signalled: that of the work before was not handed over. */
    @Test
    void anEndIsHandedOverBeforeTheNextOneIsSignalled() throws Exception {
        try (VulkanFilterContext context = open(DeviceAllowances.ALL)) {
            assumeTrue(context.runtime().device().canExportSyncFds(), "the Vulkan device exports no sync files");
            try (DmabufFences fences = new DmabufFences(context.runtime().device())) {
                fences.prepare();
                fences.signalDone();
                fences.prepare();
                assertThrows(IllegalStateException.class, fences::signalDone);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPictureWaitsForTheFenceOfWhoWritesIt(boolean onTheDevice) throws Exception {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        assumeTrue(TestFence.available(), "this machine's kernel makes no fences for tests (CONFIG_SW_SYNC)");
        DeviceAllowances allowances = onTheDevice ? DeviceAllowances.ALL : DeviceAllowances.ALL.withoutSyncFds();
        byte[] white = new byte[WIDTH * HEIGHT];
        Arrays.fill(white, (byte) 0xff);
        try (VulkanFilterContext context = open(allowances);
                TestDmabuf source = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf destination = TestDmabuf.of(WIDTH * HEIGHT);
                TestFence fence = new TestFence()) {
            assumeTrue(context.importsDmabufs(), "the Vulkan device imports no dmabufs");
            try (DeviceMemory from = imported(context, source);
                    DeviceMemory to = imported(context, destination);
                    PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, WIDTH, HEIGHT)) {
                fence.attachTo(source);
                // The writer writes only now, and then says that it is done.
                Thread writer = new Thread(() -> {
                    try {
                        Thread.sleep(300);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    source.write(white);
                    fence.signal();
                });
                writer.start();
                Picture input = Picture.of(from, LAYOUT);
                Picture output = Picture.of(to, LAYOUT);
                filter.filter(input, output, CDEF);
                writer.join();
                assertEquals(ByteBuffer.wrap(white), ByteBuffer.wrap(destination.bytes()));
                assertEquals(onTheDevice ? 1 : 0, context.counters().fencesImported());
                assertEquals(
                        onTheDevice ? 0 : 1,
                        context.runtime().device().counters().get(Counted.FENCE_WAITS));

                filter.filter(input, output, CDEF);
                assertEquals(
                        onTheDevice ? 1 : 0,
                        context.counters().fencesImported(),
                        "a fence that is signalled needs no wait");
                assertEquals(
                        onTheDevice ? 0 : 1,
                        context.runtime().device().counters().get(Counted.FENCE_WAITS));
            }
        }
    }

    /** A writer that never says that it is done, where the CPU waits for it. */
    @Test
    void aHurriedWaitForAWriterIsShort() throws Exception {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        assumeTrue(TestFence.available(), "this machine's kernel makes no fences for tests (CONFIG_SW_SYNC)");
        try (VulkanFilterContext context = open(DeviceAllowances.ALL.withoutSyncFds());
                TestDmabuf source = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf destination = TestDmabuf.of(WIDTH * HEIGHT);
                TestFence fence = new TestFence()) {
            assumeTrue(context.importsDmabufs(), "the Vulkan device imports no dmabufs");
            try (DeviceMemory from = imported(context, source);
                    DeviceMemory to = imported(context, destination);
                    PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, WIDTH, HEIGHT)) {
                fence.attachTo(source);
                Thread hurry = new Thread(() -> context.hurry(true));
                long begin = System.nanoTime();
                hurry.start();
                DeviceException failure = assertThrows(
                        DeviceException.class,
                        () -> filter.filter(Picture.of(from, LAYOUT), Picture.of(to, LAYOUT), CDEF));
                hurry.join();
                assertEquals(DeviceFailure.TIMED_OUT, failure.failure(), failure.getMessage());
                assertTrue(System.nanoTime() - begin < VulkanTestContexts.TIMEOUT_NANOS);
            }
        }
    }

    /** A picture whose planes lie in dmabufs of their own, each of which somebody still writes. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPictureWaitsForTheFenceOfEachPlane(boolean onTheDevice) throws Exception {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        assumeTrue(TestFence.available(), "this machine's kernel makes no fences for tests (CONFIG_SW_SYNC)");
        DeviceAllowances allowances = onTheDevice ? DeviceAllowances.ALL : DeviceAllowances.ALL.withoutSyncFds();
        PictureLayout layout = new PictureLayout(PixelFormat.NV12, WIDTH, HEIGHT, 0, WIDTH, 0, WIDTH, 0, 0);
        byte[] white = new byte[WIDTH * HEIGHT];
        Arrays.fill(white, (byte) 0xff);
        try (VulkanFilterContext context = open(allowances);
                TestDmabuf luma = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf chroma = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf lumaOut = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf chromaOut = TestDmabuf.of(WIDTH * HEIGHT);
                TestFence lumaFence = new TestFence();
                TestFence chromaFence = new TestFence()) {
            assumeTrue(context.importsDmabufs(), "the Vulkan device imports no dmabufs");
            List<Integer> sources = List.of(luma.descriptor(), chroma.descriptor());
            List<Integer> destinations = List.of(lumaOut.descriptor(), chromaOut.descriptor());
            try (DeviceMemory from = context.importDmabuf(new DmabufPicture(sources, layout));
                    DeviceMemory to = context.importDmabuf(new DmabufPicture(destinations, layout));
                    PictureFilter filter = context.newPictureFilter(PixelFormat.NV12, WIDTH, HEIGHT)) {
                Picture input = Picture.of(from, layout);
                Picture output = Picture.of(to, layout);
                lumaFence.attachTo(luma);
                chromaFence.attachTo(chroma);
                Thread writer = new Thread(() -> {
                    luma.write(white);
                    lumaFence.signal();
                    chroma.write(white);
                    chromaFence.signal();
                });
                long submits = context.counters().submits();
                if (onTheDevice) {
                    PictureRun run = filter.newRun();
                    assertTrue(run.begin(input, output, CDEF));
                    assertFalse(run.isDone(), "nobody has written the picture yet");
                    writer.start();
                    run.finish();
                } else {
                    writer.start();
                    filter.filter(input, output, CDEF);
                }
                writer.join();
                assertEquals(1, context.counters().submits() - submits);
                assertEquals(ByteBuffer.wrap(white), ByteBuffer.wrap(lumaOut.bytes()));
                byte[] half = Arrays.copyOf(white, WIDTH * HEIGHT / 2);
                assertEquals(ByteBuffer.wrap(half), ByteBuffer.wrap(chromaOut.bytes(), 0, half.length));
                assertEquals(onTheDevice ? 2 : 0, context.counters().fencesImported());
            }
        }
    }

    /** Whoever waits for one of the dmabufs that a picture's planes are handed over in waits for the picture. */
    @Test
    void eachPlanesDmabufIsHandedOverWithTheFence() throws Exception {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        assumeTrue(TestFence.available(), "this machine's kernel makes no fences for tests (CONFIG_SW_SYNC)");
        PictureLayout layout = new PictureLayout(PixelFormat.NV12, WIDTH, HEIGHT, 0, WIDTH, 0, WIDTH, 0, 0);
        try (VulkanFilterContext context = open(DeviceAllowances.ALL);
                TestDmabuf luma = TestDmabuf.of(WIDTH * HEIGHT);
                TestDmabuf chroma = TestDmabuf.of(WIDTH * HEIGHT / 2);
                TestFence fence = new TestFence()) {
            assumeTrue(context.importsDmabufs(), "the Vulkan device imports no dmabufs");
            List<Integer> planes = List.of(luma.descriptor(), chroma.descriptor());
            try (DeviceMemory picture = context.importDmabuf(new DmabufPicture(planes, layout))) {
                assertTrue(DmabufFences.attach(fence.newDescriptor(), ((ImportedMemory) picture).dmabufs()));
                for (int plane : planes) {
                    assertFalse(FileDescriptors.poll(plane, FileDescriptors.POLL_IN, 0), "there is no fence");
                }
                fence.signal();
                for (int plane : planes) {
                    assertTrue(FileDescriptors.poll(plane, FileDescriptors.POLL_IN, VulkanTestContexts.TIMEOUT_NANOS));
                }
            }
        }
    }
}

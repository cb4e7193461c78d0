/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.gstqpu.kernels.MappedPicture;
import org.gstqpu.kernels.TestSubstrates;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.CdefStrength;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.internal.vulkan.VulkanFilterContext;
import org.gstqpu.kernels.internal.vulkan.VulkanTestContexts;
import org.gstqpu.kernels.internal.vulkan.device.DeviceAllowances;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.work.DeblockForm;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.VulkanOptions;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufCheck;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Real dmabufs on a device that imports them. */
@Tag("dmabuf")
class DmabufImportTest {
    private static final FilterParameters CDEF = new FilterParameters(
            Optional.empty(), Optional.of(CdefParameters.uniform(3, new CdefStrength(9, 4, 9, 4))));
    private static final PictureLayout GRAY = new PictureLayout(PixelFormat.GRAY8, 64, 64, 0, 64, 0, 0, 0, 0);

    private final Random random = new Random(5);
    private VulkanFilterContext context;

    @BeforeEach
    void open() throws Exception {
        context = VulkanTestContexts.usual();
    }

    @AfterEach
    void close() {
        context.close();
    }

    private void assumeDmabufs() {
        assumeTrue(TestDmabuf.available(), "this machine has no /dev/udmabuf");
        assumeTrue(context.importsDmabufs(), "the Vulkan device imports no dmabufs");
    }

    private static DmabufPicture picture(PictureLayout layout, Integer... descriptors) {
        return new DmabufPicture(List.of(descriptors), layout);
    }

    private DmabufRefusedException refused(PictureLayout layout, Integer... descriptors) {
        return assertThrows(DmabufRefusedException.class, () -> context.importDmabuf(picture(layout, descriptors)));
    }

    private void assertRefused(DmabufCheck check, String words, PictureLayout layout, Integer... descriptors) {
        DmabufRefusedException refusal = refused(layout, descriptors);
        assertEquals(check, refusal.check(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(words), refusal.getMessage());
        assertFalse(refusal.getMessage().contains("\n"));
    }

    private static long openDescriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    private static byte[] randomBytes(Random random, int sizeBytes) {
        byte[] bytes = new byte[sizeBytes];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Word-aligned, with gaps between and after the planes' rows, also in a dmabuf that has more before and after. */
    private static PictureLayout layout(PixelFormat format, int width, int height) {
        long[] offset = new long[3];
        int[] stride = new int[3];
        long next = 16;
        for (int plane = 0; plane < format.planes(); plane++) {
            offset[plane] = next;
            stride[plane] = ((format.planeRowSamples(plane, width) * format.sampleBytes() + 3) & -4) + 4 * plane;
            next += (long) stride[plane] * format.planeRows(plane, height) + 8;
        }
        return new PictureLayout(
                format, width, height, offset[0], stride[0], offset[1], stride[1], offset[2], stride[2]);
    }

    /** Samples of 10 bit: 6 bits of each 16 are zero, above or below. */
    private static void clearUnusedBits(PixelFormat format, byte[] samples) {
        for (int i = 0; i < samples.length; i += 2) {
            if (format.sampleShift() == 6) {
                samples[i] &= (byte) 0xc0;
            } else {
                samples[i + 1] &= 3;
            }
        }
    }

    private static int pages(long bytes) {
        return (int) ((bytes + TestDmabuf.PAGE_BYTES - 1) & -TestDmabuf.PAGE_BYTES);
    }

    @Test
    void aDeviceThatMayNotImportSaysWhichCheckFailed() throws Exception {
        try (VulkanFilterContext strict =
                VulkanFilterContext.open(VulkanOptions.bestDevice().allowing(DeviceAllowances.ALL.withoutDmabufs()))) {
            assertFalse(strict.importsDmabufs());
            DmabufRefusedException refusal =
                    assertThrows(DmabufRefusedException.class, () -> strict.importDmabuf(picture(GRAY, 0)));
            assertEquals(DmabufCheck.DEVICE, refusal.check());
        }
    }

    @ParameterizedTest
    @EnumSource(PixelFormat.class)
    void picturesAreFilteredWhereTheyLie(PixelFormat format) throws Exception {
        assumeDmabufs();
        for (int[] size : new int[][] {{64, 48}, {33, 35}, {1, 1}, {202, 17}}) {
            PictureLayout layout = layout(format, size[0], size[1]);
            int bytes = pages(layout.sizeBytes() + 4);
            byte[] source = randomBytes(random, bytes);
            if (format.bitDepth() == 10) {
                clearUnusedBits(format, source);
            }
            byte[] before = randomBytes(random, bytes);
            try (TestDmabuf from = TestDmabuf.of(bytes);
                    TestDmabuf to = TestDmabuf.of(bytes);
                    TestDmabuf fromCopied = TestDmabuf.plainMemory(bytes);
                    TestDmabuf toCopied = TestDmabuf.plainMemory(bytes);
                    DeviceMemory fromDevice = context.importDmabuf(picture(layout, from.descriptor()));
                    DeviceMemory toDevice = context.importDmabuf(picture(layout, to.descriptor()));
                    PictureFilter filter = context.newPictureFilter(format, size[0], size[1])) {
                from.write(source);
                to.write(before);
                fromCopied.write(source);
                toCopied.write(before);
                PicturePlan plan = PicturePlan.fixed(CDEF);
                filter.filter(Picture.of(fromDevice, layout), Picture.of(toDevice, layout), plan);
                assertEquals(0, context.counters().bytesCopied());
                assertEquals(0, context.counters().copies());
                long copiesBefore = context.counters().copies();
                filter.filter(
                        Picture.of(new HostMemory().set(fromCopied.address(), bytes), layout),
                        Picture.of(new HostMemory().set(toCopied.address(), bytes), layout),
                        plan);
                assertEquals(copiesBefore + 2, context.counters().copies());
                String where = format + " " + size[0] + "x" + size[1];
                assertArrayEquals(toCopied.bytes(), to.bytes(), where);
                assertArrayEquals(source, from.bytes(), where + ": the source was written");
                if (size[0] > 32) {
                    assertFalse(Arrays.equals(before, to.bytes()), where + ": nothing was written");
                }
            }
            close();
            open();
        }
    }

    @Test
    void eachPlaneMayComeWithADescriptorOfItsOwnOfTheSameDmabuf() throws Exception {
        assumeDmabufs();
        PictureLayout layout = layout(PixelFormat.NV12, 64, 48);
        int bytes = pages(layout.sizeBytes());
        try (TestDmabuf one = TestDmabuf.of(bytes)) {
            int copy = FileDescriptors.duplicate(one.descriptor());
            try (DeviceMemory imported = context.importDmabuf(picture(layout, one.descriptor(), copy))) {
                assertInstanceOf(DmabufImport.class, imported, "it was imported twice");
            }
            FileDescriptors.close(copy);
        }
        assertThrows(IllegalArgumentException.class, () -> picture(layout, 3, 4, 5));
    }

    static Stream<DeblockForm> forms() {
        return TestSubstrates.firstOrAll(List.of(DeblockForm.values()));
    }

    /** Each plane at an offset of its own in a dmabuf of its own, in every form of deblocking, equals one dmabuf. */
    @ParameterizedTest
    @MethodSource("forms")
    void eachPlaneMayLieInADmabufOfItsOwn(DeblockForm form) throws Exception {
        assumeDmabufs();
        close();
        context = VulkanTestContexts.with(KernelTuning.of(VulkanTestContexts.capabilities(), form));
        // Planar and interleaved, of both sizes of sample, and with chroma that is filtered as luma is. All forms
        // together take all of them: lavapipe compiles a format's shaders for half a minute where a rig has one
        // processor.
        List<PixelFormat> formats = List.of(
                PixelFormat.I420, PixelFormat.NV12, PixelFormat.P010_10LE, PixelFormat.I422_10LE, PixelFormat.Y444);
        int first = 2 * List.of(DeblockForm.values()).indexOf(form);
        for (int i = first; i < first + 2; i++) {
            PixelFormat format = formats.get(i % formats.size());
            checkApart(format, 202, 50, layout(format, 202, 50));
        }
        for (PixelFormat format : List.of(PixelFormat.NV12, PixelFormat.P010_10LE)) {
            int width = 1 + random.nextInt(300);
            int height = 1 + random.nextInt(70);
            checkApart(format, width, height, MappedPicture.randomColumns(random, format, width, height));
        }
    }

    private void checkApart(PixelFormat format, int width, int height, PictureLayout layout) throws Exception {
        int bytes = pages(layout.sizeBytes() + 4);
        byte[] source = randomBytes(random, bytes);
        if (format.bitDepth() == 10) {
            clearUnusedBits(format, source);
        }
        byte[] before = randomBytes(random, bytes);
        FilterParameters both =
                new FilterParameters(Optional.of(H264DeblockParameters.intra(40, 0, 0, 2, -2, false)), CDEF.cdef());
        int planes = format.planes();
        List<TestDmabuf> open = new ArrayList<>();
        try (TestDmabuf from = TestDmabuf.of(bytes);
                TestDmabuf to = TestDmabuf.of(bytes);
                PictureFilter filter = context.newPictureFilter(format, width, height)) {
            from.write(source);
            to.write(before);
            Integer[] sources = new Integer[planes];
            Integer[] destinations = new Integer[planes];
            for (int plane = 0; plane < planes; plane++) {
                TestDmabuf planeSource = TestDmabuf.of(bytes);
                TestDmabuf planeDestination = TestDmabuf.of(bytes);
                open.add(planeSource);
                open.add(planeDestination);
                // Of the other planes there is nothing to be read.
                byte[] own = new byte[bytes];
                for (int row = 0; row < layout.rows(plane); row++) {
                    for (int at = 0; at < layout.rowBytes(plane); at++) {
                        int index = (int) layout.offsetBytes(plane, row, at);
                        own[index] = source[index];
                    }
                }
                planeSource.write(own);
                planeDestination.write(before);
                sources[plane] = planeSource.descriptor();
                destinations[plane] = planeDestination.descriptor();
            }
            for (FilterParameters parameters : List.of(both, CDEF)) {
                PicturePlan plan = PicturePlan.fixed(parameters);
                try (DeviceMemory fromDevice = context.importDmabuf(picture(layout, from.descriptor()));
                        DeviceMemory toDevice = context.importDmabuf(picture(layout, to.descriptor()));
                        DeviceMemory fromApart = context.importDmabuf(picture(layout, sources));
                        DeviceMemory toApart = context.importDmabuf(picture(layout, destinations))) {
                    filter.filter(Picture.of(fromDevice, layout), Picture.of(toDevice, layout), plan);
                    long submits = context.counters().submits();
                    filter.filter(Picture.of(fromApart, layout), Picture.of(toApart, layout), plan);
                    assertEquals(1, context.counters().submits() - submits);
                    byte[] expected = to.bytes();
                    for (int plane = 0; plane < planes; plane++) {
                        byte[] wanted = before.clone();
                        for (int row = 0; row < layout.rows(plane); row++) {
                            for (int at = 0; at < layout.rowBytes(plane); at++) {
                                int index = (int) layout.offsetBytes(plane, row, at);
                                wanted[index] = expected[index];
                            }
                        }
                        assertArrayEquals(
                                wanted,
                                open.get(2 * plane + 1).bytes(),
                                layout + ", plane " + plane + ", " + parameters);
                    }
                }
            }
        } finally {
            open.forEach(TestDmabuf::close);
        }
        assertEquals(0, context.counters().bytesCopied());
    }

    @Test
    void aPlaneThatItsOwnDmabufDoesNotHoldIsRefused() throws Exception {
        assumeDmabufs();
        PictureLayout layout = new PictureLayout(PixelFormat.NV12, 64, 64, 0, 64, TestDmabuf.PAGE_BYTES, 64, 0, 0);
        try (TestDmabuf luma = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                TestDmabuf chroma = TestDmabuf.of(2 * TestDmabuf.PAGE_BYTES)) {
            context.importDmabuf(picture(layout, luma.descriptor(), chroma.descriptor()))
                    .close();
            long before = openDescriptors();
            assertRefused(
                    DmabufCheck.SIZE,
                    "takes 6144 bytes and the dmabuf has 4096",
                    layout,
                    chroma.descriptor(),
                    luma.descriptor());
            assertEquals(before, openDescriptors());
        }
    }

    @Test
    void columnsThatRunPastTheEndAreRefused() throws Exception {
        assumeDmabufs();
        // Two columns of 100 rows: luma in 64 of them, chroma in 32.
        PictureLayout layout = PictureLayout.inColumns(PixelFormat.NV12, 200, 64, 0, 100 * 128, 64 * 128, 100 * 128);
        int needed = 100 * 128 + 95 * 128 + 72;
        try (TestDmabuf enough = TestDmabuf.of(pages(needed));
                TestDmabuf less = TestDmabuf.of(pages(needed) - TestDmabuf.PAGE_BYTES)) {
            context.importDmabuf(picture(layout, enough.descriptor())).close();
            assertRefused(DmabufCheck.SIZE, "column height 100", layout, less.descriptor());
            assertRefused(DmabufCheck.SIZE, "takes " + needed + " bytes", layout, less.descriptor());
        }
    }

    @Test
    void whatIsNoDmabufIsRefused() throws Exception {
        assumeDmabufs();
        int closed;
        try (TestDmabuf memory = TestDmabuf.plainMemory(TestDmabuf.PAGE_BYTES)) {
            assertRefused(DmabufCheck.DESCRIPTOR, "is no dmabuf's", GRAY, memory.descriptor());
            closed = FileDescriptors.duplicate(memory.descriptor());
        }
        FileDescriptors.close(closed);
        assertRefused(DmabufCheck.DESCRIPTOR, "is not open", GRAY, closed);
        assertRefused(DmabufCheck.DESCRIPTOR, "is not open", GRAY, -1);
    }

    @Test
    void whatRunsPastTheEndIsRefusedWithBothNumbers() throws Exception {
        assumeDmabufs();
        try (TestDmabuf page = TestDmabuf.of(TestDmabuf.PAGE_BYTES)) {
            int fd = page.descriptor();
            context.importDmabuf(picture(GRAY, fd)).close();
            assertRefused(
                    DmabufCheck.SIZE,
                    "takes 4100 bytes and the dmabuf has 4096",
                    new PictureLayout(PixelFormat.GRAY8, 64, 64, 4, 64, 0, 0, 0, 0),
                    fd);
            assertRefused(
                    DmabufCheck.SIZE,
                    "stride 128",
                    new PictureLayout(PixelFormat.GRAY8, 64, 64, 0, 128, 0, 0, 0, 0),
                    fd);
            assertRefused(
                    DmabufCheck.SIZE,
                    "at 1099511627776",
                    new PictureLayout(PixelFormat.GRAY8, 64, 64, 1L << 40, 64, 0, 0, 0, 0),
                    fd);
            // The last word of the last row is stored whole.
            assertRefused(
                    DmabufCheck.SIZE,
                    "takes 4100",
                    new PictureLayout(PixelFormat.GRAY8, 61, 64, 4, 64, 0, 0, 0, 0),
                    fd);
        }
    }

    @Test
    void rowsThatBeginInsideAWordAreRefused() throws Exception {
        assumeDmabufs();
        try (TestDmabuf pages = TestDmabuf.of(2 * TestDmabuf.PAGE_BYTES)) {
            int fd = pages.descriptor();
            assertRefused(
                    DmabufCheck.ALIGNMENT,
                    "stride 66",
                    new PictureLayout(PixelFormat.GRAY8, 64, 64, 0, 66, 0, 0, 0, 0),
                    fd);
            assertRefused(
                    DmabufCheck.ALIGNMENT, "at 2", new PictureLayout(PixelFormat.GRAY8, 64, 64, 2, 64, 0, 0, 0, 0), fd);
        }
    }

    @Test
    void anotherLayoutInTheSameDmabufIsCheckedAtEachPicture() throws Exception {
        assumeDmabufs();
        PictureLayout below = new PictureLayout(PixelFormat.GRAY8, 64, 64, TestDmabuf.PAGE_BYTES, 64, 0, 0, 0, 0);
        PictureLayout past = new PictureLayout(PixelFormat.GRAY8, 64, 64, TestDmabuf.PAGE_BYTES + 4, 64, 0, 0, 0, 0);
        try (TestDmabuf source = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                TestDmabuf destination = TestDmabuf.of(2 * TestDmabuf.PAGE_BYTES);
                DeviceMemory from = context.importDmabuf(picture(GRAY, source.descriptor()));
                DeviceMemory to = context.importDmabuf(picture(GRAY, destination.descriptor()));
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 64, 64)) {
            PicturePlan plan = PicturePlan.fixed(CDEF);
            Picture input = Picture.of(from, GRAY);
            assertEquals(Optional.empty(), to.obstacle(below));
            filter.filter(input, Picture.of(to, below), plan);
            assertTrue(to.obstacle(past).isPresent());
            assertThrows(IllegalArgumentException.class, () -> filter.filter(input, Picture.of(to, past), plan));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> filter.filter(Picture.of(from, below), Picture.of(to, GRAY), plan));
        }
    }

    @Test
    void withoutAFilterADmabufIsNotCopied() throws Exception {
        assumeDmabufs();
        try (TestDmabuf one = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                TestDmabuf other = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                DeviceMemory from = context.importDmabuf(picture(GRAY, one.descriptor()));
                DeviceMemory to = context.importDmabuf(picture(GRAY, other.descriptor()));
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 64, 64)) {
            PicturePlan nothing = PicturePlan.fixed(new FilterParameters(Optional.empty(), Optional.empty()));
            assertThrows(
                    IllegalArgumentException.class,
                    () -> filter.filter(Picture.of(from, GRAY), Picture.of(to, GRAY), nothing));
        }
    }

    @Test
    void theImportOutlivesItsProducersDescriptor() throws Exception {
        assumeDmabufs();
        try (TestDmabuf one = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                TestDmabuf other = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 64, 64)) {
            int producers = FileDescriptors.duplicate(one.descriptor());
            try (DeviceMemory from = context.importDmabuf(picture(GRAY, producers));
                    DeviceMemory to = context.importDmabuf(picture(GRAY, other.descriptor()))) {
                FileDescriptors.close(producers);
                one.write(new byte[TestDmabuf.PAGE_BYTES]);
                other.write(randomBytes(random, TestDmabuf.PAGE_BYTES));
                filter.filter(Picture.of(from, GRAY), Picture.of(to, GRAY), PicturePlan.fixed(CDEF));
                assertArrayEquals(new byte[TestDmabuf.PAGE_BYTES], other.bytes());
                assertEquals(
                        0, context.runtime().device().counters().get(Counted.FENCE_WAITS), "nobody else uses these");
            }
        }
    }

    @Test
    void importsAndRefusalsLeaveNoDescriptorBehind() throws Exception {
        assumeDmabufs();
        try (TestDmabuf one = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                TestDmabuf plain = TestDmabuf.plainMemory(TestDmabuf.PAGE_BYTES)) {
            context.importDmabuf(picture(GRAY, one.descriptor())).close();
            long before = openDescriptors();
            for (int i = 0; i < 50; i++) {
                DeviceMemory imported = context.importDmabuf(picture(GRAY, one.descriptor()));
                imported.close();
                imported.close();
                refused(GRAY, plain.descriptor());
                refused(new PictureLayout(PixelFormat.GRAY8, 64, 64, 0, 128, 0, 0, 0, 0), one.descriptor());
            }
            assertEquals(before, openDescriptors());
        }
    }

    @Test
    void aClosedImportOrOneOfAnotherContextCannotBeUsed() throws Exception {
        assumeDmabufs();
        try (TestDmabuf one = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                TestDmabuf other = TestDmabuf.of(TestDmabuf.PAGE_BYTES);
                VulkanFilterContext foreign = VulkanTestContexts.usual();
                DeviceMemory theirs = foreign.importDmabuf(picture(GRAY, one.descriptor()));
                DeviceMemory to = context.importDmabuf(picture(GRAY, other.descriptor()));
                PictureFilter filter = context.newPictureFilter(PixelFormat.GRAY8, 64, 64)) {
            PicturePlan plan = PicturePlan.fixed(CDEF);
            Picture output = Picture.of(to, GRAY);
            assertThrows(IllegalArgumentException.class, () -> filter.filter(Picture.of(theirs, GRAY), output, plan));
            DeviceMemory closed = context.importDmabuf(picture(GRAY, one.descriptor()));
            closed.close();
            assertThrows(IllegalStateException.class, () -> filter.filter(Picture.of(closed, GRAY), output, plan));
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Memory;
import com.sun.jna.Pointer;
import java.awt.image.BufferedImage;
import java.awt.image.Raster;
import java.awt.image.WritableRaster;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.gstqpu.kernels.Substrates;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.Substrate;
import org.gstqpu.kernels.substrate.SubstrateRequest;
import org.gstqpu.kernels.substrate.SubstrateUnavailableException;
import org.gstqpu.plugin.FakeHost.Buffer;
import org.gstqpu.plugin.FakeHost.BufferKind;
import org.gstqpu.plugin.FakeHost.Values;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The whole Java side, called through the callbacks that C uses. */
final class ElementRuntimeTest {
    /** Side of a picture in which automatic strength finds the grid of blocks. */
    private static final int WIDTH = 256;

    private static final int SMALLEST_OBJECT_BYTES = 16;

    /** The value that {@link FakeHost#fake_stat} returns for a missing field. */
    private static final long ABSENT = Long.MIN_VALUE;

    private final Values values = new Values();
    private int handle;

    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    @BeforeEach
    void forgetEventsAndLeaveNothingToTheElement() {
        FakeHost.takeEvents();
        values.set(ElementProperty.QP, 36)
                .set(ElementProperty.CDEF_DAMPING, 5)
                .set(ElementProperty.CDEF_Y_PRIMARY, 4)
                .set(ElementProperty.CDEF_Y_SECONDARY, 2)
                .set(ElementProperty.CDEF_UV_PRIMARY, 2)
                .set(ElementProperty.CDEF_UV_SECONDARY, 1);
    }

    /** Undoes what is set before each test. */
    private void leaveStrengthsToTheElement() {
        for (ElementProperty property : List.of(
                ElementProperty.QP,
                ElementProperty.CDEF_DAMPING,
                ElementProperty.CDEF_Y_PRIMARY,
                ElementProperty.CDEF_Y_SECONDARY,
                ElementProperty.CDEF_UV_PRIMARY,
                ElementProperty.CDEF_UV_SECONDARY)) {
            values.set(property, property.defaultValue());
        }
    }

    @AfterEach
    void close() {
        closeElement();
        values.close();
    }

    private void closeElement() {
        if (handle > 0) {
            assertEquals(1, FakeHost.fake_stop(handle));
            FakeHost.fake_close(handle);
            handle = 0;
        }
    }

    /** Place of the flags in a GstMiniObject. */
    private static final int MINI_OBJECT_FLAGS = 16;

    private void open() {
        handle = values.open();
        assertTrue(handle > 0, () -> "open failed: " + FakeHost.takeEvents());
        assertEquals(1, FakeHost.fake_start(handle));
    }

    private void openFor(String caps) {
        open();
        assertEquals(1, FakeHost.fake_set_caps(handle, caps), () -> "caps: " + FakeHost.takeEvents());
    }

    private void transform(Buffer in, Buffer out) {
        assertEquals(
                1,
                FakeHost.fake_transform(handle, in.address(), out.address(), 1),
                () -> "transform failed: " + FakeHost.takeEvents());
    }

    /** Begins a picture at a place, at which it is then under way. */
    private void begin(int place, Buffer in, Buffer out) {
        assertEquals(
                Flow.PENDING,
                FakeHost.fake_begin(handle, place, in.address(), out.address(), DegradeControl.NO_TIME),
                () -> "begin failed: " + FakeHost.takeEvents());
    }

    private static List<String> problems() {
        return FakeHost.takeEvents().stream()
                .filter(line -> line.startsWith("error") || line.startsWith("warning"))
                .toList();
    }

    /** The picture of {@code buffer} as the kernels filter it without the element: its planes, with packed rows. */
    private static List<ByteBuffer> filtered(
            Buffer buffer, PixelFormat format, int width, int height, FilterParameters parameters)
            throws SubstrateUnavailableException {
        PictureLayout packed = PictureLayout.packed(format, width, height, 1);
        try (Memory source = new Memory(packed.sizeBytes());
                Memory destination = new Memory(packed.sizeBytes());
                FilterContext context =
                        Substrates.open(SubstrateRequest.of(Substrate.CPU).withThreads(1));
                PictureFilter filter = context.newPictureFilter(format, width, height)) {
            for (int plane = 0; plane < format.planes(); plane++) {
                byte[] samples = buffer.plane(plane).array();
                source.write(packed.offsetBytes(plane), samples, 0, samples.length);
            }
            filter.filter(
                    Picture.of(new HostMemory().set(Pointer.nativeValue(source), packed.sizeBytes()), packed),
                    Picture.of(new HostMemory().set(Pointer.nativeValue(destination), packed.sizeBytes()), packed),
                    PicturePlan.fixed(parameters));
            List<ByteBuffer> planes = new ArrayList<>();
            for (int plane = 0; plane < format.planes(); plane++) {
                planes.add(ByteBuffer.wrap(destination.getByteArray(
                        packed.offsetBytes(plane), packed.rowBytes(plane) * packed.rows(plane))));
            }
            return planes;
        }
    }

    /** The parameters for the properties that these tests set, none of which is automatic. */
    private FilterParameters exactly() {
        FilterSettings settings = FilterSettings.read(values.view(), false, Temporal.Choice.NONE);
        assertFalse(StrengthChoice.isAutomatic(settings));
        return StrengthChoice.ladder(settings).tiers().get(0);
    }

    private static void assertPlanes(List<ByteBuffer> expected, Buffer actual) {
        for (int plane = 0; plane < expected.size(); plane++) {
            assertEquals(expected.get(plane), actual.plane(plane), "plane " + plane);
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1,1", "1,17,3", "1,33,35", "1,96,80", "2,17,3", "2,96,80"})
    void everyFormatAndEveryBufferLayoutIsFilteredAsTheKernelsDo(int substrate, int width, int height)
            throws SubstrateUnavailableException {
        values.set(ElementProperty.SUBSTRATE, substrate);
        for (PixelFormat format : PixelFormat.values()) {
            String caps = FakeHost.caps(format.name(), width, height);
            values.set(ElementProperty.QP, 40).set(ElementProperty.CDEF_Y_PRIMARY, 9);
            openFor(caps);
            FilterParameters parameters = exactly();
            for (BufferKind from : List.of(BufferKind.PACKED, BufferKind.PADDED, BufferKind.PLANE_EACH)) {
                for (BufferKind to : List.of(BufferKind.PACKED, BufferKind.PADDED, BufferKind.PLANE_EACH)) {
                    try (Buffer in = Buffer.of(caps, from, 7);
                            Buffer out = Buffer.of(caps, to, -1)) {
                        List<ByteBuffer> expected = filtered(in, format, width, height, parameters);
                        List<ByteBuffer> before = List.of(in.plane(0));

                        transform(in, out);

                        assertPlanes(expected, out);
                        assertPlanes(before, in);
                        assertEquals(0, out.paddingChanged(), format + " " + from + " to " + to);
                        if (width > 90) {
                            assertNotEquals(in.plane(0), out.plane(0), "the filters did nothing");
                        }
                    }
                }
            }
            assertEquals(9, FakeHost.fake_stat(handle, "frames"));
            if (substrate == 1) {
                assertEquals(0, FakeHost.fake_stat(handle, "bytes-copied"));
                assertEquals(0, FakeHost.fake_stat(handle, "submits"));
            } else {
                assertEquals(9, FakeHost.fake_stat(handle, "submits"));
            }
            closeElement();
            FakeHost.takeEvents();
        }
    }

    @Test
    void aFrameInTheSteadyStateAllocatesNoJavaMemory() {
        String caps = FakeHost.caps("NV12", 32, 32);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PADDED, 1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            SteadyAllocations.reach(
                    () -> assertEquals(1, FakeHost.fake_transform(handle, in.address(), out.address(), 500)));
        }
    }

    @Test
    void theDeviceFiltersFramesOfAPoolWhereTheyLie() throws SubstrateUnavailableException {
        String caps = FakeHost.caps("NV12", 64, 64);
        values.set(ElementProperty.SUBSTRATE, 2);
        openFor(caps);
        List<Buffer> in = new ArrayList<>();
        List<Buffer> out = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            in.add(Buffer.of(caps, BufferKind.WORDS, i));
            out.add(Buffer.of(caps, BufferKind.PACKED, -1));
        }
        Runnable frames = () -> {
            for (int i = 0; i < 4; i++) {
                assertEquals(
                        1,
                        FakeHost.fake_transform(
                                handle, in.get(i).address(), out.get(i).address(), 1));
            }
        };
        int count = 4 * SteadyAllocations.reach(frames);
        long reRecords = FakeHost.fake_stat(handle, "re-records");
        frames.run();
        count += 4;
        FilterParameters parameters = exactly();
        for (int i = 0; i < 4; i++) {
            assertPlanes(filtered(in.get(i), PixelFormat.NV12, 64, 64, parameters), out.get(i));
        }

        assertEquals(
                0,
                FakeHost.fake_stat(handle, "bytes-copied"),
                () -> FakeHost.takeEvents() + " on " + FakeHost.stat(handle, "device"));
        assertEquals(count, FakeHost.fake_stat(handle, "submits"));
        assertEquals(8, FakeHost.fake_stat(handle, "imports-host"));
        assertEquals(2 * count - 8, FakeHost.fake_stat(handle, "import-cache-hits"));
        assertEquals(reRecords, FakeHost.fake_stat(handle, "re-records"));
        in.forEach(Buffer::close);
        out.forEach(Buffer::close);
    }

    @Test
    void theDeviceTimesPicturesWhereThatIsAskedForAndNoElementElse() {
        String caps = FakeHost.caps("NV12", 64, 64);
        for (int substrate = 1; substrate <= 2; substrate++) {
            for (int timing = 0; timing <= 1; timing++) {
                values.set(ElementProperty.SUBSTRATE, substrate).set(ElementProperty.TIMING, timing);
                openFor(caps);
                long before = FakeHost.fake_stat(handle, "gpu-time-last");
                try (Buffer in = Buffer.of(caps, BufferKind.WORDS, 3);
                        Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
                    transform(in, out);
                }
                long last = FakeHost.fake_stat(handle, "gpu-time-last");
                long median = FakeHost.fake_stat(handle, "gpu-time-median");
                List<String> events = FakeHost.takeEvents();
                List<String> lines = events.stream()
                        .filter(line -> line.contains("timing is set"))
                        .toList();
                if (substrate == 2 && timing == 1 && lines.isEmpty()) {
                    assertEquals(0, before);
                    assertTrue(last > 0, () -> "gpu-time-last " + last);
                    assertEquals(last, median);
                } else {
                    assertEquals(List.of(ABSENT, ABSENT, ABSENT), List.of(before, last, median));
                    assertEquals(timing, lines.size(), events::toString);
                }
                closeElement();
                FakeHost.takeEvents();
            }
        }
    }

    @Test
    void aDmabufThatTheDeviceIsNotLetIntoIsCopiedWithOneWarning() throws SubstrateUnavailableException {
        String caps = FakeHost.caps("NV12", 64, 64);
        values.set(ElementProperty.SUBSTRATE, 2);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.DMABUF, 3);
                Buffer out = Buffer.of(caps, BufferKind.DMABUF_PLANES, -1)) {
            transform(in, out);
            transform(in, out);

            FilterParameters parameters = exactly();
            assertPlanes(filtered(in, PixelFormat.NV12, 64, 64, parameters), out);
            assertEquals(0, out.paddingChanged());
        }
        List<String> problems = problems();
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(
                problems.get(0).startsWith("warning 2/1 A dmabuf is copied, not used where it lies: "),
                problems.get(0));
        assertEquals(4, FakeHost.fake_stat(handle, "copies"));
        assertEquals(4 * 64 * 64 * 3 / 2, FakeHost.fake_stat(handle, "bytes-copied"));
        assertEquals(0, FakeHost.fake_stat(handle, "imports-dmabuf"));
        // Fewer waits if the device was already done when it was asked.
        assertTrue(FakeHost.fake_stat(handle, "cpu-waits") <= 2);
    }

    @ParameterizedTest
    @CsvSource({
        "DMABUF,PACKED,filter's input",
        "PACKED,PADDED,filter's output",
        "PADDED,PACKED,filter's input",
        "PLANE_EACH,PACKED,filter's input"
    })
    void aCopyIsAnErrorWhereNoneIsAllowed(BufferKind from, BufferKind to, String side) {
        String caps = FakeHost.caps("NV12", 64, 64);
        values.set(ElementProperty.SUBSTRATE, 2).set(ElementProperty.REQUIRE_ZERO_COPY, 1);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, from, 3);
                Buffer out = Buffer.of(caps, to, -1)) {
            assertEquals(-5, FakeHost.fake_transform(handle, in.address(), out.address(), 1));
        }
        String error = problems().stream()
                .filter(line -> line.startsWith("error"))
                .findFirst()
                .orElseThrow();
        assertTrue(
                error.startsWith("error 2/1 require-zero-copy is set and the " + side + " would be copied: "), error);
        assertTrue(error.endsWith("; set require-zero-copy=false to allow the copy [...]"), error);
        assertEquals(0, FakeHost.fake_stat(handle, "copies"));
    }

    @Test
    void whereNothingIsCopiedZeroCopyMayBeRequired() {
        String caps = FakeHost.caps("NV12", 64, 64);
        for (int substrate = 1; substrate <= 2; substrate++) {
            values.set(ElementProperty.SUBSTRATE, substrate).set(ElementProperty.REQUIRE_ZERO_COPY, 1);
            openFor(caps);
            try (Buffer in = Buffer.of(caps, BufferKind.WORDS, 3);
                    Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
                transform(in, out);
                assertEquals(0, FakeHost.fake_stat(handle, "copies"));
            }
            closeElement();
        }
    }

    @Test
    void partsThatGStreamerPutsTogetherAreACopyOnTheCpuToo() {
        String caps = FakeHost.caps("I420", 32, 32);
        values.set(ElementProperty.REQUIRE_ZERO_COPY, 1);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.SPLIT, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            assertEquals(-5, FakeHost.fake_transform(handle, in.address(), out.address(), 1));
        }
        assertTrue(problems().get(0).contains("GStreamer merged its several memories into one"));
    }

    @ParameterizedTest
    @CsvSource({"PACKED,PACKED", "PADDED,PLANE_EACH", "WORDS,DMABUF"})
    void severalPicturesUnderWayComeOutInTheirOrder(BufferKind from, BufferKind to)
            throws SubstrateUnavailableException {
        String caps = FakeHost.caps("NV12", 96, 80);
        values.set(ElementProperty.SUBSTRATE, 2).set(ElementProperty.QP, 40);
        openFor(caps);
        List<Buffer> in = new ArrayList<>();
        List<Buffer> out = new ArrayList<>();
        for (int i = 0; i < ElementProperty.MAX_QUEUE_DEPTH; i++) {
            in.add(Buffer.of(caps, from, i));
            out.add(Buffer.of(caps, to, -1));
            begin(i, in.get(i), out.get(i));
        }
        FilterParameters parameters = exactly();
        for (int i = 0; i < ElementProperty.MAX_QUEUE_DEPTH; i++) {
            assertEquals(i, FakeHost.fake_stat(handle, "frames"));
            assertEquals(Flow.FILTERED, FakeHost.fake_finish(handle, i, 1));
            assertPlanes(filtered(in.get(i), PixelFormat.NV12, 96, 80, parameters), out.get(i));
            assertEquals(0, out.get(i).paddingChanged());
        }
        in.forEach(Buffer::close);
        out.forEach(Buffer::close);
    }

    @Test
    void aPictureUnderWayIsFinishedWithoutWaitingWhenItIsDone() throws InterruptedException {
        String caps = FakeHost.caps("NV12", 640, 480);
        values.set(ElementProperty.SUBSTRATE, 2);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            begin(0, in, out);
            int result;
            while ((result = FakeHost.fake_finish(handle, 0, 0)) == Flow.PENDING) {
                Thread.sleep(1);
            }
            assertEquals(Flow.FILTERED, result);
        }
        assertEquals(1, FakeHost.fake_stat(handle, "frames"));
    }

    @Test
    void aPictureOfAnotherSizeWaitsForThoseUnderWay() throws SubstrateUnavailableException {
        String caps = FakeHost.caps("NV12", 64, 64);
        values.set(ElementProperty.SUBSTRATE, 2);
        openFor(caps);
        FilterParameters parameters = exactly();
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 5);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1);
                Buffer largerIn = Buffer.of(caps, BufferKind.LARGER, 6);
                Buffer largerOut = Buffer.of(caps, BufferKind.LARGER, -1)) {
            begin(0, in, out);
            begin(1, largerIn, largerOut);
            values.change(handle, ElementProperty.QP, 51);
            assertEquals(Flow.FILTERED, FakeHost.fake_finish(handle, 0, 1));
            assertEquals(Flow.FILTERED, FakeHost.fake_finish(handle, 1, 1));
            assertPlanes(filtered(in, PixelFormat.NV12, 64, 64, parameters), out);
            assertPlanes(filtered(largerIn, PixelFormat.NV12, 80, 80, parameters), largerOut);
        }
    }

    @Test
    void picturesAreFinishedInAnyOrder() throws SubstrateUnavailableException {
        String caps = FakeHost.caps("NV12", 96, 80);
        values.set(ElementProperty.SUBSTRATE, 2).set(ElementProperty.QP, 40);
        openFor(caps);
        FilterParameters parameters = exactly();
        List<Buffer> in = new ArrayList<>();
        List<Buffer> out = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            in.add(Buffer.of(caps, BufferKind.PACKED, i));
            out.add(Buffer.of(caps, BufferKind.PACKED, -1));
            begin(i, in.get(i), out.get(i));
        }
        for (int i : new int[] {2, 0, 3, 1}) {
            assertEquals(1, FakeHost.fake_is_mapped(in.get(i).address()), "picture " + i + " is under way");
            assertEquals(Flow.FILTERED, FakeHost.fake_finish(handle, i, 1));
            assertEquals(0, FakeHost.fake_is_mapped(in.get(i).address()), "picture " + i + " is finished");
            assertPlanes(filtered(in.get(i), PixelFormat.NV12, 96, 80, parameters), out.get(i));
        }
        assertEquals(4, FakeHost.fake_stat(handle, "frames"));
        in.forEach(Buffer::close);
        out.forEach(Buffer::close);
    }

    @Test
    void aPlaceWithoutAPictureIsAnErrorAndTouchesNone() {
        String caps = FakeHost.caps("NV12", 96, 80);
        values.set(ElementProperty.SUBSTRATE, 2);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1);
                Buffer nextIn = Buffer.of(caps, BufferKind.PACKED, 2);
                Buffer nextOut = Buffer.of(caps, BufferKind.PACKED, -1)) {
            begin(0, in, out);
            assertEquals(Flow.FILTERED, FakeHost.fake_finish(handle, 0, 1));
            begin(1, nextIn, nextOut);
            for (int free : new int[] {0, 2}) {
                assertEquals(Flow.ERROR, FakeHost.fake_finish(handle, free, 1));
                assertEquals(List.of(), problems());
            }
            assertEquals(
                    Flow.ERROR,
                    FakeHost.fake_begin(handle, 1, in.address(), out.address(), DegradeControl.NO_TIME),
                    "a picture is under way there");
            assertEquals(Flow.ERROR, FakeHost.fake_finish(handle, ElementProperty.MAX_QUEUE_DEPTH, 1));
            assertEquals(2, problems().size());
            assertEquals(1, FakeHost.fake_is_mapped(nextIn.address()));
            assertEquals(Flow.FILTERED, FakeHost.fake_finish(handle, 1, 1));
        }
        assertEquals(2, FakeHost.fake_stat(handle, "frames"));
    }

    @Test
    void theCpuIsDoneAtOnce() {
        String caps = FakeHost.caps("NV12", 64, 64);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 5);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            assertEquals(
                    Flow.FILTERED, FakeHost.fake_begin(handle, 0, in.address(), out.address(), DegradeControl.NO_TIME));
            assertEquals(Flow.ERROR, FakeHost.fake_finish(handle, 0, 1));
        }
    }

    @Test
    void javaBytesAreCountedFromTheFirstReadingOn() {
        String caps = FakeHost.caps("I420", 32, 32);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            FakeHost.fake_transform_on_new_thread(handle, in.address(), out.address(), 3000);

            assertEquals(0, FakeHost.fake_stat(handle, "java-bytes"));
            FakeHost.fake_transform_on_new_thread(handle, in.address(), out.address(), 100);
            // Each new thread allocates a little with its first frame, and so does the JVM while it compiles.
            long first = FakeHost.fake_stat(handle, "java-bytes");
            FakeHost.fake_transform_on_new_thread(handle, in.address(), out.address(), 1000);

            assertEquals(1100, FakeHost.fake_stat(handle, "java-bytes-frames"));
            long second = FakeHost.fake_stat(handle, "java-bytes") - first;
            assertTrue(
                    second < 1000 * SMALLEST_OBJECT_BYTES,
                    () -> second + " bytes in 1000 frames, " + first + " in 100");
        }
    }

    @Test
    void aBufferOfSeveralMemoriesWithoutMetaIsCountedAsACopy() throws SubstrateUnavailableException {
        String caps = FakeHost.caps("I420", 32, 32);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.SPLIT, 5);
                Buffer whole = Buffer.of(caps, BufferKind.PACKED, 5);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            transform(in, out);

            FilterParameters parameters = exactly();
            assertPlanes(filtered(whole, PixelFormat.I420, 32, 32, parameters), out);
        }
        assertEquals(32 * 32 * 3 / 2, FakeHost.fake_stat(handle, "bytes-copied"));
    }

    @Test
    void aPictureLargerThanItsCapsIsFilteredWhole() throws SubstrateUnavailableException {
        String caps = FakeHost.caps("NV12", 32, 32);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.LARGER, 5);
                Buffer out = Buffer.of(caps, BufferKind.LARGER, -1)) {
            transform(in, out);

            FilterParameters parameters = exactly();
            assertPlanes(filtered(in, PixelFormat.NV12, 48, 48, parameters), out);
        }
    }

    @Test
    void anOutputOfAnotherSizeIsAnError() {
        String caps = FakeHost.caps("NV12", 32, 32);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.LARGER, 5);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            assertEquals(-5, FakeHost.fake_transform(handle, in.address(), out.address(), 1));
        }
        assertEquals(
                List.of(
                        "error 3/11 The buffer for the filtered picture is for 32x32, the picture has 48x48; the element"
                                + " after qpuloopfilter provided it: try without that element [...]"),
                problems());
    }

    @ParameterizedTest
    @EnumSource(names = {"TOO_SHORT", "META_TOO_SHORT", "EMPTY"})
    void aBufferThatHoldsNoPictureIsDroppedWithOneWarning(BufferKind kind) {
        String caps = FakeHost.caps("NV12", 32, 32);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, kind, -1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            assertEquals(100, FakeHost.fake_transform(handle, in.address(), out.address(), 1));
            assertEquals(100, FakeHost.fake_transform(handle, in.address(), out.address(), 1));
        }
        List<String> problems = problems();
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(
                problems.get(0).startsWith("warning 3/11 A buffer does not hold a picture and is dropped: "),
                problems.get(0));
        assertEquals(2, FakeHost.fake_stat(handle, "dropped"));
        assertEquals(0, FakeHost.fake_stat(handle, "frames"));
    }

    @Test
    void anOutputBufferThatIsTooShortIsAnError() {
        String caps = FakeHost.caps("NV12", 32, 32);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 1);
                Buffer out = Buffer.of(caps, BufferKind.META_TOO_SHORT, -1)) {
            assertEquals(-5, FakeHost.fake_transform(handle, in.address(), out.address(), 1));
        }
        assertTrue(
                problems().get(0).startsWith("error 3/11 The buffer for the filtered picture does not fit: plane 1"));
    }

    @Test
    void newCapsAreTakenInFlight() throws SubstrateUnavailableException {
        openFor(FakeHost.caps("NV12", 32, 32));
        for (PixelFormat format : PixelFormat.values()) {
            String caps = FakeHost.caps(format.name(), 50, 40);
            assertEquals(1, FakeHost.fake_set_caps(handle, caps));
            try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                    Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
                transform(in, out);
                FilterParameters parameters = exactly();
                assertPlanes(filtered(in, format, 50, 40, parameters), out);
            }
        }
    }

    @Test
    void aPropertyChangedWhilePlayingActsOnTheNextFrame() throws SubstrateUnavailableException {
        String caps = FakeHost.caps("I420", 64, 64);
        values.set(ElementProperty.QP, 20);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            FakeHost.fake_transform(handle, in.address(), out.address(), 1);
            ByteBuffer weak = out.plane(0);

            values.change(handle, ElementProperty.QP, 51);
            FakeHost.fake_transform(handle, in.address(), out.address(), 1);

            assertNotEquals(weak, out.plane(0));
            FilterParameters parameters = exactly();
            assertPlanes(filtered(in, PixelFormat.I420, 64, 64, parameters), out);
        }
    }

    @Test
    void switchingAllFiltersOffLetsBuffersThroughUntilOneIsOnAgain() {
        leaveStrengthsToTheElement();
        openFor(FakeHost.caps("I420", 32, 32));
        FakeHost.takeEvents();

        assertEquals("cdef+shrinkage", FakeHost.stat(handle, "filters"));
        values.change(handle, ElementProperty.CDEF, 0);
        values.change(handle, ElementProperty.DEBLOCK, 0);
        assertEquals("shrinkage", FakeHost.stat(handle, "filters"));
        assertEquals(List.of(), FakeHost.takeEvents());
        values.change(handle, ElementProperty.SHRINKAGE, 0);
        assertEquals(List.of("passthrough 1"), FakeHost.takeEvents());
        assertEquals("none", FakeHost.stat(handle, "filters"));
        assertEquals("all filters are off", FakeHost.stat(handle, "strength-reason"));
        values.change(handle, ElementProperty.QP, 30);
        assertEquals(List.of(), FakeHost.takeEvents());
        values.change(handle, ElementProperty.DEBLOCK, 1);
        assertEquals(List.of("passthrough 0"), FakeHost.takeEvents());
        assertEquals("deblock", FakeHost.stat(handle, "filters"));
        assertEquals("set", FakeHost.stat(handle, "strength-reason"));
    }

    @Test
    void aStrengthOfNothingLetsBuffersThroughUntilItIsMore() {
        leaveStrengthsToTheElement();
        openFor(FakeHost.caps("I420", 32, 32));
        FakeHost.takeEvents();

        values.change(handle, ElementProperty.STRENGTH, 0);
        assertEquals(List.of("passthrough 1"), FakeHost.takeEvents());
        assertEquals("none", FakeHost.stat(handle, "filters"));
        assertEquals("strength is 0", FakeHost.stat(handle, "strength-reason"));
        values.change(handle, ElementProperty.STRENGTH, 1);
        assertEquals(List.of("passthrough 0"), FakeHost.takeEvents());
        assertEquals("cdef+shrinkage", FakeHost.stat(handle, "filters"));
    }

    @Test
    void qualityFollowsTheStreamUnlessItIsSet() {
        leaveStrengthsToTheElement();
        openFor(FakeHost.caps("I420", 32, 32));
        assertEquals("best", FakeHost.stat(handle, "quality"));
        assertEquals("auto: not live", FakeHost.stat(handle, "quality-reason"));
        assertEquals(8, FakeHost.fake_stat(handle, "shifts"));
        FakeHost.fake_set_timing(handle, 1, 0);
        assertEquals("balanced", FakeHost.stat(handle, "quality"));
        assertEquals("auto: live", FakeHost.stat(handle, "quality-reason"));
        assertEquals(4, FakeHost.fake_stat(handle, "shifts"));
        values.change(handle, ElementProperty.QUALITY, 1);
        assertEquals("fast", FakeHost.stat(handle, "quality"));
        assertEquals("set", FakeHost.stat(handle, "quality-reason"));
        assertEquals("deblock+cdef", FakeHost.stat(handle, "filters"));
        assertEquals(0, FakeHost.fake_stat(handle, "shifts"));
        values.change(handle, ElementProperty.QUALITY, 0);
        FakeHost.fake_set_timing(handle, 0, 0);
        assertEquals(8, FakeHost.fake_stat(handle, "shifts"));
    }

    private static final long PICTURE_NANOS = 40_000_000;
    private static final long LATE_NANOS = 15_000_000;

    /** Filters a picture at its running time; it is late or in time for downstream. */
    private void show(int picture, Buffer in, Buffer out, boolean late) {
        int begun = FakeHost.fake_begin(handle, 0, in.address(), out.address(), picture * PICTURE_NANOS);
        if (begun == Flow.PENDING) {
            begun = FakeHost.fake_finish(handle, 0, 1);
        }
        int result = begun;
        assertEquals(Flow.FILTERED, result, () -> "picture: " + FakeHost.takeEvents());
        FakeHost.fake_qos(handle, late ? LATE_NANOS : -LATE_NANOS, picture * PICTURE_NANOS);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void latePicturesLoseAFilterAfterTheOtherAndPassAsTheyAreInTheEnd(int substrate) throws Exception {
        leaveStrengthsToTheElement();
        String caps = FakeHost.caps("NV12", 96, 80);
        List<String> filters = List.of("cdef+shrinkage", "cdef+shrinkage", "deblock+cdef", "deblock", "none");
        List<Integer> shifts = List.of(8, 4, 0, 0, 0);
        values.set(ElementProperty.SUBSTRATE, substrate);
        openFor(caps);
        FakeHost.takeEvents();
        try (Buffer in = Buffer.of(caps, BufferKind.PADDED, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            for (int step = 0; step < filters.size(); step++) {
                show(2 * step, in, out, false);
                assertEquals(step, FakeHost.fake_stat(handle, "degrade-step"));
                assertEquals(filters.get(step), FakeHost.stat(handle, "filters"));
                assertEquals(shifts.get(step).longValue(), FakeHost.fake_stat(handle, "shifts"));
                show(2 * step + 1, in, out, true);
                assertEquals(4, FakeHost.fake_stat(handle, "degrade-step"), "until one comes in time");
            }
            assertPlanes(List.of(in.plane(0), in.plane(1)), out);
        }
        assertEquals("late by 15 ms", FakeHost.stat(handle, "degrade-reason"));
        assertEquals(4, FakeHost.fake_stat(handle, "degrade-steps"));
        assertEquals(10, FakeHost.fake_stat(handle, "frames"));
        assertEquals(5, FakeHost.fake_stat(handle, "frames-late"));
        for (String lost : List.of("fewer-shifts", "without-shrinkage", "without-cdef")) {
            assertEquals(1, FakeHost.fake_stat(handle, "frames-" + lost), lost);
        }
        assertEquals(5, FakeHost.fake_stat(handle, "frames-without-deblock"));
        List<String> told = new ArrayList<>();
        for (int step = 1; step < filters.size(); step++) {
            told.addAll(toldOfStep(4, "none", 2 * step));
            if (step < 4) {
                told.addAll(toldOfStep(step, filters.get(step), 2 * step + 1));
            }
        }
        assertEquals(told, FakeHost.takeEvents());
    }

    private static List<String> toldOfStep(int step, String filters, int pictures) {
        return List.of(
                "degraded late 15 ms step " + step + " of 4 after " + pictures,
                "log 4 pictures are filtered less, so that they come in time: step " + step + " of 4, " + filters);
    }

    @Test
    void aStepIsFilteredAsTheSettingsThatItStandsFor() {
        leaveStrengthsToTheElement();
        String caps = FakeHost.caps("I420", 96, 80);
        values.set(ElementProperty.CDEF_DAMPING, 5)
                .set(ElementProperty.CDEF_Y_PRIMARY, 9)
                .set(ElementProperty.CDEF_UV_PRIMARY, 7)
                .set(ElementProperty.CDEF_Y_SECONDARY, 2)
                .set(ElementProperty.CDEF_UV_SECONDARY, 1)
                .set(ElementProperty.SHRINKAGE_THRESHOLD, 0);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                Buffer alone = Buffer.of(caps, BufferKind.PACKED, -1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            values.set(ElementProperty.DEBLOCK, 0);
            openFor(caps);
            transform(in, alone);
            closeElement();
            values.set(ElementProperty.DEBLOCK, 1);
            openFor(caps);
            for (int i = 0; i < 30; i++) {
                show(i, in, out, i > 20);
            }
            assertEquals("cdef", FakeHost.stat(handle, "filters"), "deblocking alone was given up");
            assertPlanes(List.of(alone.plane(0), alone.plane(1), alone.plane(2)), out);
            assertNotEquals(in.plane(0), out.plane(0));
        }
    }

    @Test
    void whatIsSetExactlyIsNeverGivenUp() {
        String caps = FakeHost.caps("I420", 96, 80);
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                Buffer first = Buffer.of(caps, BufferKind.PACKED, -1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            show(0, in, first, false);
            for (int i = 1; i < 12; i++) {
                show(i, in, out, true);
            }
            assertPlanes(List.of(first.plane(0), first.plane(1), first.plane(2)), out);
            assertEquals(2, FakeHost.fake_qos(handle, LATE_NANOS, 11 * PICTURE_NANOS), "others have to do less");
        }
        assertEquals("set", FakeHost.stat(handle, "degrade-reason"));
        assertEquals(0, FakeHost.fake_stat(handle, "degrade-steps"));
    }

    @Test
    void aFlushNewCapsAndTheSwitchLetAllFiltersRunAgain() {
        leaveStrengthsToTheElement();
        String caps = FakeHost.caps("I420", 32, 32);
        openFor(caps);
        List<Runnable> resets = List.of(
                () -> FakeHost.fake_restart(handle),
                () -> FakeHost.fake_set_caps(handle, caps),
                () -> FakeHost.fake_start(handle),
                () -> values.change(handle, ElementProperty.DEGRADE, 0));
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            show(0, in, out, false);
            int picture = 1;
            for (Runnable reset : resets) {
                for (int i = 0; i < 3; i++) {
                    show(picture++, in, out, true);
                }
                assertEquals(4, FakeHost.fake_stat(handle, "degrade-step"));
                reset.run();
                show(picture++, in, out, false);
                assertEquals(0, FakeHost.fake_stat(handle, "degrade-step"));
                assertEquals("cdef+shrinkage", FakeHost.stat(handle, "filters"));
            }
            assertEquals("off", FakeHost.stat(handle, "degrade-reason"));
        }
    }

    @Test
    void statisticsHaveTheNumbersThatAreApplied() {
        leaveStrengthsToTheElement();
        values.set(ElementProperty.QP, 36)
                .set(ElementProperty.ALPHA_OFFSET, 1)
                .set(ElementProperty.BETA_OFFSET, -2)
                .set(ElementProperty.CDEF_DAMPING, 5)
                .set(ElementProperty.CDEF_Y_PRIMARY, 7)
                .set(ElementProperty.CDEF_Y_SECONDARY, 2)
                .set(ElementProperty.SHRINKAGE_THRESHOLD, 100)
                .set(ElementProperty.SHRINKAGE_SHIFTS, 16);
        openFor(FakeHost.caps("I420", 32, 32));
        assertEquals("deblock+cdef+shrinkage", FakeHost.stat(handle, "filters"));
        assertEquals(16, FakeHost.fake_stat(handle, "shifts"));
        assertEquals(38, FakeHost.fake_stat(handle, "applied-alpha-index"));
        assertEquals(32, FakeHost.fake_stat(handle, "applied-beta-index"));
        assertEquals(7, FakeHost.fake_stat(handle, "applied-cdef-primary"));
        assertEquals(2, FakeHost.fake_stat(handle, "applied-cdef-secondary"));
        assertEquals(5, FakeHost.fake_stat(handle, "applied-cdef-damping"));
        assertEquals(100, FakeHost.fake_stat(handle, "applied-threshold"));
        assertEquals(100, FakeHost.fake_stat(handle, "applied-chroma-threshold"));
        assertEquals("no picture yet", FakeHost.stat(handle, "strength-reason"));
    }

    @Test
    void aFrameThatWasOnItsWayWhenAllFiltersWereSwitchedOffIsCopied() {
        String caps = FakeHost.caps("NV21", 33, 35);
        openFor(caps);
        values.change(handle, ElementProperty.DEBLOCK, 0);
        values.change(handle, ElementProperty.CDEF, 0);
        values.change(handle, ElementProperty.SHRINKAGE, 0);
        try (Buffer in = Buffer.of(caps, BufferKind.PADDED, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            transform(in, out);
            assertPlanes(List.of(in.plane(0), in.plane(1)), out);
        }
    }

    @Test
    void allFiltersOffAtTheStartLetsBuffersThrough() {
        values.set(ElementProperty.DEBLOCK, 0).set(ElementProperty.CDEF, 0).set(ElementProperty.SHRINKAGE, 0);
        open();
        assertTrue(FakeHost.takeEvents().contains("passthrough 1"));
    }

    @ParameterizedTest
    @CsvSource({
        "CDEF_DAMPING,2,'cdef-damping is -1 or 3 to 6, but 2 was set: set one of these'",
        "CDEF_Y_SECONDARY,3,'cdef-y-secondary is -1, 0, 1, 2 or 4, but 3 was set: set one of these'",
        "CDEF_UV_SECONDARY,3,'cdef-uv-secondary is -1, 0, 1, 2 or 4, but 3 was set: set one of these'",
        "SHRINKAGE_SHIFTS,6,'shrinkage-shifts is -1, 4, 8 or 16, but 6 was set: set one of these'"
    })
    void aValueThatMeansNothingIsAnErrorAtFirstAndAWarningLater(ElementProperty property, int value, String line) {
        int valid = 4;
        values.set(property, value);
        assertEquals(-1, values.open());
        assertEquals(List.of("error 1/5 " + line + " [...]"), problems());

        values.set(property, valid);
        openFor(FakeHost.caps("I420", 64, 64));
        FilterParameters before = exactly();
        values.change(handle, property, value);
        values.change(handle, ElementProperty.QP, 36);
        assertEquals(List.of("warning 1/5 " + line + "; until then the last valid value stays in force"), problems());
        String caps = FakeHost.caps("I420", 64, 64);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            transform(in, out);
            assertPlanes(filtered(in, PixelFormat.I420, 64, 64, before), out);
        } catch (SubstrateUnavailableException e) {
            throw new AssertionError(e);
        }

        values.change(handle, property, -1);
        values.change(handle, property, value);
        assertEquals(1, problems().size());
    }

    @ParameterizedTest
    @CsvSource({
        "'video/x-raw,format=RGB,width=32,height=32'",
        "'video/x-raw,format=GRAY8,width=2147483647,height=1'",
        "'video/x-raw,format=GRAY8,width=16777217,height=1'",
        "'video/x-raw,format=GRAY8,width=1,height=1732912030'",
        "'video/x-raw,format=I420,width=32,height=32,interlace-mode=fields'",
        "'video/x-raw,format=I420,width=32,height=32,multiview-mode=separated,views=2'",
        "'audio/x-raw'"
    })
    void capsThatCannotBeFilteredAreRefusedWithOneLine(String caps) {
        open();
        assertEquals(-1, FakeHost.fake_set_caps(handle, caps));
        List<String> problems = problems();
        assertEquals(1, problems.size());
        assertTrue(problems.get(0).contains("before qpuloopfilter"), problems.get(0));
    }

    @Test
    void interlacedVideoIsFiltered() {
        openFor("video/x-raw,format=I420,width=32,height=32,interlace-mode=interleaved");
        assertEquals(List.of(), problems());
    }

    /** Decoders of MPEG-2 say that a stream is mixed, and flag each buffer. */
    @Test
    void aBufferThatIsFlaggedAsTwoFieldsIsFilteredLikeInterleavedVideo() throws IOException {
        ByteBuffer interleaved = filteredLuma("interleaved", false);
        assertEquals(interleaved, filteredLuma("mixed", true));
        assertNotEquals(interleaved, filteredLuma("mixed", false));
    }

    /** What becomes of a picture whose two fields were coded by JPEG. */
    private ByteBuffer filteredLuma(String mode, boolean flagged) throws IOException {
        String caps = "video/x-raw,format=GRAY8,width=" + WIDTH + ",height=" + WIDTH + ",interlace-mode=" + mode;
        leaveStrengthsToTheElement();
        openFor(caps);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, -1);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            in.fill(codedFields());
            Pointer object = new Pointer(in.address());
            object.setInt(
                    MINI_OBJECT_FLAGS,
                    object.getInt(MINI_OBJECT_FLAGS) | (flagged ? GstVideoLibrary.BUFFER_FLAG_INTERLACED : 0));
            transform(in, out);
            return out.plane(0);
        } finally {
            closeElement();
        }
    }

    private static byte[] codedFields() throws IOException {
        byte[] frame = new byte[WIDTH * WIDTH];
        Random random = new Random(1);
        for (int field = 0; field < 2; field++) {
            BufferedImage picture = new BufferedImage(WIDTH, WIDTH / 2, BufferedImage.TYPE_BYTE_GRAY);
            WritableRaster samples = picture.getRaster();
            for (int y = 0; y < WIDTH / 2; y++) {
                for (int x = 0; x < WIDTH; x++) {
                    double wave = 60 * Math.sin((x + 9 * field) / 11.0) * Math.cos(y / 17.0);
                    samples.setSample(x, y, 0, 128 + (int) wave + random.nextInt(41) - 20);
                }
            }
            Raster coded = decoded(picture);
            for (int y = 0; y < WIDTH / 2; y++) {
                for (int x = 0; x < WIDTH; x++) {
                    frame[(2 * y + field) * WIDTH + x] = (byte) coded.getSample(x, y, 0);
                }
            }
        }
        return frame;
    }

    /** A picture after JPEG, coarsely. */
    private static Raster decoded(BufferedImage picture) throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("jpeg").next();
        ImageWriteParam quality = writer.getDefaultWriteParam();
        quality.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        quality.setCompressionQuality(0.2f);
        try (ImageOutputStream out = ImageIO.createImageOutputStream(file)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(picture, null, null), quality);
        } finally {
            writer.dispose();
        }
        return ImageIO.read(new ByteArrayInputStream(file.toByteArray())).getRaster();
    }

    @Test
    void aSubstrateThatCannotBeUsedIsAnError() {
        values.set(ElementProperty.SUBSTRATE, 2).device("no such device");
        assertEquals(-1, values.open());
        List<String> problems = problems();
        assertEquals(1, problems.size());
        assertTrue(problems.get(0).startsWith("error 2/3 "), problems.get(0));
    }

    @Test
    void statisticsNameTheSubstrateAndWhyItRuns() {
        open();
        assertEquals("cpu", FakeHost.stat(handle, "substrate"));
        assertEquals("CPU, 2 threads", FakeHost.stat(handle, "device"));
        assertEquals("the CPU was asked for", FakeHost.stat(handle, "reason"));
        assertEquals("deblock+cdef", FakeHost.stat(handle, "filters"));
        assertEquals(0, FakeHost.fake_stat(handle, "submits"));
    }

    @Test
    void aThousandElementsOpenedAndClosedLeaveNoThreadAndUseOneHandle() {
        int threadsBefore = Thread.activeCount();
        String caps = FakeHost.caps("I420", 16, 16);
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            for (int i = 0; i < 1000; i++) {
                openFor(caps);
                assertEquals(1, handle);
                transform(in, out);
                closeElement();
            }
        }
        assertTrue(Thread.activeCount() <= threadsBefore, "threads: " + Thread.activeCount());
    }

    @Test
    void manyElementsAreIndependentOfEachOther() {
        String caps = FakeHost.caps("I420", 64, 64);
        List<Integer> handles = new ArrayList<>();
        List<ByteBuffer> results = new ArrayList<>();
        for (int qp = 20; qp <= 50; qp += 10) {
            values.set(ElementProperty.QP, qp);
            openFor(caps);
            handles.add(handle);
        }
        try (Buffer in = Buffer.of(caps, BufferKind.PACKED, 3);
                Buffer out = Buffer.of(caps, BufferKind.PACKED, -1)) {
            for (int one : handles) {
                assertEquals(1, FakeHost.fake_transform(one, in.address(), out.address(), 1));
                results.add(out.plane(0));
            }
        }
        for (int one : handles.subList(0, handles.size() - 1)) {
            FakeHost.fake_close(one);
        }
        assertEquals(4, handles.stream().distinct().count());
        assertEquals(4, results.stream().distinct().count());
    }
}

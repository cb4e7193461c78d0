/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.jna.Pointer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufCheck;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.MemoryImporter;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.plugin.FakeHost.Buffer;
import org.gstqpu.plugin.FakeHost.BufferKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FramePairTest {
    private static final int SIDE = 32;
    private static final String CAPS = FakeHost.caps("I420", SIDE, SIDE);
    private static final int PAIRS = 50;

    /** A device that imports all dmabufs, or refuses all, and the process's memory on request. */
    private static final class FakeDevice implements MemoryImporter {
        private final List<DeviceMemory> made = new ArrayList<>();

        /** Of how many file descriptors each of them is. */
        private final List<Integer> descriptors = new ArrayList<>();

        private boolean refuses;
        private boolean importsHost;
        private int closed;

        @Override
        public DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException {
            if (refuses) {
                throw new DmabufRefusedException(DmabufCheck.MEMORY_TYPE, "it lies elsewhere");
            }
            descriptors.add(Set.copyOf(picture.descriptors()).size());
            return make(picture.layout().sizeBytes());
        }

        @Override
        public Optional<DeviceMemory> importHost(long address, long sizeBytes) {
            return importsHost ? Optional.of(make(sizeBytes)) : Optional.empty();
        }

        private DeviceMemory make(long sizeBytes) {
            DeviceMemory one = new DeviceMemory() {
                @Override
                public Optional<String> obstacle(PictureLayout layout) {
                    return Optional.empty();
                }

                @Override
                public long sizeBytes() {
                    return sizeBytes;
                }

                @Override
                public void close() {
                    closed++;
                }
            };
            made.add(one);
            return one;
        }
    }

    private final FakeDevice device = new FakeDevice();
    private FramePair pair;

    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    @BeforeEach
    void open() throws ElementException {
        FakeHost.takeEvents();
        pair = new FramePair(() -> device, 0);
        try (VideoInfo info = new VideoInfo()) {
            FakeHost.withCaps(CAPS, info::set);
            pair.setFormat(info.address(), info.address());
        }
    }

    @AfterEach
    void close() {
        pair.close();
        pair.close();
    }

    private static byte[] row(Picture picture, int plane, int row, int bytes) {
        long at = ((HostMemory) picture.memory()).address()
                + picture.layout().offsetBytes(plane)
                + (long) row * picture.layout().strideBytes(plane);
        return new Pointer(at).getByteArray(0, bytes);
    }

    /** One of the frames is larger than the caps say: the picture is its upper left part. */
    @Test
    void mappedPicturesAreWhatTheCapsSay() {
        try (Buffer reference = Buffer.of(CAPS, BufferKind.PADDED, 1);
                Buffer distorted = Buffer.of(CAPS, BufferKind.LARGER, 1)) {
            assertEquals(Optional.empty(), pair.hold(reference.address(), distorted.address(), false));
            for (Picture picture : List.of(pair.reference(), pair.distorted())) {
                assertEquals(SIDE, picture.layout().width());
                assertEquals(SIDE, picture.layout().height());
                for (int plane = 0; plane < 3; plane++) {
                    int side = plane == 0 ? SIDE : SIDE / 2;
                    byte[] expected = new byte[side];
                    reference.plane(plane).get((side - 1) * side, expected);
                    assertArrayEquals(
                            expected,
                            row(picture, plane, side - 1, side),
                            "plane " + plane + " of " + picture.layout());
                }
            }
            pair.release();
            assertEquals(0, FakeHost.fake_is_mapped(reference.address()));
            assertEquals(0, FakeHost.fake_is_mapped(distorted.address()));
        }
    }

    @Test
    void eachFrameHasALayoutOfItsOwn() {
        try (Buffer padded = Buffer.of(CAPS, BufferKind.PADDED, 1);
                Buffer packed = Buffer.of(CAPS, BufferKind.PACKED, 2)) {
            for (Buffer distorted : List.of(padded, packed, padded)) {
                assertEquals(Optional.empty(), pair.hold(packed.address(), distorted.address(), false));
                for (int plane = 0; plane < 3; plane++) {
                    int side = plane == 0 ? SIDE : SIDE / 2;
                    byte[] expected = new byte[side];
                    distorted.plane(plane).get((side - 1) * side, expected);
                    assertArrayEquals(expected, row(pair.distorted(), plane, side - 1, side), "plane " + plane);
                }
                pair.release();
            }
        }
    }

    @Test
    void dmabufsAreImportedOnceAndNotMapped() {
        Buffer reference = Buffer.of(CAPS, BufferKind.DMABUF, 1);
        Buffer distorted = Buffer.of(CAPS, BufferKind.DMABUF, 2);
        for (int i = 0; i < 3; i++) {
            assertEquals(Optional.empty(), pair.hold(reference.address(), distorted.address(), true));
            assertSame(device.made.get(0), pair.reference().memory());
            assertSame(device.made.get(1), pair.distorted().memory());
            assertEquals(Optional.empty(), pair.copyReason());
            assertEquals(0, FakeHost.fake_is_mapped(reference.address()));
            pair.release();
        }
        assertEquals(new PicturePair.Counts(2, 0, 4, 0, 0), pair.counts());
        // Both may be one.
        pair.hold(reference.address(), reference.address(), true);
        assertSame(pair.reference().memory(), pair.distorted().memory());
        pair.release();
        reference.close();
        assertEquals(1, device.closed, "the import ends with the memory");
        pair.forgetImports();
        assertEquals(2, device.closed);
        distorted.close();
        assertEquals(List.of(), FakeHost.takeEvents());
    }

    @Test
    void planesInDmabufsOfTheirOwnAreOneImport() {
        try (Buffer reference = Buffer.of(CAPS, BufferKind.DMABUF_PLANES, 1);
                Buffer distorted = Buffer.of(CAPS, BufferKind.DMABUF, 2)) {
            for (int i = 0; i < 2; i++) {
                assertEquals(Optional.empty(), pair.hold(reference.address(), distorted.address(), true));
                assertSame(device.made.get(0), pair.reference().memory());
                assertEquals(Optional.empty(), pair.copyReason());
                pair.release();
            }
            assertEquals(List.of(3, 1), device.descriptors);
            assertEquals(new PicturePair.Counts(2, 0, 2, 0, 0), pair.counts());
        }
    }

    @Test
    void aRefusedDmabufIsMappedAndToldOnce() {
        device.refuses = true;
        try (Buffer reference = Buffer.of(CAPS, BufferKind.PADDED, 1);
                Buffer distorted = Buffer.of(CAPS, BufferKind.DMABUF, 2)) {
            for (int i = 0; i < 2; i++) {
                assertEquals(Optional.empty(), pair.hold(reference.address(), distorted.address(), true));
                assertInstanceOf(HostMemory.class, pair.distorted().memory());
                String why = pair.copyReason().orElseThrow();
                assertTrue(why.startsWith("ref_sink: "), why);
                pair.release();
            }
            pair.hold(distorted.address(), distorted.address(), true);
            assertEquals(Optional.of("ref_sink: it lies elsewhere"), pair.copyReason());
            pair.release();
            device.refuses = false;
            pair.forgetImports();
            pair.hold(distorted.address(), reference.address(), true);
            String why = pair.copyReason().orElseThrow();
            assertTrue(why.startsWith("dist_sink: "), why);
            pair.release();
        }
        assertEquals(
                List.of("warning 2/1 A dmabuf is copied, not used where it lies: it lies elsewhere"),
                FakeHost.takeEvents());
    }

    /** Frames are of one size, and the caps of another one. */
    @Test
    void aNewFormatIsThatOfTheNextPicture() throws ElementException {
        int larger = SIDE + 16;
        try (Buffer reference = Buffer.of(CAPS, BufferKind.LARGER, 1);
                Buffer distorted = Buffer.of(CAPS, BufferKind.LARGER, 2);
                VideoInfo info = new VideoInfo()) {
            pair.hold(reference.address(), distorted.address(), false);
            assertEquals(SIDE, pair.reference().layout().width());
            pair.release();
            FakeHost.withCaps(FakeHost.caps("I420", larger, larger), info::set);
            pair.setFormat(info.address(), info.address());
            assertEquals(larger, pair.width());
            assertEquals(larger, pair.height());
            assertEquals(Optional.empty(), pair.hold(reference.address(), distorted.address(), false));
            assertEquals(larger, pair.reference().layout().width());
            assertEquals(larger, pair.distorted().layout().width());
            pair.release();
        }
    }

    /** A buffer that somebody else has, too, can be read and not be written. */
    @Test
    void sharedBuffersAreRead() {
        try (Buffer shared = Buffer.of(CAPS, BufferKind.PADDED, 1)) {
            GstVideoLibrary.gst_mini_object_ref(shared.address());
            assertEquals(Optional.empty(), pair.hold(shared.address(), shared.address(), false));
            pair.release();
        }
    }

    @Test
    void closingEndsImportsAndMappings() {
        try (Buffer mapped = Buffer.of(CAPS, BufferKind.PADDED, 1);
                Buffer imported = Buffer.of(CAPS, BufferKind.DMABUF, 2)) {
            pair.hold(mapped.address(), imported.address(), true);
            pair.close();
            assertEquals(0, FakeHost.fake_is_mapped(mapped.address()));
            assertEquals(1, device.closed);
        }
    }

    @Test
    void memoryOfTheProcessIsImportedWhereTheDeviceCan() {
        device.importsHost = true;
        try (Buffer reference = Buffer.of(CAPS, BufferKind.PADDED, 1);
                Buffer distorted = Buffer.of(CAPS, BufferKind.PACKED, 2)) {
            for (int i = 0; i < 2; i++) {
                assertEquals(Optional.empty(), pair.hold(reference.address(), distorted.address(), true));
                assertEquals(
                        device.made,
                        List.of(pair.reference().memory(), pair.distorted().memory()));
                assertEquals(Optional.empty(), pair.copyReason());
                pair.release();
            }
            assertEquals(new PicturePair.Counts(0, 2, 2, 0, 0), pair.counts());
        }
    }

    /** Any thread may free memory, which ends its import, and does so behind the work of a device that uses it. */
    @Test
    void noImportEndsWhileTheLockIsHeld() throws InterruptedException {
        Buffer reference = Buffer.of(CAPS, BufferKind.DMABUF, 1);
        pair.hold(reference.address(), reference.address(), true);
        pair.release();
        Thread other = new Thread(reference::close);
        synchronized (pair.lock()) {
            other.start();
            while (other.getState() != Thread.State.BLOCKED && other.getState() != Thread.State.TERMINATED) {
                Thread.onSpinWait();
            }
            assertEquals(0, device.closed);
        }
        other.join();
        assertEquals(1, device.closed);
    }

    /** After eight refusals, no further dmabuf is tried; another format may come with others. */
    @Test
    void anotherFormatIsTriedAnew() throws ElementException {
        device.refuses = true;
        List<Buffer> refused = new ArrayList<>();
        for (int i = 0; i < ImportCache.PATIENCE; i++) {
            refused.add(Buffer.of(CAPS, BufferKind.DMABUF, i));
            pair.hold(refused.get(i).address(), refused.get(i).address(), true);
            pair.release();
        }
        device.refuses = false;
        try (Buffer next = Buffer.of(CAPS, BufferKind.DMABUF, 1);
                VideoInfo info = new VideoInfo()) {
            pair.hold(next.address(), next.address(), true);
            assertEquals(Optional.of("ref_sink: the device refused all dmabufs before it"), pair.copyReason());
            pair.release();
            FakeHost.withCaps(CAPS, info::set);
            pair.setFormat(info.address(), info.address());
            pair.hold(next.address(), next.address(), true);
            assertEquals(Optional.empty(), pair.copyReason());
            pair.release();
        }
        refused.forEach(Buffer::close);
    }

    /** GStreamer leaves the merged memory in the buffer, so that each buffer is merged once. */
    @Test
    void mergedBuffersCountAsCopies() {
        try (Buffer split = Buffer.of(CAPS, BufferKind.SPLIT, 1);
                Buffer other = Buffer.of(CAPS, BufferKind.SPLIT, 1);
                Buffer whole = Buffer.of(CAPS, BufferKind.PACKED, 1)) {
            assertEquals(Optional.empty(), pair.hold(whole.address(), split.address(), false));
            assertEquals(new PicturePair.Counts(0, 0, 0, 1, SIDE * SIDE * 3 / 2), pair.counts());
            pair.release();
            assertEquals(Optional.empty(), pair.hold(other.address(), whole.address(), false));
            assertEquals(new PicturePair.Counts(0, 0, 0, 2, SIDE * SIDE * 3), pair.counts());
            assertEquals(Optional.of("ref_sink: GStreamer merged its several memories into one"), pair.copyReason());
            pair.release();
        }
    }

    @Test
    void aBufferWithoutAPictureIsNamed() {
        try (Buffer whole = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer smaller = Buffer.of(FakeHost.caps("I420", SIDE / 2, SIDE / 2), BufferKind.DMABUF, 1);
                Buffer none = Buffer.of(CAPS, BufferKind.EMPTY, -1)) {
            String distorted = pair.hold(whole.address(), none.address(), true).orElseThrow();
            assertTrue(
                    distorted.matches("A buffer of dist_sink does not hold a picture as its caps say: .*"
                            + " where the buffer has no bytes; look at the element before that pad"),
                    distorted);
            pair.release();
            assertEquals(
                    Optional.of("A buffer of ref_sink does not hold a picture as its caps say: its GstVideoMeta says"
                            + " 16x16, and its caps 32x32; look at the element before that pad"),
                    pair.hold(smaller.address(), whole.address(), true));
            pair.release();
        }
    }

    @Test
    void buffersThatADeviceMayUseAreKept() {
        try (Buffer reference = Buffer.of(CAPS, BufferKind.DMABUF, 1);
                Buffer distorted = Buffer.of(CAPS, BufferKind.DMABUF, 2)) {
            pair.hold(reference.address(), distorted.address(), true);
            pair.keepForEver();
            pair.release();
            assertEquals(2, FakeHost.fake_references(reference.address()));
            assertEquals(2, FakeHost.fake_references(distorted.address()));
        }
    }

    @Test
    void aPairAllocatesNoJavaMemory() {
        try (Buffer reference = Buffer.of(CAPS, BufferKind.DMABUF, 1);
                Buffer distorted = Buffer.of(CAPS, BufferKind.LARGER, 2)) {
            SteadyAllocations.reach(() -> {
                for (int i = 0; i < PAIRS; i++) {
                    pair.hold(reference.address(), distorted.address(), true);
                    pair.release();
                }
            });
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.plugin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.FilterContext;
import org.gstqpu.kernels.picture.DeviceMemory;
import org.gstqpu.kernels.picture.DmabufCheck;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.plugin.FakeHost.Buffer;
import org.gstqpu.plugin.FakeHost.BufferKind;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ImportCacheTest {
    private static final String CAPS = FakeHost.caps("NV12", 32, 32);

    /** A device that imports every memory or refuses every memory. It can do nothing else. */
    private static final class FakeDevice {
        private final List<FakeImport> made = new ArrayList<>();
        private final List<DmabufPicture> pictures = new ArrayList<>();
        private boolean refuses;
        private int asked;

        FilterContext context() {
            return (FilterContext) Proxy.newProxyInstance(
                    FilterContext.class.getClassLoader(),
                    new Class<?>[] {FilterContext.class},
                    (proxy, method, arguments) -> {
                        if (method.getName().equals("importDmabuf")) {
                            return importDmabuf((DmabufPicture) arguments[0]);
                        }
                        assertEquals("importHost", method.getName());
                        return importHost((long) arguments[0], (long) arguments[1]);
                    });
        }

        private DeviceMemory importDmabuf(DmabufPicture picture) throws DmabufRefusedException {
            asked++;
            pictures.add(picture);
            if (refuses) {
                throw new DmabufRefusedException(DmabufCheck.SIZE, "refusal " + asked);
            }
            FakeImport one = new FakeImport(0, picture.layout().sizeBytes());
            made.add(one);
            return one;
        }

        private Optional<DeviceMemory> importHost(long address, long sizeBytes) {
            asked++;
            if (refuses) {
                return Optional.empty();
            }
            FakeImport one = new FakeImport(address, sizeBytes);
            made.add(one);
            return Optional.of(one);
        }
    }

    private static final class FakeImport implements DeviceMemory {
        private final long address;
        private final long sizeBytes;
        private volatile boolean closed;
        private Optional<String> obstacle = Optional.empty();

        FakeImport(long address, long sizeBytes) {
            this.address = address;
            this.sizeBytes = sizeBytes;
        }

        @Override
        public long sizeBytes() {
            return sizeBytes;
        }

        @Override
        public Optional<String> obstacle(PictureLayout layout) {
            return obstacle;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static final class SilentHost implements ElementHost {
        private final List<String> lines = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();

        @Override
        public void error(ErrorCode code, String text, String debug) {
            throw new AssertionError(text);
        }

        @Override
        public void warning(ErrorCode code, String text) {
            warnings.add(text);
        }

        @Override
        public void info(ErrorCode code, String text) {
            throw new AssertionError(text);
        }

        @Override
        public boolean logs(LogLevel level) {
            return true;
        }

        @Override
        public void log(LogLevel level, String line) {
            lines.add(line);
        }

        @Override
        public void setPassthrough(boolean passthrough) {
            throw new AssertionError("passthrough");
        }

        @Override
        public void setLookAhead(int pictures) {
            throw new AssertionError("look-ahead");
        }

        @Override
        public void degraded(long lateNanos, int step, int steps, long frames) {
            throw new AssertionError("nothing is filtered here");
        }

        @Override
        public void describeDevice(boolean importsDmabufs, boolean worksAlone) {
            throw new AssertionError("device");
        }
    }

    private final FakeDevice device = new FakeDevice();
    private final SilentHost host = new SilentHost();
    private final MemoryWatch watch = new MemoryWatch();
    private final ImportCache cache = new ImportCache(device::context, watch, host);
    private final VideoInfo info = new VideoInfo();
    private final MappedFrame frame = new MappedFrame(GstVideoLibrary.MAP_READ);
    private final DmabufFrame dmabuf = new DmabufFrame();

    @BeforeAll
    static void boot() throws IOException, InterruptedException {
        FakeHost.boot();
    }

    @BeforeEach
    void takeCaps() throws ElementException {
        FakeHost.withCaps(CAPS, info::set);
    }

    @AfterEach
    void close() {
        cache.close();
        frame.close();
        dmabuf.close();
        info.close();
    }

    private PictureMemory place(Buffer buffer) {
        assertTrue(frame.map(info, buffer.address()), frame::problem);
        try {
            synchronized (cache.contextLock) {
                return cache.place(frame);
            }
        } finally {
            frame.unmap();
        }
    }

    @Test
    void aMemoryIsImportedOnceAndFoundAgain() {
        try (Buffer one = Buffer.of(CAPS, BufferKind.PACKED, 1);
                Buffer other = Buffer.of(CAPS, BufferKind.PADDED, 1)) {
            PictureMemory first = place(one);
            PictureMemory second = place(other);

            assertInstanceOf(DeviceMemory.class, first);
            assertNotSame(first, second);
            assertSame(first, place(one));
            assertSame(second, place(other));
            assertSame(first, place(one));
            assertEquals(2, cache.hostImports());
            assertEquals(3, cache.hits());
            assertEquals(2, device.asked);
        }
    }

    @Test
    void theWholeMemoryIsImportedAndTheLayoutCountsFromItsStart() {
        try (Buffer padded = Buffer.of(CAPS, BufferKind.PADDED, 1)) {
            place(padded);
            assertEquals(frame.pixels().address(), device.made.get(0).address);
            assertEquals(frame.pixels().sizeBytes(), device.made.get(0).sizeBytes);
            assertEquals(6, frame.layout().offsetBytes(0));
            assertEquals(38, frame.layout().strideBytes(0));
        }
    }

    @Test
    void anImportEndsWithItsMemory() {
        Buffer buffer = Buffer.of(CAPS, BufferKind.PACKED, 1);
        place(buffer);
        assertEquals(1, watch.size());
        assertFalse(device.made.get(0).closed);

        buffer.close();

        assertTrue(device.made.get(0).closed);
        assertEquals(0, watch.size());
    }

    @Test
    void aMemoryThatIsFreedElsewhereWaitsForTheMonitor() throws InterruptedException {
        Buffer buffer = Buffer.of(CAPS, BufferKind.PACKED, 1);
        place(buffer);
        Thread freeing = new Thread(buffer::close);
        synchronized (cache.contextLock) {
            freeing.start();
            while (freeing.getState() != Thread.State.BLOCKED) {
                Thread.sleep(1);
            }
            assertFalse(device.made.get(0).closed);
        }
        freeing.join();
        assertTrue(device.made.get(0).closed);
    }

    @Test
    void aClosedCacheHasEndedItsImportsAndTakesNoMoreNotice() {
        try (Buffer buffer = Buffer.of(CAPS, BufferKind.PACKED, 1)) {
            place(buffer);
            cache.close();
            assertTrue(device.made.get(0).closed);
            cache.close();
        }
        assertEquals(0, watch.size());
    }

    @Test
    void aMemoryThatOutlivesManyCachesIsWatchedOnce() {
        try (Buffer buffer = Buffer.of(CAPS, BufferKind.PACKED, 1)) {
            for (int i = 0; i < 100; i++) {
                place(buffer);
                cache.close();
            }
            assertEquals(100, device.made.size());
            assertEquals(1, watch.size());
        }
        assertEquals(0, watch.size());
    }

    @Test
    void aDeviceThatRefusesIsAskedOnceAMemoryAndNotForEver() {
        device.refuses = true;
        List<Buffer> buffers = new ArrayList<>();
        for (int i = 0; i < ImportCache.PATIENCE + 5; i++) {
            buffers.add(Buffer.of(CAPS, BufferKind.PACKED, 1));
        }
        for (int round = 0; round < 3; round++) {
            for (Buffer buffer : buffers) {
                assertInstanceOf(HostMemory.class, place(buffer));
            }
        }
        assertEquals(ImportCache.PATIENCE, device.asked);
        assertEquals(1, host.lines.size());
        assertEquals(0, cache.hostImports());
        assertEquals(0, cache.hits());
        buffers.forEach(Buffer::close);
    }

    @Test
    void memoryThatNeverComesAgainIsCopiedAfterAWhile() {
        for (int i = 0; i < 3 * ImportCache.PATIENCE; i++) {
            try (Buffer buffer = Buffer.of(CAPS, BufferKind.PACKED, 1)) {
                place(buffer);
            }
        }
        assertEquals(ImportCache.PATIENCE, device.asked);
        assertTrue(device.made.stream().allMatch(one -> one.closed));

        synchronized (cache.contextLock) {
            cache.retry();
        }
        try (Buffer buffer = Buffer.of(CAPS, BufferKind.PACKED, 1)) {
            assertInstanceOf(DeviceMemory.class, place(buffer));
        }
    }

    @Test
    void poolsThatComeAndGoAreImportedStill() {
        for (int i = 0; i < 3 * ImportCache.PATIENCE; i++) {
            try (Buffer buffer = Buffer.of(CAPS, BufferKind.PACKED, 1)) {
                place(buffer);
                assertInstanceOf(DeviceMemory.class, place(buffer));
            }
        }
    }

    @Test
    void picturesInSeveralMemoriesAreNotImported() {
        try (Buffer planes = Buffer.of(CAPS, BufferKind.PLANE_EACH, 1);
                Buffer split = Buffer.of(CAPS, BufferKind.SPLIT, 1)) {
            assertInstanceOf(HostMemory.class, place(planes));
            assertInstanceOf(HostMemory.class, place(split));
        }
        assertEquals(0, device.asked);
        assertEquals(0, watch.size());
    }

    @Test
    void noMoreMemoriesAreImportedThanTheCacheHolds() {
        List<Buffer> buffers = new ArrayList<>();
        for (int i = 0; i < ImportCache.CAPACITY + 3; i++) {
            buffers.add(Buffer.of(CAPS, BufferKind.PACKED, 1));
            assertEquals(i < ImportCache.CAPACITY, place(buffers.get(i)) instanceof DeviceMemory, "memory " + i);
        }
        buffers.forEach(Buffer::close);
        assertTrue(device.made.stream().allMatch(one -> one.closed));
    }

    private DeviceMemory placeDmabuf(Buffer buffer) {
        assertTrue(dmabuf.locate(info, buffer.address(), DmabufFrame.WHOLE_ROWS));
        synchronized (cache.contextLock) {
            return cache.place(dmabuf);
        }
    }

    @Test
    void aDmabufIsImportedOnceAndFoundAgain() {
        try (Buffer one = Buffer.of(CAPS, BufferKind.DMABUF, 1);
                Buffer other = Buffer.of(CAPS, BufferKind.DMABUF, 1)) {
            DeviceMemory first = placeDmabuf(one);
            DeviceMemory second = placeDmabuf(other);

            assertNotSame(first, second);
            assertSame(first, placeDmabuf(one));
            assertSame(second, placeDmabuf(other));
            assertEquals(2, cache.dmabufImports());
            assertEquals(2, cache.hits());
            assertEquals(0, cache.hostImports());
            PictureLayout layout = device.pictures.get(0).layout();
            assertEquals(new PictureLayout(PixelFormat.NV12, 32, 32, 20, 44, 1448, 44, 0, 0), layout);
            assertSame(layout, device.pictures.get(1).layout());
            assertEquals(List.of(), host.warnings);
        }
        assertEquals(0, watch.size());
        assertTrue(device.made.stream().allMatch(one -> one.closed));
    }

    @Test
    void aDmabufWhosePlanesHaveAMemoryEachIsOneImport() {
        try (Buffer planes = Buffer.of(CAPS, BufferKind.DMABUF_PLANES, 1);
                Buffer whole = Buffer.of(CAPS, BufferKind.DMABUF, 1)) {
            DeviceMemory imported = placeDmabuf(planes);
            assertSame(imported, placeDmabuf(planes));
            DmabufPicture picture = device.pictures.get(0);
            assertNotEquals(picture.descriptors().get(0), picture.descriptors().get(1));
            placeDmabuf(whole);
            assertEquals(device.pictures.get(1).layout(), picture.layout());
            assertEquals(3, watch.size());
        }
        assertEquals(0, watch.size());
        assertTrue(device.made.stream().allMatch(one -> one.closed));
    }

    /** Puts the first memory of a buffer in the place of another buffer's first. */
    private static long share(Buffer from, Buffer to) {
        long memory = GstVideoLibrary.gst_buffer_peek_memory(from.address(), 0);
        GstVideoLibrary.gst_mini_object_ref(memory);
        FakeHost.gst_buffer_replace_memory(to.address(), 0, memory);
        return memory;
    }

    /** A picture under way may still use the first one's import. */
    @Test
    void picturesThatShareADmabufHaveAnImportEach() {
        try (Buffer one = Buffer.of(CAPS, BufferKind.DMABUF_PLANES, 1);
                Buffer other = Buffer.of(CAPS, BufferKind.DMABUF_PLANES, 1)) {
            share(one, other);
            DeviceMemory first = placeDmabuf(one);
            DeviceMemory second = placeDmabuf(other);
            assertNotSame(first, second);
            assertFalse(device.made.get(0).closed);
            assertSame(first, placeDmabuf(one));
            assertSame(second, placeDmabuf(other));
            assertEquals(3, watch.size());
        }
        assertEquals(0, watch.size());
        assertTrue(device.made.stream().allMatch(made -> made.closed));
    }

    /** As above. */
    @Test
    void aMemoryThatIsResizedAfterItsImportIsCopied() {
        try (Buffer small = Buffer.of(CAPS, BufferKind.PACKED, 1)) {
            long memory;
            // GStreamer resizes no memory that two buffers hold.
            try (Buffer large = Buffer.of(FakeHost.caps("NV12", 64, 64), BufferKind.PACKED, 1)) {
                memory = share(large, small);
            }
            PictureMemory imported = place(small);
            assertInstanceOf(DeviceMemory.class, imported);
            FakeHost.gst_memory_resize(memory, 64, 4096);
            assertInstanceOf(HostMemory.class, place(small));
            assertFalse(device.made.get(0).closed);
            FakeHost.gst_memory_resize(memory, -64, 6144);
            assertSame(imported, place(small));
        }
        assertTrue(device.made.get(0).closed);
    }

    @Test
    void aPartOfAMemoryIsImportedWithTheWhole() {
        try (Buffer whole = Buffer.of(CAPS, BufferKind.DMABUF, 1)) {
            DeviceMemory imported = placeDmabuf(whole);
            for (int i = 0; i < 3; i++) {
                try (Buffer part = whole.part()) {
                    assertSame(imported, placeDmabuf(part));
                }
            }
            assertFalse(device.made.get(0).closed);
        }
        assertTrue(device.made.get(0).closed);
    }

    /** Reports that the last dmabuf is copied, and returns why. */
    private String copyDmabuf() {
        synchronized (cache.contextLock) {
            cache.copiesDmabuf(cache.obstacle());
            return cache.obstacle();
        }
    }

    @Test
    void aDmabufThatIsRefusedIsNamedOnceAStreamAndAskedForOnce() {
        device.refuses = true;
        List<Buffer> buffers = new ArrayList<>();
        for (int i = 0; i < ImportCache.PATIENCE + 5; i++) {
            buffers.add(Buffer.of(CAPS, BufferKind.DMABUF, 1));
        }
        for (int round = 0; round < 2; round++) {
            for (Buffer buffer : buffers) {
                assertNull(placeDmabuf(buffer));
                assertFalse(copyDmabuf().isEmpty());
            }
        }
        assertEquals(ImportCache.PATIENCE, device.asked);
        assertEquals(List.of("A dmabuf is copied, not used where it lies: refusal 1"), host.warnings);
        assertEquals(0, cache.dmabufImports());
        assertEquals(0, cache.hits());

        synchronized (cache.contextLock) {
            cache.retry();
        }
        device.refuses = false;
        assertSame(placeDmabuf(buffers.get(ImportCache.PATIENCE)), device.made.get(0));
        buffers.forEach(Buffer::close);
    }

    @Test
    void anotherLayoutIsCheckedBeforeTheDmabufIsUsed() {
        try (Buffer buffer = Buffer.of(CAPS, BufferKind.DMABUF, 1)) {
            DeviceMemory imported = placeDmabuf(buffer);
            device.made.get(0).obstacle = Optional.of("past the end");
            assertSame(imported, placeDmabuf(buffer), "the layout has already been checked");
            try (DmabufFrame fresh = new DmabufFrame()) {
                assertTrue(fresh.locate(info, buffer.address(), DmabufFrame.WHOLE_ROWS));
                synchronized (cache.contextLock) {
                    assertNull(cache.place(fresh));
                }
            }
            assertEquals(List.of(), host.warnings, "nothing was copied");
            assertEquals("past the end", copyDmabuf());
            assertEquals(List.of("A dmabuf is copied, not used where it lies: past the end"), host.warnings);
        }
    }

    @Test
    void dmabufsThatNeverComeAgainAreImportedStill() {
        for (int i = 0; i < 3 * ImportCache.CAPACITY; i++) {
            try (Buffer buffer = Buffer.of(CAPS, BufferKind.DMABUF, 1)) {
                assertInstanceOf(DeviceMemory.class, placeDmabuf(buffer));
            }
        }
    }

    @Test
    void aFullCacheForgetsTheDmabufThatWasNotUsedForLongest() {
        List<Buffer> buffers = new ArrayList<>();
        for (int i = 0; i < ImportCache.CAPACITY; i++) {
            buffers.add(Buffer.of(CAPS, BufferKind.DMABUF, 1));
            placeDmabuf(buffers.get(i));
        }
        placeDmabuf(buffers.get(0));
        try (Buffer more = Buffer.of(CAPS, BufferKind.DMABUF, 1)) {
            placeDmabuf(more);
            assertFalse(device.made.get(0).closed);
            assertTrue(device.made.get(1).closed);
            assertFalse(device.made.get(2).closed);
        }
        buffers.forEach(Buffer::close);
        assertTrue(device.made.stream().allMatch(one -> one.closed));
        assertEquals(0, watch.size());
    }

    @Test
    void whatIsNoDmabufIsLeftToTheMapping() {
        for (BufferKind kind : List.of(BufferKind.PACKED, BufferKind.PLANE_EACH, BufferKind.EMPTY)) {
            try (Buffer buffer = Buffer.of(CAPS, kind, -1)) {
                assertFalse(dmabuf.locate(info, buffer.address(), DmabufFrame.WHOLE_ROWS), kind.name());
            }
        }
    }

    @Test
    void columnsThatDoNotHoldThePictureAreNamed() {
        try (Buffer rows = Buffer.of(CAPS, BufferKind.DMABUF, 1);
                Buffer system = Buffer.of(CAPS, BufferKind.PACKED, -1)) {
            assertFalse(dmabuf.locate(info, rows.address(), 16));
            assertEquals("columns of 16 rows do not hold the 32 of plane 0", dmabuf.problem());
            assertFalse(dmabuf.locate(info, rows.address(), 48));
            assertTrue(dmabuf.problem().startsWith("plane 0 takes 4000 bytes, but "), dmabuf.problem());
            assertFalse(dmabuf.locate(info, system.address(), 0));
            assertEquals("it has no GstVideoMeta, and so no column heights", dmabuf.problem());
            assertFalse(dmabuf.locate(info, system.address(), DmabufFrame.WHOLE_ROWS));
            assertEquals("", dmabuf.problem(), "system memory is mapped");
            assertTrue(dmabuf.locate(info, rows.address(), DmabufFrame.WHOLE_ROWS));
        }
    }
}

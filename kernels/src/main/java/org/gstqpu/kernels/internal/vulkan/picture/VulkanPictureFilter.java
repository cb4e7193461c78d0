/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.Optional;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.internal.picture.PictureKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PlaneTransfer;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.internal.vulkan.work.SubmitRing;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.internal.vulkan.work.WorkKey;
import org.gstqpu.kernels.picture.HostMemory;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PictureMemory;
import org.gstqpu.kernels.picture.PixelFormat;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Filters pictures of one format and size on the device, each as one frame. Owns the ring of recorded work, the
 * parameters of pictures, and the pictures in flight. Belongs to the context's thread.
 */
public final class VulkanPictureFilter implements PictureFilter {
    /**
     * Pairs of buffers whose recordings are kept. A decoder's pool of buffers times some buffers of a sink needs no
     * more.
     */
    private static final int SLOTS = 64;

    private final VulkanDevice device;
    private final BufferPool pool;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final PictureKind kind;
    private final long timeoutNanos;
    private final KernelPipelines pipelines;
    private final PictureRecorder recorder;
    private final SlotParameters parameters;
    private final SubmitRing ring;
    private final WorkKey wanted = new WorkKey();
    private final Flight[] flights = new Flight[MAX_IN_FLIGHT];
    private long begun;

    /** The automatic strength of the last picture that had one; {@link #followsGrid} holds for it. */
    private PictureStrength.Automatic lastAutomatic;

    private boolean followsGrid;
    private boolean closed;

    /**
     * Makes a filter.
     *
     * @param times receives the device's times of pictures, if the device takes timestamps
     * @throws DeviceException if the device is out of memory; nothing is left behind
     */
    public VulkanPictureFilter(DeviceRuntime runtime, PictureTimes times, PixelFormat format, int width, int height) {
        device = runtime.device();
        pool = runtime.pool();
        pipelines = runtime.pipelines();
        timeoutNanos = runtime.timeoutNanos();
        this.format = format;
        this.width = width;
        this.height = height;
        kind = new PictureKind("filter", format, width, height);
        recorder = new PictureRecorder(runtime, format, width, height);
        parameters = new SlotParameters(pool, format, width, height, SLOTS);
        try {
            ring = new SubmitRing(device, pipelines.setLayout(), SLOTS, PictureRecorder.SETS, times::add);
        } catch (DeviceException e) {
            parameters.close();
            throw e;
        }
    }

    @Override
    public long begin(Picture source, Picture destination, PicturePlan plan) {
        checkUsable();
        check("source", source);
        check("destination", destination);
        PictureStrength strength = plan.strength();
        checkFits(strength);
        boolean filters = strength.deblocks() || strength.runsCdef() || strength.shifts() != 0;
        if (!filters && !source.layout().isPacked() && !destination.layout().isPacked()) {
            copy(source, destination);
            return DONE;
        }
        int place = freeFlight();
        int keptColumns = filters ? format.cut(plan.keptLeft(), width) : 0;
        int passes = passes(source, destination, strength, keptColumns);
        recorder.make(passes);
        if (hasMaps(passes)) {
            makeRoomForMaps(place);
        }
        Flight flight = flights[place];
        flight.prepare();
        placeSource(flight, source);
        placeDestination(flight, destination);
        wanted.set(recorder.source(), recorder.destination(), passes, hasMaps(passes) ? parameters.mapsId() : 0);
        SubmitSlot slot = ring.acquire(wanted, timeoutNanos);
        parameters.write(slot.index(), place, strength, keptColumns);
        if (!slot.holds(wanted)) {
            recorder.record(slot, slot.record(wanted, pipelines.layout()), passes, parameters);
        }
        if (PicturePasses.has(passes, PicturePasses.MEASURE)) {
            recorder.strength().pictureGoes();
        }
        begun++;
        submit(flight, slot, begun * MAX_IN_FLIGHT + place, plan.handOver() ? shared(destination) : null);
        return flight.ticket();
    }

    /**
     * Submits a picture.
     *
     * @param shared the destination's dmabufs if others may use them before the picture is done; otherwise null
     */
    private void submit(Flight flight, SubmitSlot slot, long ticket, ImportedMemory shared) {
        if (shared == null) {
            flight.submit(slot, ticket);
            return;
        }
        flight.signalDone();
        flight.submit(slot, ticket);
        flight.handOver(shared);
    }

    private ImportedMemory shared(Picture destination) {
        return device.canExportSyncFds()
                        && destination.memory() instanceof ImportedMemory imported
                        && !imported.dmabufs().isEmpty()
                ? imported
                : null;
    }

    /** The passes of a picture, as bits of {@link PicturePasses}. */
    private int passes(Picture source, Picture destination, PictureStrength strength, int keptColumns) {
        int passes = (strength.deblocks() ? PicturePasses.DEBLOCK : 0)
                | (strength.runsCdef() ? PicturePasses.CDEF : 0)
                | PicturePasses.shrinking(strength.shifts())
                | (keptColumns > 0 ? PicturePasses.KEEP_LEFT : 0)
                | (foreign(source.memory()) ? PicturePasses.FOREIGN_SOURCE : 0)
                | (foreign(destination.memory()) ? PicturePasses.FOREIGN_DESTINATION : 0)
                | (source.layout().isPacked() ? PicturePasses.UNPACK : 0)
                | (destination.layout().isPacked() ? PicturePasses.PACK : 0);
        if (strength instanceof PictureStrength.Automatic automatic) {
            parameters.makeLadders();
            int found = recorder.strength().nextOffset();
            return passes
                    | PicturePasses.MEASURE
                    | PicturePasses.measuringFrom(found)
                    | PicturePasses.deblockingFrom(followsGrid(automatic) ? found : 0);
        }
        if (strength instanceof PictureStrength.Fixed fixed) {
            return passes
                    | (fixed.cdefBlocks().isPresent() ? PicturePasses.BLOCK_MAP : 0)
                    | PicturePasses.deblockingFrom(StrengthEstimate.packOffset(fixed.gridColumn(), fixed.gridRow()));
        }
        PictureParameters own = ((PictureStrength.Decoded) strength).parameters();
        return passes
                | (own.deblocksByEdge() ? PicturePasses.BY_EDGE : 0)
                | (own.runsCdef() && own.cdef().isMapped() ? PicturePasses.BLOCK_MAP : 0);
    }

    private boolean followsGrid(PictureStrength.Automatic automatic) {
        if (!automatic.equals(lastAutomatic)) {
            lastAutomatic = automatic;
            followsGrid = automatic.ladder().followsGrid();
        }
        return followsGrid;
    }

    private static boolean hasMaps(int passes) {
        return PicturePasses.has(passes, PicturePasses.BY_EDGE | PicturePasses.BLOCK_MAP);
    }

    private void checkFits(PictureStrength strength) {
        if (strength instanceof PictureStrength.Decoded decoded) {
            decoded.parameters().checkFor(format, width, height);
        } else if (strength instanceof PictureStrength.Fixed fixed
                && fixed.cdefBlocks().isPresent()) {
            CdefBlockMap map = fixed.cdefBlocks().get();
            if (map.width() != width || map.height() != height) {
                throw new IllegalArgumentException("this filter is for " + width + "x" + height + ", the block map for "
                        + map.width() + "x" + map.height());
            }
        }
    }

    private void copy(Picture source, Picture destination) {
        checkMapped("source", source.memory());
        checkMapped("destination", destination.memory());
        PlaneTransfer.copy(
                address(source.memory()), source.layout(), address(destination.memory()), destination.layout(), true);
    }

    /** Makes sure that there is room for the maps of the flight at this place. */
    private void makeRoomForMaps(int place) {
        int pictures = parameters.mappedPictures();
        if (place >= pictures) {
            // Recordings name the previous memory of the maps. Nobody may use it from now on.
            ring.drain(timeoutNanos);
            parameters.makeMaps(Math.max(place + 1, Math.min(MAX_IN_FLIGHT, 2 * pictures)));
        }
    }

    /**
     * Number of the first free flight. With one picture at a time, this is always the same flight. If none is free,
     * waits for a picture that was handed over.
     */
    private int freeFlight() {
        for (int place = 0; place < MAX_IN_FLIGHT; place++) {
            if (flights[place] == null) {
                flights[place] = new Flight(device, pool);
            }
            if (flights[place].isFree()) {
                return place;
            }
        }
        for (int place = 0; place < MAX_IN_FLIGHT; place++) {
            if (flights[place].isHandedOver()) {
                flights[place].await(recorder.ownLayout(), timeoutNanos);
                return place;
            }
        }
        throw new IllegalStateException(MAX_IN_FLIGHT + " pictures have begun and none was finished");
    }

    /**
     * The flight of the picture with this ticket. Null if the picture is done and its flight is free or has another
     * picture.
     */
    private Flight flight(long ticket) {
        Flight flight = flights[(int) Math.floorMod(ticket, (long) MAX_IN_FLIGHT)];
        return ticket != DONE && flight != null && flight.ticket() == ticket ? flight : null;
    }

    @Override
    public boolean isHandedOver(long ticket) {
        Flight flight = flight(ticket);
        return flight != null && flight.isHandedOver();
    }

    @Override
    public boolean isDone(long ticket) {
        Flight flight = flight(ticket);
        return flight == null || flight.deviceIsDone();
    }

    @Override
    public void finish(long ticket) {
        Flight flight = flight(ticket);
        if (flight != null) {
            flight.await(recorder.ownLayout(), timeoutNanos);
        }
    }

    /** True if drivers of other devices may use the memory, too. */
    private boolean foreign(PictureMemory memory) {
        return memory instanceof ImportedMemory imported && !imported.dmabufs().isEmpty() && device.canOwnForeign();
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return lastAutomatic == null
                ? Optional.empty()
                : Optional.of(StrengthEstimate.unpack(
                        recorder.strength().estimate(), recorder.strength().foundOffset()));
    }

    /**
     * Sets the place of the source: its own memory if the device can read that, or else a copy in the flight's staging
     * buffer.
     */
    private void placeSource(Flight flight, Picture source) {
        PictureLayout layout = source.layout();
        if (source.memory() instanceof ImportedMemory imported && imported.wordsOnly(layout)) {
            recorder.source().set(imported, layout);
            flight.awaitWriters(imported, timeoutNanos);
            return;
        }
        DeviceBuffer upload = flight.upload(recorder.ownBytes());
        device.counters()
                .countCopied(PlaneTransfer.copy(
                        address(source.memory()), layout, upload.address(), recorder.ownLayout(), false));
        recorder.source().set(upload.id(), upload.range(), 0, recorder.ownLayout());
    }

    /**
     * Sets the place of the result: the destination's memory if the device can write that, or else the flight's staging
     * buffer, from which the result is copied when it is done.
     */
    private void placeDestination(Flight flight, Picture destination) {
        PictureLayout layout = destination.layout();
        if (destination.memory() instanceof ImportedMemory imported
                && imported.wordsOnly(layout)
                && imported.holdsWords(layout)) {
            recorder.destination().set(imported, layout);
            flight.awaitUsers(imported, timeoutNanos);
            return;
        }
        DeviceBuffer download = flight.download(recorder.ownBytes());
        recorder.destination().set(download.id(), download.range(), 0, recorder.ownLayout());
        flight.copyResultTo(address(destination.memory()), layout);
    }

    private void check(String which, Picture picture) {
        PictureMemory memory = picture.memory();
        PictureLayout layout = picture.layout();
        kind.check(which, memory, layout);
        if (!(memory instanceof HostMemory) && !(memory instanceof ImportedMemory own && own.belongsTo(device))) {
            throw new IllegalArgumentException("the " + which + " memory was imported by another context");
        }
        if (layout.isPacked()
                && !(memory instanceof ImportedMemory imported
                        && imported.wordsOnly(layout)
                        && imported.holdsWords(layout))) {
            throw new IllegalArgumentException("the " + which
                    + " picture has three samples in a word, and is not filtered unless the device has imported its memory:"
                    + " take importDmabuf, or P010_10LE in rows");
        }
        if (memory instanceof ImportedMemory imported && !(memory instanceof HostImport)) {
            Optional<String> obstacle = imported.obstacle(layout);
            if (obstacle.isPresent()) {
                throw new IllegalArgumentException("the " + which + " picture cannot be filtered in its "
                        + (imported.dmabufs().isEmpty() ? "memory: " : "dmabuf: ") + obstacle.get());
            }
        }
    }

    private static void checkMapped(String which, PictureMemory memory) {
        if (memory instanceof ImportedMemory imported && !(memory instanceof HostImport)) {
            throw new IllegalArgumentException("the plan runs no filter, so that the CPU would copy, and the " + which
                    + " picture is in " + (imported.dmabufs().isEmpty() ? "the device's own memory" : "a dmabuf"));
        }
    }

    private static long address(PictureMemory memory) {
        if (memory instanceof HostMemory host) {
            return host.address();
        }
        return ((HostImport) memory).address();
    }

    private void checkUsable() {
        if (closed) {
            throw new IllegalStateException("the picture filter is closed");
        }
        device.checkAlive();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        ring.settle(timeoutNanos);
        ring.close();
        parameters.close();
        for (Flight flight : flights) {
            if (flight != null) {
                flight.close();
            }
        }
        recorder.close();
    }
}

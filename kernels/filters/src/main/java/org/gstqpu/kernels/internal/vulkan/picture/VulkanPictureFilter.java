/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.filter.PictureFilter;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthEstimate;
import org.gstqpu.kernels.internal.memory.PictureKind;
import org.gstqpu.kernels.internal.picture.FrameFilter;
import org.gstqpu.kernels.internal.picture.LookAhead;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.strength.PackedEstimate;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.HostImport;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
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
 * parameters of pictures, and the flights. Belongs to the context's thread.
 */
public final class VulkanPictureFilter implements FrameFilter {
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
    private final StageRow row;
    private final SubmitRing ring;
    private final StagePicture picture = new StagePicture();
    private final WorkKey wanted = new WorkKey();
    private final List<Flight> flights = new ArrayList<>();
    private final LookAhead lookAhead = new LookAhead();

    /** By slot: whose picture it does. */
    private final Flight[] ofSlots = new Flight[SLOTS];

    private int sequence;

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
        row = new StageRow(runtime, format, width, height, SLOTS);
        try {
            ring = new SubmitRing(
                    device,
                    pipelines.setLayout(),
                    SLOTS,
                    row.sets(),
                    (slot, nanos) -> ofSlots[slot].addTime(nanos, times));
        } catch (DeviceException e) {
            row.close();
            throw e;
        }
    }

    @Override
    public PictureRun newRun() {
        if (flights.size() == PictureFilter.MAX_IN_FLIGHT) {
            throw new IllegalStateException(PictureFilter.MAX_IN_FLIGHT + " pictures may be in flight, and no more");
        }
        Flight flight = new Flight(this, flights.size(), device, pool);
        flights.add(flight);
        return flight;
    }

    /**
     * Begins a picture in a flight, which has none.
     *
     * @return true if the picture is in flight, false if it is done
     */
    boolean begin(Flight flight, Picture source, Picture destination, PicturePlan plan) {
        checkUsable();
        check("source", source);
        check("destination", destination);
        checkApart(source, destination);
        PictureStrength strength = plan.strength();
        checkFits(strength);
        boolean unpacks = source.layout().isPacked();
        boolean packs = destination.layout().isPacked();
        if (lookAhead.set(unpacks || packs ? 0 : strength.ahead()) || !strength.fuses()) {
            row.forgetPast();
        }
        boolean filters = strength.filters();
        if (!filters && !unpacks && !packs) {
            copy(source, destination);
            return false;
        }
        int keptColumns = filters ? format.cut(plan.keptLeft(), width) : 0;
        picture.set(strength, keptColumns, unpacks, packs);
        setGrid(strength);
        long forms = row.prepare(
                picture,
                ImportedMemory.isForeign(source.memory(), device),
                ImportedMemory.isForeign(destination.memory(), device));
        if (row.hasMaps()) {
            makeRoomForMaps(flight.place());
        }
        flight.prepare();
        placeSource(flight, source);
        placeDestination(flight, destination);
        SubmitSlot slot = recorded(flight, forms);
        if (strength instanceof PictureStrength.Automatic) {
            row.measure().pictureGoes();
        }
        submit(flight, slot, plan.handOver() && !lookAhead.waits() ? shared(destination) : null);
        if (lookAhead.waits()) {
            flight.waits(source, destination, strength, keptColumns, picture.gridOffset(), sequence);
            lookAhead.add(flight, sequence);
        }
        return true;
    }

    /** A slot that holds the recording for the prepared picture, whose places are set, and its parameters. */
    private SubmitSlot recorded(Flight flight, long forms) {
        wanted.set(
                row.source(),
                row.destination(),
                forms,
                row.hasMaps() ? row.parameters().mapsId() : 0);
        SubmitSlot slot = ring.acquire(wanted, timeoutNanos);
        ofSlots[slot.index()] = flight;
        row.write(slot.index(), flight.place(), picture);
        if (!slot.holds(wanted)) {
            row.record(slot, slot.record(wanted, pipelines.layout()));
        }
        return slot;
    }

    /** Ends the first picture of a sequence that waits for those after it. */
    void completeFirst(int of) {
        lookAhead.completeFirst(of);
    }

    /** Submits what is left to do with a picture that has waited for those after it. */
    void complete(Flight flight) {
        Picture source = flight.source();
        Picture destination = flight.destination();
        picture.set(flight.strength(), flight.keptColumns(), false, false);
        picture.setGrid(0, flight.gridOffset());
        picture.setCompletes();
        row.setSequence(flight.sequence());
        try {
            long forms = row.prepare(
                    picture,
                    ImportedMemory.isForeign(source.memory(), device),
                    ImportedMemory.isForeign(destination.memory(), device));
            if (reads(source)) {
                row.source().set((ImportedMemory) source.memory(), source.layout());
            } else {
                place(row.source(), flight.upload(row.ownBytes()));
            }
            if (writes(destination)) {
                row.destination().set((ImportedMemory) destination.memory(), destination.layout());
            } else {
                place(row.destination(), flight.download(row.ownBytes()));
            }
            flight.submitRest(recorded(flight, forms));
        } finally {
            row.setSequence(sequence);
        }
    }

    /**
     * Submits a picture.
     *
     * @param shared the destination's dmabufs if others may use them before the picture is done; otherwise null
     */
    private void submit(Flight flight, SubmitSlot slot, ImportedMemory shared) {
        if (shared == null) {
            flight.submit(slot);
            return;
        }
        flight.fences().signalDone();
        flight.submit(slot);
        flight.handOver(shared);
    }

    private ImportedMemory shared(Picture destination) {
        return device.canExportSyncFds()
                        && destination.memory() instanceof ImportedMemory imported
                        && !imported.dmabufs().isEmpty()
                ? imported
                : null;
    }

    /** Says where the grids of blocks of the prepared picture begin. */
    private void setGrid(PictureStrength strength) {
        if (strength instanceof PictureStrength.Automatic automatic) {
            int found = row.measure().nextOffset();
            picture.setGrid(found, followsGrid(automatic) ? found : 0);
        } else if (strength instanceof PictureStrength.Fixed fixed) {
            picture.setGrid(0, PackedEstimate.packOffset(fixed.gridColumn(), fixed.gridRow()));
        } else {
            picture.setGrid(0, 0);
        }
    }

    private boolean followsGrid(PictureStrength.Automatic automatic) {
        if (!automatic.equals(lastAutomatic)) {
            lastAutomatic = automatic;
            followsGrid = automatic.ladder().followsGrid();
        }
        return followsGrid;
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
        int pictures = row.parameters().mappedPictures();
        if (place >= pictures) {
            // Recordings name the previous memory of the maps. Nobody may use it from now on.
            ring.drain(timeoutNanos);
            row.parameters().makeMaps(Math.max(place + 1, Math.min(PictureFilter.MAX_IN_FLIGHT, 2 * pictures)));
        }
    }

    /** Waits for a flight's picture: see {@link Flight#finish}. */
    void await(Flight flight) {
        flight.await(row.ownLayout(), timeoutNanos);
    }

    @Override
    public void setSequence(int sequence) {
        this.sequence = sequence;
        row.setSequence(sequence);
    }

    @Override
    public void forgetPast() {
        lookAhead.completeAll();
        row.forgetPast();
    }

    @Override
    public Optional<StrengthEstimate> estimate() {
        return row.measure().estimate();
    }

    @Override
    public FusionCounts fusion() {
        return row.fusion();
    }

    /**
     * Sets the place of the source: its own memory if the device can read that, or else a copy in the flight's staging
     * buffer.
     */
    private void placeSource(Flight flight, Picture source) {
        PictureLayout layout = source.layout();
        if (reads(source)) {
            ImportedMemory imported = (ImportedMemory) source.memory();
            row.source().set(imported, layout);
            flight.fences().awaitWriters(0, imported, timeoutNanos);
            return;
        }
        DeviceBuffer upload = flight.upload(row.ownBytes());
        device.counters()
                .addCopy(
                        PlaneTransfer.copy(address(source.memory()), layout, upload.address(), row.ownLayout(), false));
        place(row.source(), upload);
    }

    private void place(PicturePlace place, DeviceBuffer buffer) {
        place.set(buffer.id(), buffer.range(), 0, row.ownLayout());
    }

    /** True if the device reads a source where it is. */
    private static boolean reads(Picture source) {
        return source.memory() instanceof ImportedMemory imported && imported.wordsOnly(source.layout());
    }

    /** True if the device writes to a destination where it is. */
    private static boolean writes(Picture destination) {
        return destination.memory() instanceof ImportedMemory imported
                && imported.wordsOnly(destination.layout())
                && imported.holdsWords(destination.layout());
    }

    /**
     * Sets the place of the result: the destination's memory if the device can write that, or else the flight's staging
     * buffer, from which the result is copied when it is done.
     */
    private void placeDestination(Flight flight, Picture destination) {
        PictureLayout layout = destination.layout();
        if (writes(destination)) {
            ImportedMemory imported = (ImportedMemory) destination.memory();
            row.destination().set(imported, layout);
            flight.fences().awaitUsers(1, imported, timeoutNanos);
            return;
        }
        DeviceBuffer download = flight.download(row.ownBytes());
        place(row.destination(), download);
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

    /** Memories of which one has no address here are apart, unless they are the same. */
    private static void checkApart(Picture source, Picture destination) {
        PictureMemory from = source.memory();
        PictureMemory to = destination.memory();
        if (from == to) {
            PictureKind.checkApart(0, source.layout(), 0, destination.layout());
        } else if (isMapped(from) && isMapped(to)) {
            PictureKind.checkApart(address(from), source.layout(), address(to), destination.layout());
        }
    }

    private static boolean isMapped(PictureMemory memory) {
        return memory instanceof HostMemory || memory instanceof HostImport;
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

    @Override
    public void checkUsable() {
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
        lookAhead.completeAll();
        closed = true;
        ring.settle(timeoutNanos);
        ring.close();
        flights.forEach(Flight::close);
        row.close();
    }
}

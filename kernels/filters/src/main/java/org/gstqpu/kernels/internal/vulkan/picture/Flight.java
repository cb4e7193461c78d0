/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.internal.picture.LookAhead;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.DmabufImport;
import org.gstqpu.kernels.internal.vulkan.memory.FileDescriptors;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PlaneTransfer;
import org.gstqpu.kernels.internal.vulkan.work.DeviceSemaphore;
import org.gstqpu.kernels.internal.vulkan.work.SubmitDependencies;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * A run of a {@link VulkanPictureFilter}. Owns what one picture in flight needs besides a {@link SubmitSlot}: staging buffers, and semaphores that import
 * fences of other drivers and export its own. Each is made when first needed and kept for later pictures, which then
 * allocate nothing. Belongs to the context's thread.
 */
final class Flight implements PictureRun, LookAhead.Waiting, AutoCloseable {
    /** Most dmabufs of a picture: one for each plane. */
    private static final int DMABUFS = 3;

    // Bits that say which semaphores a submission uses: one for each dmabuf of the source, then one for each dmabuf of
    // the destination, then one for the signal.
    private static final int DESTINATION = DMABUFS;
    private static final int SIGNALS = 1 << (2 * DMABUFS);

    private final VulkanPictureFilter filter;
    private final int place;
    private final VulkanDevice device;
    private final BufferPool pool;
    private final SubmitDependencies[] dependencies = new SubmitDependencies[2 * SIGNALS];
    private DeviceBuffer upload;
    private DeviceBuffer download;

    /** Semaphores to wait for, by the bits of {@link #uses}. */
    private final DeviceSemaphore[] ready = new DeviceSemaphore[2 * DMABUFS];

    private DeviceSemaphore done;

    /** Bits of the semaphores that the next submission uses. */
    private int uses;

    private SubmitSlot slot;
    private long submission;
    private boolean inFlight;
    private boolean handedOver;

    /** Why what follows the first submission failed: to hand the picture over, or to do what it waited for. Null if it did not. */
    private DeviceException failure;

    /** True if the picture waits for those after it; what is known of it then, and its sequence. */
    private boolean waits;

    private Picture source;
    private Picture destination;
    private PictureStrength strength;
    private int keptColumns;
    private int gridOffset;
    private int sequence;

    /** Address that a staged result goes to. 0 if the device writes the result where it belongs. */
    private long resultAddress;

    private PictureLayout resultLayout;

    /**
     * Has no picture yet.
     *
     * @param place number of the flight in its filter
     */
    Flight(VulkanPictureFilter filter, int place, VulkanDevice device, BufferPool pool) {
        this.filter = filter;
        this.place = place;
        this.device = device;
        this.pool = pool;
    }

    /** Number of the flight in its filter, from 0 on. */
    int place() {
        return place;
    }

    @Override
    public boolean begin(Picture source, Picture destination, PicturePlan plan) {
        finish();
        return filter.begin(this, source, destination, plan);
    }

    /** Memory in which the CPU gives a picture to the device. */
    DeviceBuffer upload(long sizeBytes) {
        if (upload == null) {
            upload = pool.acquire(MemoryKind.UPLOAD, sizeBytes);
        }
        return upload;
    }

    /** Memory in which the device gives a result to the CPU. */
    DeviceBuffer download(long sizeBytes) {
        if (download == null) {
            download = pool.acquire(MemoryKind.DOWNLOAD, sizeBytes);
        }
        return download;
    }

    /** Begins to prepare a submission. */
    void prepare() {
        uses = 0;
        resultAddress = 0;
    }

    /** Makes the submission wait for all writers of the memory. If a semaphore cannot wait, the CPU does so here. */
    void awaitWriters(ImportedMemory source, long timeoutNanos) {
        await(source, false, 0, timeoutNanos);
    }

    /**
     * Makes the submission wait for all readers and writers of the memory. If a semaphore cannot wait, the CPU does so
     * here.
     */
    void awaitUsers(ImportedMemory destination, long timeoutNanos) {
        await(destination, true, DESTINATION, timeoutNanos);
    }

    private void await(ImportedMemory memory, boolean toWrite, int firstBit, long timeoutNanos) {
        List<DmabufImport> dmabufs = memory.dmabufs();
        for (int i = 0; i < dmabufs.size(); i++) {
            DmabufImport dmabuf = dmabufs.get(i);
            if (dmabuf.isBusy(toWrite)) {
                int bit = firstBit + i;
                if (device.canImportSyncFds() && ready[bit] == null) {
                    ready[bit] = DeviceSemaphore.syncFd(device);
                }
                uses |= await(dmabuf, toWrite, ready[bit], timeoutNanos) ? 1 << bit : 0;
            }
        }
    }

    /** Returns true if the semaphore waits, and false if the CPU has waited. */
    private boolean await(DmabufImport dmabuf, boolean toWrite, DeviceSemaphore semaphore, long timeoutNanos) {
        int fence = semaphore == null ? -1 : dmabuf.exportFence(toWrite);
        if (fence >= 0) {
            semaphore.importFd(fence);
            device.counters().add(Counted.FENCES_IMPORTED);
            return true;
        }
        dmabuf.awaitOthers(toWrite, timeoutNanos);
        return false;
    }

    /** Makes the submission signal its end, as {@link #handOver} requires. */
    void signalDone() {
        if (done == null) {
            done = DeviceSemaphore.syncFd(device);
        }
        uses |= SIGNALS;
    }

    /** Makes {@link #await} copy the result from {@link #download} to an address. */
    void copyResultTo(long address, PictureLayout layout) {
        resultAddress = address;
        resultLayout = layout;
    }

    /**
     * Submits what the slot holds.
     *
     * @throws DeviceException if the device refuses the work; the flight is free then
     */
    void submit(SubmitSlot slot) {
        slot.submit(dependencies());
        this.slot = slot;
        submission = slot.submissions();
        inFlight = true;
        handedOver = false;
        failure = null;
    }

    private SubmitDependencies dependencies() {
        if (dependencies[uses] == null) {
            List<DeviceSemaphore> waits = new ArrayList<>();
            for (int bit = 0; bit < ready.length; bit++) {
                if ((uses & 1 << bit) != 0) {
                    waits.add(ready[bit]);
                }
            }
            dependencies[uses] = new SubmitDependencies(waits, (uses & SIGNALS) != 0 ? List.of(done) : List.of());
        }
        return dependencies[uses];
    }

    /** After {@link #submit}: lets the picture wait for those after it. It is in the memories that the submission reads and writes. */
    void waits(
            Picture source,
            Picture destination,
            PictureStrength strength,
            int keptColumns,
            int gridOffset,
            int sequence) {
        this.source = source;
        this.destination = destination;
        this.strength = strength;
        this.keptColumns = keptColumns;
        this.gridOffset = gridOffset;
        this.sequence = sequence;
        waits = true;
    }

    Picture source() {
        return source;
    }

    Picture destination() {
        return destination;
    }

    PictureStrength strength() {
        return strength;
    }

    int keptColumns() {
        return keptColumns;
    }

    int gridOffset() {
        return gridOffset;
    }

    int sequence() {
        return sequence;
    }

    @Override
    public void complete() {
        waits = false;
        try {
            filter.complete(this);
        } catch (DeviceException e) {
            // The first submission is under way, so that somebody has to wait for it first.
            failure = e;
        }
    }

    /** Submits what was left to do, which ends after what was submitted first. */
    void submitRest(SubmitSlot rest) {
        uses = 0;
        rest.submit(dependencies());
        slot = rest;
        submission = rest.submissions();
    }

    /**
     * Attaches a fence to the dmabufs that the submission writes, so that other drivers wait for its end.
     * {@link #signalDone} must have been called before. If the device gives no fence, {@link #await} throws that failure:
     * the submission is under way, so that somebody has to wait for it first.
     */
    void handOver(ImportedMemory destination) {
        int fence;
        try {
            fence = done.exportFd();
        } catch (DeviceException e) {
            // The semaphore stays signalled, so that no work may signal it again.
            failure = device.fail(e);
            return;
        }
        // A negative descriptor means that the work is done already; there is no fence to attach.
        handedOver = fence < 0 || attach(fence, destination.dmabufs());
        if (handedOver) {
            device.counters().add(Counted.FENCES_EXPORTED);
        }
    }

    /**
     * Attaches a fence to dmabufs, so that later users of the dmabufs wait for it.
     *
     * @param fence a sync file, which belongs to this method from now on
     * @return true if all dmabufs got the fence
     */
    static boolean attach(int fence, List<DmabufImport> dmabufs) {
        boolean attached = true;
        for (int i = 1; i < dmabufs.size(); i++) {
            int copy = FileDescriptors.duplicate(fence);
            attached &= copy >= 0 && dmabufs.get(i).attachFence(copy);
        }
        return dmabufs.get(0).attachFence(fence) && attached;
    }

    @Override
    public boolean isHandedOver() {
        return inFlight && handedOver;
    }

    @Override
    public boolean isDone() {
        // A slot is awaited before it is submitted again, so a newer submission means that this one is done.
        return !waits && (!inFlight || slot.submissions() != submission || slot.poll());
    }

    @Override
    public void finish() {
        while (waits) {
            filter.completeFirst(sequence);
        }
        if (inFlight) {
            filter.await(this);
        }
    }

    /**
     * Waits for the device, copies a staged result to its place, and frees the flight. The flight keeps a picture that
     * did not end.
     *
     * @throws DeviceException if the device was lost, or did not finish within the time; or if the picture could not be
     *     handed over
     */
    void await(PictureLayout ownLayout, long timeoutNanos) {
        try {
            // A picture that was handed over is mostly done when its run is used again: then nothing waits for it.
            if (slot.submissions() == submission && !(handedOver && slot.poll())) {
                slot.await(timeoutNanos);
            }
        } finally {
            // Work that was not seen to end still uses the flight and the picture's memories.
            if (slot.submissions() != submission || !slot.pending()) {
                inFlight = false;
            }
        }
        if (failure != null) {
            throw failure;
        }
        if (resultAddress != 0) {
            device.counters()
                    .addCopy(PlaneTransfer.copy(download.address(), ownLayout, resultAddress, resultLayout, true));
        }
    }

    /** Frees everything. No submission may be under way. */
    @Override
    public void close() {
        for (SubmitDependencies each : dependencies) {
            if (each != null) {
                each.close();
            }
        }
        for (DeviceSemaphore each : ready) {
            close(each);
        }
        close(done);
        release(upload);
        release(download);
    }

    private static void close(DeviceSemaphore semaphore) {
        if (semaphore != null) {
            semaphore.close();
        }
    }

    private void release(DeviceBuffer buffer) {
        if (buffer != null) {
            pool.release(buffer);
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.filter.PictureRun;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.internal.picture.LookAhead;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PlaneTransfer;
import org.gstqpu.kernels.internal.vulkan.work.DmabufFences;
import org.gstqpu.kernels.internal.vulkan.work.SubmitSlot;
import org.gstqpu.kernels.picture.Picture;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * A run of a {@link VulkanPictureFilter}. Owns what one picture in flight needs besides a {@link SubmitSlot}: staging buffers and fences. Each is made
 * when first needed and kept for later pictures, which then allocate nothing. Belongs to the context's thread.
 */
final class Flight implements PictureRun, LookAhead.Waiting, AutoCloseable {
    private final VulkanPictureFilter filter;
    private final int place;
    private final VulkanDevice device;
    private final BufferPool pool;
    private final DmabufFences fences;
    private DeviceBuffer upload;
    private DeviceBuffer download;

    private SubmitSlot slot;
    private long submission;

    /** The slot of what was submitted before the picture waited for those after it. Null if it did not. */
    private SubmitSlot first;

    /** How long the picture took on the device, as far as known, and how many of its submissions are not. */
    private long nanos;

    private int untimed;
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
        fences = new DmabufFences(device);
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
        fences.prepare();
        resultAddress = 0;
    }

    /** The fences of the prepared submission: picture 0 is the source, picture 1 the destination. */
    DmabufFences fences() {
        return fences;
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
        slot.submit(fences.dependencies());
        this.slot = slot;
        submission = slot.submissions();
        first = null;
        nanos = 0;
        untimed = 1;
        inFlight = true;
        handedOver = false;
        failure = null;
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
        first = slot;
        untimed = 2;
    }

    /** Takes the time of one of the picture's submissions, and adds up that of the picture. */
    void addTime(long submissionNanos, PictureTimes times) {
        nanos += submissionNanos;
        untimed--;
        if (untimed == 0) {
            times.add(nanos);
        }
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
        fences.prepare();
        rest.submit(fences.dependencies());
        slot = rest;
        submission = rest.submissions();
    }

    /**
     * Lets other drivers wait for the end of the submission. If the device gives no fence, {@link #await} throws that failure: the
     * submission is under way, so that somebody has to wait for it first.
     */
    void handOver(ImportedMemory destination) {
        try {
            handedOver = fences.handOver(destination);
        } catch (DeviceException e) {
            failure = device.fail(e);
        }
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
            if (first != null) {
                // What was submitted first has ended, too: now its time is known.
                first.poll();
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
        fences.close();
        release(upload);
        release(download);
    }

    private void release(DeviceBuffer buffer) {
        if (buffer != null) {
            pool.release(buffer);
        }
    }
}

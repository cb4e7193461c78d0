/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.vulkan.VK11.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
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
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * Owns what one picture needs on its way through the device besides a {@link SubmitSlot}: staging buffers, and semaphores
 * that bring fences of other drivers in and take its own out. All is made when it is first needed, and used again for later
 * pictures; then nothing is allocated. Belongs to the context's thread.
 */
final class Flight implements AutoCloseable {
    /** Dmabufs of a picture: one for each plane. */
    private static final int DMABUFS = 3;

    // Bits of what a submission uses: a wait for each dmabuf of the source, then of the destination, then the signal.
    private static final int DESTINATION = DMABUFS;
    private static final int SIGNALS = 1 << (2 * DMABUFS);

    private final VulkanDevice device;
    private final BufferPool pool;
    private final SubmitDependencies[] dependencies = new SubmitDependencies[2 * SIGNALS];
    private DeviceBuffer upload;
    private DeviceBuffer download;

    /** By the bits of {@link #uses}. */
    private final DeviceSemaphore[] ready = new DeviceSemaphore[2 * DMABUFS];

    private DeviceSemaphore done;

    /** Which of these the submission to come uses. */
    private int uses;

    private SubmitSlot slot;
    private long submission;
    private long ticket;
    private boolean handedOver;

    /** Where a staged result goes; 0 where the result is in its place when the device is done. */
    private long resultAddress;

    private PictureLayout resultLayout;

    Flight(VulkanDevice device, BufferPool pool) {
        this.device = device;
        this.pool = pool;
    }

    /** Whether another picture may take this flight: none has, or it has been awaited or needs not be. */
    boolean isFree() {
        if (ticket != 0 && handedOver && deviceIsDone()) {
            ticket = 0;
        }
        return ticket == 0;
    }

    /** Memory that the CPU writes a picture to. */
    DeviceBuffer upload(long sizeBytes) {
        if (upload == null) {
            upload = pool.acquire(MemoryKind.UPLOAD, sizeBytes);
        }
        return upload;
    }

    /** Memory that the CPU reads a result from. */
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

    /** Lets the submission wait for those who write the memory; on the CPU where a semaphore cannot. */
    void awaitWriters(ImportedMemory source, long timeoutNanos) {
        await(source, false, 0, timeoutNanos);
    }

    /** The same for those who read or write it. */
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

    /** Returns whether the semaphore waits; else the CPU has. */
    private boolean await(DmabufImport dmabuf, boolean toWrite, DeviceSemaphore semaphore, long timeoutNanos) {
        int fence = semaphore == null ? -1 : dmabuf.exportFence(toWrite);
        if (fence >= 0) {
            semaphore.importFd(fence);
            device.counters().countFenceImported();
            return true;
        }
        dmabuf.awaitOthers(toWrite, timeoutNanos);
        return false;
    }

    /** Lets the submission signal when it is done, for {@link #handOver}. */
    void signalDone() {
        if (done == null) {
            done = DeviceSemaphore.syncFd(device);
        }
        uses |= SIGNALS;
    }

    /** Says that the result has to be copied from {@link #download} when it is done. */
    void copyResultTo(long address, PictureLayout layout) {
        resultAddress = address;
        resultLayout = layout;
    }

    /**
     * Submits what the slot holds.
     *
     * @param ticket by which the picture is known until it is awaited, not 0
     * @throws DeviceException when the device does not take it; the flight is free then
     */
    void submit(SubmitSlot slot, long ticket) {
        slot.submit(dependencies());
        this.slot = slot;
        submission = slot.submissions();
        this.ticket = ticket;
        handedOver = false;
    }

    private SubmitDependencies dependencies() {
        if (dependencies[uses] == null) {
            List<SubmitDependencies.Wait> waits = new ArrayList<>();
            for (int bit = 0; bit < ready.length; bit++) {
                if ((uses & 1 << bit) != 0) {
                    waits.add(new SubmitDependencies.Wait(ready[bit], VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT));
                }
            }
            dependencies[uses] = new SubmitDependencies(waits, (uses & SIGNALS) != 0 ? List.of(done) : List.of());
        }
        return dependencies[uses];
    }

    /** Attaches the end of the submission, which {@link #signalDone} was asked for, to the dmabufs that it writes. */
    void handOver(ImportedMemory destination) {
        int fence = done.exportFd();
        // Work that is done already has no fence to give.
        handedOver = fence < 0 || attach(fence, destination.dmabufs());
        if (handedOver) {
            device.counters().countFenceExported();
        }
    }

    /**
     * Lets those who use any of the dmabufs from now on wait for a fence.
     *
     * @param fence a sync file, owned here from now on
     * @return whether all dmabufs got it
     */
    static boolean attach(int fence, List<DmabufImport> dmabufs) {
        boolean attached = true;
        for (int i = 1; i < dmabufs.size(); i++) {
            int copy = FileDescriptors.duplicate(fence);
            attached &= copy >= 0 && dmabufs.get(i).attachFence(copy);
        }
        return dmabufs.get(0).attachFence(fence) && attached;
    }

    /** The picture under way, 0 for none. */
    long ticket() {
        return ticket;
    }

    /** Whether the result may be used by whoever heeds the destination's fences. */
    boolean isHandedOver() {
        return handedOver;
    }

    /** Whether the device is done with the picture; never waits. */
    boolean deviceIsDone() {
        // A slot that was submitted again was awaited in between.
        return slot.submissions() != submission || slot.poll();
    }

    /**
     * Waits for the device, puts the result where it belongs, and frees the flight.
     *
     * @throws DeviceException when the device was lost, or did not finish within the time
     */
    void await(PictureLayout ownLayout, long timeoutNanos) {
        ticket = 0;
        if (slot.submissions() == submission) {
            slot.await(timeoutNanos);
        }
        if (resultAddress != 0) {
            device.counters()
                    .countCopied(PlaneTransfer.copy(download.address(), ownLayout, resultAddress, resultLayout, true));
        }
    }

    /** Frees everything; no submission may be under way. */
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

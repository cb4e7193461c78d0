/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanCounters.Counted;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.DmabufImport;
import org.gstqpu.kernels.internal.vulkan.memory.FileDescriptors;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * The fences of a submission that uses two pictures: those of other drivers, for which it waits, and its own, for which they wait. Owns
 * the semaphores that this takes. Each is made when first needed and kept for later submissions, one at a time, which then allocate
 * nothing. Belongs to the context's thread.
 */
public final class DmabufFences implements AutoCloseable {
    private static final int PICTURES = 2;

    /** Most dmabufs of a picture: one for each plane. */
    private static final int DMABUFS = 3;

    // Bits that say which semaphores a submission uses: one for each dmabuf of the first picture, then one for each
    // dmabuf of the second, then one for the signal.
    private static final int SIGNALS = 1 << (PICTURES * DMABUFS);

    private final VulkanDevice device;
    private final SubmitDependencies[] dependencies = new SubmitDependencies[2 * SIGNALS];

    /** Semaphores to wait for, by the bits of {@link #uses}. */
    private final DeviceSemaphore[] ready = new DeviceSemaphore[PICTURES * DMABUFS];

    private DeviceSemaphore done;
    /** True if a submission signals {@link #done}, which was not handed over yet. */
    private boolean signalled;

    /** Bits of the semaphores that the next submission uses. */
    private int uses;

    /** Has no semaphore yet. */
    public DmabufFences(VulkanDevice device) {
        this.device = device;
    }

    /** Begins to prepare a submission. */
    public void prepare() {
        uses = 0;
    }

    /**
     * Makes the submission wait for all writers of a picture's memory. If a semaphore cannot wait, the CPU does so here.
     *
     * @param picture 0 or 1
     * @throws DeviceException if the CPU waited longer than {@code timeoutNanos}
     */
    public void awaitWriters(int picture, ImportedMemory memory, long timeoutNanos) {
        await(picture, memory, false, timeoutNanos);
    }

    /** As {@link #awaitWriters}, for all readers and writers. */
    public void awaitUsers(int picture, ImportedMemory memory, long timeoutNanos) {
        await(picture, memory, true, timeoutNanos);
    }

    private void await(int picture, ImportedMemory memory, boolean toWrite, long timeoutNanos) {
        List<DmabufImport> dmabufs = memory.dmabufs();
        for (int i = 0; i < dmabufs.size(); i++) {
            DmabufImport dmabuf = dmabufs.get(i);
            if (dmabuf.isBusy(toWrite)) {
                int bit = picture * DMABUFS + i;
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

    /**
     * Makes the submission signal its end, as {@link #handOver} requires.
     *
     * @throws IllegalStateException if an earlier one that signals its end was not handed over
     */
    public void signalDone() {
        if (signalled) {
            throw new IllegalStateException(
                    "the semaphore is signalled already; handOver() comes before the next signalDone()");
        }
        signalled = true;
        if (done == null) {
            done = DeviceSemaphore.syncFd(device);
        }
        uses |= SIGNALS;
    }

    /** What the prepared submission waits for and signals, for {@link SubmitSlot#submit(SubmitDependencies)}. */
    public SubmitDependencies dependencies() {
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

    /**
     * Attaches a fence to the dmabufs that the submission writes, so that other drivers wait for its end. {@link #signalDone} must have
     * been called before it was submitted.
     *
     * @return true if other drivers wait
     * @throws DeviceException if the device gives no fence. The semaphore stays signalled then, so that no work may signal it again
     */
    public boolean handOver(ImportedMemory destination) {
        int fence = done.exportFd();
        signalled = false;
        // A negative descriptor means that the work is done already; there is no fence to attach.
        boolean handedOver = fence < 0 || attach(fence, destination.dmabufs());
        if (handedOver) {
            device.counters().add(Counted.FENCES_EXPORTED);
        }
        return handedOver;
    }

    /**
     * Attaches a fence to dmabufs, so that later users of the dmabufs wait for it.
     *
     * @param fence a sync file, which belongs to this method from now on
     * @return true if all dmabufs got the fence
     */
    public static boolean attach(int fence, List<DmabufImport> dmabufs) {
        boolean attached = true;
        for (int i = 1; i < dmabufs.size(); i++) {
            int copy = FileDescriptors.duplicate(fence);
            attached &= copy >= 0 && dmabufs.get(i).attachFence(copy);
        }
        return dmabufs.get(0).attachFence(fence) && attached;
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
    }

    private static void close(DeviceSemaphore semaphore) {
        if (semaphore != null) {
            semaphore.close();
        }
    }
}

package org.gstqpu.kernels.vulkan;

import static org.lwjgl.vulkan.VK11.VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.DeviceException;
import org.gstqpu.kernels.PictureLayout;

/**
 * Owns what one picture needs on its way through the device besides a {@link SubmitSlot}: staging buffers, and semaphores
 * that bring fences of other drivers in and take its own out. All is made when it is first needed, and used again for later
 * pictures; then nothing is allocated. Belongs to the context's thread.
 */
final class Flight implements AutoCloseable {
    private static final int WAITS_FOR_SOURCE = 1;
    private static final int WAITS_FOR_DESTINATION = 2;
    private static final int SIGNALS = 4;

    private final VulkanDevice device;
    private final BufferPool pool;
    private final SubmitDependencies[] dependencies = new SubmitDependencies[8];
    private DeviceBuffer upload;
    private DeviceBuffer download;
    private DeviceSemaphore sourceReady;
    private DeviceSemaphore destinationReady;
    private DeviceSemaphore done;

    /** Which of the three the submission to come uses. */
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

    /** Lets the submission wait for those who write the dmabuf; on the CPU where a semaphore cannot. */
    void awaitWriters(DmabufImport source, long timeoutNanos) {
        if (source.isBusy(false)) {
            if (device.canImportSyncFds() && sourceReady == null) {
                sourceReady = DeviceSemaphore.syncFd(device);
            }
            uses |= await(source, false, sourceReady, timeoutNanos) ? WAITS_FOR_SOURCE : 0;
        }
    }

    /** The same for those who read or write it. */
    void awaitUsers(DmabufImport destination, long timeoutNanos) {
        if (destination.isBusy(true)) {
            if (device.canImportSyncFds() && destinationReady == null) {
                destinationReady = DeviceSemaphore.syncFd(device);
            }
            uses |= await(destination, true, destinationReady, timeoutNanos) ? WAITS_FOR_DESTINATION : 0;
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
            if ((uses & WAITS_FOR_SOURCE) != 0) {
                waits.add(new SubmitDependencies.Wait(sourceReady, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT));
            }
            if ((uses & WAITS_FOR_DESTINATION) != 0) {
                waits.add(new SubmitDependencies.Wait(destinationReady, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT));
            }
            dependencies[uses] = new SubmitDependencies(waits, (uses & SIGNALS) != 0 ? List.of(done) : List.of());
        }
        return dependencies[uses];
    }

    /** Attaches the end of the submission, which {@link #signalDone} was asked for, to the dmabuf that it writes. */
    void handOver(DmabufImport destination) {
        int fence = done.exportFd();
        // Work that is done already has no fence to give.
        handedOver = fence < 0 || destination.attachFence(fence);
        if (handedOver) {
            device.counters().countFenceExported();
        }
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
        close(sourceReady);
        close(destinationReady);
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

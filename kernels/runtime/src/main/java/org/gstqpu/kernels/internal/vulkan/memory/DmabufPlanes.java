/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.memory;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.picture.DmabufCheck;
import org.gstqpu.kernels.picture.DmabufPicture;
import org.gstqpu.kernels.picture.DmabufRefusedException;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Owns the imports of all dmabufs of a picture whose planes lie in more than one dmabuf. Belongs to the context's thread;
 * closed before the context.
 */
public final class DmabufPlanes implements ImportedMemory {
    private final VulkanDevice device;
    private final long id = DeviceBuffer.nextId();
    private final List<DmabufImport> dmabufs;

    /** For each plane, the index of its dmabuf in {@link #dmabufs}. */
    private final int[] indexes;

    private DmabufPlanes(VulkanDevice device, List<DmabufImport> dmabufs, int[] indexes) {
        this.device = device;
        this.dmabufs = List.copyOf(dmabufs);
        this.indexes = indexes;
    }

    /**
     * Checks the dmabufs of a picture and imports each once. The caller closes the result.
     *
     * @param device stays the caller's
     * @param picture its file descriptors stay the caller's, and may be closed afterwards
     * @throws DmabufRefusedException if the device cannot use one of the dmabufs; all that was made is freed
     */
    public static ImportedMemory open(VulkanDevice device, DmabufPicture picture) throws DmabufRefusedException {
        if (!device.canImportDmabufs()) {
            throw new DmabufRefusedException(
                    DmabufCheck.DEVICE,
                    device.capabilities().name() + " does not import dmabufs as buffers"
                            + " (VK_EXT_external_memory_dma_buf): take a newer driver, or system memory");
        }
        List<Integer> given = picture.descriptors();
        for (int descriptor : given) {
            checkIsDmabuf(descriptor);
        }
        int planes = picture.layout().format().planes();
        List<DmabufImport> made = new ArrayList<>();
        int[] indexes = new int[planes];
        boolean done = false;
        try {
            boolean[] placed = new boolean[planes];
            for (int plane = 0; plane < planes; plane++) {
                if (!placed[plane]) {
                    boolean[] together = together(given, plane, planes);
                    for (int other = plane; other < planes; other++) {
                        if (together[other]) {
                            indexes[other] = made.size();
                            placed[other] = true;
                        }
                    }
                    made.add(DmabufImport.open(device, descriptor(given, plane), picture.layout(), together));
                }
            }
            done = true;
        } finally {
            if (!done) {
                made.forEach(DmabufImport::close);
            }
        }
        return made.size() == 1 ? made.get(0) : new DmabufPlanes(device, made, indexes);
    }

    private static void checkIsDmabuf(int descriptor) throws DmabufRefusedException {
        if (!FileDescriptors.isOpen(descriptor)) {
            throw new DmabufRefusedException(
                    DmabufCheck.DESCRIPTOR, "file descriptor " + descriptor + " is not open: its producer closed it");
        }
        if (!FileDescriptors.isDmabuf(descriptor)) {
            throw new DmabufRefusedException(
                    DmabufCheck.DESCRIPTOR,
                    "file descriptor " + descriptor + " is open but is no dmabuf's: its producer put another there");
        }
    }

    private static int descriptor(List<Integer> given, int plane) {
        return given.get(given.size() == 1 ? 0 : plane);
    }

    /** Returns true for each plane that lies in the same dmabuf as {@code plane}, also if their descriptors differ. */
    private static boolean[] together(List<Integer> given, int plane, int planes) {
        long inode = FileDescriptors.inode(descriptor(given, plane));
        boolean[] together = new boolean[planes];
        for (int other = 0; other < planes; other++) {
            together[other] = FileDescriptors.inode(descriptor(given, other)) == inode;
        }
        return together;
    }

    @Override
    public List<DmabufImport> dmabufs() {
        return dmabufs;
    }

    @Override
    public boolean belongsTo(VulkanDevice other) {
        return device == other;
    }

    @Override
    public BufferRange range(int plane) {
        return dmabufs.get(indexes[plane]).range(plane);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public long baseBytes() {
        return 0;
    }

    /** Returns the size of the largest dmabuf. {@link #sizeBytes(int)} has the size for each plane. */
    @Override
    public long sizeBytes() {
        long largest = 0;
        for (int i = 0; i < dmabufs.size(); i++) {
            largest = Math.max(largest, dmabufs.get(i).sizeBytes());
        }
        return largest;
    }

    @Override
    public long sizeBytes(int plane) {
        return plane < indexes.length ? dmabufs.get(indexes[plane]).sizeBytes() : 0;
    }

    @Override
    public boolean wordsOnly(PictureLayout layout) {
        // A layout with more planes belongs to another format.
        return layout.format().planes() <= indexes.length && ImportedMemory.super.wordsOnly(layout);
    }

    /** Closes the import of each dmabuf. Later calls do nothing. */
    @Override
    public void close() {
        dmabufs.forEach(DmabufImport::close);
    }
}

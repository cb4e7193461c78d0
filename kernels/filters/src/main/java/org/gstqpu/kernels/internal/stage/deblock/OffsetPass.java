/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import java.util.List;
import org.gstqpu.kernels.internal.stage.PlanePass;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.internal.vulkan.memory.ImportedMemory;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.internal.vulkan.work.KernelPipelines;
import org.gstqpu.kernels.picture.PictureLayout;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns two pictures with a margin, and records deblocking there. Thanks to the margin, the macroblock grid may begin
 * left of and above the picture. Belongs to the context's thread.
 */
final class OffsetPass implements AutoCloseable {
    /** Descriptor sets that a picture needs. */
    static final int SETS = 3;

    /** Width of the margin in luma samples: left and right margin together, and top and bottom margin together. */
    private static final int MARGIN = 8;

    private static final int WORD_BYTES = 4;

    private final BufferPool pool;
    private final PlanePass planePass;
    private final DeblockPass deblockPass;
    private final DeviceBuffer before;
    private final DeviceBuffer after;
    private final PicturePlace beforePlace = new PicturePlace();
    private final PicturePlace afterPlace = new PicturePlace();

    /** Null unless the form of deblocking is {@link DeblockForm#CHASE}. */
    private final ChaseMemory chaseMemory;

    /**
     * Makes a pass.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device is out of memory, or failed; nothing is left
     *     behind
     */
    OffsetPass(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        pool = runtime.pool();
        KernelPipelines pipelines = runtime.pipelines();
        planePass = new PlanePass(pipelines, format);
        deblockPass = new DeblockPass(
                pipelines,
                runtime.tuning(),
                runtime.device().canExchangeInSubgroups(),
                format,
                width + MARGIN,
                height + MARGIN);
        PictureLayout layout = PictureLayout.packed(format, width + MARGIN, height + MARGIN, WORD_BYTES);
        long bytes = ImportedMemory.wordsEndBytes(layout, format.planes() - 1);
        before = pool.acquire(MemoryKind.DEVICE, bytes);
        DeviceBuffer second = null;
        ChaseMemory chasing = null;
        boolean done = false;
        try {
            second = pool.acquire(MemoryKind.DEVICE, bytes);
            if (deblockPass.chasers() > 0) {
                chasing = ChaseMemory.cleared(
                        runtime, deblockPass.chasers(), deblockPass.columns(), format.sampleBytes());
            }
            done = true;
        } finally {
            if (!done) {
                pool.release(before);
                if (second != null) {
                    pool.release(second);
                }
            }
        }
        after = second;
        chaseMemory = chasing;
        beforePlace.set(before.id(), before.range(), 0, layout);
        afterPlace.set(after.id(), after.range(), 0, layout);
    }

    /**
     * Records three steps: the picture is copied into the margin's picture, deblocked there, and copied to its
     * destination.
     *
     * @param firstSet first of the stage's descriptor sets for this pass
     * @param offset where the macroblock grid begins in the picture, column | row &lt;&lt; 3
     */
    void record(StageRecording at, int firstSet, int offset) {
        Commands commands = at.commands();
        BufferRange parameters = at.parameters();
        int left = margin(offset & 7);
        int top = margin(offset >> 3);
        commands.bindDescriptorSet(at.set(firstSet, PlanePass.bindings(at.source(), beforePlace, parameters)));
        planePass.recordShift(commands, at.source(), beforePlace, -left, -top);
        commands.barrier();
        List<BufferRange> bindings = List.of(
                beforePlace.range(0),
                afterPlace.range(0),
                parameters,
                chaseMemory == null ? parameters : chaseMemory.counters(),
                chaseMemory == null ? parameters : chaseMemory.handed(),
                parameters);
        deblockPass.record(commands, plane -> at.set(firstSet + 1, bindings), beforePlace, afterPlace, false);
        commands.barrier();
        commands.bindDescriptorSet(at.set(firstSet + 2, PlanePass.bindings(afterPlace, at.destination(), parameters)));
        planePass.recordShift(commands, afterPlace, at.destination(), left, top);
    }

    /** Samples before the picture that complete its first macroblock. */
    private static int margin(int first) {
        return -first & MARGIN - 1;
    }

    @Override
    public void close() {
        pool.release(before);
        pool.release(after);
        if (chaseMemory != null) {
            chaseMemory.close();
        }
    }
}

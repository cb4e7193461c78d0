/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.vulkan.VK11.VK_COMMAND_BUFFER_LEVEL_PRIMARY;
import static org.lwjgl.vulkan.VK11.VK_COMMAND_BUFFER_LEVEL_SECONDARY;

import java.util.ArrayList;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.device.VulkanDevice;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.substrate.DeviceException;
import org.lwjgl.vulkan.VkCommandBuffer;

/**
 * Owns several primary command buffers and submits them in turn. Each contains the same work several times, recorded as its
 * {@link CommandMode} says. Made by {@link DispatchLadder#openReplay}. Belongs to the thread of the ladder's context, and is
 * closed before that context.
 */
public final class CommandReplay implements AutoCloseable {
    private final VulkanDevice device;
    private final CommandMode mode;
    private final int executes;
    private final long destinationAddress;
    private final WorkPipeline pipeline;
    private WorkBuffers buffers;
    private WorkDescriptors descriptors;
    private WorkCommands secondaries;
    private WorkFence fence;
    private final List<WorkCommands> owners = new ArrayList<>();
    private final List<VkCommandBuffer> primaries = new ArrayList<>();
    private int next;

    /**
     * @throws DeviceException when the device has not enough memory; nothing is leaked
     */
    CommandReplay(
            VulkanDevice device,
            BufferPool pool,
            CommandMode mode,
            DispatchWork work,
            long destinationAddress,
            int executes) {
        this.device = device;
        this.mode = mode;
        this.executes = executes;
        this.destinationAddress = destinationAddress;
        pipeline = new WorkPipeline(device, work);
        try {
            buffers = WorkBuffers.acquire(pool, work);
            descriptors = new WorkDescriptors(device, pipeline);
            descriptors.write(buffers);
            if (mode == CommandMode.SECONDARY) {
                secondaries = new WorkCommands(device, VK_COMMAND_BUFFER_LEVEL_SECONDARY, 1);
                recordSecondary();
            }
            fence = new WorkFence(device);
        } catch (DeviceException e) {
            close();
            throw e;
        }
    }

    /**
     * Makes and records more primary command buffers. The next replays use these, beginning with the first of them.
     *
     * @param count 1 or more
     * @throws DeviceException when the device has not enough memory
     */
    public void addPrimaries(int count) {
        WorkCommands made = new WorkCommands(device, VK_COMMAND_BUFFER_LEVEL_PRIMARY, count);
        owners.add(made);
        next = primaries.size();
        for (int i = 0; i < count; i++) {
            recordPrimary(made.get(i));
            primaries.add(made.get(i));
        }
    }

    private void recordSecondary() {
        Commands commands = Commands.secondary(secondaries.get(0), pipeline.layout());
        recordWork(commands);
        commands.endSecondary();
    }

    private void recordPrimary(VkCommandBuffer primary) {
        Commands commands = new Commands(primary, pipeline.layout());
        for (int i = 0; i < executes; i++) {
            if (mode == CommandMode.SECONDARY) {
                commands.execute(secondaries.get(0));
            } else {
                recordWork(commands);
            }
        }
        commands.end();
    }

    private void recordWork(Commands commands) {
        pipeline.record(commands, descriptors.set());
        // The next dispatch reads what this one wrote.
        commands.barrier();
    }

    /**
     * Copies the inputs to the device, runs the next primary command buffer and waits until the result is in the caller's
     * memory. Each dispatch in the command buffer works on the result of the one before. Requires {@link #addPrimaries}.
     *
     * @param inputAddresses the address of each input, whose sizes {@link DispatchWork#inputs} has
     * @throws DeviceException when the device failed
     */
    public void replay(long[] inputAddresses) {
        VkCommandBuffer primary = primaries.get(next);
        next = (next + 1) % primaries.size();
        if (mode != CommandMode.PERSISTENT) {
            device.counters().countReRecord();
            recordPrimary(primary);
        }
        buffers.upload(inputAddresses, destinationAddress);
        fence.run(primary);
        buffers.download(destinationAddress);
    }

    /** Releases everything; a second call does nothing. */
    @Override
    public void close() {
        if (fence != null) {
            fence.close();
        }
        if (secondaries != null) {
            secondaries.close();
        }
        owners.forEach(WorkCommands::close);
        if (descriptors != null) {
            descriptors.close();
        }
        if (buffers != null) {
            buffers.close();
        }
        pipeline.close();
    }
}

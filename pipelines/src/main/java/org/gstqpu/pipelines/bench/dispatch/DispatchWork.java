/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.dispatch;

import static org.lwjgl.system.MemoryUtil.memFree;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.gstqpu.kernels.internal.vulkan.block.BlockWork;

/**
 * One kernel over buffers of fixed size, as measurements dispatch it again and again. Immutable.
 *
 * @param spirv the compiled kernel: direct, little-endian, from position 0 to the limit; not to be changed
 * @param buffers what the bindings 0, 1, … name; one of them is the destination
 * @param specialisation specialisation constants, numbered from 0
 * @param pushConstants words
 * @param workgroups workgroups of a dispatch
 */
public record DispatchWork(
        ByteBuffer spirv,
        List<Buffer> buffers,
        List<Integer> specialisation,
        List<Integer> pushConstants,
        int workgroups) {
    /** What a buffer is for. */
    public enum Role {
        /** The kernel reads it; the CPU fills it before each dispatch. */
        INPUT,
        /** The kernel changes it. */
        DESTINATION
    }

    /**
     * One buffer.
     *
     * @param role what it is for
     * @param bytes its size
     */
    public record Buffer(Role role, int bytes) {}

    /** Keeps a copy of {@code spirv}. */
    public DispatchWork {
        ByteBuffer copy = ByteBuffer.allocateDirect(spirv.remaining());
        spirv = copy.put(spirv.duplicate()).flip().asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
        buffers = List.copyOf(buffers);
        specialisation = List.copyOf(specialisation);
        pushConstants = List.copyOf(pushConstants);
        if (buffers.stream().filter(buffer -> buffer.role() == Role.DESTINATION).count() != 1) {
            throw new IllegalArgumentException("one of the buffers is the destination, given " + buffers);
        }
    }

    /**
     * One call of the block library as a work of its own, all records in one dispatch.
     *
     * @param buffers what the call's kernel finds at its bindings
     */
    static DispatchWork of(BlockWork work, int records, List<Buffer> buffers) {
        ByteBuffer spirv = work.kernel().load();
        try {
            return new DispatchWork(
                    spirv,
                    buffers,
                    work.constants(),
                    work.push().words(),
                    (records + work.recordsPerGroup() - 1) / work.recordsPerGroup());
        } finally {
            memFree(spirv);
        }
    }

    /** The same work with another kernel of the same interface. */
    public DispatchWork withSpirv(ByteBuffer other) {
        return new DispatchWork(other, buffers, specialisation, pushConstants, workgroups);
    }

    /** The buffers that the CPU fills, in the order of their bindings. */
    public List<Buffer> inputs() {
        return buffers.stream()
                .filter(buffer -> buffer.role() != Role.DESTINATION)
                .toList();
    }

    /** Size of the destination. */
    public int destinationBytes() {
        return buffers.stream()
                .filter(buffer -> buffer.role() == Role.DESTINATION)
                .findFirst()
                .orElseThrow()
                .bytes();
    }
}

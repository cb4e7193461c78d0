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
 * One kernel with buffers of fixed size, which a measurement dispatches repeatedly. Immutable.
 *
 * @param spirv the compiled kernel: a direct, little-endian buffer, from position 0 to the limit; must not be changed
 * @param buffers the buffers at bindings 0, 1, …; exactly one is the destination
 * @param specialisation specialisation constants, numbered from 0
 * @param pushConstants the push constants as 32-bit words
 * @param workgroups workgroups per dispatch
 */
public record DispatchWork(
        ByteBuffer spirv,
        List<Buffer> buffers,
        List<Integer> specialisation,
        List<Integer> pushConstants,
        int workgroups) {
    /** The purpose of a buffer. */
    public enum Role {
        /** The kernel reads it; the CPU fills it before each dispatch. */
        INPUT,
        /** The kernel changes it. */
        DESTINATION
    }

    /**
     * One buffer.
     *
     * @param role its purpose
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
     * Makes work from a call of the block library, with all records in one dispatch.
     *
     * @param buffers the buffers at the bindings of the call's kernel
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

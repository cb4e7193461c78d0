/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gstqpu.kernels.internal.cpu.block.CpuBlockContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BlockKernelTest {
    private final CpuBlockContext cpu = new CpuBlockContext(1, "test");

    @AfterEach
    void close() {
        cpu.close();
    }

    static List<BlockKernel> kernels() {
        return BlockKernel.all();
    }

    @Test
    void everyCaseHasItsOwnName() {
        Set<String> names = new HashSet<>();
        kernels().forEach(kernel -> assertTrue(names.add(kernel.name()), kernel.name()));
    }

    @Test
    void everyKernelOfACallHasACaseThatStandsForIt() {
        Set<String> names = new HashSet<>();
        for (BlockKernel kernel : kernels()) {
            try (BlockWorkload workload = kernel.prepare(cpu, 1, 1)) {
                names.add(workload.call().kernelName());
            }
        }
        assertEquals(names, new HashSet<>(BlockKernel.kernelNames()));
        for (String name : BlockKernel.kernelNames()) {
            try (BlockWorkload workload = BlockKernel.standingFor(name).prepare(cpu, 1, 1)) {
                assertEquals(name, workload.call().kernelName());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void theSameSeedMakesTheSameWorkAndAnotherSeedOther(BlockKernel kernel) {
        // More than one row of blocks.
        int blocks = 130;
        ByteBuffer first = result(kernel, blocks, 1);
        assertEquals(first, result(kernel, blocks, 1));
        assertNotEquals(first, result(kernel, blocks, 2));
    }

    private ByteBuffer result(BlockKernel kernel, int blocks, long seed) {
        try (BlockWorkload workload = kernel.prepare(cpu, blocks, seed)) {
            assertFalse(workload.changedOutput());
            workload.run();
            assertTrue(workload.changedOutput());
            return workload.copyOfOutput();
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void aResetBringsBackWhatWasThereBeforeTheRun(BlockKernel kernel) {
        try (BlockWorkload workload = kernel.prepare(cpu, 1, 1)) {
            workload.run();
            ByteBuffer result = workload.copyOfOutput();
            assertTrue(workload.mismatch(result).isEmpty());
            workload.reset();
            assertFalse(workload.changedOutput());
            assertTrue(workload.mismatch(result).isPresent());
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * A case of a kernel on V3D, whose cost is that of an 8x8 block of luma samples. Immutable.
 *
 * @param name name of the case
 * @param kernel the kernel
 * @param constants specialisation constants, numbered from 0
 * @param trips iterations of each loop, in the order of the assembly
 * @param invocations invocations for an 8x8 luma block, of which 16 run together
 * @param bar limit for the issue slots, 0 for none
 */
record V3dCost(String name, Kernel kernel, List<Integer> constants, List<Integer> trips, double invocations, int bar) {
    private static final int TOGETHER = 16;

    /**
     * Every kernel with its usual constants. Pictures are 8-bit NV12 with rows of whole words, unless the name has another
     * format. If the name has another plane than luma, the slots are for an 8x8 block of that plane.
     */
    static List<V3dCost> all() {
        return List.of(
                new V3dCost(
                        "CDEF picture, direction", Kernel.CDEF_DIRECTION, List.of(64, 1, 0, 0, 0), List.of(), 1, 50),
                // An invocation filters all rows of a block. The first two loops run only at the border of the picture.
                new V3dCost(
                        "CDEF picture, luma, interior",
                        Kernel.CDEF_FILTER,
                        List.of(256, 1, 0, 1, 0, 0, 1, 0, 0, 8),
                        List.of(0, 0, 8),
                        2,
                        495),
                new V3dCost(
                        "CDEF picture, chroma, interior",
                        Kernel.CDEF_FILTER,
                        List.of(256, 1, 0, 2, 1, 0, 1, 0, 0, 4, 4, 4),
                        List.of(0, 0, 4),
                        2,
                        0),
                // One step of the walk along a row: 4 invocations for a macroblock, which has four 8x8 blocks.
                new V3dCost(
                        "H.264 picture, rows chasing, luma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE,
                        List.of(16, 1, 1, 1, 0, 1),
                        List.of(1, 0, 2, 2, 3, 1, 0, 2, 3, 2, 0),
                        1,
                        210),
                new V3dCost(
                        "H.264 picture, rows chasing, luma, bS 4 and 3",
                        Kernel.H264_DEBLOCK_CHASE,
                        List.of(16, 1, 1, 1, 0, 1),
                        List.of(1, 4, 0, 2, 3, 1, 4, 0, 3, 2, 0),
                        1,
                        330),
                // The second half of a step runs once for each of the two words that 4 samples of 16 bits take.
                new V3dCost(
                        "H.264 picture, rows chasing, I420_10LE luma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 1, 0, 0, 1),
                        List.of(1, 0, 2, 2, 3, 1, 2, 0, 3, 0),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, I420_10LE luma, bS 4 and 3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 1, 0, 0, 1),
                        List.of(1, 4, 0, 2, 3, 1, 2, 2, 3, 0),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, I420_10LE chroma",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 2, 0, 0, 1),
                        List.of(1, 2, 2, 1, 2, 0),
                        2,
                        0),
                new V3dCost(
                        "H.264 picture, diagonals, luma, bS 4 and 3",
                        Kernel.H264_DEBLOCK,
                        List.of(64, 1, 1, 0, 0),
                        List.of(2, 2, 2, 3, 2, 2, 3, 2),
                        1,
                        330),
                new V3dCost(
                        "CDEF picture, I420_10LE luma, interior",
                        Kernel.CDEF_FILTER,
                        List.of(256, 2, 0, 1, 0, 0, 1, 0, 0, 8, 8, 8),
                        List.of(0, 0, 8),
                        4,
                        0),
                new V3dCost(
                        "CDEF picture, NV16 chroma, interior",
                        Kernel.CDEF_FILTER,
                        List.of(256, 1, 0, 2, 1, 0, 1, 0, 0, 8, 4, 8),
                        List.of(0, 0, 8),
                        2,
                        0),
                // Tiles of 7 x 5 blocks on a torus of 8 x 6, an invocation for each of the latter.
                new V3dCost(
                        "shrinkage picture, luma, 8 shifts",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(48, 1, 1, 0, 1, 0, 8, 8, 6),
                        List.of(21, 0, 1, 8, 8, 1, 1, 8, 1, 8, 8, 8, 12),
                        48.0 / 35,
                        0),
                new V3dCost(
                        "shrinkage picture, luma, 4 shifts",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(48, 1, 1, 0, 1, 0, 4, 8, 6),
                        List.of(21, 0, 1, 8, 4, 1, 1, 8, 1, 8, 8, 8, 12),
                        48.0 / 35,
                        0),
                // Tiles of 3 x 4 blocks of each component.
                new V3dCost(
                        "shrinkage picture, chroma, 8 shifts",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(40, 1, 1, 0, 2, 1, 8, 4, 5),
                        List.of(24, 0, 1, 8, 8, 1, 1, 8, 1, 8, 8, 8, 10),
                        40.0 / 24,
                        0),
                new V3dCost("H.264 luma edges, 32 lines", Kernel.H264_EDGE, List.of(256, 1, 0, 0), List.of(4), 8, 330),
                new V3dCost("CDEF block, direction", Kernel.CDEF_BLOCK_DIRECTION, List.of(64, 1), List.of(), 1, 50),
                new V3dCost(
                        "CDEF block, luma",
                        Kernel.CDEF_BLOCK_FILTER,
                        List.of(256, 1, 8, 1, 1, 8),
                        List.of(0, 0, 8),
                        2,
                        501),
                new V3dCost("shrinkage block", Kernel.SHRINKAGE_BLOCK, List.of(256, 1), List.of(), 4, 0),
                new V3dCost("VP9 IDCT 8x8 add", Kernel.VP9_IDCT8X8, List.of(256, 1), List.of(), 4, 125),
                new V3dCost("VP9 loop filter, 16 lines", Kernel.VP9_LPF, List.of(256, 1, 0), List.of(), 16, 0),
                new V3dCost("VP9 MC 8x8, 2-D", Kernel.VP9_MC8X8, List.of(256, 1, 0), List.of(2, 4), 8, 0),
                // Blocks of 4x4 samples, of which an invocation goes down as many rows as it has loops.
                new V3dCost(
                        "quality, squared error and SSIM",
                        Kernel.QUALITY_SIMILARITY,
                        List.of(64, 1, 1, 0, 8),
                        List.of(2, 4),
                        2,
                        0),
                new V3dCost("quality, PSNR-HVS", Kernel.QUALITY_HVS, List.of(64, 1, 1, 0, 4), List.of(1, 4, 4), 1, 0));
    }

    /**
     * Compiles the kernel and computes its cost.
     *
     * @throws WrongResultException when the number of loops is not that of {@code trips}
     */
    Figures measure(V3dCompiler compiler) {
        V3dCompiler.Compiled compiled = compiler.compile(kernel, constants);
        return new Figures(
                name,
                kernel.path(),
                compiled.figure("inst"),
                compiled.figure("threads"),
                compiled.figure("max_temps"),
                compiled.figure("spills") + compiled.figure("fills"),
                compiled.figure("tmua"),
                compiled.figure("ldtmu"),
                compiled.figure("tmud"),
                Math.round(compiled.issued(trips) * invocations / TOGETHER),
                bar);
    }

    /**
     * The cost of a kernel. The components are the field names of the report's JSON.
     *
     * @param name of the case
     * @param kernel its path, as {@link Kernel#path} has it
     * @param instructions of the whole kernel, each counted once
     * @param threads of a QPU that can run it side by side: 4, or 2 where it takes more than half of the registers
     * @param registers of a thread
     * @param spillsAndFills registers put into memory, and brought back
     * @param requests to memory, in the whole kernel
     * @param wordsRead in the whole kernel
     * @param wordsStored in the whole kernel
     * @param slots issue slots of an 8x8 luma block: instructions with their loops, both sides of every branch, for the
     *     invocations of a block, 16 at a time
     * @param bar as above
     */
    record Figures(
            String name,
            String kernel,
            int instructions,
            int threads,
            int registers,
            int spillsAndFills,
            int requests,
            int wordsRead,
            int wordsStored,
            long slots,
            int bar) {}
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.pipelines.bench.kernels;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.pipelines.cli.WrongResultException;

/**
 * A case of a kernel on V3D, whose cost is that of an 8x8 block of luma samples. Immutable.
 *
 * @param name name of the case
 * @param kernel the kernel
 * @param constants specialisation constants, numbered from 0
 * @param trips iterations of each loop, in the order of the assembly
 * @param taken branches that all invocations take, as {@link V3dCompiler.Compiled#issued} has them
 * @param invocations invocations for an 8x8 luma block, of which 16 run together; 0 if the issue slots are not counted
 * @param bar limit for the issue slots, 0 for none
 */
record V3dCost(
        String name,
        Kernel kernel,
        List<Integer> constants,
        List<Integer> trips,
        Map<Integer, Double> taken,
        double invocations,
        int bar) {
    private static final int TOGETHER = 16;

    // Constants of kernels that have several cases: the filters of NV12.
    private static final List<Integer> CDEF_LUMA = List.of(256, 1, 0, 1, 0, 0, 1, 0, 0, 8);
    private static final List<Integer> CDEF_CHROMA = List.of(256, 1, 0, 2, 1, 0, 1, 0, 0, 4, 4, 4);
    private static final List<Integer> CHASE_LUMA = List.of(16, 1, 1, 1, 0, 1);

    // Branches of CDEF's filter: around the border of the picture, around blocks without strengths, and around blocks
    // without secondary strength.
    private static final Map<Integer, Double> BOTH_STRENGTHS = Map.of(0, 1.0, 9, 1.0, 11, 1.0);
    private static final Map<Integer, Double> PRIMARY_STRENGTH = Map.of(0, 1.0, 9, 1.0);
    private static final Map<Integer, Double> NO_STRENGTH = Map.of(0, 1.0);

    // Luma's trips of a step with bS below 4, after those of the copy that is made where all edges have bS 0; and the
    // branches around that copy and around bS 4.
    private static final List<Integer> STEP = List.of(0, 0, 1, 0, 2, 2, 3, 1, 0, 2, 3, 2, 0);
    private static final Map<Integer, Double> EVERY_EDGE = Map.of(1, 1.0, 5, 1.0, 19, 1.0);

    private static final List<Integer> STEP_OF_16_BITS = List.of(0, 0, 0, 1, 0, 2, 2, 3, 1, 2, 0, 3, 0);

    // An 8x8 block of luma and its chroma are 96 samples.
    private static final double SIX_SAMPLES_OF_BLOCK = 96.0 / (6 * 8);

    // A workgroup copies four rows of macroblocks, of 30 times 16 words each in a picture of 1920 samples.
    private static final double COPIES_OF_BAND = 16.0 / (4 * 4 * 120);

    // Strips whose samples lie in the plane as a whole, in a picture of 1920 samples: all but the first and the last.
    // Their lines are staged four at a time. The last branch is that around words that are stored one by one.
    private static final Map<Integer, Double> LUMA_STRIPS = Map.of(3, 14.0 / 16, 8, 2.0 / 16, 37, 1.0);
    private static final Map<Integer, Double> CHROMA_STRIPS = Map.of(3, 16.0 / 18, 8, 2.0 / 18, 37, 1.0);

    // Four rows at a time, and 16 words of 30 or 28.
    private static final List<Integer> SHRINKAGE_COPY = List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 66, 2, 0);
    private static final Map<Integer, Double> SHRINKAGE_COPIES = Map.of(0, 1.0, 44, 1.0);

    /**
     * Trips of shrinkage in strips of 33 rows of blocks: sums are cleared; in each step lines are staged, by words of strips at the
     * border and by fours of lines inside, blocks are transformed at each shift, finished by columns and rows, and stored.
     */
    private static List<Integer> shrinkageTrips(int shifts) {
        return List.of(128, 34, 17, 0, 5, shifts, 1, 1, 8, 8, 2, 4, 4, 0, 0, 0, 0);
    }

    /** Branches of a step of chroma: that around the copy of a picture whose edges all have bS 0, and those around bS 4. */
    private static Map<Integer, Double> chromaBelowFour(Integer... aroundFour) {
        return Stream.concat(Stream.of(1), Stream.of(aroundFour))
                .collect(Collectors.toUnmodifiableMap(branch -> branch, branch -> 1.0));
    }

    /** A case without branches that all invocations take. */
    private V3dCost(
            String name, Kernel kernel, List<Integer> constants, List<Integer> trips, double invocations, int bar) {
        this(name, kernel, constants, trips, Map.of(), invocations, bar);
    }

    /** A case whose registers and requests are counted, and not its issue slots. */
    private V3dCost(String name, Kernel kernel, List<Integer> constants) {
        this(name, kernel, constants, List.of(), 0, 0);
    }

    /**
     * Every kernel with its usual constants. Pictures are 8-bit NV12 with rows of whole words, unless the name has another
     * format. Slots of chroma are for the chroma of an 8x8 block of luma, but with shrinkage for an 8x8 block of one component.
     */
    static List<V3dCost> all() {
        return List.of(
                new V3dCost(
                        "automatic strength, a measured block",
                        Kernel.STRENGTH_MEASURE,
                        List.of(64, 1, 0),
                        List.of(0, 2, 8, 4, 4),
                        Map.of(0, 1.0),
                        1,
                        0),
                new V3dCost(
                        "automatic strength, a column or a row",
                        Kernel.STRENGTH_MEASURE,
                        List.of(64, 1, 0),
                        List.of(32, 0, 0, 0, 0),
                        Map.of(3, 1.0),
                        1,
                        0),
                new V3dCost(
                        "CDEF picture, direction", Kernel.CDEF_DIRECTION, List.of(64, 1, 0, 0, 0), List.of(), 1, 50),
                new V3dCost(
                        "CDEF picture, direction that no strength needs",
                        Kernel.CDEF_DIRECTION,
                        List.of(64, 1, 0, 0, 0),
                        List.of(),
                        Map.of(2, 1.0),
                        1,
                        0),
                // An invocation filters all rows of a block. The first two loops run only at the border of the picture;
                // the next ones copy, filter along the direction, and filter along it and across.
                new V3dCost(
                        "CDEF picture, luma, interior",
                        Kernel.CDEF_FILTER,
                        CDEF_LUMA,
                        List.of(0, 0, 0, 0, 8),
                        BOTH_STRENGTHS,
                        2,
                        495),
                new V3dCost(
                        "CDEF picture, luma, primary strength alone",
                        Kernel.CDEF_FILTER,
                        CDEF_LUMA,
                        List.of(0, 0, 0, 8, 0),
                        PRIMARY_STRENGTH,
                        2,
                        0),
                new V3dCost(
                        "CDEF picture, luma, no strength",
                        Kernel.CDEF_FILTER,
                        CDEF_LUMA,
                        List.of(0, 0, 8, 0, 0),
                        NO_STRENGTH,
                        2,
                        0),
                new V3dCost(
                        "CDEF picture, chroma, interior",
                        Kernel.CDEF_FILTER,
                        CDEF_CHROMA,
                        List.of(0, 0, 0, 0, 4),
                        BOTH_STRENGTHS,
                        2,
                        0),
                new V3dCost(
                        "CDEF picture, chroma, primary strength alone",
                        Kernel.CDEF_FILTER,
                        CDEF_CHROMA,
                        List.of(0, 0, 0, 4, 0),
                        PRIMARY_STRENGTH,
                        2,
                        0),
                new V3dCost(
                        "CDEF picture, chroma, no strength",
                        Kernel.CDEF_FILTER,
                        CDEF_CHROMA,
                        List.of(0, 0, 4, 0, 0),
                        NO_STRENGTH,
                        2,
                        0),
                // One step of the walk along a row: 4 invocations for a macroblock, which has four 8x8 blocks.
                new V3dCost(
                        "H.264 picture, rows chasing, luma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE,
                        CHASE_LUMA,
                        STEP,
                        EVERY_EDGE,
                        1,
                        220),
                // Two of three edges inside a macroblock have bS 0, in both directions.
                new V3dCost(
                        "H.264 picture, rows chasing, luma, 8x8 grid",
                        Kernel.H264_DEBLOCK_CHASE,
                        CHASE_LUMA,
                        STEP,
                        Map.of(1, 1.0, 5, 1.0, 11, 2.0 / 3, 19, 1.0, 24, 2.0 / 3),
                        1,
                        210),
                // Where no edge of the picture has a strength, its rows are copied.
                new V3dCost(
                        "H.264 picture, rows chasing, luma, bS 0",
                        Kernel.H264_DEBLOCK_CHASE,
                        CHASE_LUMA,
                        List.of(16, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                        Map.of(),
                        COPIES_OF_BAND,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, chroma, bS 0",
                        Kernel.H264_DEBLOCK_CHASE,
                        List.of(16, 1, 2, 1, 0, 1),
                        List.of(1, 8, 30, 0, 0, 0, 0),
                        Map.of(),
                        COPIES_OF_BAND,
                        0),
                // As luma: 4 invocations for a macroblock's chroma, of both components, which belongs to four 8x8
                // blocks of luma.
                new V3dCost(
                        "H.264 picture, rows chasing, chroma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE,
                        List.of(16, 1, 2, 1, 0, 1),
                        List.of(0, 0, 0, 1, 2, 1, 0),
                        chromaBelowFour(8, 10, 17, 18, 20, 21),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, luma, bS 4 and 3",
                        Kernel.H264_DEBLOCK_CHASE,
                        CHASE_LUMA,
                        List.of(0, 0, 1, 4, 0, 2, 3, 1, 4, 0, 3, 2, 0),
                        Map.of(1, 1.0),
                        1,
                        330),
                // The second half of a step runs once for each of the two words that 4 samples of 16 bits take. The
                // third loop clears shared memory, once for all steps.
                new V3dCost(
                        "H.264 picture, rows chasing, I420_10LE luma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 1, 0, 0, 1),
                        STEP_OF_16_BITS,
                        Map.of(1, 1.0, 6, 1.0, 20, 1.0),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, I420_10LE luma, bS 4 and 3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 1, 0, 0, 1),
                        List.of(0, 0, 0, 1, 4, 0, 2, 3, 1, 2, 2, 3, 0),
                        Map.of(1, 1.0),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, Y444_10LE, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 0, 0, 0, 1, 0, 0, 0, 16, 1),
                        STEP_OF_16_BITS,
                        Map.of(1, 1.0, 8, 1.0, 22, 1.0),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, I420_10LE chroma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 2, 0, 0, 1),
                        List.of(0, 0, 0, 0, 1, 2, 1, 0),
                        chromaBelowFour(9, 12, 19, 20, 22, 23),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, P010_10LE chroma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 2, 1, 0, 1, 0, 0, 0, 8, 0, 6),
                        List.of(0, 0, 0, 0, 1, 2, 1, 0),
                        chromaBelowFour(9, 11, 18, 19, 21, 22),
                        1,
                        0),
                new V3dCost(
                        "H.264 picture, rows chasing, I422_10LE chroma, bS 1-3",
                        Kernel.H264_DEBLOCK_CHASE_16,
                        List.of(16, 1, 2, 0, 0, 1, 0, 0, 0, 16),
                        List.of(0, 0, 0, 0, 1, 4, 1, 0),
                        chromaBelowFour(9, 12, 19, 20, 22, 23, 26, 27, 29, 30),
                        1,
                        0),
                // Each invocation goes down eight rows of six samples, two rows at a time. The other loops are for the
                // end of a row and for the other plane.
                new V3dCost(
                        "NC30, words of three samples taken apart",
                        Kernel.UNPACK,
                        List.of(64, 1, 0, 8),
                        List.of(4, 0, 0, 0),
                        Map.of(4, 1.0, 12, 1.0, 16, 1.0),
                        SIX_SAMPLES_OF_BLOCK,
                        0),
                new V3dCost(
                        "NC30, words of three samples put together",
                        Kernel.PACK,
                        List.of(64, 0, 1, 8),
                        List.of(4, 0, 0, 0),
                        Map.of(4, 1.0, 11, 1.0, 15, 1.0),
                        SIX_SAMPLES_OF_BLOCK,
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
                        List.of(0, 0, 0, 0, 8),
                        BOTH_STRENGTHS,
                        2,
                        0),
                new V3dCost(
                        "CDEF picture, NV16 chroma, interior",
                        Kernel.CDEF_FILTER,
                        List.of(256, 1, 0, 2, 1, 0, 1, 0, 0, 8, 4, 8),
                        List.of(0, 0, 0, 0, 8),
                        BOTH_STRENGTHS,
                        2,
                        0),
                // A strip of 15 blocks across, and 33 down in 34 steps, each of 16 blocks and a workgroup of as many
                // invocations.
                new V3dCost(
                        "shrinkage picture, luma, 8 shifts",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(16, 1, 1, 0, 1, 0, 8, 16, 1, 0, 0, 0, 1),
                        shrinkageTrips(8),
                        LUMA_STRIPS,
                        16.0 / (15 * 33),
                        0),
                new V3dCost(
                        "shrinkage picture, luma, 4 shifts",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(16, 1, 1, 0, 1, 0, 4, 16, 1, 0, 0, 0, 1),
                        shrinkageTrips(4),
                        LUMA_STRIPS,
                        16.0 / (15 * 33),
                        0),
                // The same of 7 blocks of each component.
                new V3dCost(
                        "shrinkage picture, chroma, 8 shifts",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(16, 1, 1, 0, 2, 1, 8, 8, 1, 0, 0, 0, 1),
                        shrinkageTrips(8),
                        CHROMA_STRIPS,
                        16.0 / (14 * 33),
                        0),
                new V3dCost(
                        "shrinkage picture, chroma, 4 shifts",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(16, 1, 1, 0, 2, 1, 4, 8, 1, 0, 0, 0, 1),
                        shrinkageTrips(4),
                        CHROMA_STRIPS,
                        16.0 / (14 * 33),
                        0),
                // Where the component stays as it is, strips are copied.
                new V3dCost(
                        "shrinkage picture, luma, no threshold",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(16, 1, 1, 0, 1, 0, 8, 16, 1, 0, 0, 0, 1),
                        SHRINKAGE_COPY,
                        SHRINKAGE_COPIES,
                        16.0 / (15 * 33),
                        0),
                new V3dCost(
                        "shrinkage picture, chroma, no threshold",
                        Kernel.SHRINKAGE_FILTER,
                        List.of(16, 1, 1, 0, 2, 1, 8, 8, 1, 0, 0, 0, 1),
                        SHRINKAGE_COPY,
                        SHRINKAGE_COPIES,
                        16.0 / (14 * 33),
                        0),
                new V3dCost("H.264 luma edges, 32 lines", Kernel.H264_EDGE, List.of(256, 1, 0, 0), List.of(4), 8, 330),
                new V3dCost("CDEF block, direction", Kernel.CDEF_BLOCK_DIRECTION, List.of(64, 1), List.of(), 1, 50),
                new V3dCost(
                        "CDEF block, luma",
                        Kernel.CDEF_BLOCK_FILTER,
                        List.of(256, 1, 8, 1, 1, 8),
                        List.of(0, 0, 8),
                        Map.of(0, 1.0),
                        2,
                        501),
                new V3dCost("shrinkage block", Kernel.SHRINKAGE_BLOCK, List.of(256, 1), List.of(), 4, 0),
                new V3dCost("VP9 IDCT 8x8 add", Kernel.VP9_IDCT8X8, List.of(256, 1), List.of(), 4, 125),
                new V3dCost("VP9 loop filter, 16 lines", Kernel.VP9_LPF, List.of(256, 1, 0), List.of(), 16, 0),
                new V3dCost(
                        "VP9 MC 8x8, 2-D", Kernel.VP9_MC8X8, List.of(256, 1, 0), List.of(2, 4), Map.of(1, 1.0), 8, 0),
                // Blocks of 4x4 samples, of which an invocation goes down as many rows as it has loops.
                new V3dCost(
                        "quality, squared error and SSIM",
                        Kernel.QUALITY_SIMILARITY,
                        List.of(64, 1, 1, 0, 8),
                        List.of(2, 4),
                        2,
                        0),
                new V3dCost("quality, PSNR-HVS", Kernel.QUALITY_HVS, List.of(64, 1, 1, 0, 4), List.of(1, 4, 4), 1, 0),
                new V3dCost("quality, VIF, scale 0", Kernel.QUALITY_VIF, List.of(128, 1, 0, 128, 4, 8, 4, 8, 0, 1)),
                new V3dCost("quality, VIF, scale 3", Kernel.QUALITY_VIF, List.of(128, 1, 0, 128, 4, 1, 0, 16, 16, 0)),
                new V3dCost("quality, ADM, wavelet, scale 0", Kernel.QUALITY_ADM_WAVELET, List.of(64, 1, 0, 1, 8, 16)),
                new V3dCost("quality, ADM, wavelet, scale 1", Kernel.QUALITY_ADM_WAVELET, List.of(64, 1, 0, 0, 0, 15)),
                new V3dCost(
                        "quality, ADM, detail, scale 0",
                        Kernel.QUALITY_ADM_DETAIL,
                        List.of(256, 1, 10, 12, 29, 30, 6, 7, 0, 0)),
                new V3dCost(
                        "quality, ADM, detail, scale 1",
                        Kernel.QUALITY_ADM_DETAIL,
                        List.of(256, 0, 0, 0, 30, 30, 9, 9, 31, 9)),
                new V3dCost("quality, motion", Kernel.QUALITY_MOTION, List.of(128, 1, 0, 8, 0, 128)),
                new V3dCost("quality, luma in floating point", Kernel.QUALITY_FLOAT_LUMA, List.of(64, 1, 0)),
                new V3dCost("quality, MS-SSIM, windows", Kernel.QUALITY_FLOAT_WINDOW, List.of(64, 5, 1)),
                new V3dCost("quality, MS-SSIM, next scale", Kernel.QUALITY_FLOAT_HALVE, List.of(64, 4, 1)),
                new V3dCost("quality, float VIF, windows", Kernel.QUALITY_FLOAT_WINDOW, List.of(64, 8, 0)),
                new V3dCost("quality, float ADM, wavelet", Kernel.QUALITY_FLOAT_WAVELET, List.of(64)),
                new V3dCost("quality, float ADM, detail", Kernel.QUALITY_FLOAT_DETAIL, List.of(64)),
                new V3dCost("quality, float motion", Kernel.QUALITY_FLOAT_MOTION, List.of(64)),
                new V3dCost(
                        "quality, SSIMULACRA 2, XYB",
                        Kernel.QUALITY_SSIMULACRA_XYB,
                        List.of(64, 1, 0, 2, 1, 1, 2, 1, 256)),
                new V3dCost(
                        "quality, SSIMULACRA 2, next scale",
                        Kernel.QUALITY_SSIMULACRA_NEXT,
                        List.of(64, 1, 0, 2, 1, 1, 0, 1, 256)),
                new V3dCost("quality, SSIMULACRA 2, across", Kernel.QUALITY_SSIMULACRA_ACROSS, List.of(64)),
                new V3dCost("quality, SSIMULACRA 2, down", Kernel.QUALITY_SSIMULACRA_DOWN, List.of(64)));
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
                invocations == 0 ? 0 : Math.round(compiled.issued(trips, taken) * invocations / TOGETHER),
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
     * @param slots issue slots of an 8x8 luma block: instructions with their loops, for the invocations of a block, 16 at a time;
     *     0 if they are not counted
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

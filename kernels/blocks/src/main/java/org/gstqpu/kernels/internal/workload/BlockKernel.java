/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.workload;

import static org.lwjgl.system.MemoryUtil.memPutShort;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.gstqpu.kernels.block.BlockCall;
import org.gstqpu.kernels.block.BlockContext;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9InterpolationFilter;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.filter.EdgeDirection;

/** One use of a primitive that is worth its own measurement, and the work that it is measured with. Immutable. */
public final class BlockKernel {
    /**
     * For each kernel of {@link BlockCall#kernelName} that has several uses here: the use that stands for the kernel.
     */
    private static final Map<String, String> STAND_INS = Map.of(
            "vp9_lpf_8bit", "vp9_lpf8_vertical_8bit",
            "vp9_mc8x8_8bit", "vp9_mc8x8_2d_8bit",
            "h264_deblock_luma_8bit", "h264_luma_bs1to3_vertical_8bit",
            "h264_deblock_chroma_8bit", "h264_chroma_bs1to3_vertical_8bit");

    private final String name;
    private final Function<BlockWorkload, BlockCall> call;

    private BlockKernel(String name, Function<BlockWorkload, BlockCall> call) {
        this.name = name;
        this.call = call;
    }

    /** Name of the primitive, its block size, its bit depth, and the variant where there are several. */
    public String name() {
        return name;
    }

    @Override
    public String toString() {
        return name;
    }

    /**
     * The use that stands for all calls of a kernel.
     *
     * @param kernelName a name of {@link BlockCall#kernelName}
     * @throws IllegalArgumentException if there is no such kernel
     */
    public static BlockKernel standingFor(String kernelName) {
        String wanted = STAND_INS.getOrDefault(kernelName, kernelName);
        return all().stream()
                .filter(kernel -> kernel.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kernel is called '" + kernelName + "'"));
    }

    /** The names of all kernels, as {@link BlockCall#kernelName} gives them, in the order of the primitives. */
    public static List<String> kernelNames() {
        return List.of(
                "vp9_idct8x8_add_8bit",
                "vp9_lpf_8bit",
                "vp9_lpf_scheduled_8bit",
                "vp9_mc8x8_8bit",
                "av1_cdef_direction8x8_8bit",
                "av1_cdef8x8_8bit",
                "av1_cdef4x4_8bit",
                "av1_cdef_direction8x8_10bit",
                "av1_cdef8x8_10bit",
                "av1_cdef4x4_10bit",
                "shrinkage8x8",
                "h264_deblock_luma_8bit",
                "h264_deblock_chroma_8bit",
                "h264_deblock_scheduled_8bit");
    }

    /** All uses, in the order of the primitives. */
    public static List<BlockKernel> all() {
        List<BlockKernel> all = new ArrayList<>();
        all.add(new BlockKernel("vp9_idct8x8_add_8bit", BlockKernel::vp9Idct));
        for (int wd : new int[] {4, 8, 16}) {
            for (EdgeDirection direction : EdgeDirection.values()) {
                all.add(new BlockKernel(
                        "vp9_lpf" + wd + "_" + word(direction) + "_8bit", w -> vp9LoopFilter(w, direction, wd)));
            }
        }
        all.add(new BlockKernel("vp9_lpf_scheduled_8bit", BlockKernel::vp9Schedule));
        all.add(motion("horizontal", Vp9InterpolationFilter.REGULAR, 5, 0, false));
        all.add(motion("vertical", Vp9InterpolationFilter.REGULAR, 0, 5, false));
        all.add(motion("2d", Vp9InterpolationFilter.REGULAR, 5, 5, false));
        all.add(motion("2d_avg", Vp9InterpolationFilter.REGULAR, 5, 5, true));
        all.add(motion("bilinear_2d", Vp9InterpolationFilter.BILINEAR, 5, 5, false));
        for (int bitDepth : new int[] {8, 10}) {
            all.add(new BlockKernel("av1_cdef_direction8x8_" + bitDepth + "bit", w -> cdefDirection(w, bitDepth)));
            for (int blockSize : new int[] {8, 4}) {
                all.add(new BlockKernel(
                        "av1_cdef" + blockSize + "x" + blockSize + "_" + bitDepth + "bit",
                        w -> cdefFilter(w, blockSize, bitDepth)));
            }
        }
        all.add(new BlockKernel("shrinkage8x8", BlockKernel::shrinkage));
        for (boolean chroma : new boolean[] {false, true}) {
            for (boolean strong : new boolean[] {false, true}) {
                for (EdgeDirection direction : EdgeDirection.values()) {
                    all.add(new BlockKernel(
                            "h264_" + (chroma ? "chroma" : "luma") + (strong ? "_bs4_" : "_bs1to3_") + word(direction)
                                    + "_8bit",
                            w -> h264Edge(w, direction, chroma, strong)));
                }
            }
        }
        all.add(new BlockKernel("h264_deblock_scheduled_8bit", BlockKernel::h264Schedule));
        return List.copyOf(all);
    }

    private static String word(EdgeDirection direction) {
        return direction.name().toLowerCase(Locale.ROOT);
    }

    private static BlockKernel motion(String name, Vp9InterpolationFilter filter, int mx, int my, boolean average) {
        return new BlockKernel("vp9_mc8x8_" + name + "_8bit", w -> vp9Motion(w, filter, mx, my, average));
    }

    /**
     * Makes a workload of this kernel.
     *
     * @param blocks number of blocks or edges, 1 or more
     * @param seed of the contents; equal seeds make equal contents
     */
    public BlockWorkload prepare(BlockContext context, int blocks, long seed) {
        return BlockWorkload.prepare(context, blocks, seed, call);
    }

    private static BlockCall vp9Idct(BlockWorkload workload) {
        int blocks = workload.blocks();
        BlockGrid grid = new BlockGrid(blocks, 8, 8);
        KernelBuffer picture = workload.newPlane(grid);
        KernelBuffer coefficients = workload.newBuffer((long) blocks * Vp9IdctAdd.COEFFICIENT_BYTES);
        KernelBuffer records = workload.newBuffer((long) blocks * Vp9IdctAdd.RECORD_BYTES);
        for (int i = 0; i < blocks; i++) {
            for (int c = 0; c < 64; c++) {
                // With coefficients of at most 255, every intermediate value fits into 16 bits.
                memPutShort(coefficients.address() + i * 128L + c * 2L, (short)
                        workload.random().nextInt(-255, 256));
            }
            Vp9IdctAdd.putRecord(records, i, grid.offset(i, 0, 0));
        }
        workload.writes(picture);
        return new Vp9IdctAdd(coefficients, records, blocks, picture, grid.strideBytes());
    }

    private static BlockCall vp9LoopFilter(BlockWorkload workload, EdgeDirection direction, int wd) {
        int blocks = workload.blocks();
        int across = wd == 16 ? 16 : 8;
        BlockGrid grid = direction == EdgeDirection.VERTICAL
                ? new BlockGrid(blocks, across, 8)
                : new BlockGrid(blocks, 8, across);
        KernelBuffer picture = workload.newPlane(grid);
        KernelBuffer records = workload.newBuffer((long) blocks * Vp9LoopFilter.RECORD_BYTES);
        for (int i = 0; i < blocks; i++) {
            Vp9LoopFilter.putRecord(records, i, grid.offset(i, 0, 0), direction, wd, 60, 20, 3);
        }
        workload.writes(picture);
        return new Vp9LoopFilter(records, blocks, picture, grid.strideBytes());
    }

    /**
     * Makes a schedule of the edges of 8x8 blocks in decoding order: of each block the left edge, then the upper edge.
     */
    private static BlockCall vp9Schedule(BlockWorkload workload) {
        int edges = workload.blocks();
        BlockGrid grid = new BlockGrid((edges + 1) / 2, 8, 8);
        KernelBuffer picture = workload.newPlane(grid);
        EdgeSchedule schedule = workload.newSchedule(EdgeSchedule.Codec.VP9, grid.layout());
        for (int i = 0; i < edges; i++) {
            schedule.addVp9(0, alternating(i), 8, 60, 20, 3, grid.column(i / 2, 0), grid.row(i / 2, 0));
        }
        schedule.arrange();
        workload.writes(picture);
        return new ScheduledEdges(schedule, picture);
    }

    /** Makes a schedule of the edges of macroblocks in decoding order. */
    private static BlockCall h264Schedule(BlockWorkload workload) {
        int edges = workload.blocks();
        BlockGrid grid = new BlockGrid((edges + 1) / 2, 16, 16);
        KernelBuffer picture = workload.newPlane(grid);
        EdgeSchedule schedule = workload.newSchedule(EdgeSchedule.Codec.H264, grid.layout());
        for (int i = 0; i < edges; i++) {
            schedule.addH264(0, alternating(i), 40, 12, 1, 2, 3, 4, grid.column(i / 2, 0), grid.row(i / 2, 0));
        }
        schedule.arrange();
        workload.writes(picture);
        return new ScheduledEdges(schedule, picture);
    }

    private static EdgeDirection alternating(int edge) {
        return edge % 2 == 0 ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL;
    }

    private static BlockCall vp9Motion(
            BlockWorkload workload, Vp9InterpolationFilter filter, int mx, int my, boolean average) {
        int blocks = workload.blocks();
        BlockGrid grid = new BlockGrid(blocks, 8, 8);
        KernelBuffer source = workload.newPlane(grid);
        KernelBuffer destination = workload.newPlane(grid);
        KernelBuffer records = workload.newBuffer((long) blocks * Vp9MotionCompensation.RECORD_BYTES);
        for (int i = 0; i < blocks; i++) {
            // Sources have any alignment, as motion vectors give it.
            int from = grid.offset(
                    i, workload.random().nextInt(-4, 5), workload.random().nextInt(-4, 5));
            Vp9MotionCompensation.putRecord(records, i, from, grid.offset(i, 0, 0), filter, mx, my, average);
        }
        workload.writes(destination);
        return new Vp9MotionCompensation(records, blocks, source, grid.strideBytes(), destination, grid.strideBytes());
    }

    private static BlockCall cdefDirection(BlockWorkload workload, int bitDepth) {
        int blocks = workload.blocks();
        BlockGrid grid = new BlockGrid(blocks, 8, 8, bitDepth > 8 ? 2 : 1);
        KernelBuffer picture = workload.newPlane(grid);
        KernelBuffer records = workload.newBuffer((long) blocks * CdefDirection.RECORD_BYTES);
        KernelBuffer results = workload.newBuffer((long) blocks * CdefDirection.RESULT_BYTES);
        for (int i = 0; i < blocks; i++) {
            CdefDirection.putRecord(records, i, grid.offset(i, 0, 0));
        }
        workload.writes(results);
        return new CdefDirection(records, blocks, picture, grid.strideBytes(), bitDepth, results);
    }

    private static BlockCall cdefFilter(BlockWorkload workload, int blockSize, int bitDepth) {
        int blocks = workload.blocks();
        int shift = bitDepth - 8;
        BlockGrid grid = new BlockGrid(blocks, blockSize, blockSize, bitDepth > 8 ? 2 : 1);
        KernelBuffer source = workload.newPlane(grid);
        KernelBuffer destination = workload.newBuffer(grid.sizeBytes());
        KernelBuffer records = workload.newBuffer((long) blocks * CdefFilter.RECORD_BYTES);
        int allEdges = CdefFilter.LEFT | CdefFilter.RIGHT | CdefFilter.TOP | CdefFilter.BOTTOM;
        for (int i = 0; i < blocks; i++) {
            int offset = grid.offset(i, 0, 0);
            int direction = workload.random().nextInt(8);
            CdefFilter.putRecord(records, i, offset, offset, 4 << shift, 2 << shift, allEdges, direction, 5 + shift);
        }
        workload.writes(destination);
        return new CdefFilter(
                records,
                blocks,
                source,
                grid.strideBytes(),
                destination,
                grid.strideBytes(),
                blockSize,
                bitDepth,
                Optional.empty(),
                false);
    }

    private static BlockCall shrinkage(BlockWorkload workload) {
        int blocks = workload.blocks();
        KernelBuffer samples = workload.newBuffer((long) blocks * Shrinkage.BLOCK_BYTES);
        KernelBuffer records = workload.newBuffer((long) blocks * Shrinkage.RECORD_BYTES);
        KernelBuffer removed = workload.newBuffer((long) blocks * Shrinkage.BLOCK_BYTES);
        KernelBuffer weights = workload.newBuffer((long) blocks * Shrinkage.WEIGHT_BYTES);
        for (int i = 0; i < blocks; i++) {
            // Noise around a mean, with a threshold among its coefficients.
            int mean = workload.random().nextInt(256);
            for (int k = 0; k < 64; k++) {
                int sample = mean + workload.random().nextInt(-20, 21);
                memPutShort(samples.address() + i * (long) Shrinkage.BLOCK_BYTES + 2L * k, (short) sample);
            }
            Shrinkage.putRecord(records, i, 100 + workload.random().nextInt(200));
        }
        workload.writes(removed);
        return new Shrinkage(samples, records, blocks, removed, weights);
    }

    private static BlockCall h264Edge(BlockWorkload workload, EdgeDirection direction, boolean chroma, boolean strong) {
        int blocks = workload.blocks();
        int length = chroma ? 8 : 16;
        BlockGrid grid = direction == EdgeDirection.VERTICAL
                ? new BlockGrid(blocks, 8, length)
                : new BlockGrid(blocks, length, 8);
        KernelBuffer picture = workload.newPlane(grid);
        KernelBuffer records = workload.newBuffer((long) blocks * H264Edge.RECORD_BYTES);
        for (int i = 0; i < blocks; i++) {
            int offset = grid.offset(i, 0, 0);
            if (strong) {
                H264Edge.putStrongRecord(records, i, offset, direction, 40, 12);
            } else {
                H264Edge.putRecord(records, i, offset, direction, 40, 12, 1, 2, 3, 4);
            }
        }
        workload.writes(picture);
        return new H264Edge(records, blocks, picture, grid.strideBytes(), chroma);
    }
}

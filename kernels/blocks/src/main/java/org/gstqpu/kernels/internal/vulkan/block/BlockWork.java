/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.block;

import java.util.List;
import org.gstqpu.kernels.block.CdefDirection;
import org.gstqpu.kernels.block.CdefFilter;
import org.gstqpu.kernels.block.EdgeSchedule;
import org.gstqpu.kernels.block.H264Edge;
import org.gstqpu.kernels.block.KernelBuffer;
import org.gstqpu.kernels.block.ScheduledEdges;
import org.gstqpu.kernels.block.Shrinkage;
import org.gstqpu.kernels.block.Vp9IdctAdd;
import org.gstqpu.kernels.block.Vp9LoopFilter;
import org.gstqpu.kernels.block.Vp9MotionCompensation;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefBlockDirectionCall;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefBlockDirectionConstants;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefBlockFilterCall;
import org.gstqpu.kernels.internal.vulkan.block.layout.CdefBlockFilterConstants;
import org.gstqpu.kernels.internal.vulkan.block.layout.EdgeCall;
import org.gstqpu.kernels.internal.vulkan.block.layout.H264EdgeConstants;
import org.gstqpu.kernels.internal.vulkan.block.layout.ShrinkageBlockConstants;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9Idct8x8Constants;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9IdctCall;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9LpfConstants;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9Mc8x8Constants;
import org.gstqpu.kernels.internal.vulkan.block.layout.Vp9MotionCall;
import org.gstqpu.kernels.internal.vulkan.work.Kernel;
import org.gstqpu.kernels.internal.vulkan.work.KernelTuning;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * One call of the block library as the device sees it: a kernel, its constants and its buffers. Immutable but for
 * {@code push}.
 *
 * @param kernel the shader
 * @param constants specialisation constants; constant 0 is the number of invocations of a workgroup
 * @param push push constants
 * @param source buffer that the kernel reads, at binding 0
 * @param destination buffer that the kernel writes, at binding 1
 * @param records records of the call, at binding 3
 * @param table another buffer, at binding 4: a schedule's table, filter weights or directions, which the kernel reads, or the
 *     weights of blocks, which it writes
 * @param recordsPerGroup blocks or edges of a workgroup
 */
public record BlockWork(
        Kernel kernel,
        List<Integer> constants,
        PushConstants push,
        KernelBuffer source,
        KernelBuffer destination,
        KernelBuffer records,
        Table table,
        int recordsPerGroup) {

    /** The table at binding 4. */
    public sealed interface Table {
        /** No table; the kernel does not read binding 4. */
        record None() implements Table {}

        /** A buffer of the call. */
        record Of(KernelBuffer buffer) implements Table {}

        /** The {@link MotionWeights} of the context. */
        record Weights() implements Table {}
    }

    private static final int GROUP = 256;
    private static final int DIRECTION_GROUP = 64;
    private static final int IDCT_INVOCATIONS = 4;
    private static final int MOTION_INVOCATIONS = 8;
    private static final int SHRINKAGE_INVOCATIONS = 4;
    private static final Table NONE = new Table.None();

    public static BlockWork of(Vp9IdctAdd call, BlockExchange exchange) {
        int stride = call.strideBytes();
        Vp9Idct8x8Constants constants =
                new Vp9Idct8x8Constants().localSizeX(GROUP).workgroupBarriers(exchange.barriers());
        return new BlockWork(
                exchange.shuffles() ? CallKernel.VP9_IDCT8X8 : CallKernel.VP9_IDCT8X8_PLAIN,
                constants.words(),
                new PushConstants(Vp9IdctCall.BYTES)
                        .put(Vp9IdctCall.STRIDE, exchange.shuffles() ? stride / 2 : stride / 4)
                        .put(Vp9IdctCall.LAST_OFFSET, last(call.picture(), 7L * stride + 8)),
                call.coefficients(),
                call.picture(),
                call.records(),
                NONE,
                GROUP / IDCT_INVOCATIONS);
    }

    public static BlockWork of(Vp9LoopFilter call, BlockExchange exchange) {
        return vp9Edges(call.records(), call.picture(), exchange, NONE, call.strideBytes());
    }

    public static BlockWork of(H264Edge call, BlockExchange exchange) {
        return h264Edges(call.records(), call.picture(), exchange, call.chroma(), NONE, call.strideBytes());
    }

    public static BlockWork of(ScheduledEdges call, BlockExchange exchange) {
        EdgeSchedule schedule = call.schedule();
        PictureLayout layout = schedule.layout();
        Table table = new Table.Of(schedule.table());
        int[] strides = {layout.strideBytes(0), layout.strideBytes(1), layout.strideBytes(2)};
        return switch (schedule.codec()) {
            case VP9 -> vp9Edges(schedule.records(), call.picture(), exchange, table, strides);
            case H264 -> h264Edges(schedule.records(), call.picture(), exchange, false, table, strides);
        };
    }

    /**
     * @param table that of a schedule; none for edges in any order
     * @param strides of each plane, in bytes
     */
    private static BlockWork vp9Edges(
            KernelBuffer records, KernelBuffer picture, BlockExchange exchange, Table table, int... strides) {
        boolean scheduled = table != NONE;
        Vp9LpfConstants constants = new Vp9LpfConstants()
                .localSizeX(edgeGroup(scheduled, exchange))
                .workgroupBarriers(exchange.barriers())
                .scheduled(scheduled);
        return new BlockWork(
                exchange.shuffles() ? CallKernel.VP9_LPF : CallKernel.VP9_LPF_PLAIN,
                constants.words(),
                edgeCall(picture, strides),
                picture,
                picture,
                records,
                table,
                EdgeSchedule.Codec.VP9.edgesPerGroup());
    }

    /** The same; {@code chroma} if all edges are of chroma. */
    private static BlockWork h264Edges(
            KernelBuffer records,
            KernelBuffer picture,
            BlockExchange exchange,
            boolean chroma,
            Table table,
            int... strides) {
        boolean scheduled = table != NONE;
        H264EdgeConstants constants = new H264EdgeConstants()
                .localSizeX(edgeGroup(scheduled, exchange))
                .workgroupBarriers(exchange.barriers())
                .scheduled(scheduled)
                .chroma(chroma);
        int perGroup = EdgeSchedule.Codec.H264.edgesPerGroup();
        return new BlockWork(
                CallKernel.H264_EDGE,
                constants.words(),
                edgeCall(picture, strides),
                picture,
                picture,
                records,
                table,
                chroma ? 2 * perGroup : perGroup);
    }

    private static PushConstants edgeCall(KernelBuffer picture, int... strides) {
        PushConstants push = new PushConstants(EdgeCall.BYTES)
                .put(EdgeCall.SIZE_BYTES, (int) picture.sizeBytes())
                .put(EdgeCall.SEGMENT, 0);
        for (int plane = 0; plane < EdgeCall.STRIDE_BYTES_COUNT; plane++) {
            push.put(EdgeCall.STRIDE_BYTES, plane, plane < strides.length ? strides[plane] : 0);
        }
        return push;
    }

    public static BlockWork of(Vp9MotionCompensation call, BlockExchange exchange) {
        int sourceStride = call.sourceStrideBytes();
        int destinationStride = call.destinationStrideBytes();
        Vp9Mc8x8Constants constants = new Vp9Mc8x8Constants()
                .localSizeX(GROUP)
                .workgroupBarriers(exchange.barriers())
                .rowsAlone(!exchange.inEights());
        return new BlockWork(
                exchange.shuffles() ? CallKernel.VP9_MC8X8 : CallKernel.VP9_MC8X8_PLAIN,
                constants.words(),
                new PushConstants(Vp9MotionCall.BYTES)
                        .put(Vp9MotionCall.SOURCE_STRIDE_BYTES, sourceStride)
                        .put(Vp9MotionCall.FIRST_SOURCE_OFFSET, 3 * sourceStride + 3)
                        .put(Vp9MotionCall.LAST_SOURCE_OFFSET, last(call.source(), 11L * sourceStride + 12))
                        .put(Vp9MotionCall.LAST_SOURCE_WORD, lastWord(call.source()))
                        .put(Vp9MotionCall.DESTINATION_STRIDE, destinationStride / 4)
                        .put(
                                Vp9MotionCall.LAST_DESTINATION_OFFSET,
                                last(call.destination(), 7L * destinationStride + 8)),
                call.source(),
                call.destination(),
                call.records(),
                new Table.Weights(),
                GROUP / MOTION_INVOCATIONS);
    }

    public static BlockWork of(CdefDirection call) {
        int sampleBytes = call.bitDepth() > 8 ? 2 : 1;
        int stride = call.strideBytes();
        CdefBlockDirectionConstants constants =
                new CdefBlockDirectionConstants().localSizeX(DIRECTION_GROUP).sampleBytes(sampleBytes);
        return new BlockWork(
                CallKernel.CDEF_BLOCK_DIRECTION,
                constants.words(),
                new PushConstants(CdefBlockDirectionCall.BYTES)
                        .put(CdefBlockDirectionCall.STRIDE, stride / 4)
                        .put(CdefBlockDirectionCall.LAST_OFFSET, last(call.picture(), 7L * stride + 8L * sampleBytes)),
                call.picture(),
                call.results(),
                call.records(),
                NONE,
                DIRECTION_GROUP);
    }

    /**
     * The dispatch of a CDEF filter call.
     *
     * @param votes whether subgroups may vote
     * @param mostRows the most rows of a block that one invocation filters; see {@link KernelTuning#cdefRows}
     */
    public static BlockWork of(CdefFilter call, boolean votes, int mostRows) {
        int sampleBytes = call.bitDepth() > 8 ? 2 : 1;
        int size = call.blockSize();
        int rows = Math.min(mostRows, size);
        long rowBytes = (long) size * sampleBytes;
        int sourceStride = call.sourceStrideBytes();
        int destinationStride = call.destinationStrideBytes();
        CdefBlockFilterConstants constants = new CdefBlockFilterConstants()
                .localSizeX(GROUP)
                .sampleBytes(sampleBytes)
                .blockSamples(size)
                .searched(call.directions().isPresent())
                .adjusted(call.adjustPrimary())
                .rows(rows);
        return new BlockWork(
                votes ? CallKernel.CDEF_BLOCK_FILTER : CallKernel.CDEF_BLOCK_FILTER_PLAIN,
                constants.words(),
                new PushConstants(CdefBlockFilterCall.BYTES)
                        .put(CdefBlockFilterCall.SOURCE_STRIDE, sourceStride / 4)
                        .put(
                                CdefBlockFilterCall.LAST_SOURCE_OFFSET,
                                last(call.source(), (size - 1L) * sourceStride + rowBytes))
                        .put(CdefBlockFilterCall.LAST_SOURCE_WORD, lastWord(call.source()))
                        .put(CdefBlockFilterCall.DESTINATION_STRIDE, destinationStride / 4)
                        .put(
                                CdefBlockFilterCall.LAST_DESTINATION_OFFSET,
                                last(call.destination(), (size - 1L) * destinationStride + rowBytes)),
                call.source(),
                call.destination(),
                call.records(),
                call.directions().<Table>map(Table.Of::new).orElse(NONE),
                GROUP / (size * sampleBytes / 4 * (size / rows)));
    }

    public static BlockWork of(Shrinkage call, BlockExchange exchange) {
        ShrinkageBlockConstants constants =
                new ShrinkageBlockConstants().localSizeX(GROUP).workgroupBarriers(exchange.barriers());
        return new BlockWork(
                exchange.shuffles() ? CallKernel.SHRINKAGE_BLOCK : CallKernel.SHRINKAGE_BLOCK_PLAIN,
                constants.words(),
                new PushConstants(0),
                call.blocks(),
                call.removed(),
                call.records(),
                new Table.Of(call.weights()),
                GROUP / SHRINKAGE_INVOCATIONS);
    }

    /**
     * Number of invocations of a workgroup. The levels of a schedule run one after the other, so every invocation of a
     * workgroup must be able to wait for all others.
     */
    private static int edgeGroup(boolean scheduled, BlockExchange exchange) {
        return scheduled && !exchange.barriers() ? exchange.lockstep() : GROUP;
    }

    /** The last offset at which {@code bytes} bytes fit into a buffer. */
    private static int last(KernelBuffer buffer, long bytes) {
        return (int) (buffer.sizeBytes() - bytes);
    }

    private static int lastWord(KernelBuffer buffer) {
        return (int) (buffer.sizeBytes() / 4 - 1);
    }

    /** All buffers of the call, for checks. A buffer may occur more than once. */
    public List<KernelBuffer> buffers() {
        return table instanceof Table.Of own
                ? List.of(source, destination, records, own.buffer())
                : List.of(source, destination, records);
    }
}

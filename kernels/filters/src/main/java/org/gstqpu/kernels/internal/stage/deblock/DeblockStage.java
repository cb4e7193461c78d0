/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage.deblock;

import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.util.List;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.H264Tables;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.internal.stage.FilterStage;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.stage.StageRecording;
import org.gstqpu.kernels.internal.vulkan.layout.DeblockThresholds;
import org.gstqpu.kernels.internal.vulkan.layout.EdgeThresholds;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.work.DeviceRuntime;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * H.264 deblocking: with the same strength everywhere, with a map of edges, or with the same strength on a grid of macroblocks that
 * does not begin with the picture. Owns the memory of each way.
 */
public final class DeblockStage implements FilterStage {
    private static final int PLANES = 3;
    private static final int EDGE_BYTES = 4 * H264EdgeMap.EDGE_INTS;

    /** Kinds of edges of a plane that is filtered like luma. */
    private static final int LUMA_KINDS = 3;

    /** Kinds of edges of a component of subsampled chroma. */
    private static final int CHROMA_KINDS = 2;

    // Bits of the form. The offset of the grid, column | row << 3, is above them.
    private static final int RUNS = 1;
    private static final int BY_EDGE = 2;
    private static final int OFFSET_AT = 2;
    private static final int OFFSET_BITS = 6;

    private final DeviceRuntime runtime;
    private final PixelFormat format;
    private final int width;
    private final int height;
    private final DeblockPass pass;
    private ChaseMemory chaseMemory;
    private OffsetPass offsetPass;

    public DeblockStage(DeviceRuntime runtime, PixelFormat format, int width, int height) {
        this.runtime = runtime;
        this.format = format;
        this.width = width;
        this.height = height;
        pass = new DeblockPass(
                runtime.pipelines(),
                runtime.tuning(),
                runtime.device().canExchangeInSubgroups(),
                format,
                width,
                height);
    }

    @Override
    public int formBits() {
        return OFFSET_AT + OFFSET_BITS;
    }

    @Override
    public int form(StagePicture picture) {
        PictureStrength strength = picture.strength();
        return !strength.deblocks()
                ? 0
                : strength instanceof PictureStrength.Decoded own
                        ? own.parameters().deblocksByEdge() ? RUNS | BY_EDGE : RUNS
                        : RUNS | picture.gridOffset() << OFFSET_AT;
    }

    @Override
    public int sets() {
        return PLANES + OffsetPass.SETS;
    }

    @Override
    public int parameterBytes() {
        return DeblockThresholds.BYTES;
    }

    @Override
    public long mapBytes() {
        return 4L * H264EdgeMap.MACROBLOCK_INTS * ((width + 15) / 16) * ((height + 15) / 16);
    }

    @Override
    public boolean hasMap(int form) {
        return (form & BY_EDGE) != 0;
    }

    @Override
    public void make(int form) {
        if (chaseMemory == null && pass.chasers() > 0) {
            chaseMemory = ChaseMemory.cleared(runtime, pass.chasers(), pass.columns(), format.sampleBytes());
        }
        if (form >> OFFSET_AT != 0 && offsetPass == null) {
            offsetPass = new OffsetPass(runtime, format, width, height);
        }
    }

    @Override
    public void write(FilterParameters parameters, ParameterRoom room) {
        if (parameters.deblock().isPresent()) {
            write(parameters.deblock().get(), room.address());
        }
    }

    @Override
    public void write(PictureParameters own, ParameterRoom room) {
        if (own.deblocksByEdge()) {
            int[] words = own.edges().words();
            room.map().put(0, words, 0, words.length);
            memPutInt(room.address() + DeblockThresholds.FIRST_IN_MAP, (int) (room.mapAtBytes() / EDGE_BYTES));
        } else {
            write(own.uniform(), room.address());
        }
    }

    /** Writes {@link DeblockThresholds} for a picture whose macroblocks all have the same thresholds. */
    private void write(H264DeblockParameters parameters, long at) {
        boolean fullChroma = format.chroma() == PixelFormat.Chroma.FULL;
        boolean cbFirst = format.cbPlane() < format.crPlane() || format.cbFirstSample() < format.crFirstSample();
        long lumaAt = at + DeblockThresholds.EDGES;
        long firstAt = lumaAt + LUMA_KINDS * DeblockThresholds.EDGES_STEP;
        long secondAt = firstAt + (fullChroma ? LUMA_KINDS : (long) CHROMA_KINDS) * DeblockThresholds.EDGES_STEP;
        writeLuma(parameters, 0, lumaAt);
        for (int component = 1; component <= 2; component++) {
            long componentAt = component == 1 == cbFirst ? firstAt : secondAt;
            if (fullChroma) {
                writeLuma(parameters, component, componentAt);
            } else {
                // In chroma, tC is tC0 + 1 (ITU-T H.264, equation 8-464).
                writeEdge(componentAt, parameters, component, parameters.macroblockEdgeBs(), 1);
                writeEdge(
                        componentAt + DeblockThresholds.EDGES_STEP, parameters, component, parameters.innerEdgeBs(), 1);
            }
        }
    }

    /** Writes the thresholds of a plane that is filtered like luma. */
    private void writeLuma(H264DeblockParameters parameters, int component, long at) {
        int innerBs = parameters.innerEdgeBs();
        long step = DeblockThresholds.EDGES_STEP;
        writeEdge(at, parameters, component, parameters.macroblockEdgeBs(), 0);
        writeEdge(at + step, parameters, component, innerBs, 0);
        writeEdge(at + 2 * step, parameters, component, parameters.transform8x8() ? 0 : innerBs, 0);
    }

    private void writeEdge(long at, H264DeblockParameters parameters, int component, int bS, int tcMore) {
        int scale = 1 << (format.bitDepth() - 8);
        int indexA = parameters.indexA(component);
        int indexB = parameters.indexB(component);
        memPutFloat(at + EdgeThresholds.ALPHA, bS == 0 ? 0 : scale * H264Tables.alpha(indexA));
        memPutFloat(at + EdgeThresholds.BETA, scale * H264Tables.beta(indexB));
        memPutFloat(at + EdgeThresholds.TC, bS == 0 || bS == 4 ? 0 : scale * H264Tables.tc0(bS, indexA) + tcMore);
        memPutFloat(at + EdgeThresholds.STRONG, bS == 4 ? 1 : 0);
    }

    @Override
    public void record(StageRecording at, int form) {
        int offset = form >> OFFSET_AT;
        if (offset != 0) {
            offsetPass.record(at, PLANES, offset);
            return;
        }
        BufferRange thresholds = at.parameters();
        BufferRange counters = chaseMemory == null ? thresholds : chaseMemory.counters();
        BufferRange handed = chaseMemory == null ? thresholds : chaseMemory.handed();
        pass.record(
                at.commands(),
                plane -> at.set(
                        plane,
                        List.of(
                                at.source().range(plane),
                                at.destination().range(plane),
                                thresholds,
                                counters,
                                handed,
                                at.maps())),
                at.source(),
                at.destination(),
                hasMap(form));
    }

    @Override
    public void close() {
        if (chaseMemory != null) {
            chaseMemory.close();
        }
        if (offsetPass != null) {
            offsetPass.close();
        }
    }
}

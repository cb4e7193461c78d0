/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import org.gstqpu.kernels.block.H264Tables;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.filter.ShrinkageParameters;
import org.gstqpu.kernels.internal.picture.ShrinkageLimits;
import org.gstqpu.kernels.internal.vulkan.layout.BlockStrengths;
import org.gstqpu.kernels.internal.vulkan.layout.CdefStrengthTable;
import org.gstqpu.kernels.internal.vulkan.layout.DeblockThresholds;
import org.gstqpu.kernels.internal.vulkan.layout.EdgeThresholds;
import org.gstqpu.kernels.internal.vulkan.layout.KeptColumns;
import org.gstqpu.kernels.internal.vulkan.layout.ShrinkageTable;
import org.gstqpu.kernels.internal.vulkan.layout.ShrinkageThresholds;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Layout of the parameters of one picture in mapped memory, and the methods that write them. The kernels read strengths
 * from such a block, so that new strengths need no new recording. Holds nothing.
 */
final class ParameterBlock {
    /** Alignment of each part, in bytes. Vulkan lets no device ask for a larger one. */
    static final int PART_BYTES = 256;

    /** Offset of {@link DeblockThresholds}. */
    static final int DEBLOCK_AT = 0;

    /** Offset of {@link CdefStrengthTable}. */
    static final int CDEF_AT = PART_BYTES;

    /** Offset of {@link ShrinkageTable}. */
    static final int SHRINKAGE_AT = 2 * PART_BYTES;

    /** Bytes of {@link ShrinkageTable}, rounded up. */
    static final int SHRINKAGE_BYTES = (ShrinkageTable.BYTES + PART_BYTES - 1) / PART_BYTES * PART_BYTES;

    /** Offset of {@link KeptColumns}. */
    static final int KEPT_AT = SHRINKAGE_AT + SHRINKAGE_BYTES;

    /** Bytes of a block. */
    static final int BYTES = KEPT_AT + PART_BYTES;

    /** Bytes of the parameters of all filters. A tier of automatic strength consists of these. */
    static final int TIER_BYTES = KEPT_AT;

    /** Classes of the rows and columns of coefficients: 0 and 4, odd ones, 2 and 6. The first index of a class is its number. */
    private static final int SHRINKAGE_CLASSES = 3;

    /** Kinds of edges of a plane that is filtered like luma. */
    private static final int LUMA_KINDS = 3;

    /** Kinds of edges of a component of subsampled chroma. */
    private static final int CHROMA_KINDS = 2;

    private ParameterBlock() {}

    /** Rounds up to the alignment of parts. */
    static long align(long bytes) {
        return (bytes + PART_BYTES - 1) / PART_BYTES * PART_BYTES;
    }

    /** Writes {@link DeblockThresholds} for a picture whose macroblocks all have the same thresholds. */
    static void writeDeblock(PixelFormat format, H264DeblockParameters parameters, long at) {
        int scale = 1 << (format.bitDepth() - 8);
        boolean fullChroma = format.chroma() == PixelFormat.Chroma.FULL;
        boolean cbFirst = format.cbPlane() < format.crPlane() || format.cbFirstSample() < format.crFirstSample();
        long lumaAt = at + DeblockThresholds.EDGES;
        long firstAt = lumaAt + LUMA_KINDS * DeblockThresholds.EDGES_STEP;
        long secondAt = firstAt + (fullChroma ? LUMA_KINDS : (long) CHROMA_KINDS) * DeblockThresholds.EDGES_STEP;
        writeLuma(scale, parameters, 0, lumaAt);
        for (int component = 1; component <= 2; component++) {
            long componentAt = component == 1 == cbFirst ? firstAt : secondAt;
            if (fullChroma) {
                writeLuma(scale, parameters, component, componentAt);
            } else {
                writeChroma(scale, parameters, component, componentAt);
            }
        }
    }

    private static void writeChroma(int scale, H264DeblockParameters parameters, int component, long at) {
        int indexA = parameters.indexA(component);
        int indexB = parameters.indexB(component);
        // In chroma, tC is tC0 + 1 (ITU-T H.264, equation 8-464).
        writeEdge(at, scale, indexA, indexB, parameters.macroblockEdgeBs(), 1);
        writeEdge(at + DeblockThresholds.EDGES_STEP, scale, indexA, indexB, parameters.innerEdgeBs(), 1);
    }

    /** Writes the thresholds of a plane that is filtered like luma. */
    private static void writeLuma(int scale, H264DeblockParameters parameters, int component, long at) {
        int indexA = parameters.indexA(component);
        int indexB = parameters.indexB(component);
        int innerBs = parameters.innerEdgeBs();
        writeEdge(at, scale, indexA, indexB, parameters.macroblockEdgeBs(), 0);
        writeEdge(at + DeblockThresholds.EDGES_STEP, scale, indexA, indexB, innerBs, 0);
        writeEdge(
                at + 2 * DeblockThresholds.EDGES_STEP,
                scale,
                indexA,
                indexB,
                parameters.transform8x8() ? 0 : innerBs,
                0);
    }

    /** Writes {@link DeblockThresholds} for a picture whose edges have thresholds of their own. */
    static void writeFirstInMap(int firstEdge, long at) {
        memPutInt(at + DeblockThresholds.FIRST_IN_MAP, firstEdge);
    }

    private static void writeEdge(long at, int scale, int indexA, int indexB, int bS, int tcMore) {
        memPutFloat(at + EdgeThresholds.ALPHA, bS == 0 ? 0 : scale * H264Tables.alpha(indexA));
        memPutFloat(at + EdgeThresholds.BETA, scale * H264Tables.beta(indexB));
        memPutFloat(at + EdgeThresholds.TC, bS == 0 || bS == 4 ? 0 : scale * H264Tables.tc0(bS, indexA) + tcMore);
        memPutFloat(at + EdgeThresholds.STRONG, bS == 4 ? 1 : 0);
    }

    /**
     * Writes {@link CdefStrengthTable}.
     *
     * @param mapAt index of the map's first word; unused if the decisions have no map
     */
    static void writeCdef(CdefDecisions decisions, int mapAt, long at) {
        byte[] strengths = decisions.strengths();
        for (int i = 0; i < decisions.count(); i++) {
            int from = i * CdefDecisions.STRENGTH_BYTES;
            long strengthAt = at + CdefStrengthTable.STRENGTHS + (long) i * CdefStrengthTable.STRENGTHS_STEP;
            memPutInt(strengthAt + BlockStrengths.Y_PRIMARY, strengths[from]);
            memPutInt(strengthAt + BlockStrengths.Y_SECONDARY, strengths[from + 1]);
            memPutInt(strengthAt + BlockStrengths.UV_PRIMARY, strengths[from + 2]);
            memPutInt(strengthAt + BlockStrengths.UV_SECONDARY, strengths[from + 3]);
        }
        memPutInt(at + CdefStrengthTable.DAMPING, decisions.damping());
        memPutInt(at + CdefStrengthTable.MAP_AT, decisions.isMapped() ? mapAt + 1 : 0);
    }

    /**
     * Writes {@link ShrinkageTable}.
     *
     * @param limits working memory, for samples of the picture's bit depth
     */
    static void writeShrinkage(ShrinkageParameters parameters, ShrinkageLimits limits, long at) {
        limits.set(parameters.lumaThreshold(), parameters.bound());
        writeShrinkage(limits, at + ShrinkageTable.KINDS);
        limits.set(parameters.chromaThreshold(), parameters.bound());
        writeShrinkage(limits, at + ShrinkageTable.KINDS + ShrinkageTable.KINDS_STEP);
    }

    /** Writes {@link ShrinkageThresholds}. */
    private static void writeShrinkage(ShrinkageLimits limits, long at) {
        memPutInt(at + ShrinkageThresholds.RUNNING, limits.isShrinking() ? 1 : 0);
        memPutInt(at + ShrinkageThresholds.BOUNDED, limits.isShrinking() && limits.isBounding() ? 1 : 0);
        for (int row = 0; row < SHRINKAGE_CLASSES; row++) {
            for (int column = 0; column < SHRINKAGE_CLASSES; column++) {
                long index = row + (long) SHRINKAGE_CLASSES * column;
                memPutInt(
                        at + ShrinkageThresholds.THRESHOLDS + index * ShrinkageThresholds.THRESHOLDS_STEP,
                        limits.thresholds[8 * row + column]);
            }
        }
        for (int k = 0; k < limits.bounds.length; k++) {
            memPutInt(at + ShrinkageThresholds.BOUNDS + (long) k * ShrinkageThresholds.BOUNDS_STEP, limits.bounds[k]);
        }
    }

    /** Writes {@link KeptColumns}: how many luma columns are kept, and how many samples of chroma belong to them. */
    static void writeKept(PixelFormat format, int columns, long at) {
        for (int plane = 0; plane < format.planes(); plane++) {
            memPutInt(
                    at + KeptColumns.KEPT_BYTES + (long) plane * KeptColumns.KEPT_BYTES_STEP,
                    format.planeRowSamples(plane, columns) * format.sampleBytes());
        }
    }
}

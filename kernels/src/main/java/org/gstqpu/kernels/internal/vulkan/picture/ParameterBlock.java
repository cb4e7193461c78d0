package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memPutFloat;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import org.gstqpu.kernels.block.H264Tables;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.CdefParameters;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264DeblockParameters;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.BlockStrengths;
import org.gstqpu.kernels.internal.vulkan.layout.CdefStrengthTable;
import org.gstqpu.kernels.internal.vulkan.layout.DeblockThresholds;
import org.gstqpu.kernels.internal.vulkan.layout.EdgeThresholds;
import org.gstqpu.kernels.internal.vulkan.layout.KeptColumns;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns the mapped buffer through which the kernels learn their strengths, so that new ones need no recording. It may be
 * written while no work is pending. Belongs to the context's thread.
 */
final class ParameterBlock implements AutoCloseable {
    // Vulkan asks for no alignment of a part above 256 bytes.
    static final int PART_BYTES = 256;
    static final int DEBLOCK_AT = 0;
    static final int CDEF_AT = PART_BYTES;
    private static final int KEPT_AT = 2 * PART_BYTES;
    private static final int MAP_AT = 3 * PART_BYTES;

    /** Bytes of the parameters of both filters without a block map, as they lie at the start. */
    static final int TIER_BYTES = KEPT_AT;

    /** Kinds of edges of a plane that is filtered as luma is. */
    private static final int LUMA_KINDS = 3;

    /** Kinds of edges of another chroma component. */
    private static final int CHROMA_KINDS = 2;

    private final BufferPool pool;
    private final PixelFormat format;
    private final int blockColumns;
    private final int blockRows;
    private final DeviceBuffer buffer;

    /** What is being written. */
    private final CdefDecisions decisions;

    ParameterBlock(BufferPool pool, PixelFormat format, int width, int height) {
        this.pool = pool;
        this.format = format;
        this.blockColumns = (width + 7) / 8;
        this.blockRows = (height + 7) / 8;
        this.decisions = new CdefDecisions(width, height);
        this.buffer = pool.acquire(MemoryKind.UPLOAD, MAP_AT + 4L * blockColumns * blockRows);
    }

    /** The next multiple of what parts of a buffer are aligned to. */
    static long align(long bytes) {
        return (bytes + PART_BYTES - 1) / PART_BYTES * PART_BYTES;
    }

    BufferRange deblock() {
        return new BufferRange(buffer.handle(), DEBLOCK_AT, PART_BYTES);
    }

    BufferRange cdef() {
        return new BufferRange(buffer.handle(), CDEF_AT, PART_BYTES);
    }

    /** What the GLSL structure {@link KeptColumns} is read from. */
    BufferRange kept() {
        return new BufferRange(buffer.handle(), KEPT_AT, PART_BYTES);
    }

    BufferRange blockMap() {
        return new BufferRange(buffer.handle(), MAP_AT, 4L * blockColumns * blockRows);
    }

    /** The parameters of both filters. */
    BufferRange tier() {
        return new BufferRange(buffer.handle(), 0, TIER_BYTES);
    }

    /** Writes what {@link #tier} may become, without a block map, to another place of {@link #TIER_BYTES}. */
    void writeTier(FilterParameters parameters, long address) {
        parameters.deblock().ifPresent(deblock -> write(format, deblock, address + DEBLOCK_AT));
        parameters.cdef().ifPresent(cdef -> {
            decisions.set(cdef);
            write(decisions, 0, address + CDEF_AT);
        });
    }

    /** Writes {@link DeblockThresholds}. */
    void write(H264DeblockParameters parameters) {
        write(format, parameters, buffer.address() + DEBLOCK_AT);
    }

    /** Writes the same to another place of {@link #PART_BYTES}. */
    static void write(PixelFormat format, H264DeblockParameters parameters, long at) {
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
        // tC of chroma is tC0 + 1 (8-464 of the specification).
        writeEdge(at, scale, indexA, indexB, parameters.macroblockEdgeBs(), 1);
        writeEdge(at + DeblockThresholds.EDGES_STEP, scale, indexA, indexB, parameters.innerEdgeBs(), 1);
    }

    /** Of a plane that is filtered as luma is. */
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

    /** Writes {@link DeblockThresholds} for edges with thresholds of their own. */
    static void writeFirstInMap(int firstEdge, long at) {
        memPutInt(at + DeblockThresholds.FIRST_IN_MAP, firstEdge);
    }

    private static void writeEdge(long at, int scale, int indexA, int indexB, int bS, int tcMore) {
        memPutFloat(at + EdgeThresholds.ALPHA, bS == 0 ? 0 : scale * H264Tables.alpha(indexA));
        memPutFloat(at + EdgeThresholds.BETA, scale * H264Tables.beta(indexB));
        memPutFloat(at + EdgeThresholds.TC, bS == 0 || bS == 4 ? 0 : scale * H264Tables.tc0(bS, indexA) + tcMore);
        memPutFloat(at + EdgeThresholds.STRONG, bS == 4 ? 1 : 0);
    }

    /** Writes {@link CdefStrengthTable}, and the block map where there is one. */
    void write(CdefParameters parameters) {
        decisions.set(parameters);
        write(decisions, 0, buffer.address() + CDEF_AT);
        if (decisions.isMapped()) {
            long entry = buffer.address() + MAP_AT;
            for (int word : decisions.map()) {
                memPutInt(entry, word);
                entry += 4;
            }
        }
    }

    /**
     * Writes {@link CdefStrengthTable} to another place of {@link #PART_BYTES}.
     *
     * @param mapAt words before the map, where there is one
     */
    static void write(CdefDecisions decisions, int mapAt, long at) {
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

    /** Writes how many luma columns, and what goes with them, are kept. */
    void writeKept(int columns) {
        long at = buffer.address() + KEPT_AT + KeptColumns.KEPT_BYTES;
        for (int plane = 0; plane < format.planes(); plane++) {
            memPutInt(
                    at + (long) plane * KeptColumns.KEPT_BYTES_STEP,
                    format.planeRowSamples(plane, columns) * format.sampleBytes());
        }
    }

    @Override
    public void close() {
        pool.release(buffer);
    }
}

package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memIntBuffer;

import java.nio.IntBuffer;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns the mapped memory through which pictures bring parameters of their own: a block for each slot, which its descriptors
 * name, and room for the maps of each picture under way, which the block tells of. Belongs to the context's thread.
 */
final class PictureParameterMemory implements AutoCloseable {
    private static final int EDGE_BYTES = 4 * H264EdgeMap.EDGE_INTS;

    private final BufferPool pool;
    private final PixelFormat format;
    private final DeviceBuffer blocks;
    private final DeviceBuffer maps;
    private final long edgesBytes;
    private final long mapBytes;
    private final long mapsAt;
    private final IntBuffer[] edges;
    private final IntBuffer[] map;

    /**
     * @param slots of the ring
     * @param pictures that may be under way
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not the memory; nothing is left behind
     */
    PictureParameterMemory(BufferPool pool, PixelFormat format, int width, int height, int slots, int pictures) {
        this.pool = pool;
        this.format = format;
        int macroblocks = ((width + 15) / 16) * ((height + 15) / 16);
        edgesBytes = ParameterBlock.align(4L * H264EdgeMap.MACROBLOCK_INTS * macroblocks);
        mapBytes = ParameterBlock.align(4L * ((width + 7) / 8) * ((height + 7) / 8));
        mapsAt = edgesBytes * pictures;
        edges = new IntBuffer[pictures];
        map = new IntBuffer[pictures];
        maps = pool.acquire(MemoryKind.UPLOAD, mapsAt + mapBytes * pictures);
        DeviceBuffer acquired = null;
        try {
            acquired = pool.acquire(MemoryKind.UPLOAD, (long) ParameterBlock.TIER_BYTES * slots);
        } finally {
            if (acquired == null) {
                pool.release(maps);
            }
        }
        blocks = acquired;
        for (int i = 0; i < pictures; i++) {
            edges[i] = memIntBuffer(maps.address() + i * edgesBytes, (int) (edgesBytes / 4));
            map[i] = memIntBuffer(maps.address() + mapsAt + i * mapBytes, (int) (mapBytes / 4));
        }
    }

    /** Unique among all that the context ever had. */
    long id() {
        return maps.id();
    }

    /** Pictures that may be under way. */
    int pictures() {
        return edges.length;
    }

    /** A slot's deblocking parameters. */
    BufferRange deblock(int slot) {
        return block(slot, ParameterBlock.DEBLOCK_AT);
    }

    /** A slot's CDEF parameters. */
    BufferRange cdef(int slot) {
        return block(slot, ParameterBlock.CDEF_AT);
    }

    private BufferRange block(int slot, int at) {
        return new BufferRange(
                blocks.handle(), (long) slot * ParameterBlock.TIER_BYTES + at, ParameterBlock.PART_BYTES);
    }

    /** The edges of all pictures. */
    BufferRange edges() {
        return new BufferRange(maps.handle(), 0, mapsAt);
    }

    /** The block maps of all pictures. */
    BufferRange blockMaps() {
        return new BufferRange(maps.handle(), mapsAt, mapBytes * edges.length);
    }

    /**
     * Writes a picture's parameters; neither the slot nor the picture may be under way.
     *
     * @param picture its number among those under way
     */
    void write(PictureParameters parameters, int slot, int picture) {
        long block = blocks.address() + (long) slot * ParameterBlock.TIER_BYTES;
        if (parameters.deblocksByEdge()) {
            int[] words = parameters.edges().words();
            edges[picture].put(0, words, 0, words.length);
            ParameterBlock.writeFirstInMap(
                    (int) (picture * edgesBytes / EDGE_BYTES), block + ParameterBlock.DEBLOCK_AT);
        } else if (parameters.deblocks()) {
            ParameterBlock.write(format, parameters.uniform(), block + ParameterBlock.DEBLOCK_AT);
        }
        if (parameters.runsCdef()) {
            if (parameters.cdef().isMapped()) {
                int[] words = parameters.cdef().map();
                map[picture].put(0, words, 0, words.length);
            }
            ParameterBlock.write(parameters.cdef(), (int) (picture * mapBytes / 4), block + ParameterBlock.CDEF_AT);
        }
    }

    @Override
    public void close() {
        pool.release(blocks);
        pool.release(maps);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memIntBuffer;
import static org.lwjgl.system.MemoryUtil.memPutInt;

import java.nio.IntBuffer;
import java.util.Arrays;
import org.gstqpu.kernels.filter.CdefBlockMap;
import org.gstqpu.kernels.filter.CdefDecisions;
import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.filter.StrengthLadder;
import org.gstqpu.kernels.filter.StrengthTier;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthLadderTable;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns the mapped memory through which the kernels learn what is to happen to a picture. Each slot of the ring has a {@link
 * ParameterBlock} and a ladder of its own, which only its own picture reads: the next picture's plan is written while others are
 * in flight. Maps of blocks and edges are large, so each picture in flight has room for them, not each slot. Belongs to the
 * context's thread.
 */
final class SlotParameters implements AutoCloseable {
    private static final int EDGE_BYTES = 4 * H264EdgeMap.EDGE_INTS;
    private static final int TIERS = StrengthTier.ALL.size();
    private static final long LADDER_BYTES =
            ParameterBlock.align(StrengthLadderTable.TIERS + (long) TIERS * ParameterBlock.TIER_BYTES);

    private final BufferPool pool;
    private final PixelFormat format;
    private final DeviceBuffer blocks;

    /** The strength that a slot's block or ladder holds; null where it was a picture's own. */
    private final PictureStrength[] written;

    /** Luma columns that a slot's block says are kept; -1 before the first picture. */
    private final int[] writtenKept;

    /** What is being written. */
    private final CdefDecisions decisions;

    private final long edgesBytes;
    private final long mapBytes;

    /** Made with the first picture of automatic strength. */
    private DeviceBuffer ladders;

    /** The ladder that was written last, in whichever slot. */
    private PictureStrength.Automatic lastLadder;

    /** The number of {@link #lastLadder}. The device takes a tier over when its number or the ladder's is another than before. */
    private int ladderGeneration;

    /** Made with the first picture that has a map, and anew where more such pictures are in flight. */
    private DeviceBuffer maps;

    private IntBuffer[] edgeMaps = {};
    private IntBuffer[] blockMaps = {};

    /** The map that the room of a picture in flight holds; null where it was a picture's own. */
    private CdefBlockMap[] writtenMaps = {};

    /**
     * @throws org.gstqpu.kernels.substrate.DeviceException when the device has not the memory; nothing is left behind
     */
    SlotParameters(BufferPool pool, PixelFormat format, int width, int height, int slots) {
        this.pool = pool;
        this.format = format;
        int macroblocks = ((width + 15) / 16) * ((height + 15) / 16);
        edgesBytes = ParameterBlock.align(4L * H264EdgeMap.MACROBLOCK_INTS * macroblocks);
        mapBytes = ParameterBlock.align(4L * ((width + 7) / 8) * ((height + 7) / 8));
        decisions = new CdefDecisions(width, height);
        written = new PictureStrength[slots];
        writtenKept = new int[slots];
        Arrays.fill(writtenKept, -1);
        blocks = pool.acquire(MemoryKind.UPLOAD, (long) ParameterBlock.BYTES * slots);
    }

    /** A slot's deblocking thresholds. */
    BufferRange deblock(int slot) {
        return part(slot, ParameterBlock.DEBLOCK_AT);
    }

    /** A slot's CDEF strengths. */
    BufferRange cdef(int slot) {
        return part(slot, ParameterBlock.CDEF_AT);
    }

    /** A slot's kept columns. */
    BufferRange kept(int slot) {
        return part(slot, ParameterBlock.KEPT_AT);
    }

    private BufferRange part(int slot, int at) {
        return new BufferRange(blocks.handle(), (long) slot * ParameterBlock.BYTES + at, ParameterBlock.PART_BYTES);
    }

    /** Makes room for ladders. */
    void makeLadders() {
        if (ladders == null) {
            ladders = pool.acquire(MemoryKind.UPLOAD, LADDER_BYTES * written.length);
        }
    }

    /** A slot's ladder; only after {@link #makeLadders}. */
    BufferRange ladder(int slot) {
        return new BufferRange(ladders.handle(), slot * LADDER_BYTES, LADDER_BYTES);
    }

    /** Pictures in flight that there is room for maps of. */
    int mappedPictures() {
        return edgeMaps.length;
    }

    /**
     * Makes room for the maps of more pictures in flight. No picture with a map may be in flight: the memory that its descriptors
     * name is given up.
     */
    void makeMaps(int pictures) {
        DeviceBuffer larger = pool.acquire(MemoryKind.UPLOAD, (edgesBytes + mapBytes) * pictures);
        if (maps != null) {
            pool.release(maps);
        }
        maps = larger;
        edgeMaps = new IntBuffer[pictures];
        blockMaps = new IntBuffer[pictures];
        writtenMaps = new CdefBlockMap[pictures];
        long blockMapsAt = larger.address() + edgesBytes * pictures;
        for (int i = 0; i < pictures; i++) {
            edgeMaps[i] = memIntBuffer(larger.address() + i * edgesBytes, (int) (edgesBytes / 4));
            blockMaps[i] = memIntBuffer(blockMapsAt + i * mapBytes, (int) (mapBytes / 4));
        }
    }

    /** Names the memory of the maps; unique among all buffers that the context ever had. Only after {@link #makeMaps}. */
    long mapsId() {
        return maps.id();
    }

    /** The edges of all pictures in flight; only after {@link #makeMaps}. */
    BufferRange edgeMaps() {
        return new BufferRange(maps.handle(), 0, edgesBytes * edgeMaps.length);
    }

    /** The block maps of all pictures in flight; only after {@link #makeMaps}. */
    BufferRange blockMaps() {
        return new BufferRange(maps.handle(), edgesBytes * blockMaps.length, mapBytes * blockMaps.length);
    }

    /**
     * Writes what a slot's next picture needs; the slot's work must not be in flight.
     *
     * @param picture the picture's number among those in flight, for its maps
     */
    void write(int slot, int picture, PictureStrength strength, int keptColumns) {
        long block = blocks.address() + (long) slot * ParameterBlock.BYTES;
        if (writtenKept[slot] != keptColumns) {
            writtenKept[slot] = keptColumns;
            ParameterBlock.writeKept(format, keptColumns, block + ParameterBlock.KEPT_AT);
        }
        if (strength instanceof PictureStrength.Decoded decoded) {
            written[slot] = null;
            write(decoded.parameters(), picture, block);
        } else if (strength instanceof PictureStrength.Fixed fixed) {
            boolean mapped = fixed.cdefBlocks().isPresent();
            if (mapped || !fixed.equals(written[slot])) {
                written[slot] = fixed;
                writeTier(fixed.parameters(), picture, block);
            }
            if (mapped) {
                write(fixed.cdefBlocks().get(), picture);
            }
        } else if (strength instanceof PictureStrength.Automatic automatic && !automatic.equals(written[slot])) {
            written[slot] = automatic;
            if (!automatic.equals(lastLadder)) {
                lastLadder = automatic;
                ladderGeneration++;
            }
            write(automatic.ladder(), ladders.address() + slot * LADDER_BYTES);
        }
    }

    private void write(PictureParameters own, int picture, long block) {
        if (own.deblocksByEdge()) {
            int[] words = own.edges().words();
            edgeMaps[picture].put(0, words, 0, words.length);
            ParameterBlock.writeFirstInMap(
                    (int) (picture * edgesBytes / EDGE_BYTES), block + ParameterBlock.DEBLOCK_AT);
        } else if (own.deblocks()) {
            ParameterBlock.writeDeblock(format, own.uniform(), block + ParameterBlock.DEBLOCK_AT);
        }
        if (own.runsCdef()) {
            if (own.cdef().isMapped()) {
                int[] words = own.cdef().map();
                blockMaps[picture].put(0, words, 0, words.length);
                writtenMaps[picture] = null;
            }
            ParameterBlock.writeCdef(own.cdef(), firstWordOfMap(picture), block + ParameterBlock.CDEF_AT);
        }
    }

    /** Writes a map, unless it is still there from an earlier picture. {@link #decisions} holds its words. */
    private void write(CdefBlockMap map, int picture) {
        if (!map.equals(writtenMaps[picture])) {
            int[] words = decisions.map();
            blockMaps[picture].put(0, words, 0, words.length);
            writtenMaps[picture] = map;
        }
    }

    private void writeTier(FilterParameters parameters, int picture, long at) {
        if (parameters.deblock().isPresent()) {
            ParameterBlock.writeDeblock(format, parameters.deblock().get(), at + ParameterBlock.DEBLOCK_AT);
        }
        if (parameters.cdef().isPresent()) {
            decisions.set(parameters.cdef().get());
            ParameterBlock.writeCdef(decisions, firstWordOfMap(picture), at + ParameterBlock.CDEF_AT);
        }
    }

    private int firstWordOfMap(int picture) {
        return (int) (picture * mapBytes / 4);
    }

    private void write(StrengthLadder ladder, long at) {
        for (int tier = 0; tier < TIERS; tier++) {
            long tierAt = at + StrengthLadderTable.TIERS + (long) tier * ParameterBlock.TIER_BYTES;
            writeTier(ladder.tiers().get(tier), 0, tierAt);
        }
        memPutInt(at + StrengthLadderTable.GENERATION, ladderGeneration);
    }

    @Override
    public void close() {
        pool.release(blocks);
        if (ladders != null) {
            pool.release(ladders);
        }
        if (maps != null) {
            pool.release(maps);
        }
    }
}

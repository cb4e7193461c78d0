/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memIntBuffer;
import static org.lwjgl.system.MemoryUtil.memPutInt;
import static org.lwjgl.system.MemoryUtil.memSet;

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
import org.gstqpu.kernels.internal.picture.ShrinkageLimits;
import org.gstqpu.kernels.internal.vulkan.device.MemoryKind;
import org.gstqpu.kernels.internal.vulkan.layout.StrengthLadderTable;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;
import org.gstqpu.kernels.picture.PixelFormat;

/**
 * Owns the mapped memory in which the kernels read what is to happen to a picture. Belongs to the context's thread.
 *
 * <p>Each slot of the ring has its own {@link ParameterBlock} and its own ladder of automatic strength. Only the slot's
 * picture reads them, so the next picture's plan can be written while other pictures are in flight. Maps of blocks and
 * edges are large. So not each slot has room for them, but each picture in flight.
 */
final class SlotParameters implements AutoCloseable {
    private static final int EDGE_BYTES = 4 * H264EdgeMap.EDGE_INTS;
    private static final int TIERS = StrengthTier.ALL.size();
    private static final long LADDER_BYTES =
            ParameterBlock.align(StrengthLadderTable.TIERS + (long) TIERS * ParameterBlock.TIER_BYTES);

    private final BufferPool pool;
    private final PixelFormat format;
    private final DeviceBuffer blocks;

    /** Strength that each slot's block or ladder holds. Null if the strength was decoded with its picture. */
    private final PictureStrength[] written;

    /** Number of luma columns that each slot's block says are kept. -1 before the slot's first picture. */
    private final int[] writtenKept;

    /** Working memory: the CDEF decisions that are being written. */
    private final CdefDecisions decisions;

    /** Working memory: the limits of shrinkage that are being written. */
    private final ShrinkageLimits shrinkageLimits;

    private final long edgesBytes;
    private final long mapBytes;

    /** Ladders of all slots. Null before the first picture with automatic strength. */
    private DeviceBuffer ladders;

    /** The ladder that was written last, in any slot. */
    private PictureStrength.Automatic lastLadder;

    /**
     * Number of {@link #lastLadder}. The device copies a tier's parameters if the number of the ladder or of the tier
     * has changed.
     */
    private int ladderGeneration;

    /**
     * Maps of all pictures in flight. Null before the first picture with a map. Replaced by a larger buffer if more
     * such pictures are in flight.
     */
    private DeviceBuffer maps;

    private IntBuffer[] edgeMaps = {};
    private IntBuffer[] blockMaps = {};

    /** CDEF map that the room of each picture in flight holds. Null if the map was decoded with its picture. */
    private CdefBlockMap[] writtenMaps = {};

    /**
     * Makes the memory of the blocks.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device is out of memory; nothing is left behind
     */
    SlotParameters(BufferPool pool, PixelFormat format, int width, int height, int slots) {
        this.pool = pool;
        this.format = format;
        int macroblocks = ((width + 15) / 16) * ((height + 15) / 16);
        edgesBytes = ParameterBlock.align(4L * H264EdgeMap.MACROBLOCK_INTS * macroblocks);
        mapBytes = ParameterBlock.align(4L * ((width + 7) / 8) * ((height + 7) / 8));
        decisions = new CdefDecisions(width, height);
        shrinkageLimits = new ShrinkageLimits(format.bitDepth());
        written = new PictureStrength[slots];
        writtenKept = new int[slots];
        Arrays.fill(writtenKept, -1);
        blocks = acquireCleared((long) ParameterBlock.BYTES * slots);
    }

    /**
     * Takes memory of which each word is 0. Kernels take some words for places in a map; before the first write, they
     * would find there what the memory held for somebody else.
     */
    private DeviceBuffer acquireCleared(long bytes) {
        DeviceBuffer buffer = pool.acquire(MemoryKind.UPLOAD, bytes);
        memSet(buffer.address(), 0, bytes);
        return buffer;
    }

    /** Deblocking thresholds of a slot. */
    BufferRange deblock(int slot) {
        return part(slot, ParameterBlock.DEBLOCK_AT);
    }

    /** CDEF strengths of a slot. */
    BufferRange cdef(int slot) {
        return part(slot, ParameterBlock.CDEF_AT);
    }

    /** Thresholds of shrinkage of a slot. */
    BufferRange shrinkage(int slot) {
        return new BufferRange(
                blocks.handle(),
                (long) slot * ParameterBlock.BYTES + ParameterBlock.SHRINKAGE_AT,
                ParameterBlock.SHRINKAGE_BYTES);
    }

    /** Kept columns of a slot. */
    BufferRange kept(int slot) {
        return part(slot, ParameterBlock.KEPT_AT);
    }

    private BufferRange part(int slot, int at) {
        return new BufferRange(blocks.handle(), (long) slot * ParameterBlock.BYTES + at, ParameterBlock.PART_BYTES);
    }

    /** Makes room for the ladders of all slots. */
    void makeLadders() {
        if (ladders == null) {
            ladders = acquireCleared(LADDER_BYTES * written.length);
        }
    }

    /** Ladder of a slot. Call only after {@link #makeLadders}. */
    BufferRange ladder(int slot) {
        return new BufferRange(ladders.handle(), slot * LADDER_BYTES, LADDER_BYTES);
    }

    /** Number of pictures in flight whose maps have room. */
    int mappedPictures() {
        return edgeMaps.length;
    }

    /**
     * Makes room for the maps of {@code pictures} pictures in flight. Releases the previous room, which recorded
     * descriptors still name. So no picture with a map may be in flight.
     */
    void makeMaps(int pictures) {
        DeviceBuffer larger = acquireCleared((edgesBytes + mapBytes) * pictures);
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

    /**
     * Names the memory of the maps. No other buffer of the context ever has this name. Call only after
     * {@link #makeMaps}.
     */
    long mapsId() {
        return maps.id();
    }

    /** Edge maps of all pictures in flight. Call only after {@link #makeMaps}. */
    BufferRange edgeMaps() {
        return new BufferRange(maps.handle(), 0, edgesBytes * edgeMaps.length);
    }

    /** Block maps of all pictures in flight. Call only after {@link #makeMaps}. */
    BufferRange blockMaps() {
        return new BufferRange(maps.handle(), edgesBytes * blockMaps.length, mapBytes * blockMaps.length);
    }

    /**
     * Writes what the next picture of a slot needs. The slot's work must not be in flight.
     *
     * @param slot number of the slot
     * @param picture number of the picture among those in flight, for its maps
     * @param keptColumns luma columns that are kept unfiltered
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

    /**
     * Writes a CDEF map of which {@link #decisions} holds the words, unless an earlier picture left the same map there.
     */
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
        if (parameters.shrinkage().isPresent()) {
            ParameterBlock.writeShrinkage(
                    parameters.shrinkage().get(), shrinkageLimits, at + ParameterBlock.SHRINKAGE_AT);
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
        memPutInt(at + StrengthLadderTable.SHRINKS, ladder.shifts() > 0 ? 1 : 0);
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

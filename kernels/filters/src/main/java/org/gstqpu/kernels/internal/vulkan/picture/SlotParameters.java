/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.picture;

import static org.lwjgl.system.MemoryUtil.memIntBuffer;

import java.nio.IntBuffer;
import java.util.List;
import org.gstqpu.kernels.filter.PictureStrength;
import org.gstqpu.kernels.internal.stage.DeviceStage;
import org.gstqpu.kernels.internal.stage.ParameterRoom;
import org.gstqpu.kernels.internal.stage.StagePicture;
import org.gstqpu.kernels.internal.vulkan.memory.BufferPool;
import org.gstqpu.kernels.internal.vulkan.memory.BufferRange;
import org.gstqpu.kernels.internal.vulkan.memory.DeviceBuffer;

/**
 * Owns the mapped memory in which the kernels of a row of stages read what is to happen to a picture. Belongs to the context's thread.
 *
 * <p>Each slot of the ring has a block with a part for each stage. Only the slot's picture reads them, so the next picture's plan can
 * be written while other pictures are in flight. Maps are large. So not each slot has room for them, but each picture in flight.
 */
public final class SlotParameters implements AutoCloseable {
    private final BufferPool pool;
    private final List<DeviceStage> stages;

    /** Offset of each stage's part in a block, and the bytes of a block. */
    private final long[] partAt;

    private final DeviceBuffer blocks;

    /** Strength that each slot's block holds. Null if the strength was decoded with its picture. */
    private final PictureStrength[] written;

    private final ParameterRoom room = new ParameterRoom();

    /**
     * Maps of all pictures in flight: those of the first stage, then those of the next. Null before the first picture with a map.
     * Replaced by a larger buffer if more such pictures are in flight.
     */
    private DeviceBuffer maps;

    /** The maps of each stage, by the picture's number among those in flight. */
    private final IntBuffer[][] stageMaps;

    /** Number of pictures in flight whose maps have room. */
    private int mappedPictures;

    /**
     * Makes the memory of the blocks.
     *
     * @throws org.gstqpu.kernels.substrate.DeviceException if the device is out of memory; nothing is left behind
     */
    SlotParameters(BufferPool pool, List<DeviceStage> stages, int slots) {
        this.pool = pool;
        this.stages = stages;
        partAt = new long[stages.size() + 1];
        for (int stage = 0; stage < stages.size(); stage++) {
            partAt[stage + 1] =
                    partAt[stage] + ParameterRoom.align(stages.get(stage).parameterBytes());
        }
        written = new PictureStrength[slots];
        stageMaps = new IntBuffer[stages.size()][];
        // Kernels take some words for places in a map; before the first write, they would find there what the memory
        // held for somebody
        // else.
        blocks = pool.acquireCleared(blockBytes() * slots);
    }

    private long blockBytes() {
        return partAt[stages.size()];
    }

    /** Parameters of a stage in a slot; of a stage that has none, the slot's block. */
    BufferRange part(int slot, int stage) {
        long bytes = partAt[stage + 1] - partAt[stage];
        return bytes == 0
                ? new BufferRange(blocks.handle(), slot * blockBytes(), blockBytes())
                : new BufferRange(blocks.handle(), slot * blockBytes() + partAt[stage], bytes);
    }

    /** Number of pictures in flight whose maps have room. */
    int mappedPictures() {
        return mappedPictures;
    }

    /**
     * Makes room for the maps of {@code pictures} pictures in flight. Releases the previous room, which recorded
     * descriptors still name. So no picture with a map may be in flight.
     */
    void makeMaps(int pictures) {
        DeviceBuffer larger = pool.acquireCleared(mapsAt(stages.size(), pictures));
        pool.release(maps);
        maps = larger;
        mappedPictures = pictures;
        for (int stage = 0; stage < stages.size(); stage++) {
            long bytes = ParameterRoom.align(stages.get(stage).mapBytes());
            stageMaps[stage] = new IntBuffer[pictures];
            for (int picture = 0; picture < pictures; picture++) {
                stageMaps[stage][picture] =
                        memIntBuffer(larger.address() + mapsAt(stage, pictures) + picture * bytes, (int) (bytes / 4));
            }
        }
    }

    /** Where the maps of a stage begin in memory for this many pictures. */
    private long mapsAt(int stage, int pictures) {
        long at = 0;
        for (int before = 0; before < stage; before++) {
            at += ParameterRoom.align(stages.get(before).mapBytes()) * pictures;
        }
        return at;
    }

    /**
     * Names the memory of the maps. No other buffer of the context ever has this name. Call only after
     * {@link #makeMaps}.
     */
    long mapsId() {
        return maps.id();
    }

    /** A stage's maps of all pictures in flight. Call only after {@link #makeMaps}. */
    BufferRange maps(int stage) {
        return new BufferRange(
                maps.handle(),
                mapsAt(stage, mappedPictures),
                ParameterRoom.align(stages.get(stage).mapBytes()) * mappedPictures);
    }

    /**
     * Writes what the next picture of a slot needs. The slot's work must not be in flight.
     *
     * @param slot number of the slot
     * @param place number of the picture among those in flight, for its maps
     * @param forms the form of each stage
     */
    public void write(int slot, int place, StagePicture picture, int[] forms) {
        // What a decoder says lies in an object that changes with each picture.
        boolean holds = !(picture.strength() instanceof PictureStrength.Decoded)
                && picture.strength().equals(written[slot]);
        written[slot] = null;
        for (int stage = 0; stage < stages.size(); stage++) {
            int form = forms[stage];
            if (form != 0) {
                room.set(slot, blocks.address() + slot * blockBytes() + partAt[stage], holds);
                if (stages.get(stage).hasMap(form)) {
                    room.setMap(
                            stageMaps[stage][place],
                            place,
                            place * ParameterRoom.align(stages.get(stage).mapBytes()),
                            maps.id());
                }
                stages.get(stage).write(picture, room);
            }
        }
        // Some stages alone have written the strength of a picture that has waited.
        written[slot] = picture.strength() instanceof PictureStrength.Decoded || picture.completes()
                ? null
                : picture.strength();
    }

    @Override
    public void close() {
        pool.release(blocks);
        pool.release(maps);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import java.nio.IntBuffer;

/**
 * Where a stage writes the parameters of one picture, in mapped memory. Mutable, so that a picture allocates nothing. Belongs to
 * the context's thread.
 */
public final class ParameterRoom {
    /** Alignment of each stage's parameters, in bytes. Vulkan lets no device ask for a larger one. */
    private static final int PART_BYTES = 256;

    private int slot;
    private long address;
    private boolean holdsStrength;
    private IntBuffer map;
    private int place;
    private long mapAtBytes;
    private long mapsId;

    /** Rounds up to the alignment of parameters. */
    public static long align(long bytes) {
        return (bytes + PART_BYTES - 1) / PART_BYTES * PART_BYTES;
    }

    /** Sets this room to the parameters of a stage, without a map. Returns this room. */
    public ParameterRoom set(int slot, long address, boolean holdsStrength) {
        this.slot = slot;
        this.address = address;
        this.holdsStrength = holdsStrength;
        map = null;
        mapAtBytes = 0;
        return this;
    }

    /**
     * Adds a map.
     *
     * @param place number of the picture among those in flight
     * @param atBytes where the map lies among those of the stage
     * @param mapsId names the memory of the stage's maps; no other memory ever has this name
     */
    public void setMap(IntBuffer map, int place, long atBytes, long mapsId) {
        this.map = map;
        this.place = place;
        mapAtBytes = atBytes;
        this.mapsId = mapsId;
    }

    /** Number of the slot. */
    public int slot() {
        return slot;
    }

    /** Address of the stage's parameters. */
    public long address() {
        return address;
    }

    /** True if this slot's last picture had an equal strength, so that its parameters are here already. */
    public boolean holdsStrength() {
        return holdsStrength;
    }

    /** True if the picture has a map. */
    public boolean hasMap() {
        return map != null;
    }

    /** The words of the picture's map. Null if it has none. */
    public IntBuffer map() {
        return map;
    }

    /** Number of the picture among those in flight; only if it has a map. */
    public int place() {
        return place;
    }

    /** Where the picture's map lies among the stage's maps of all pictures in flight; 0 if it has none. */
    public long mapAtBytes() {
        return mapAtBytes;
    }

    /** Names the memory of the stage's maps. */
    public long mapsId() {
        return mapsId;
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import org.gstqpu.kernels.filter.FusionCounts;
import org.gstqpu.kernels.internal.vulkan.picture.StageRow;
import org.gstqpu.kernels.substrate.DeviceException;

/**
 * One step of a picture's way through a {@link StageRow}: it reads the picture that the stage before left, and leaves one. Owns the
 * memory that it needs for that, and makes it for the first picture that needs it. Belongs to the context's thread.
 *
 * <p>Pictures whose stages all have the same form share a recording. What differs from picture to picture beside the form is in the
 * stage's parameters, which lie in mapped memory.
 */
public interface DeviceStage extends AutoCloseable {
    /** Bits of {@link #form}. */
    int formBits();

    /** How the stage runs for a picture; 0 if it does not. Never waits. */
    int form(StagePicture picture);

    /** True if the stage runs for what is {@linkplain StagePicture#completes left to do} with a picture that has waited. */
    default boolean completes() {
        return false;
    }

    /** Number of descriptor sets that {@link #record} writes. */
    int sets();

    /**
     * True if the stage leaves its result in another picture than the one that it reads. Otherwise it changes that picture, or none.
     */
    default boolean makesPicture() {
        return true;
    }

    /** Bytes of the stage's parameters in a slot's block; 0 for none. */
    default int parameterBytes() {
        return 0;
    }

    /** Bytes of the map that a picture in flight may have in addition to its parameters; 0 for none. */
    default long mapBytes() {
        return 0;
    }

    /** True if pictures of this form have a map. */
    default boolean hasMap(int form) {
        return false;
    }

    /**
     * Makes the memory that a form needs and that does not exist yet.
     *
     * @throws DeviceException if the device is out of memory, or failed
     */
    default void make(int form) {}

    /** Writes the parameters of a picture for which the stage runs. */
    default void write(StagePicture picture, ParameterRoom room) {}

    /**
     * Records the stage, from {@link StageRecording#source} to {@link StageRecording#destination}. {@link #make} has been called for
     * the form.
     */
    void record(StageRecording at, int form);

    /** The pictures that come next continue this sequence, 0 at first, and know the pictures of no other one. */
    default void setSequence(int sequence) {}

    /** The next picture of each sequence knows nothing of those before. None waits. */
    default void forgetPast() {}

    /** What temporal fusion has done; nothing for another stage. */
    default FusionCounts fusion() {
        return FusionCounts.NONE;
    }

    @Override
    default void close() {}
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

import java.util.Objects;
import org.gstqpu.kernels.internal.vulkan.memory.PicturePlace;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Names the work that a command buffer was recorded for: the buffers, where the pictures lie in them, and what is done.
 * Mutable, so that looking up a recording allocates nothing. Belongs to the context's thread.
 */
public final class WorkKey {
    private long sourceId;
    private long sourceBaseBytes;
    private PictureLayout sourceLayout;
    private long destinationId;
    private long destinationBaseBytes;
    private PictureLayout destinationLayout;
    private long forms;
    private long parametersId;

    /**
     * Sets the values of a picture.
     *
     * @param forms what is done, as a number that the owner of the ring chooses
     * @param parametersId names memory of parameters that descriptors point at; 0 if that memory never changes
     */
    public void set(PicturePlace source, PicturePlace destination, long forms, long parametersId) {
        sourceId = source.id();
        sourceBaseBytes = source.baseBytes();
        sourceLayout = source.layout();
        destinationId = destination.id();
        destinationBaseBytes = destination.baseBytes();
        destinationLayout = destination.layout();
        this.forms = forms;
        this.parametersId = parametersId;
    }

    /** Copies the values of another key. */
    void set(WorkKey other) {
        sourceId = other.sourceId;
        sourceBaseBytes = other.sourceBaseBytes;
        sourceLayout = other.sourceLayout;
        destinationId = other.destinationId;
        destinationBaseBytes = other.destinationBaseBytes;
        destinationLayout = other.destinationLayout;
        forms = other.forms;
        parametersId = other.parametersId;
    }

    boolean matches(WorkKey other) {
        return sourceId == other.sourceId
                && destinationId == other.destinationId
                && forms == other.forms
                && parametersId == other.parametersId
                && sourceBaseBytes == other.sourceBaseBytes
                && destinationBaseBytes == other.destinationBaseBytes
                && Objects.equals(sourceLayout, other.sourceLayout)
                && Objects.equals(destinationLayout, other.destinationLayout);
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import org.gstqpu.kernels.filter.FilterParameters;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PictureStrength;

/**
 * A stage whose strength automatic strength may choose: its parameters are a part of each tier. Belongs to the context's thread.
 */
public interface FilterStage extends DeviceStage {
    /** Writes the strength that a caller or a tier gives, if it has one for this filter. */
    void write(FilterParameters parameters, ParameterRoom room);

    /** Writes what a picture's decoder gives, if it gives something for this filter. */
    void write(PictureParameters own, ParameterRoom room);

    /**
     * The byte of the parameters at which automatic strength writes on what combs coefficients stand: 1 if those of the stream do, plus twice
     * the step of those of the picture, or 0. Less than 0 if the filter does not ask.
     */
    default int combsAt() {
        return -1;
    }

    @Override
    default void write(StagePicture picture, ParameterRoom room) {
        if (picture.strength() instanceof PictureStrength.Decoded decoded) {
            write(decoded.parameters(), room);
        } else if (picture.strength() instanceof PictureStrength.Fixed fixed
                && (room.hasMap() || !room.holdsStrength())) {
            write(fixed.parameters(), room);
        }
    }
}

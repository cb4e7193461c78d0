/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.quality;

import org.gstqpu.kernels.internal.quality.FloatScale;
import org.gstqpu.kernels.internal.vulkan.quality.layout.FloatLumaGeometry;
import org.gstqpu.kernels.internal.vulkan.work.Commands;
import org.gstqpu.kernels.internal.vulkan.work.PushConstants;

/** Records the dispatch that turns luma of a pair into two planes of the scale of {@link FloatScale}. */
final class FloatLumaPass {
    private static final int INVOCATIONS = 64;

    private final PairShape shape;
    private final float offset;
    private final PushConstants geometry = new PushConstants(FloatLumaGeometry.BYTES);

    /** @param offset what is subtracted from samples */
    FloatLumaPass(PairShape shape, float offset) {
        this.offset = offset;
        this.shape = shape;
    }

    /**
     * Records it; the set of the recording has the planes at binding 3.
     *
     * @param pictures 2 for both, 1 for the reference only
     * @param referenceAt first word of the reference's plane
     * @param pictureAt first word of the other picture's plane
     */
    void record(PairRecording recording, int pictures, int referenceAt, int pictureAt) {
        Commands commands = recording.kernel(
                QualityKernel.FLOAT_LUMA,
                INVOCATIONS,
                shape.format().sampleBytes(),
                shape.format().sampleShift());
        commands.push(recording
                .withPair(geometry, 0)
                .put(FloatLumaGeometry.REFERENCE_AT, referenceAt)
                .put(FloatLumaGeometry.PICTURE_AT, pictureAt)
                .put(FloatLumaGeometry.WIDTH, shape.width())
                .put(FloatLumaGeometry.FACTOR, FloatScale.factor(shape.format().bitDepth()))
                .put(FloatLumaGeometry.OFFSET, offset));
        commands.dispatch(Commands.groups(shape.width(), INVOCATIONS), shape.height(), pictures);
    }
}

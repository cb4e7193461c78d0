/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.golden;

import java.nio.ByteBuffer;
import org.gstqpu.kernels.filter.EdgeDirection;
import org.gstqpu.kernels.filter.H264EdgeMap;
import org.gstqpu.kernels.filter.PictureParameters;
import org.gstqpu.kernels.filter.PicturePlan;
import org.gstqpu.kernels.picture.PictureLayout;

/**
 * Makes the plan of a picture whose file lists H.264 edges, each with strengths of its own. Belongs to one
 * verification.
 */
final class GoldenEdges implements GoldenVerifier.Planner {
    private static final int OPERATION_BYTES = 13;

    private final GoldenPicture picture;

    GoldenEdges(GoldenPicture picture) {
        this.picture = picture;
    }

    @Override
    public PicturePlan plan(PictureLayout layout) throws GoldenFormatException {
        PictureParameters parameters = new PictureParameters(layout.format(), layout.width(), layout.height());
        addTo(parameters.deblockByEdge(), picture);
        return PicturePlan.decoded(parameters);
    }

    /** Adds a picture's edges to a map. */
    static void addTo(H264EdgeMap map, GoldenPicture picture) throws GoldenFormatException {
        ByteBuffer operations = picture.bytes("ops");
        try {
            for (int at = 0; at + OPERATION_BYTES <= operations.capacity(); at += OPERATION_BYTES) {
                add(map, operations, at);
            }
        } catch (IllegalArgumentException e) {
            throw new GoldenFormatException(picture.name(), e.getMessage(), e);
        }
    }

    private static void add(H264EdgeMap map, ByteBuffer operations, int at) {
        int component = operations.get(at);
        // For chroma, the file has tC0 + 1.
        int less = component == 0 ? 0 : 1;
        map.add(
                component,
                operations.get(at + 1) == 0 ? EdgeDirection.VERTICAL : EdgeDirection.HORIZONTAL,
                operations.getShort(at + 9) & 0xffff,
                operations.getShort(at + 11) & 0xffff,
                operations.get(at + 2) != 0,
                operations.get(at + 3) & 255,
                operations.get(at + 4) & 255,
                operations.get(at + 5) - less,
                operations.get(at + 6) - less,
                operations.get(at + 7) - less,
                operations.get(at + 8) - less);
    }
}

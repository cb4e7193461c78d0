/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;

/** How strongly a picture is filtered, and who decides that. */
public sealed interface PictureStrength {
    /** Whether H.264 deblocking runs. */
    boolean deblocks();

    /** Whether AV1 CDEF runs. */
    boolean runsCdef();

    /**
     * The same strength in the whole picture, or for CDEF in the blocks of a map.
     *
     * @param parameters of both filters
     * @param gridColumn column of luma, 0 to 7, in which a macroblock begins
     * @param gridRow row of luma, 0 to 7, in which a macroblock begins
     */
    record Fixed(FilterParameters parameters, int gridColumn, int gridRow) implements PictureStrength {
        /**
         * @throws IllegalArgumentException when the column or the row is not 0 to 7
         */
        public Fixed {
            // Checks the range.
            StrengthEstimate.packOffset(gridColumn, gridRow);
        }

        @Override
        public boolean deblocks() {
            return parameters.deblock().isPresent();
        }

        @Override
        public boolean runsCdef() {
            return parameters.cdef().isPresent();
        }

        /** The map of blocks that CDEF has, if any. */
        public Optional<CdefBlockMap> cdefBlocks() {
            return parameters.cdef().flatMap(CdefParameters::blocks);
        }
    }

    /**
     * What the filter finds in the pictures, each by the pictures up to it in the order in which they began. On a device the CPU
     * neither waits nor reads. What was found so far is kept from picture to picture, also where the ladder changes.
     *
     * @param ladder what to do for each result
     */
    record Automatic(StrengthLadder ladder) implements PictureStrength {
        @Override
        public boolean deblocks() {
            return ladder.tiers().get(0).deblock().isPresent();
        }

        @Override
        public boolean runsCdef() {
            return ladder.tiers().get(0).cdef().isPresent();
        }
    }

    /**
     * What the picture's decoder says. Such a picture neither uses nor changes what automatic strength has found.
     *
     * @param parameters of this picture; {@link PictureFilter#begin begin} reads them before it returns
     */
    record Decoded(PictureParameters parameters) implements PictureStrength {
        @Override
        public boolean deblocks() {
            return parameters.deblocks();
        }

        @Override
        public boolean runsCdef() {
            return parameters.runsCdef();
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;

/** How strongly a picture is filtered, and who decides it: the caller, the pictures, or the decoder. */
public sealed interface PictureStrength {
    /** True if H.264 deblocking runs. */
    boolean deblocks();

    /** True if AV1 CDEF runs. */
    boolean runsCdef();

    /** How many shifts shrinkage averages; 0 if shrinkage does not run. */
    int shifts();

    /** True if temporal fusion runs. */
    boolean fuses();

    /** How many pictures after it the picture is fused with; 0 if temporal fusion does not run. */
    default int ahead() {
        return 0;
    }

    /** True if a filter runs. */
    boolean filters();

    /**
     * The caller decides: the same strength in the whole picture, or for CDEF in the blocks of a map. Immutable.
     *
     * @param parameters of the filters
     * @param gridColumn a column of luma in which a macroblock begins, 0 to 7
     * @param gridRow a row of luma in which a macroblock begins, 0 to 7
     */
    record Fixed(FilterParameters parameters, int gridColumn, int gridRow) implements PictureStrength {
        /**
         * @throws IllegalArgumentException when the column or the row is not 0 to 7
         */
        public Fixed {
            if (gridColumn < 0 || gridColumn > 7 || gridRow < 0 || gridRow > 7) {
                throw new IllegalArgumentException(
                        "a block begins in a column and a row from 0 to 7, given " + gridColumn + " and " + gridRow);
            }
        }

        @Override
        public boolean deblocks() {
            return parameters.deblock().isPresent();
        }

        @Override
        public boolean runsCdef() {
            return parameters.cdef().isPresent();
        }

        @Override
        public int shifts() {
            // Not by Optional.map, which allocates.
            return parameters.shrinkage().isPresent()
                    ? parameters.shrinkage().get().shifts()
                    : 0;
        }

        @Override
        public boolean fuses() {
            return parameters.time().isPresent();
        }

        @Override
        public int ahead() {
            return fuses() ? parameters.time().get().ahead() : 0;
        }

        @Override
        public boolean filters() {
            return parameters.filters();
        }

        /** CDEF's map of blocks, if CDEF runs and has one. */
        public Optional<CdefBlockMap> cdefBlocks() {
            return parameters.cdef().flatMap(CdefParameters::blocks);
        }
    }

    /**
     * The pictures decide: the filter estimates from the picture, and from the pictures that began before it, how strongly it was
     * compressed. On a device, the device estimates, and the CPU neither waits nor reads. The filter keeps its estimate from picture
     * to picture, also if the ladder changes. Immutable.
     *
     * @param ladder what to do for each tier of strength
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

        @Override
        public int shifts() {
            return ladder.shifts();
        }

        @Override
        public boolean fuses() {
            return ladder.tiers().get(0).time().isPresent();
        }

        @Override
        public int ahead() {
            return fuses() ? ladder.tiers().get(0).time().get().ahead() : 0;
        }

        @Override
        public boolean filters() {
            return ladder.tiers().get(0).filters();
        }
    }

    /**
     * The picture's decoder decides. Such a picture neither uses nor changes the estimate of automatic strength.
     *
     * @param parameters of this picture. {@link PictureRun#begin begin} reads them before it returns; they may then change
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

        @Override
        public int shifts() {
            return 0;
        }

        @Override
        public boolean fuses() {
            return false;
        }

        @Override
        public boolean filters() {
            return deblocks() || runsCdef();
        }
    }
}

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.stage;

import org.gstqpu.kernels.filter.PictureStrength;

/**
 * What the stages need to know of a picture that is about to be filtered. Mutable, so that a picture allocates nothing. Belongs to
 * the context's thread.
 */
public final class StagePicture {
    private PictureStrength strength;
    private int keptColumns;
    private boolean unpacks;
    private boolean packs;
    private int ahead;
    private boolean completes;
    private int measuredOffset;
    private int gridOffset;

    /**
     * Sets what is known before any stage is asked.
     *
     * @param keptColumns luma columns, from the left, that are not filtered
     * @param unpacks whether three samples share a word in the source
     * @param packs whether three samples share a word in the destination
     */
    public void set(PictureStrength strength, int keptColumns, boolean unpacks, boolean packs) {
        this.strength = strength;
        this.keptColumns = keptColumns;
        this.unpacks = unpacks;
        this.packs = packs;
        completes = false;
        ahead = packs || unpacks ? 0 : strength.ahead();
    }

    /** Makes of it what is left to do with a picture that has waited for those after it. */
    public void setCompletes() {
        completes = true;
    }

    /**
     * Sets where grids of blocks begin, each as column | row &lt;&lt; 3.
     *
     * @param measuredOffset the grid that automatic strength measures
     * @param gridOffset the grid of macroblocks that the filters take for the codec's
     */
    public void setGrid(int measuredOffset, int gridOffset) {
        this.measuredOffset = measuredOffset;
        this.gridOffset = gridOffset;
    }

    public PictureStrength strength() {
        return strength;
    }

    public int keptColumns() {
        return keptColumns;
    }

    public boolean unpacks() {
        return unpacks;
    }

    public boolean packs() {
        return packs;
    }

    /** How many pictures after it the picture is fused with. None if samples share a word: what is between the stages is not kept. */
    public int ahead() {
        return ahead;
    }

    /** True if the picture has waited for those after it, and only what depends on these is left to do. */
    public boolean completes() {
        return completes;
    }

    public int measuredOffset() {
        return measuredOffset;
    }

    public int gridOffset() {
        return gridOffset;
    }
}

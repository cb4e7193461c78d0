/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

/** How H.264 picture deblocking is cut into dispatches; every form gives the same result. */
public enum DeblockForm {
    /**
     * One dispatch, in which rows of macroblocks walk behind one another; a workgroup polls for the one above. For devices that
     * let every workgroup that was begun go on, and that put no two workgroups into one subgroup.
     */
    CHASE,
    /** A dispatch for each diagonal of macroblocks: no workgroup waits for another. */
    DIAGONALS,
    /** Two dispatches for each diagonal, vertical edges and horizontal ones, without a barrier inside a workgroup. */
    DIAGONALS_IN_PHASES,
    /**
     * A dispatch for each diagonal of tiles of two rows of macroblocks, each tile a workgroup of 8 invocations in one subgroup that
     * goes from macroblock to macroblock: no workgroup waits for another. For CPUs in disguise; sees buffers as texels.
     */
    TILES
}

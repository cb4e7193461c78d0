/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.internal.vulkan.work;

/** How H.264 picture deblocking is cut into dispatches. All forms give the same result. */
public enum DeblockForm {
    /**
     * One dispatch. Each workgroup filters rows of macroblocks and polls how far the row above has come. For devices
     * that let every workgroup that has begun go on, and that never put two workgroups into one subgroup.
     */
    CHASE,
    /** One dispatch for each diagonal of macroblocks. No workgroup waits for another. */
    DIAGONALS,
    /**
     * Two dispatches for each diagonal: one for the vertical edges, one for the horizontal edges. No workgroup has a
     * barrier.
     */
    DIAGONALS_IN_PHASES,
    /**
     * One dispatch for each diagonal of tiles. A tile is two rows of macroblocks high; one workgroup of 8 invocations,
     * in one subgroup, filters its macroblocks one after the other. No workgroup waits for another. For CPUs that pose
     * as devices. The kernel sees buffers as texels.
     */
    TILES
}

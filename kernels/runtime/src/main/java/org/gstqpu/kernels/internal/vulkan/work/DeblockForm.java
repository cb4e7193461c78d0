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
    /**
     * Two dispatches for each diagonal of macroblocks: one for the vertical edges, one for the horizontal edges. No workgroup waits
     * for another, and none has a barrier. For all other devices, among them CPUs that pose as devices.
     */
    DIAGONALS
}

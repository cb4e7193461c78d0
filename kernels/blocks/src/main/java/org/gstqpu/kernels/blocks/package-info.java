/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The entrance of the block library: {@link org.gstqpu.kernels.blocks.Blocks} opens the CPU or a Vulkan device for block calls. */
package org.gstqpu.kernels.blocks;

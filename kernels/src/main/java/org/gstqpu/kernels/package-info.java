/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The entrance: {@link org.gstqpu.kernels.Substrates} opens the CPU or a Vulkan device.
 *
 * <p>{@link org.gstqpu.kernels.Substrates#open open} gives a {@link org.gstqpu.kernels.filter.FilterContext} for whole pictures,
 * {@link org.gstqpu.kernels.Substrates#openBlocks openBlocks} a {@link org.gstqpu.kernels.block.BlockContext} for blocks.
 */
package org.gstqpu.kernels;

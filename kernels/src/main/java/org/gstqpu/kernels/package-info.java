/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Codec loop filters on pictures in memory, on the CPU or on a Vulkan device, bit-exact on both.
 *
 * <p>{@link org.gstqpu.kernels.Substrates} opens a substrate as a {@link org.gstqpu.kernels.filter.FilterContext}; it makes {@link
 * org.gstqpu.kernels.filter.PictureFilter}s, which run H.264 deblocking and AV1 CDEF over whole pictures, and {@link
 * org.gstqpu.kernels.quality.QualityMeter}s, which say how close pictures come to others. Nothing here knows GStreamer.
 */
package org.gstqpu.kernels;

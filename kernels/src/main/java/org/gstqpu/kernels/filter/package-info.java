/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Filters for whole pictures. A {@link org.gstqpu.kernels.filter.FilterContext} makes {@link
 * org.gstqpu.kernels.filter.PictureFilter}s, which run H.264 deblocking and AV1 CDEF with given, measured or decoded strengths.
 */
package org.gstqpu.kernels.filter;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Filters for whole pictures. A {@link org.gstqpu.kernels.filter.FilterContext} makes a {@link
 * org.gstqpu.kernels.filter.PictureFilter}, which runs H.264 deblocking and AV1 CDEF on each picture as its {@link
 * org.gstqpu.kernels.filter.PicturePlan} says: with fixed strengths, with strengths that the pictures show, or with those of the
 * pictures' decoder.
 */
package org.gstqpu.kernels.filter;

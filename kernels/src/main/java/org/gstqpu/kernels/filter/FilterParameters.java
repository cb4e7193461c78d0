/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
package org.gstqpu.kernels.filter;

import java.util.Optional;

/**
 * What a {@link PictureFilter} does to a picture: deblocking first, then CDEF on its result, each of them optional.
 *
 * @param deblock H.264 deblocking, empty for none
 * @param cdef AV1 CDEF, empty for none
 */
public record FilterParameters(Optional<H264DeblockParameters> deblock, Optional<CdefParameters> cdef) {}

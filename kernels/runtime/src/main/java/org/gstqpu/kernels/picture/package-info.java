/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Pictures: {@linkplain PixelFormat formats}, {@linkplain PictureLayout layouts} and {@linkplain PictureMemory memory}. */
package org.gstqpu.kernels.picture;

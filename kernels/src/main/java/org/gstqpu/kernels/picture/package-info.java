/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Pictures: their formats, their layouts, and the memory that they lie in. */
package org.gstqpu.kernels.picture;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Quality metrics: how close a picture comes to its reference. */
package org.gstqpu.kernels.quality;

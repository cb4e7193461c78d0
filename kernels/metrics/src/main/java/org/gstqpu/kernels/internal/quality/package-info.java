/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Constants and arithmetic of the quality metrics, shared by both substrates. */
package org.gstqpu.kernels.internal.quality;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Stages that move samples: from and to packed words, and back into the part that is kept. */
package org.gstqpu.kernels.internal.stage.plane;

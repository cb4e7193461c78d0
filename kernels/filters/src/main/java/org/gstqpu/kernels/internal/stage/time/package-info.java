/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Temporal fusion, on the device and on the CPU. */
package org.gstqpu.kernels.internal.stage.time;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The block calls on the CPU. */
package org.gstqpu.kernels.internal.cpu.block;

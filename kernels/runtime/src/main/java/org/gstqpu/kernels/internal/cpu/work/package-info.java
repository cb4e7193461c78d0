/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The threads of the CPU substrate, and how they share a picture. */
package org.gstqpu.kernels.internal.cpu.work;

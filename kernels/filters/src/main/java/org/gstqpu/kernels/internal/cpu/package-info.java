/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The CPU substrate. {@link org.gstqpu.kernels.internal.cpu.CpuFilterContext} owns the threads and makes the filters, whose stages lie
 * in packages of their own.
 */
package org.gstqpu.kernels.internal.cpu;

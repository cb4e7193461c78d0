/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * The CPU substrate. {@link org.gstqpu.kernels.internal.cpu.CpuFilterContext} owns the threads and makes the filters, meters and
 * block calls. Names begin with what they compute: {@code Cdef}, {@code H264} and {@code Deblock}, {@code Vp9}, {@code Strength}.
 */
package org.gstqpu.kernels.internal.cpu;

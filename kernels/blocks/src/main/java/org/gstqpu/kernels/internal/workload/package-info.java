/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Made-up work for the primitives of {@link org.gstqpu.kernels.block}, for measurements and for the choice of a
 * substrate. To a kernel, it looks like decoded video. Equal seeds make equal work on every substrate.
 */
package org.gstqpu.kernels.internal.workload;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Benchmarks of the kernels: blocks, pictures, and their static cost on V3D. */
package org.gstqpu.pipelines.bench.kernels;

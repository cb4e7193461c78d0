/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Benchmarks of the kernels: over blocks, over pictures, and by the instruction counts of V3D's compiler. */
package org.gstqpu.pipelines.bench.kernels;

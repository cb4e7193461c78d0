/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Benchmarks of one small dispatch: from keeping only the pipeline to keeping all Vulkan objects, in Java and in C. */
package org.gstqpu.pipelines.bench.dispatch;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Benchmarks of the element in whole pipelines. Each pipeline runs in its own process. */
package org.gstqpu.pipelines.bench.stream;

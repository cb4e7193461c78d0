/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** What the benchmarks share: measurements, medians, plots. */
package org.gstqpu.pipelines.bench;

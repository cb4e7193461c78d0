/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Measurements, medians and plots, which all benchmarks use. */
package org.gstqpu.pipelines.bench;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/**
 * Made-up work for the primitives of {@link org.gstqpu.kernels.block}: what measurements and the choice of a substrate run.
 * It looks to a kernel as decoded video does, and is the same for the same seed on every substrate.
 */
package org.gstqpu.kernels.internal.workload;

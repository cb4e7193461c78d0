/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Races of a device against the CPU, by which {@link org.gstqpu.kernels.substrate.Substrate#AUTO} chooses, and what is kept of them. */
package org.gstqpu.kernels.internal.race;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Substrates: how to ask for one, which one was chosen and why, and how one fails. */
package org.gstqpu.kernels.substrate;

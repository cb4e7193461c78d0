/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Which filters a picture goes through, on both substrates. */
package org.gstqpu.kernels.internal.row;

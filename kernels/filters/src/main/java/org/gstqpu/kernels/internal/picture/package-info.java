/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Checks of pictures that both substrates share. */
package org.gstqpu.kernels.internal.picture;

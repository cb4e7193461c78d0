/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Files of the user's cache folder, LWJGL's unpacked library among them. */
package org.gstqpu.kernels.internal.cache;

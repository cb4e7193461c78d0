/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Whether pictures and their memory fit what works on them. */
package org.gstqpu.kernels.internal.memory;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** AV1 CDEF, on a device and on the CPU. */
package org.gstqpu.kernels.internal.stage.cdef;

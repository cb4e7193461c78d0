/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** Picture filters on the device: the row of stages, their parameters, and the pictures in flight. */
package org.gstqpu.kernels.internal.vulkan.picture;

/*
 * Copyright (C) 2026 the gst-qpu authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** The entrance of the filters: {@link org.gstqpu.kernels.Substrates} opens the CPU or a Vulkan device for pictures. */
package org.gstqpu.kernels;
